#ifndef MAIL_ID_H
#define MAIL_ID_H

#include <stddef.h>

struct buf;

/*
 * Identities made of content, so that the same thing said twice has the same
 * name: a Message-ID is a function of what the mail is about, never of when or
 * where it was written.
 */

enum { DIGEST_HEX = 65 };	/* SHA-256 in hex, with its NUL */

/* SHA-256 over the parts, each with its length before it. */
void digest(const char *const *part, size_t n, char hex[DIGEST_HEX]);

/* SHA-256 of bytes as they are. */
void digest_bytes(const void *bytes, size_t len, char hex[DIGEST_HEX]);

struct id_parts {
	const char *kind;	/* "report", "ack", "result", ... */
	const char *identity;	/* of the report: hex; its first 12 are shown */
	const char *revision;	/* of its facts: a number or hex; shown up to 12 */
	const char *request;	/* that it answers, any text; NULL: none */
	const char *domain;
};

/*
 * Append "report.5c1e77a90b3d.1@ci.example.org", without brackets; with a
 * request, 12 hex digits of its digest stand behind the revision.
 */
void msgid_make(struct buf *out, const struct id_parts *parts);

#endif
