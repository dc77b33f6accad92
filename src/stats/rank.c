#include "stats/stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#define MATHLIB_STANDALONE
#include <Rmath.h>

#include "base/err.h"

/*
 * All values of both sides, sorted, as groups of equal ones.  Ranks are kept
 * doubled, so that the mean rank of a tie is a whole number.
 */
struct ties {
	size_t n, group_n;
	struct tie {
		size_t rank2, times;
	} *group;
	size_t sum2;		/* doubled rank sum of side a */
};

struct ranked {
	double value;
	bool is_a;
};

static int by_value(const void *va, const void *vb)
{
	const struct ranked *a = va, *b = vb;

	return (a->value > b->value) - (a->value < b->value);
}

static void *reserve(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		die_no_memory();
	return p;
}

static struct ranked *merge(const double *a, size_t na, const double *b,
			    size_t nb)
{
	struct ranked *r = reserve(na + nb, sizeof(*r));

	for (size_t i = 0; i < na; i++)
		r[i] = (struct ranked){ a[i], true };
	for (size_t i = 0; i < nb; i++)
		r[na + i] = (struct ranked){ b[i], false };
	qsort(r, na + nb, sizeof(*r), by_value);
	return r;
}

static void ties_init(struct ties *t, const double *a, size_t na,
		      const double *b, size_t nb)
{
	struct ranked *r = merge(a, na, b, nb);

	*t = (struct ties){ .n = na + nb };
	t->group = reserve(t->n, sizeof(*t->group));
	for (size_t i = 0, end; i < t->n; i = end) {
		size_t of_a = 0;

		for (end = i; end < t->n && r[end].value == r[i].value; end++)
			of_a += r[end].is_a;
		t->group[t->group_n++] =
			(struct tie){ i + end + 1, end - i };
		t->sum2 += of_a * (i + end + 1);
	}
	free(r);
}

/*
 * ways[k * width + s]: how many choices of k values have the doubled rank sum
 * s.  Each group adds j of its equal values in choose(times, j) ways.
 */
static void count_choices(double *ways, const struct ties *t, size_t na,
			  size_t width)
{
	ways[0] = 1;
	for (size_t g = 0; g < t->group_n; g++) {
		size_t rank2 = t->group[g].rank2, times = t->group[g].times;

		for (size_t k = na; k > 0; k--)
			for (size_t j = 1; j <= times && j <= k; j++) {
				double c = choose((double)times, (double)j);
				double *to = ways + k * width + j * rank2;
				double *from = ways + (k - j) * width;

				for (size_t s = 0; s + j * rank2 < width; s++)
					to[s] += c * from[s];
			}
	}
}

static double exact_p(const struct ties *t, size_t na)
{
	size_t width = 2 * na * t->n + 1;
	double *ways = reserve((na + 1) * width, sizeof(*ways));
	size_t mean = na * (t->n + 1);	/* of the doubled sum */
	size_t far = t->sum2 > mean ? t->sum2 - mean : mean - t->sum2;
	double hit = 0, all = 0;

	count_choices(ways, t, na, width);
	for (size_t s = 0; s < width; s++) {
		double w = ways[na * width + s];

		all += w;
		if ((s > mean ? s - mean : mean - s) >= far)
			hit += w;
	}
	free(ways);
	return hit / all;
}

/* Without ties the distribution is known, and kept by the library. */
static double exact_p_untied(const struct ties *t, size_t na)
{
	double a = (double)na, b = (double)(t->n - na);
	double u = (double)t->sum2 / 2 - a * (a + 1) / 2;
	double p = 2 * (u <= a * b / 2 ? pwilcox(u, a, b, 1, 0) :
					 pwilcox(u - 1, a, b, 0, 0));

	return p < 1 ? p : 1;
}

static double approximate_p(const struct ties *t, double na, double nb)
{
	double n = na + nb, cubes = 0, variance, far;

	for (size_t g = 0; g < t->group_n; g++) {
		double m = (double)t->group[g].times;

		cubes += m * m * m - m;
	}
	variance = na * nb / 12 * (n + 1 - cubes / (n * (n - 1)));
	far = fabs((double)t->sum2 / 2 - na * (n + 1) / 2) - 0.5;
	if (!(variance > 0) || far <= 0)
		return 1;
	return 2 * pnorm(-far / sqrt(variance), 0, 1, 1, 0);
}

double stats_rank_test(const double *a, size_t na, const double *b, size_t nb)
{
	struct ties t;
	double p;

	if (!na || !nb)
		return NAN;
	ties_init(&t, a, na, b, nb);
	if (t.group_n == t.n && t.n <= RANK_EXACT)
		p = exact_p_untied(&t, na);
	else if (t.n <= RANK_EXACT_TIES)
		p = exact_p(&t, na);
	else
		p = approximate_p(&t, (double)na, (double)nb);
	free(t.group);
	return p;
}
