#ifndef REQUEST_NEED_H
#define REQUEST_NEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/*
 * What a pattern cannot do without: a few short texts, one of which stands in
 * whatever it matches.  A sentence in which none of them can stand need not
 * be matched, and to find that out costs next to nothing.
 */
struct need;

/* The runs of three bytes in a text, upper and lower case alike. */
struct grams {
	uint64_t bit[64];	/* a bit for each value of their hash */
};

void grams_of(struct grams *g, const char *s, size_t len);

/*
 * Of a PCRE2 pattern (caseless, UTF-8), in the arena; NULL: nothing is known
 * of it, it may match anything.
 */
struct need *need_of(struct arena *a, const char *pattern);

/* May the pattern match the text?  "false" is certain. */
bool need_met(const struct need *n, const struct grams *g);

#endif
