#include "stats/stats.h"

#include <math.h>
#define MATHLIB_STANDALONE
#include <Rmath.h>

/* The variance of a side's mean. */
static double variance_of_mean(const struct sample *s)
{
	return s->deviation * s->deviation / (double)s->n;
}

/* Degrees of freedom by Welch and Satterthwaite. */
static double freedom(double va, size_t na, double vb, size_t nb)
{
	double sum = va + vb;

	return sum * sum / (va * va / (double)(na - 1) +
			    vb * vb / (double)(nb - 1));
}

struct welch stats_welch(const struct sample *a, const struct sample *b,
			 double level)
{
	struct welch w = { NAN, NAN, NAN };
	double va, vb, df, error, diff = b->mean - a->mean, half;

	if (a->n < 2 || b->n < 2 || !isfinite(diff))
		return w;
	va = variance_of_mean(a);
	vb = variance_of_mean(b);
	if (isnan(va) || isnan(vb))
		return w;
	if (!(va + vb > 0))
		return (struct welch){ diff, diff, diff == 0 ? 1 : 0 };
	df = freedom(va, a->n, vb, b->n);
	if (!isfinite(df))	/* squares that under- or overflow */
		df = (double)((a->n < b->n ? a->n : b->n) - 1);
	error = sqrt(va + vb);
	half = qt((1 + level) / 2, df, 1, 0) * error;
	w.low = diff - half;
	w.high = diff + half;
	w.p = 2 * pt(-fabs(diff) / error, df, 1, 0);
	return w;
}

double stats_half_width(const double *variance, const size_t *n, size_t k,
			double level)
{
	double sum = 0, parts = 0, df;

	for (size_t i = 0; i < k; i++) {
		sum += variance[i];
		parts += variance[i] * variance[i] / (double)(n[i] - 1);
	}
	if (!(sum > 0))
		return 0;
	df = sum * sum / parts;
	if (!isfinite(df))	/* squares that under- or overflow */
		df = 1;
	return qt((1 + level) / 2, df, 1, 0) * sqrt(sum);
}

static double half_width_at(size_t n, double da, double db, double level)
{
	struct sample a = { n, 0, da }, b = { n, 0, db };
	struct welch w = stats_welch(&a, &b, level);

	return w.high;
}

size_t stats_runs_needed(double deviation_a, double deviation_b,
			 double half_width, double level, size_t max)
{
	size_t low = 1, high = max;	/* too few, enough */

	if (!(half_width > 0) ||
	    !(half_width_at(max, deviation_a, deviation_b, level) <=
	      half_width))
		return max;
	while (high - low > 1) {
		size_t n = low + (high - low) / 2;

		if (half_width_at(n, deviation_a, deviation_b, level) <=
		    half_width)
			high = n;
		else
			low = n;
	}
	return high;
}
