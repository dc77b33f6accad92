#ifndef MAIL_MIME_H
#define MAIL_MIME_H

#include <stdbool.h>
#include <stddef.h>

#include "mail/header.h"
#include "mail/text.h"

/*
 * The parts of a message (RFC 2046), found without recursion and within
 * limits, before anything of them is decoded.  We walk the structure on our
 * own: a library's parser recurses as deep as the sender likes.
 */

#define MIME_DEPTH_MAX 30	/* deeper multiparts stay unopened */
#define MIME_PARTS_MAX 1000	/* later parts are not seen */

struct mime_part {
	struct header_block fields;	/* of the part's own header */
	const char *type;	/* "text/plain", lower case, never NULL */
	const char *charset;	/* parameters, NULL when not there */
	const char *name;	/* file name, decoded (RFC 2231 and 2047) */
	const char *boundary;
	const char *report_type;
	const char *encoding;	/* Content-Transfer-Encoding, or NULL */
	bool flowed, delsp;	/* RFC 3676 */
	bool attachment;	/* Content-Disposition says so */
	bool embedded;		/* within a message/rfc822 of this message */
	bool bare;		/* a multipart whose boundary stands nowhere:
				 * its content is text */
	size_t parent;		/* index, itself for the first part */
	int depth;		/* of multiparts and messages around it */
	struct slice content;	/* not decoded */
};

struct mime {
	struct mime_part *v;	/* in the order they stand in the message */
	size_t n;
};

/*
 * Read the structure of a whole message: v[0] is the message itself, its
 * fields the message's header.  All is owned by the arena; contents point
 * into "s".
 */
void mime_read(struct mime *m, struct arena *a, const char *s, size_t len);

/* The same for v[0] alone. */
void mime_read_top(struct mime *m, struct arena *a, const char *s, size_t len);

/* Is the part a "multipart/..." or an opened message (holds others)? */
bool mime_is_container(const struct mime_part *p);

#endif
