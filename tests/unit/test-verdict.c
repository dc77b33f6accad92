#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <math.h>

#include "compare/verdict.h"
#include "simulate.h"
#include "stats/stats.h"

#define COUNT(t) (sizeof(t) / sizeof((t)[0]))

static struct figure figure_of(const double *v, size_t n)
{
	struct figure f = { .n = n, .value = v, .runs = n };

	f.mean = stats_mean(v, n);
	f.stddev = stats_deviation(v, n, f.mean);
	return f;
}

static struct change change_of(const double *a, size_t na, const double *b,
			       size_t nb, enum better better)
{
	struct figure base = figure_of(a, na), head = figure_of(b, nb);
	struct change c;

	change_between(&base, &head, better, true, &c);
	return c;
}

static void verdicts(void **state)
{
	static const struct {
		double a[6], b[6];
		size_t na, nb;
		enum better better;
		enum verdict want;
	} t[] = {
		{ { 100, 101, 99, 100 }, { 91, 90, 92, 91 }, 4, 4,
		  BETTER_HIGHER, VERDICT_REGRESSION },
		{ { 100, 101, 99, 100 }, { 91, 90, 92, 91 }, 4, 4,
		  BETTER_LOWER, VERDICT_IMPROVEMENT },
		{ { 100, 101, 99, 100 }, { 91, 90, 92, 91 }, 4, 4,
		  BETTER_UNKNOWN, VERDICT_NONE },
		{ { 100, 101, 99, 100 }, { 109, 110, 111, 110 }, 4, 4,
		  BETTER_HIGHER, VERDICT_IMPROVEMENT },
		{ { -10, -10.1, -9.9 }, { -13, -13.1, -12.9 }, 3, 3,
		  BETTER_HIGHER, VERDICT_REGRESSION },
		{ { 100, 101, 99, 100 }, { 100, 101, 99, 100 }, 4, 4,
		  BETTER_HIGHER, VERDICT_NO_CHANGE },
		{ { 100, 101, 99, 100 }, { 100, 101, 99, 100 }, 4, 4,
		  BETTER_UNKNOWN, VERDICT_NO_CHANGE },
		{ { 100, 150, 50, 100 }, { 90, 140, 40, 90 }, 4, 4,
		  BETTER_HIGHER, VERDICT_INCONCLUSIVE },
		{ { 100 }, { 90 }, 1, 1, BETTER_HIGHER,
		  VERDICT_INCONCLUSIVE },
		{ { 100, 100, 100 }, { 90, 90, 90 }, 3, 3, BETTER_HIGHER,
		  VERDICT_REGRESSION },
		{ { 5, 5, 5 }, { 5, 5, 5 }, 3, 3, BETTER_HIGHER,
		  VERDICT_NO_CHANGE },
		{ { 0, 0, 0 }, { 0, 0, 0 }, 3, 3, BETTER_HIGHER,
		  VERDICT_NO_CHANGE },
		{ { 0, 0, 0 }, { 5, 5, 5 }, 3, 3, BETTER_HIGHER,
		  VERDICT_IMPROVEMENT },
		{ { 1, 2 }, { 0 }, 2, 0, BETTER_HIGHER, VERDICT_NONE },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(t); i++) {
		struct change c = change_of(t[i].a, t[i].na, t[i].b, t[i].nb,
					    t[i].better);

		if (c.verdict != t[i].want)
			fail_msg("case %zu: %s", i, verdict_name(c.verdict));
	}
}

static void changes_are_against_the_size_of_the_base(void **state)
{
	static const double minus[] = { -10, -10, -10 },
			    more[] = { -13.5, -13.5, -13.5 },
			    zero[] = { 0, 0, 0 },
			    least[] = { 5e-324, 5e-324, 5e-324 };
	struct change c = change_of(minus, 3, more, 3, BETTER_UNKNOWN);

	(void)state;
	assert_true(c.absolute == -3.5 && c.percent == -35);
	c = change_of(zero, 3, more, 3, BETTER_UNKNOWN);
	assert_true(c.absolute == -13.5 && isnan(c.percent));
	c = change_of(least, 3, more, 3, BETTER_UNKNOWN);
	assert_true(c.absolute == -13.5 && isnan(c.percent));
}

static void more_runs_would_decide(void **state)
{
	static const double a[] = { 100, 104, 96, 100 },
			    b[] = { 97, 101, 93, 97 };
	struct change c = change_of(a, 4, b, 4, BETTER_HIGHER);
	double spread = stats_sample_deviation(a, 4, 100);
	struct sample s = { c.runs_needed, 0, spread }, t = { 0, -3, spread };

	(void)state;
	assert_int_equal(c.verdict, VERDICT_INCONCLUSIVE);
	assert_true(c.runs_needed > 4 && c.runs_needed < 100);
	t.n = s.n;
	assert_true(stats_welch(&s, &t, CHANGE_LEVEL).high <= 0);
	assert_int_equal(change_of(a, 4, a, 4, BETTER_HIGHER).runs_needed, 0 +
			 change_of(a, 4, a, 4, BETTER_LOWER).runs_needed);
}

/* How many of "pairs" get a verdict that there is a change? */
static int changed(enum shape shape, size_t n, double noise, double factor,
		   int pairs, uint64_t seed)
{
	int hits = 0;

	for (int i = 0; i < pairs; i++) {
		double a[8], b[8];
		struct change c;

		for (size_t k = 0; k < n; k++) {
			a[k] = random_value(&seed, shape, 1000, noise);
			b[k] = random_value(&seed, shape, 1000 * factor, noise);
		}
		c = change_of(a, n, b, n, BETTER_HIGHER);
		hits += c.verdict == VERDICT_REGRESSION ||
			c.verdict == VERDICT_IMPROVEMENT;
	}
	return hits;
}

static void same_sides_seldom_cry_wolf(void **state)
{
	static const enum shape shape[] = { NORMAL, LOG_NORMAL, TWO_CLUSTERS };
	static const size_t n[] = { 4, 6 };

	(void)state;
	for (size_t i = 0; i < COUNT(shape); i++)
		for (size_t j = 0; j < COUNT(n); j++)
			assert_true(changed(shape[i], n[j], 0.01, 1, 3000,
					    88172645463325252u + i + j) <= 30);
}

static void a_plain_change_is_seen(void **state)
{
	(void)state;
	assert_true(changed(NORMAL, 6, 0.01, 0.95, 1000, 42) >= 990);
	assert_true(changed(NORMAL, 6, 0.01, 1.05, 1000, 43) >= 990);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verdicts),
		cmocka_unit_test(changes_are_against_the_size_of_the_base),
		cmocka_unit_test(more_runs_would_decide),
		cmocka_unit_test(same_sides_seldom_cry_wolf),
		cmocka_unit_test(a_plain_change_is_seen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
