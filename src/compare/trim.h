#ifndef COMPARE_TRIM_H
#define COMPARE_TRIM_H

#include <stddef.h>

#include "compare/number.h"

/* A row of numbers to work on; grows, never shrinks. */
struct numbers {
	struct number *v;
	size_t n, cap;
};

/* Room for "n" of them in all, from malloc(); who ends frees row->v. */
void numbers_reserve(struct numbers *row, size_t n);

struct number_range {
	struct number min, median, max;	/* the upper of two medians */
};

/*
 * Sort the row and leave out what the reference leaves out (lkp-style.md 1.5,
 * step 7):
 * leading -1s, its marker of "no data", and n/32 values at both ends, at most
 * "cap", n counted before.  The rest is put to the front of the row.  False
 * when nothing is left.
 */
bool numbers_trim(struct numbers *row, size_t cap, struct number_range *r);

#endif
