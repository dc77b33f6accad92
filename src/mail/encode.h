#ifndef MAIL_ENCODE_H
#define MAIL_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mail/message.h"

struct buf;

/*
 * Header lines as they travel: ASCII, folded at 78 columns where a blank
 * allows it and never beyond 998 (RFC 5322 2.1.1), ended by LF.  Values have
 * passed mail/check.h.
 */

/* Free text (RFC 2047 where it is not plain ASCII): Subject and the like. */
void encode_text(struct buf *out, const char *name, const char *value);

/* Mailboxes, names as phrases (RFC 2047 5 (3)). None: no line at all. */
void encode_addresses(struct buf *out, const char *name,
		      const struct addresses *list);

/* Message-IDs, given without brackets. None: no line at all. */
void encode_ids(struct buf *out, const char *name, const struct strings *ids);

/* RFC 5322 3.3, in UTC: "Tue, 14 Nov 2023 22:13:20 +0000". */
void encode_date(struct buf *out, const char *name, int64_t seconds);

#endif
