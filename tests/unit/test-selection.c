/*
 * Which rows the reference selects: its answers to random matrices, and how it
 * trims a row.  The former need the rule files of lkp-tests beside the source
 * (../shared/lkp-etc); where they are not, they are skipped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <math.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "compare/comparison.h"
#include "compare/rules.h"
#include "compare/trim.h"

static struct numbers from_json(const json_t *list)
{
	struct numbers row = { .n = 0 };
	json_t *x;
	size_t i;

	numbers_reserve(&row, json_array_size(list));
	json_array_foreach((json_t *)list, i, x)
		row.v[row.n++] = json_is_integer(x) ?
					 number_int(json_integer_value(x)) :
					 number_float(json_real_value(x));
	return row;
}

static void check_margin(const json_t *c)
{
	const json_t *want = json_object_get(c, "result");
	size_t n = (size_t)json_integer_value(json_object_get(c, "n"));
	const json_t *cap = json_object_get(c, "max_margin");
	struct numbers row = { .n = n };
	struct number_range r;

	numbers_reserve(&row, n);
	for (size_t i = 0; i < n; i++)
		row.v[i] = number_int((int64_t)(n - i));
	assert_true(numbers_trim(&row, json_is_null(cap) ? SIZE_MAX :
				 (size_t)json_integer_value(cap), &r));
	assert_int_equal(r.min.i, json_integer_value(json_array_get(want, 0)));
	assert_int_equal(r.max.i, json_integer_value(json_array_get(want, 1)));
	assert_int_equal(row.n, json_integer_value(json_array_get(want, 2)));
	free(row.v);
}

static void check_values(const json_t *c)
{
	const json_t *want = json_object_get(c, "values_out");
	const json_t *cap = json_object_get(c, "max_margin");
	struct numbers row = from_json(json_object_get(c, "values"));
	struct numbers out = from_json(want);
	struct number_range r;

	numbers_trim(&row, (size_t)json_integer_value(cap), &r);
	assert_int_equal(row.n, out.n);
	for (size_t i = 0; i < row.n; i++)
		assert_int_equal(number_compare(row.v[i], out.v[i]), 0);
	free(row.v);
	free(out.v);
}

static void rows_are_trimmed_as_by_the_reference(void **state)
{
	json_t *all = json_read_file(TESTDATA "/data/margin.json", 1 << 20,
				     NULL), *c;
	size_t i;

	(void)state;
	assert_int_equal(json_array_size(all), 62);
	json_array_foreach(all, i, c)
		if (json_object_get(c, "n"))
			check_margin(c);
		else
			check_values(c);
	json_decref(all);
}

static void nothing_is_left_of_little(void **state)
{
	struct numbers row = { .n = 0 };
	struct number_range r;

	(void)state;
	assert_false(numbers_trim(&row, 3, &r));
	numbers_reserve(&row, 40);
	for (row.n = 0; row.n < 40; row.n++)
		row.v[row.n] = number_int(row.n < 38 ? -1 : 5);
	assert_false(numbers_trim(&row, 3, &r));	/* 2 less 2 * 1 */
	free(row.v);
}

/* Options that only the reference's library has, not its command. */
static bool is_ours(const json_t *c)
{
	const json_t *o = json_object_get(c, "options");
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)o, key, value)
		if (strcmp(key, "gap") && strcmp(key, "more") &&
		    strcmp(key, "perf-profile"))
			return false;
	/* The command always has a threshold for these. */
	json_object_foreach(json_object_get(c, "a"), key, value)
		if (!strncmp(key, "perf-profile.", 13) &&
		    !json_object_get(o, "perf-profile"))
			return false;
	return true;
}

static void read_case(struct results *rs, const json_t *c)
{
	char path[] = "/tmp/test-selection-XXXXXX";
	struct buf text = BUF_INIT(1 << 20);
	struct err err = ERR_INIT;
	int fd = mkstemp(path);
	json_t *v = json_pack("{s:s,s:[{s:{s:s},s:O},{s:{s:s},s:O}]}",
			      "format", "perfpost-results/1", "results",
			      "axes", "commit", "base", "matrix",
			      json_object_get(c, "b"),
			      "axes", "commit", "head", "matrix",
			      json_object_get(c, "a"));

	json_write(&text, v, 0);
	assert_int_equal(file_write_fd(fd, path, text.s, text.len, &err), 0);
	close(fd);
	if (results_read(rs, path, &err) == -1)
		fail_msg("%s", err.text);
	unlink(path);
	json_decref(v);
	buf_release(&text);
}

static void check_selection(struct rules *rules, const json_t *c)
{
	const json_t *o = json_object_get(c, "options");
	const json_t *want = json_object_get(c, "result");
	const json_t *gap = json_object_get(o, "gap");
	struct compare_options options;
	struct comparison cmp;
	struct results rs;

	results_init(&rs);
	read_case(&rs, c);
	compare_options_init(&options);
	options.style = COMPARE_LKP;
	options.rules = rules;
	options.select = json_object_get(o, "more") ? SELECT_MORE :
						      SELECT_CHANGED;
	if (gap)
		options.gap = json_number_value(gap);
	assert_int_equal(compare(&cmp, &rs, &options, NULL), 0);
	assert_int_equal(cmp.ngroup, 1);
	if (cmp.group[0].nrow != json_object_size(want))
		fail_msg("%s", json_member_text(c, "name"));
	for (size_t i = 0; i < cmp.group[0].nrow; i++)
		assert_non_null(json_object_get(want, cmp.group[0].row[i].name));
	comparison_release(&cmp);
	results_release(&rs);
}

static void rows_are_selected_as_by_the_reference(void **state)
{
	char src[4096];
	json_t *all, *c;
	struct rules *rules;
	size_t i, checked = 0;
	const char *top = getenv("top_srcdir");

	(void)state;
	snprintf(src, sizeof(src), "%s/../shared/lkp-etc", top ? top : ".");
	if (!file_is_folder(src))
		skip();
	rules = rules_new(src, NULL);
	all = json_read_file(TESTDATA "/data/changed_stats_fuzz.json", 1 << 20,
			     NULL);
	json_array_foreach(all, i, c)
		if (is_ours(c)) {
			check_selection(rules, c);
			checked++;
		}
	assert_true(checked > 100);
	json_decref(all);
	rules_free(rules);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_trimmed_as_by_the_reference),
		cmocka_unit_test(nothing_is_left_of_little),
		cmocka_unit_test(rows_are_selected_as_by_the_reference),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
