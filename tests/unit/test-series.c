#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "result/series.h"

/* What "text" lists: 1 is an integer, 1.0 a float, - no value, x text. */
static void fill(struct cells *c, const char *text)
{
	char word[64];
	int n;

	cells_reset(c);
	for (; sscanf(text, "%63s%n", word, &n) == 1; text += n)
		if (!strcmp(word, "-"))
			cells_add_other(c, CELL_NONE);
		else if (*word == 'x')
			cells_add_other(c, CELL_TEXT);
		else if (strpbrk(word, ".en"))
			cells_add_float(c, strtod(word, NULL));
		else
			cells_add_int(c, strtoll(word, NULL, 10));
}

static void check_cells(const struct series *s, const struct cells *c)
{
	for (size_t i = 0; i < c->n; i++) {
		union cell cell = series_cell(s, i);

		assert_int_equal(series_type(s, i), c->type[i]);
		if (c->type[i] == CELL_INT || c->type[i] == CELL_FLOAT)
			assert_memory_equal(&cell, &c->cell[i], sizeof(cell));
		if (c->type[i] == CELL_INT)
			assert_true(series_value(s, i) == (double)cell.i);
	}
}

static void check_values(const struct series *s)
{
	double *v;

	if (s->type != CELL_INT && s->type != CELL_FLOAT)
		return;
	v = malloc(s->n * sizeof(*v));
	assert_non_null(v);
	series_values(s, v);
	for (size_t i = 0; i < s->n; i++) {
		double one = series_value(s, i);

		assert_memory_equal(&v[i], &one, sizeof(one));
	}
	free(v);
}

static void values_come_out_as_they_went_in(void **state)
{
	static const struct {
		const char *text;
		unsigned int bytes, decimals;	/* of a value */
	} cases[] = {
		{ "0", 1, 0 }, { "1 -128 127", 1, 0 }, { "128", 2, 0 },
		{ "-129 0", 2, 0 }, { "32767 -32768", 2, 0 },
		{ "32768", 4, 0 }, { "2147483647 -2147483648", 4, 0 },
		{ "2147483648", 8, 0 }, { "-2147483649", 8, 0 },
		{ "9223372036854775807 -9223372036854775808", 8, 0 },
		{ "0.0", 1, 0 }, { "3.0 4.0", 1, 0 }, { "0.5", 1, 1 },
		{ "0.44 0.4 -0.38", 1, 2 }, { "1.28 127.0", 2, 2 },
		{ "1000.1 0.01", 4, 2 }, { "0.0000001", 1, 7 },
		{ "1000.0 0.0000001", 8, 0 },	/* too large when scaled */
		{ "0.0000001 1000.0", 8, 0 },
		{ "0.00000001", 8, 0 }, { "-0.0", 8, 0 },
		{ "1.0 -0.0", 8, 0 }, { "0.1 0.30000000000000004", 8, 0 },
		{ "2147483646.0", 4, 0 }, { "2147483648.0", 8, 0 },
		{ "1e300 -1e-300", 8, 0 }, { "nan inf", 8, 0 },
		{ "1 2.5 -", 8, 0 }, { "1 -", 8, 0 }, { "2.5 1 - -7.25", 8, 0 },
		{ "- -", 1, 0 }, { "", 1, 0 },
	};
	struct arena a = ARENA_INIT;
	struct cells c = { .n = 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct series s = { .n = 0 };

		fill(&c, cases[i].text);
		series_set(&a, &s, &c);
		assert_false(s.bad);
		assert_int_equal(s.n, c.n);
		if (cases[i].bytes != 1u << s.width ||
		    cases[i].decimals != s.decimals)
			fail_msg("%s: %u bytes, %u decimals", cases[i].text,
				 1u << s.width, s.decimals);
		check_cells(&s, &c);
		check_values(&s);
	}
	cells_release(&c);
	arena_release(&a);
}

/* As many decimals as it has, and one bit beside it. */
static void floats_stay_the_same_to_the_bit(void **state)
{
	struct arena a = ARENA_INIT;
	struct cells c = { .n = 0 };
	char text[64];

	(void)state;
	srand(1);
	for (int i = 0; i < 20000; i++) {
		struct series s = { .n = 0 };
		double f;

		snprintf(text, sizeof(text), "%.*f", i % 10,
			 (rand() - RAND_MAX / 2) / pow(10, i % 12));
		f = strtod(text, NULL);
		cells_reset(&c);
		cells_add_float(&c, f);
		if (i % 3 == 0)
			cells_add_float(&c, nextafter(f, DBL_MAX));
		series_set(&a, &s, &c);
		check_cells(&s, &c);
		check_values(&s);
	}
	cells_release(&c);
	arena_release(&a);
}

static void bad_rows_hold_nothing(void **state)
{
	struct arena a = ARENA_INIT;
	struct cells c = { .n = 0 };
	struct series s = { .n = 0 };

	(void)state;
	fill(&c, "1 x 2.5");
	series_set(&a, &s, &c);
	assert_true(s.bad);
	assert_int_equal(s.n, 3);
	for (size_t i = 0; i < s.n; i++)
		assert_int_equal(series_type(&s, i), CELL_TEXT);
	cells_reset(&c);
	for (size_t i = 0; i <= SERIES_MAX; i++)
		cells_add_int(&c, 7);
	series_set(&a, &s, &c);
	assert_true(s.bad);
	assert_int_equal(s.n, SERIES_MAX);
	cells_release(&c);
	arena_release(&a);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_come_out_as_they_went_in),
		cmocka_unit_test(floats_stay_the_same_to_the_bit),
		cmocka_unit_test(bad_rows_hold_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
