#include "stats/stats.h"

#define MATHLIB_STANDALONE
#include <Rmath.h>

double stats_more_often(const struct share *a, const struct share *b)
{
	if (!b->hits || !a->runs)
		return 1;
	return phyper((double)b->hits - 1, (double)b->runs, (double)a->runs,
		      (double)(a->hits + b->hits), 0, 0);
}
