#include "report/weight.h"

#include <math.h>

#include "compare/comparison.h"

/* Runs that repeat exactly still differ by this part of the mean: else a
 * change of one in a million would outweigh everything. */
#define LEAST_SPREAD 0.001

/* Of one run, or of a mean alone, nobody knows the spread: without one it would
 * outweigh what was measured well. */
#define UNKNOWN_SPREAD 0.05

static double spread_of(const struct figure *f)
{
	return isfinite(f->stddev) ? f->stddev :
	       UNKNOWN_SPREAD * fabs(f->mean);
}

double row_weight(const struct row *row, size_t side)
{
	const struct figure *a = &row->figure[0], *b = &row->figure[side];
	double spread, least;

	if (row->kind == ROW_FAILURE || !a->n || !b->n)
		return 0;
	spread = hypot(spread_of(a), spread_of(b));
	least = LEAST_SPREAD * fmax(fabs(a->mean), fabs(b->mean));
	spread = fmax(spread, least);
	return spread > 0 ? fabs(b->mean - a->mean) / spread : 0;
}
