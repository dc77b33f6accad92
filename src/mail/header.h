#ifndef MAIL_HEADER_H
#define MAIL_HEADER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/*
 * A block of header lines (RFC 5322 2.2), read as real mail has it: lines
 * without a colon, "From " lines in between, NUL bytes, bare CR, a missing
 * empty line at the end.
 */

#define HEADERS_MAX 2000	/* more in one block are left out */
#define HEADER_MAX (128 * 1024)	/* bytes of one value; the rest is cut */

struct header_line {
	const char *name;	/* as written, without blanks */
	const char *value;	/* unfolded, not decoded, any bytes but NUL
				 * (shown as '?'), no blanks at the ends */
	size_t len;		/* of value */
};

struct header_block {
	struct header_line *v;
	size_t n;
};

/*
 * Read the header block at the start of "s".  Returns where the body starts
 * (0 when there is no header at all: the whole is body).
 */
size_t header_block_read(struct header_block *f, struct arena *a, const char *s,
		   size_t len);

/* The value of the first field of that name (case does not matter) or NULL. */
const char *header_block_get(const struct header_block *f, const char *name);

/*
 * RFC 2047 decoding of an unstructured value: always valid UTF-8.  Adjacent
 * words of one charset are joined before they are converted, since mailers
 * cut characters in two; what is no well-formed word stays as it is.
 */
char *words_decode(struct arena *a, const char *s, size_t len);

#endif
