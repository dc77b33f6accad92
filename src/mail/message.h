#ifndef MAIL_MESSAGE_H
#define MAIL_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct err;

/*
 * A message that came in, read.  Bytes in, struct out: no sockets, no clock,
 * no opinion on what it asks for.  All strings are valid UTF-8, owned by the
 * message's arena, never NULL unless it says so here.
 */

struct address {
	const char *name;	/* decoded display name, "" when none */
	const char *address;	/* local@domain as sent, domain lower case */
};

struct addresses {
	struct address *v;
	size_t n;
};

struct strings {
	const char **v;
	size_t n;
};

/* What a line of the body is; the whole body is one array of these. */
enum line_kind {
	LINE_NEW,		/* the author's own words */
	LINE_QUOTED,		/* any depth, any style */
	LINE_ATTRIBUTION,	/* "On ... wrote:", Outlook's From/Sent/To block */
	LINE_SIGNATURE,
	LINE_FOOTER,		/* list footer, legal disclaimer */
	LINE_PATCH,		/* diff with its headers, scissors, diffstat */
	LINE_PGP,		/* armour */
};

struct line {
	enum line_kind kind;
	unsigned int depth;	/* of quotation, 0: not quoted */
	size_t number;		/* from 1, within the body */
	const char *text;	/* without its line end */
	size_t len;
};

enum patch_verdict {
	PATCH_OK,
	PATCH_WRAPPED,		/* a mailer broke long lines */
	PATCH_WHITESPACE,	/* tabs or trailing blanks lost */
	PATCH_COUNTS,		/* @@ counts disagree with the hunk */
	PATCH_TRUNCATED,
	PATCH_BINARY,		/* holds a binary hunk */
};

struct patch {
	bool attached;
	const char *name;	/* of the attachment, or NULL */
	struct strings files;	/* paths touched, without a/ and b/ */
	enum patch_verdict verdict;
	size_t line;		/* where the verdict was found, 0: nowhere */
	const char *text;	/* the diff alone */
	const char *whole;	/* a whole format-patch mail, or NULL */
	const char *subject;	/* from the patch's own headers, or NULL */
	const char *author;	/* likewise: the address */
	char id[65];		/* SHA-256 of the normalised diff, hex */
};

#define MAIL_MAX ((size_t)128 * 1024 * 1024)	/* bytes that we read */
#define MAIL_BODY_MAX ((size_t)64 * 1024 * 1024)	/* of decoded text */

struct message {
	struct arena arena;
	const char *message_id;	/* without brackets; "" when none */
	struct strings in_reply_to, references;
	struct address from;
	struct addresses to, cc, reply_to, sender;
	const char *subject;
	int64_t date;		/* seconds since 1970 UTC, INT64_MIN: unreadable */
	const char *list_id;	/* NULL when none */
	bool automatic;		/* bounce, vacation, Auto-Submitted, robot */
	const char *body;	/* decoded text parts; a NUL shows as U+FFFD */
	bool body_nul;		/* there was a NUL: nothing to act on */
	bool body_cut;		/* the body was longer than MAIL_BODY_MAX, likewise */
	struct line *line;	/* body, line by line */
	size_t nline;
	const char *new_text;	/* LINE_NEW lines, blank runs squeezed */
	struct patch *patch;
	size_t npatch;
	struct part {		/* every leaf part, for attachments */
		const char *type;	/* "text/plain", lower case */
		const char *name;	/* file name or NULL */
		bool text_body;		/* went into "body" */
		size_t size;		/* decoded bytes */
	} *part;
	size_t npart;
	struct header {		/* all, unfolded and decoded, in order */
		const char *name, *value;
	} *header;
	size_t nheader;
};

/* Reads anything; -1 only when "len" is beyond every limit. */
int message_read(struct message *m, const void *bytes, size_t len,
		 struct err *err);

/* The same for the header alone: no body, lines, patches or parts. */
int message_read_header(struct message *m, const void *bytes, size_t len,
			struct err *err);
void message_release(struct message *m);

/* The first header of that name (case does not matter), or NULL. */
const char *message_header(const struct message *m, const char *name);

/* Id of the mail that it answers: the last one that it names; "": none. */
const char *message_parent(const struct message *m);

/*
 * Who wrote it: From, unless a list put itself there for the sake of DMARC
 * ("Ann via perf <perf@lists.example.org>"); then the person behind it, as far
 * as the mail tells.  For reading and threading, never for deciding what a
 * sender may do: anybody can write such headers.
 */
struct address message_author(struct message *m);

const char *patch_verdict_name(enum patch_verdict v);
const char *line_kind_name(enum line_kind k);

#endif
