#include "stats/stats.h"

#include <math.h>
#include <stdlib.h>

void sum_int(struct sum *s, int64_t i)
{
	if (s->floats) {
		sum_float(s, (double)i);
		return;
	}
	s->exact += i;
	s->n++;
}

/* One addition with what the rounding took away kept apart. */
static void add_compensated(struct sum *s, double f)
{
	double t = s->value + f;

	if (fabs(s->value) >= fabs(f))
		s->lost += (s->value - t) + f;
	else
		s->lost += (f - t) + s->value;
	s->value = t;
}

void sum_float(struct sum *s, double f)
{
	if (!s->floats)
		s->value = (double)s->exact;
	s->floats++;
	s->n++;
	if (isfinite(s->value) && isfinite(f)) {
		add_compensated(s, f);
		return;
	}
	s->value += f;
	s->lost = 0;
}

double sum_total(const struct sum *s)
{
	return s->floats ? s->value + s->lost : (double)s->exact;
}

double sum_mean(const struct sum *s)
{
	return s->n ? sum_total(s) / (double)s->n : 0;
}

bool sum_whole(const struct sum *s, int64_t *whole)
{
	if (s->floats || s->exact < INT64_MIN || s->exact > INT64_MAX)
		return false;
	*whole = (int64_t)s->exact;
	return true;
}

double stats_mean(const double *v, size_t n)
{
	struct sum s = { .exact = 0 };

	if (!n)
		return NAN;
	for (size_t i = 0; i < n; i++)
		sum_float(&s, v[i]);
	return sum_mean(&s);
}

static double square_sum(const double *v, size_t n, double mean)
{
	double d = 0;

	for (size_t i = 0; i < n; i++)
		d += (v[i] - mean) * (v[i] - mean);
	return d;
}

double stats_deviation(const double *v, size_t n, double mean)
{
	/* By the rounded 1/n: the reference's last bit (lkp-style.md 1.2). */
	return n < 2 ? NAN : sqrt(1.0 / (double)n * square_sum(v, n, mean));
}

double stats_sample_deviation(const double *v, size_t n, double mean)
{
	return n < 2 ? NAN : sqrt(square_sum(v, n, mean) / (double)(n - 1));
}

static int by_value(const void *va, const void *vb)
{
	double a = *(const double *)va, b = *(const double *)vb;

	return (a > b) - (a < b);
}

void stats_sort(double *v, size_t n)
{
	if (n > 40) {
		qsort(v, n, sizeof(*v), by_value);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		double x = v[i];
		size_t j = i;

		for (; j > 0 && v[j - 1] > x; j--)
			v[j] = v[j - 1];
		v[j] = x;
	}
}

double stats_quantile(const double *sorted, size_t n, double q)
{
	double at = q * (double)(n - 1), part;
	size_t i = (size_t)at;

	if (!n)
		return NAN;
	if (i + 1 >= n)
		return sorted[n - 1];
	part = at - (double)i;
	return part > 0 ? sorted[i] * (1 - part) + sorted[i + 1] * part :
			  sorted[i];
}

double stats_median(const double *sorted, size_t n)
{
	return stats_quantile(sorted, n, 0.5);
}

bool stats_far_from_zero(const double *sorted, size_t n)
{
	double low = stats_quantile(sorted, n, .25);
	double high = stats_quantile(sorted, n, .75);
	double nearest = low > 0 ? low : -high;

	if (!n || (nearest < 10 && low == floor(low) && high == floor(high)))
		return false;
	return nearest > 5 * (high - low);
}
