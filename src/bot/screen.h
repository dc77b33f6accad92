#ifndef BOT_SCREEN_H
#define BOT_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "bot/settings.h"
#include "mail/message.h"

/*
 * Mails that no human wrote to us: kept for threading, never acted upon and
 * never answered, or two machines would talk for ever.
 */

/* Every mail of ours carries this field. */
#define OWN_FIELD "X-Perfpost"

/* Why the mail is to be ignored, or NULL: a person's mail. */
const char *screen_mail(const struct settings *s, const struct message *m,
			struct arena *a);

/* A delivery report (RFC 3464) that says that a mail failed for good. */
struct bounce {
	const char *address;	/* whom it failed for; NULL: it is no such */
	const char *status;	/* why (RFC 3463), such as "5.1.1", or NULL */
	const char *message_id;	/* of the mail, when it came back, or NULL */
};

/* Fill "b" from "a". */
void screen_bounce(struct bounce *b, const struct message *m,
		   const void *bytes, size_t len, struct arena *a);

#endif
