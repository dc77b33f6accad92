#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <jansson.h>
#include <math.h>

#include "stats/stats.h"

#define COUNT(t) (sizeof(t) / sizeof((t)[0]))

static uint64_t bits(double d)
{
	uint64_t u;

	memcpy(&u, &d, sizeof(u));
	return u;
}

static uint64_t wanted_bits(const json_t *c, const char *key)
{
	return strtoull(json_string_value(json_object_get(c, key)), NULL, 16);
}

static void check_mean_and_deviation(const json_t *c)
{
	const json_t *values = json_object_get(c, "values"), *x;
	size_t n = json_array_size(values), i;
	double *v = calloc(n, sizeof(*v)), d;
	struct sum s = { .exact = 0 };

	json_array_foreach(values, i, x) {
		v[i] = json_number_value(x);
		if (json_is_integer(x))
			sum_int(&s, json_integer_value(x));
		else
			sum_float(&s, v[i]);
	}
	d = stats_deviation(v, n, sum_mean(&s));
	if (n < 2)
		assert_true(isnan(d));
	else
		assert_int_equal(bits(d), wanted_bits(c, "stddev_bits"));
	assert_int_equal(bits(sum_mean(&s)), wanted_bits(c, "average_bits"));
	free(v);
}

static void mean_and_deviation_agree_to_the_bit(void **state)
{
	json_t *all = json_load_file(TESTDATA "/data/average_stddev.json", 0,
				     NULL), *c;
	size_t i;

	(void)state;
	assert_int_equal(json_array_size(all), 215);
	json_array_foreach(all, i, c)
		check_mean_and_deviation(c);
	json_decref(all);
}

static void sum_survives_extremes(void **state)
{
	struct sum s = { .exact = 0 };

	(void)state;
	assert_true(sum_mean(&s) == 0);
	for (int i = 0; i < 4; i++)
		sum_int(&s, INT64_MAX);
	assert_true(sum_mean(&s) == (double)INT64_MAX);
	sum_float(&s, INFINITY);
	sum_float(&s, 1);
	assert_true(isinf(sum_total(&s)));
	sum_float(&s, -INFINITY);
	assert_true(isnan(sum_total(&s)));
}

static void whole_sums_keep_every_digit(void **state)
{
	struct sum s = { .exact = 0 };
	int64_t whole = 1;

	(void)state;
	assert_true(sum_whole(&s, &whole));
	assert_int_equal(whole, 0);
	sum_int(&s, INT64_MAX - 1);
	sum_int(&s, 1);
	assert_true(sum_whole(&s, &whole));
	assert_true(whole == INT64_MAX);
	sum_int(&s, 1);
	assert_false(sum_whole(&s, &whole));
	sum_int(&s, -2);
	assert_true(sum_whole(&s, &whole));
	assert_true(whole == INT64_MAX - 1);
	sum_float(&s, 0);
	assert_false(sum_whole(&s, &whole));
}

static void quantiles(void **state)
{
	double v[20] = { 3, 1, 2, 10 }, w[20];

	(void)state;
	stats_sort(v, 4);
	assert_true(stats_median(v, 4) == 2.5);
	assert_true(stats_quantile(v, 4, 0) == 1);
	assert_true(stats_quantile(v, 4, 1) == 10);
	assert_true(stats_quantile(v, 4, 0.25) == 1.75);
	assert_true(stats_median(v, 1) == 1);
	assert_true(isnan(stats_median(v, 0)));
	for (int i = 0; i < 20; i++)
		w[i] = (i * 7) % 20;
	stats_sort(w, 20);
	for (int i = 0; i < 20; i++)
		assert_true(w[i] == i);
	v[0] = v[1] = INFINITY;
	assert_true(isinf(stats_median(v, 2)));
}

static struct sample sample_of(const double *v, size_t n)
{
	struct sample s = { .n = n, .mean = stats_mean(v, n) };

	s.deviation = stats_sample_deviation(v, n, s.mean);
	return s;
}

/* Student's own sleep data; R: t.test(extra ~ group, data = sleep). */
static void welch_knows_students_sleep(void **state)
{
	static const double one[] = { 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7,
				      0.8, 0, 2 },
			    two[] = { 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6,
				      4.6, 3.4 };
	struct sample a = sample_of(two, 10), b = sample_of(one, 10);
	struct welch w = stats_welch(&a, &b, 0.95);

	(void)state;
	assert_true(fabs(w.low + 3.3654832) < 1e-7);
	assert_true(fabs(w.high - 0.2054832) < 1e-7);
	assert_true(fabs(w.p - 0.0793941) < 1e-7);
}

/* Of two means it is Welch's own. */
static void half_widths_of_sums_agree_with_welch(void **state)
{
	static const double deviation[][2] = {
		{ 1, 1 }, { 2, 0.5 }, { 0.1, 3 }, { 1, 0 },
	};
	const double flat[] = { 0, 0, 0 };
	const size_t n[] = { 6, 4, 5 };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct sample a = { n[0], 0, deviation[i][0] };
		struct sample b = { n[1], 0, deviation[i][1] };
		const double variance[] = {
			a.deviation * a.deviation / 6,
			b.deviation * b.deviation / 4, 0,
		};

		assert_float_equal(stats_half_width(variance, n, 3, 0.995),
				   stats_welch(&a, &b, 0.995).high, 1e-9);
	}
	assert_float_equal(stats_half_width(flat, n, 3, 0.995), 0, 0);
}

static void welch_admits_what_it_cannot_know(void **state)
{
	struct sample one = { 1, 5, NAN }, flat = { 3, 5, 0 },
		      more = { 3, 6, 0 }, wide = { 4, 7, 1e-170 };
	struct welch w = stats_welch(&one, &flat, 0.99);

	(void)state;
	assert_true(isnan(w.low) && isnan(w.high) && isnan(w.p));
	one.n = 3;	/* a mean alone */
	w = stats_welch(&flat, &one, 0.99);
	assert_true(isnan(w.low) && isnan(w.high) && isnan(w.p));
	w = stats_welch(&flat, &more, 0.99);
	assert_true(w.low == 1 && w.high == 1 && w.p == 0);
	w = stats_welch(&flat, &flat, 0.99);
	assert_true(w.low == 0 && w.high == 0 && w.p == 1);
	w = stats_welch(&flat, &wide, 0.99);
	assert_true(w.low <= 2 && w.high >= 2 && w.p < 0.01);
}

/* Every choice of "na" of all values, each as likely as the others. */
static double brute_force(const double *all, size_t n, size_t na)
{
	double hit = 0, total = 0, mean = (double)(na * (n + 1)), first = -1;

	for (uint32_t set = 0; set < 1u << n; set++) {
		double sum2 = 0, far;

		if ((size_t)__builtin_popcount(set) != na)
			continue;
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; set >> i & 1 && j < n; j++)
				sum2 += all[j] < all[i]  ? 2 :
					all[j] == all[i] ? 1 :
							   0;
		far = fabs(sum2 + (double)na - mean);
		if (first < 0)	/* the lowest set is the sample itself */
			first = far;
		total++;
		hit += far >= first;
	}
	return hit / total;
}

static void rank_test_is_exact_with_ties(void **state)
{
	static const struct { double v[12]; size_t n, na; } t[] = {
		{ { 1, 2, 3, 4, 5, 6, 7, 8 }, 8, 4 },
		{ { 5, 6, 7, 8, 1, 2, 3, 4 }, 8, 4 },
		{ { 1, 2, 2, 4, 2, 2, 7, 8 }, 8, 4 },
		{ { 1, 1, 1, 1, 1, 1 }, 6, 3 },
		{ { 0, 0, 0, 5, 0, 0, 0, 0, 0, 0 }, 10, 4 },
		{ { 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 9 }, 12, 6 },
		{ { 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 9 }, 12, 2 },
		{ { 1, 2 }, 2, 1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(t); i++)
		assert_true(fabs(stats_rank_test(t[i].v, t[i].na,
						 t[i].v + t[i].na,
						 t[i].n - t[i].na) -
				 brute_force(t[i].v, t[i].n, t[i].na)) < 1e-12);
	assert_true(fabs(stats_rank_test(t[0].v, 4, t[0].v + 4, 4) -
			 2.0 / 70) < 1e-12);
	assert_true(isnan(stats_rank_test(t[0].v, 0, t[0].v, 4)));
}

/* Just below and just above each limit both ways must say nearly the same. */
static void rank_test_approximates_many(void **state)
{
	static const struct { size_t na, nb; int step; } t[] = {
		{ 40, 40, 1 },	/* all differ: RANK_EXACT */
		{ 15, 15, 5 },	/* ties: RANK_EXACT_TIES */
	};
	double a[60], b[60];

	(void)state;
	for (size_t k = 0; k < COUNT(t); k++) {
		double exact, rough;

		for (int i = 0; i < 60; i++) {
			a[i] = (i * 37) % 101 / t[k].step;
			b[i] = (i * 53) % 103 / t[k].step + 0.5 * (k == 0) + 9;
		}
		exact = stats_rank_test(a, t[k].na, b, t[k].nb);
		rough = stats_rank_test(a, t[k].na, b, t[k].nb + 1);
		assert_true(exact > 0 && exact < 1);
		assert_true(fabs(exact - rough) < 0.1);
		assert_true(stats_rank_test(a, t[k].na + 1, a, t[k].na + 1) >
			    0.9);
	}
}

static void more_runs_narrow_the_interval(void **state)
{
	size_t n = stats_runs_needed(1, 1, 1, 0.99, 1000);
	struct sample s = { n, 0, 1 };

	(void)state;
	assert_true(n > 10 && n < 20);
	assert_true(stats_welch(&s, &s, 0.99).high <= 1);
	s.n--;
	assert_true(stats_welch(&s, &s, 0.99).high > 1);
	assert_int_equal(stats_runs_needed(1, 1, 0, 0.99, 1000), 1000);
	assert_int_equal(stats_runs_needed(1, 1, 1e-9, 0.99, 1000), 1000);
	assert_int_equal(stats_runs_needed(0, 0, 1, 0.99, 1000), 2);
}

static void zero_is_odd_among_values_far_from_it(void **state)
{
	static const struct {
		double v[4];
		size_t n;
		bool far;
	} cases[] = {
		{ { 99, 100, 101 }, 3, true },
		{ { -101, -100, -99 }, 3, true },
		{ { .49, .5, .51 }, 3, true },
		{ { 1, 1, 1 }, 3, false },	/* a small count */
		{ { 3, 4, 5 }, 3, false },
		{ { 100, 200, 300 }, 3, false },
		{ { -100, 100 }, 2, false },
		{ { 100 }, 1, true },
		{ { 0 }, 0, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(stats_far_from_zero(cases[i].v, cases[i].n),
				 cases[i].far);
}

static void shares_are_compared_exactly(void **state)
{
	static const struct {
		struct share a, b;
		double p;
	} t[] = {	/* sums of binomial coefficients */
		{ { 1, 10 }, { 8, 10 }, 0.0027387473207906646 },
		{ { 1, 6 }, { 6, 6 }, 7.0 / 924 },
		{ { 0, 6 }, { 6, 6 }, 1.0 / 924 },
		{ { 1, 6 }, { 3, 6 }, 3.0 / 11 },
		{ { 2, 4 }, { 4, 4 }, 3.0 / 14 },
		{ { 3, 3 }, { 3, 3 }, 1 },
		{ { 6, 6 }, { 1, 6 }, 1 },
		{ { 0, 6 }, { 0, 6 }, 1 },
		{ { 0, 0 }, { 6, 6 }, 1 },
		{ { 0, 0 }, { 0, 0 }, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++)
		assert_true(fabs(stats_more_often(&t[i].a, &t[i].b) - t[i].p) <
			    1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mean_and_deviation_agree_to_the_bit),
		cmocka_unit_test(sum_survives_extremes),
		cmocka_unit_test(whole_sums_keep_every_digit),
		cmocka_unit_test(quantiles),
		cmocka_unit_test(welch_knows_students_sleep),
		cmocka_unit_test(half_widths_of_sums_agree_with_welch),
		cmocka_unit_test(welch_admits_what_it_cannot_know),
		cmocka_unit_test(rank_test_is_exact_with_ties),
		cmocka_unit_test(rank_test_approximates_many),
		cmocka_unit_test(more_runs_narrow_the_interval),
		cmocka_unit_test(zero_is_odd_among_values_far_from_it),
		cmocka_unit_test(shares_are_compared_exactly),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
