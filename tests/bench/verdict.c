/* How often does the verdict cry wolf, how often does it miss a change? */
#include <stdio.h>
#include <stdlib.h>

#include "../unit/simulate.h"
#include "compare/verdict.h"
#include "stats/stats.h"

static struct figure figure_of(const double *v, size_t n)
{
	struct figure f = { .n = n, .value = v, .runs = n };

	f.mean = stats_mean(v, n);
	f.stddev = stats_deviation(v, n, f.mean);
	return f;
}

static double changed(enum shape shape, size_t n, double noise, double factor,
		      int pairs)
{
	uint64_t seed = 88172645463325252u + n;
	int hits = 0;

	for (int i = 0; i < pairs; i++) {
		double a[32], b[32];
		struct figure base, head;
		struct change c;

		for (size_t k = 0; k < n; k++) {
			a[k] = random_value(&seed, shape, 1000, noise);
			b[k] = random_value(&seed, shape, 1000 * factor, noise);
		}
		base = figure_of(a, n);
		head = figure_of(b, n);
		change_between(&base, &head, BETTER_HIGHER, true, &c);
		hits += c.verdict == VERDICT_REGRESSION ||
			c.verdict == VERDICT_IMPROVEMENT;
	}
	return 100.0 * hits / pairs;
}

int main(int argc, char **argv)
{
	static const char *const name[] = { "normal", "log-normal",
					    "two clusters" };
	int pairs = argc > 1 ? atoi(argv[1]) : 10000;

	printf("%d pairs of same sides: called a change\n", pairs);
	for (int shape = NORMAL; shape <= TWO_CLUSTERS; shape++)
		for (size_t n = 4; n <= 6; n += 2)
			printf("  %-12s  %zu runs  %5.2f in 100\n",
			       name[shape], n,
			       changed((enum shape)shape, n, 0.01, 1, pairs));
	printf("%d changes of 5%% at 1%% noise: seen\n", pairs);
	for (size_t n = 4; n <= 6; n += 2)
		printf("  %-12s  %zu runs  %5.2f in 100\n", name[NORMAL], n,
		       changed(NORMAL, n, 0.01, 0.95, pairs));
	return 0;
}
