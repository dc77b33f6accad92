#ifndef REQUEST_NEED_H
#define REQUEST_NEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/*
 * What a pattern cannot do without: short texts that stand, as far as its
 * alternatives allow, in whatever it matches.  A sentence in which they cannot
 * stand need not be matched, and to find that out costs next to nothing.
 */
struct need;

/*
 * The runs of two and of three characters in a text, with a blank at its ends:
 * upper and lower case alike, and all alike that is no letter, digit or "_".
 */
#define GRAMS 4096
#define LETTERS 38
struct grams {
	uint64_t bit[GRAMS / 64 + 1 + LETTERS];
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
