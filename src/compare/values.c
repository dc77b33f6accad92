#include "compare/values.h"

#include <math.h>

#include "stats/stats.h"

enum { MARGIN_SHIFT = 5, MARGIN_MAX = 3, FEW = 3 };

size_t values_margin(size_t n, size_t base_n)
{
	size_t margin = n >> MARGIN_SHIFT;
	size_t most = base_n <= FEW ? 1 : MARGIN_MAX;

	return margin < most ? margin : most;
}

/* Insert x where it belongs among the "n" + 1 smallest (sign 1) or largest
 * (sign -1), of which it is one. */
static void keep_outermost(double *kept, size_t n, double x, int sign)
{
	size_t k = n;

	for (; k > 0 && sign * kept[k - 1] > sign * x; k--)
		kept[k] = kept[k - 1];
	kept[k] = x;
}

static void find_ends(struct values *v)
{
	double least = INFINITY, most = -INFINITY;

	for (size_t i = 0; i < v->n; i++) {
		least = v->v[i] < least ? v->v[i] : least;
		most = v->v[i] > most ? v->v[i] : most;
	}
	v->least = v->low = least;
	v->most = v->high = most;
}

void values_range(struct values *v, size_t margin)
{
	double low[MARGIN_MAX + 1], high[MARGIN_MAX + 1];

	find_ends(v);
	if (!margin)
		return;
	for (size_t k = 0; k <= margin; k++) {
		low[k] = INFINITY;
		high[k] = -INFINITY;
	}
	for (size_t i = 0; i < v->n; i++) {
		if (v->v[i] < low[margin])
			keep_outermost(low, margin, v->v[i], 1);
		if (v->v[i] > high[margin])
			keep_outermost(high, margin, v->v[i], -1);
	}
	v->low = low[margin];
	v->high = high[margin];
}

static bool median_is_below(const struct values *v, double x)
{
	size_t below = 0;

	for (size_t i = 0; i < v->n; i++)
		below += v->v[i] < x;
	return below > v->n / 2;
}

static bool median_is_above(const struct values *v, double x)
{
	size_t above = 0;

	for (size_t i = 0; i < v->n; i++)
		above += v->v[i] > x;
	return above >= v->n - v->n / 2;
}

bool values_are_apart(const struct values *low, const struct values *high)
{
	return high->low > low->low && high->high > low->high &&
	       median_is_below(low, high->low) &&
	       median_is_above(high, low->high);
}

double values_upper_median(struct values *v)
{
	stats_sort(v->v, v->n);
	return v->v[v->n / 2];
}
