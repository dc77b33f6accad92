#ifndef COMPARE_VALUES_H
#define COMPARE_VALUES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The values of a row, looked at without sorting them: most rows did not
 * change, and seeing that is most of a comparison's work.
 */
struct values {
	double *v;
	size_t n;
	double least, most;	/* of all */
	double low, high;	/* without the margins */
};

/*
 * How many values at either end are left out as outliers: n/32, at most
 * three, or one beside a base of three or fewer.
 */
size_t values_margin(size_t n, size_t base_n);

/* Fill in the four numbers; there must be more than 2 * margin values. */
void values_range(struct values *v, size_t margin);

/*
 * Do both overlap so little that "high" lies above "low"?  lkp-style.md 1.5, 8:
 * the low end of the one is above the median of the other, and its median
 * above the other's high end.  The upper of two medians is meant.
 */
bool values_are_apart(const struct values *low, const struct values *high);

/* The upper of two medians.  Sorts the values. */
double values_upper_median(struct values *v);

#endif
