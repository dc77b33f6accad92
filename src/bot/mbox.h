#ifndef BOT_MBOX_H
#define BOT_MBOX_H

#include <stddef.h>

#include "mail/message.h"

struct buf;

/*
 * Append patch "p" as a message of an mbox that git am takes: a whole
 * format-patch mail as it came, a bare diff with headers of "m", the mail that
 * held it.  Lines that would begin another message are quoted.
 */
void mbox_add(struct buf *out, const struct patch *p, const struct message *m);

/*
 * The next message of an mbox: 1 with its bytes in "*msg", "*len" (a part of
 * "text") and "*pos" behind it; 0 at the end.  A text that is no mbox is one
 * message.
 */
int mbox_next(const char *text, size_t size, size_t *pos, const char **msg,
	      size_t *len);

#endif
