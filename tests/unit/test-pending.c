#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "recv/pending.h"

static const struct pending_rules rules = { .delay = 60, .tries = 3 };

static void waits_double(void **state)
{
	static const int64_t wait[] = { 60, 60, 120, 240, 480, 960, 1920, 3840,
					7680, PENDING_LONGEST, PENDING_LONGEST };
	struct pending p = { .n = 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(wait) / sizeof(*wait); i++) {
		assert_false(pending_broke(&p, &rules, 7, 1000));
		assert_int_equal(p.n, 1);
		assert_int_equal(p.v[0].due, 1000 + wait[i]);
		assert_int_equal(pending_is_aside(&p.v[0]), i > 0);
		assert_null(pending_due(&p, 999 + wait[i]));
		assert_ptr_equal(pending_due(&p, 1000 + wait[i]), &p.v[0]);
	}
}

/* b: it breaks, B: and is to be given up, o: another came. */
static void only_breaks_between_others_count(void **state)
{
	static const char *const lives[] = {
		"bbbbbbbbb", "bobooB", "boboBB", "oooobbobbooBB", "bob", "bb",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lives) / sizeof(*lives); i++) {
		struct pending p = { .n = 0 };
		for (const char *s = lives[i]; *s; s++) {
			if (*s == 'o')
				pending_came(&p, 8);
			else
				assert_int_equal(pending_broke(&p, &rules, 7,
							       0), *s == 'B');
		}
	}
}

static void one_that_comes_is_forgotten(void **state)
{
	struct pending p = { .n = 0 };

	(void)state;
	for (uint32_t uid = 1; uid <= 3; uid++)
		pending_broke(&p, &rules, uid, 10 * uid);
	assert_int_equal(pending_due(&p, 1000)->uid, 1);
	pending_came(&p, 1);
	assert_null(pending_find(&p, 1));
	assert_true(pending_find(&p, 2)->others);
	assert_int_equal(pending_due(&p, 1000)->uid, 2);
	pending_drop(&p, 2);
	pending_drop(&p, 3);
	pending_drop(&p, 4);
	assert_int_equal(p.n, 0);
	assert_null(pending_due(&p, 1000));
}

static void there_is_no_room_without_end(void **state)
{
	struct pending p = { .n = 0 };

	(void)state;
	for (uint32_t uid = 1; uid <= PENDING_MAX + 10; uid++)
		assert_false(pending_broke(&p, &rules, uid, 0));
	assert_int_equal(p.n, PENDING_MAX);
	assert_null(pending_find(&p, PENDING_MAX + 1));
}

static void a_clock_set_back_stops_nothing(void **state)
{
	struct pending p = { .n = 0 };

	(void)state;
	pending_broke(&p, &rules, 7, 2000000000);
	assert_non_null(pending_due(&p, 1000000000));
}

static void text_goes_both_ways(void **state)
{
	static const struct { const char *in, *out; } c[] = {
		{ "", "" },
		{ " 7/2/1/0/1700000000", " 7/2/1/0/1700000000" },
		{ " 7/2/1/1/17 4294967295/12/3/0/18",
		  " 7/2/1/1/17 4294967295/12/3/0/18" },
		{ " 7/2/1/1/17 8/1/1", " 7/2/1/1/17" },
		{ " 7/2/1/1/17 7/3/1/1/18 0/1/1/1/1", " 7/2/1/1/17" },
		{ " x 7/2/1/1/17", "" },
		{ " 7/2/1/9/-5", " 7/2/1/1/-5" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(c) / sizeof(*c); i++) {
		struct buf out = BUF_INIT(10000);
		size_t len = strlen(c[i].in) + 1;
		char *copy = memcpy(malloc(len), c[i].in, len);
		struct pending p = { .n = 5 };

		pending_read(&p, copy);
		pending_write(&p, &out);
		assert_string_equal(out.s, c[i].out);
		free(copy);
		buf_release(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waits_double),
		cmocka_unit_test(only_breaks_between_others_count),
		cmocka_unit_test(one_that_comes_is_forgotten),
		cmocka_unit_test(there_is_no_room_without_end),
		cmocka_unit_test(a_clock_set_back_stops_nothing),
		cmocka_unit_test(text_goes_both_ways),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
