#include "compare/trim.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"

static const struct number minus_one = { .is_int = true, .i = -1 };

void numbers_reserve(struct numbers *row, size_t n)
{
	if (n <= row->cap)
		return;
	row->v = reallocarray(row->v, n, sizeof(*row->v));
	row->cap = n;
	if (!row->v)
		die_no_memory();
}

static int by_value(const void *a, const void *b)
{
	return number_compare(*(const struct number *)a,
			      *(const struct number *)b);
}

bool numbers_trim(struct numbers *row, size_t cap, struct number_range *r)
{
	size_t margin = row->n >> 5, start = 0;

	if (margin > cap)
		margin = cap;
	if (row->n)
		qsort(row->v, row->n, sizeof(*row->v), by_value);
	while (start < row->n &&
	       number_compare(row->v[start], minus_one) == 0)
		start++;
	if (row->n - start <= 2 * margin)
		return false;
	start += margin;
	row->n -= start + margin;
	memmove(row->v, row->v + start, row->n * sizeof(*row->v));
	r->min = row->v[0];
	r->median = row->v[row->n / 2];
	r->max = row->v[row->n - 1];
	return true;
}
