#ifndef MAIL_WRITE_H
#define MAIL_WRITE_H

#include <stddef.h>
#include <stdint.h>

#include "mail/message.h"

struct buf;
struct err;

/*
 * A message that goes out, written.  The caller owns what the pointers point
 * to.  There is no Bcc: who gets a mail without being named in it is a matter
 * of the envelope alone.
 */

struct attachment {
	const char *name;	/* file name, UTF-8, no folder */
	const char *type;	/* "text/plain", "application/yaml", ... */
	const void *data;
	size_t len;
};

struct field {
	const char *name, *value;
};

struct letter {
	struct address from;
	struct addresses to, cc, reply_to;
	const char *subject;	/* UTF-8, one line */
	const char *message_id;	/* without brackets, as all ids here */
	const char *in_reply_to;	/* or NULL */
	struct strings references;	/* oldest first */
	int64_t date;		/* seconds since 1970 UTC */
	const struct field *field;	/* others: Auto-Submitted, X-... */
	size_t nfield;
	const char *body;	/* UTF-8, lines ended by LF */
	const struct attachment *attachment;
	size_t nattachment;
};

enum line_end { LINE_END_LF, LINE_END_CRLF };

/*
 * Append the letter as an RFC 5322 message: 7-bit throughout, text/plain in
 * UTF-8 (plain when it is ASCII in short lines, else quoted-printable), with
 * attachments a multipart/mixed.  The same letter gives the same bytes.
 *
 * Refuses with ERR_INPUT, nothing appended, what is unfit to be sent: no
 * sender, recipient, subject or body, a header that mail/check.h refuses, a
 * field that has a place of its own in the struct, a body or name that is no
 * UTF-8, NUL bytes.  "out" beyond its limit is an ERR_INPUT, too.
 */
int letter_write(const struct letter *l, enum line_end end, struct buf *out,
		 struct err *err);

#endif
