#ifndef BASE_PERCENT_H
#define BASE_PERCENT_H

#include <stddef.h>

struct arena;
struct buf;

/*
 * Bytes in a URL that are written as "%40" (RFC 3986 2.1).  What is no whole
 * escape stays as it stands.  "%00" comes out as U+FFFD, that no stranger's URL
 * ends a text early; every other byte as itself, newlines and quotes too: who
 * takes the text for something checks it as such (msgid_likely(), say).
 */

/* Append "s" with its escapes resolved; "escape" stands for the '%'. */
void percent_decode(struct buf *out, const char *s, size_t len, char escape);

/* The first "len" bytes of "s" with their escapes resolved, in the arena. */
char *percent_decoded(struct arena *a, const char *s, size_t len);

/* "s" as one element of a URL's path: all but letters, digits and -._~@+=$
 * is escaped. */
char *percent_encoded(struct arena *a, const char *s);

#endif
