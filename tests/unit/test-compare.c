/*
 * What the default style says of small results, as whole tables: above all of
 * those with which lkp-style.md 1.8 finds fault.  Own rules.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <math.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "compare/comparison-json.h"
#include "compare/comparison.h"
#include "render/table.h"

#define COUNT(t) (sizeof(t) / sizeof((t)[0]))

static struct results results;
static struct comparison comparison;

/* Results as one perfpost-results/1 file; "sides" is its list of results. */
static int try_compare(const char *sides, const char *facts,
		       const struct compare_options *o, struct err *err)
{
	char path[] = "/tmp/test-compare-XXXXXX";
	struct buf text = BUF_INIT(1 << 20);
	int fd = mkstemp(path), rc;

	buf_addf(&text, "{\"format\": \"perfpost-results/1\"%s, "
		 "\"results\": [%s]}", facts, sides);
	for (char *p = text.s; *p; p++)
		if (*p == '\'')
			*p = '"';
	assert_int_equal(file_write_fd(fd, path, text.s, text.len, err), 0);
	close(fd);
	results_init(&results);
	rc = results_read(&results, path, err);
	if (rc == 0)
		rc = compare(&comparison, &results, o, err);
	unlink(path);
	buf_release(&text);
	return rc;
}

static void do_compare(const char *sides, const char *facts,
		       const struct compare_options *o)
{
	struct err err = ERR_INIT;

	if (try_compare(sides, facts, o, &err) == -1)
		fail_msg("%s", err.text);
}

static void done(void)
{
	comparison_release(&comparison);
	results_release(&results);
}

static void side(struct buf *out, const char *commit, int runs,
		 const char *rows)
{
	buf_addf(out, "%s{'axes': {'testcase': 'unixbench', 'commit': '%s'}, "
		 "'matrix': {'stats_source': [", out->len ? ", " : "", commit);
	for (int i = 0; i < runs; i++)
		buf_addf(out, "%s'%d'", i ? ", " : "", i);
	buf_addf(out, "]%s%s}}", *rows ? ", " : "", rows);
}

/* The rows alone: what stands behind the last title. */
static const char *rows_of(struct buf *table)
{
	char *s = strstr(table->s, "|                \\  \n");

	if (s)
		return strchr(s, '\n') + 1;
	s = strstr(table->s, "|             |    \n");
	return s ? strchr(s, '\n') + 1 : table->s;
}

static bool check_rows(const char *name, int na, const char *a, int nb,
		       const char *b, bool all, bool by_row, const char *want)
{
	struct buf sides = BUF_INIT(1 << 16), table = BUF_INIT(1 << 16);
	struct compare_options o;
	bool good;

	compare_options_init(&o);
	if (all)
		o.select = SELECT_ALL;
	o.quick = o.by_row = by_row;
	side(&sides, "one", na, a);
	side(&sides, "two", nb, b);
	do_compare(sides.s, "", &o);
	table_comparison(&table, &comparison, false);
	good = !strcmp(rows_of(&table), want);
	if (!good)
		print_error("%s:\n%s-- wanted\n%s", name, table.s, want);
	done();
	buf_release(&sides);
	buf_release(&table);
	return good;
}

#define PM "\xc2\xb1"

static void rows_say_what_is_so(void **state)
{
	static const struct {
		const char *name;
		int na;
		const char *a;
		int nb;
		const char *b;
		bool all;
		const char *want;
	} t[] = {
		{ "each side's own number of runs",
		  2, "'dmesg.x': [0, 0]", 4, "'dmesg.x': [1, 0, 0, 0]", false,
		  "           :2           25%           1:4     dmesg.x\n\n" },
		{ "runs that failed, not a sum of counts",
		  4, "'dmesg.x': [3, 3, 3, 0]", 4, "'dmesg.x': [2, 2, 2, 2]",
		  false,
		  "          3:4           25%           4:4     dmesg.x\n\n" },
		{ "a part of a failure is a failure",
		  4, "'dmesg.x': [0.9, 0.9, 0, 0]", 3,
		  "'dmesg.x': [0.2, 0.1, 0.1]", false,
		  "          2:4           50%           3:3     dmesg.x\n\n" },
		{ "any change of a rate shows",
		  4, "'dmesg.x': [1, 0, 0, 0]", 4, "'dmesg.x': [1, 1, 1, 1]",
		  false,
		  "          1:4           75%           4:4     dmesg.x\n\n" },
		{ "a failure that never happened has no row in the data",
		  3, "'a.b': [1, 1, 1]", 3,
		  "'dmesg.x': [1, 1, 1], 'a.b': [1, 1, 1]", false,
		  "           :3          100%           3:3     dmesg.x\n\n" },
		{ "0 to 0 is no change",
		  3, "'a.b': [0, 0, 0]", 3, "'a.b': [0, 0, 0]", true,
		  "      0.00            +0.0%       0.00        a.b\n\n" },
		{ "from 0",
		  3, "'a.b': [0, 0, 0]", 3, "'a.b': [5, 5, 5]", false,
		  "      0.00          from 0        5.00        a.b\n\n" },
		{ "not there in the head",
		  3, "'a.b': [300, 301, 302], 'a.c': [1, 1, 1]", 3,
		  "'a.c': [1, 1, 1]", false,
		  "    301.00             no data (0 of 3 runs)  a.b\n\n" },
		{ "not there in the base",
		  3, "'a.c': [1, 1, 1]", 3,
		  "'a.b': [300, 301, 302], 'a.c': [1, 1, 1]", false,
		  "no data (0 of 3 runs)           301.00        a.b\n\n" },
		{ "nowhere there",
		  3, "'a.b': []", 3, "'a.b': []", true,
		  "no data (0 of 3 runs)  no data (0 of 3 runs)  a.b\n\n" },
		{ "a null is no 0",
		  4, "'a.b': [10, null, 12, 11]", 4, "'a.b': [20, 21, 22, 23]",
		  false,
		  "     11.00 " PM "  7%     +95.5%      21.50 " PM "  5%  a.b  "
		  "[3 of 4, 4 of 4 runs]\n\n" },
		{ "a short row is not filled up",
		  4, "'a.b': [5, 6]", 4, "'a.b': [15, 16, 15, 16]", false,
		  "      5.50 " PM "  9%    +181.8%      15.50 " PM "  3%  a.b  "
		  "[2 of 4, 4 of 4 runs]\n\n" },
		{ "the spread of a negative mean",
		  3, "'a.b': [-10, -20, -30]", 3, "'a.b': [-10, -40, -70]",
		  true,
		  "    -20.00 " PM " 41%    -100.0%     -40.00 " PM " 61%  "
		  "a.b\n\n" },
		{ "one run has no spread",
		  1, "'a.b': [-10]", 1, "'a.b': [-0.5]", true,
		  "    -10.00           +95.0%      -0.50        a.b\n\n" },
		{ "around 0 a spread has no bounds",
		  2, "'a.b': [-50, 50]", 2, "'a.b': [-1, 1]", true,
		  "      0.00" PM ">999%      +0.0%       0.00" PM ">999%  "
		  "a.b\n\n" },
		{ "a wide spread stays in its column",
		  4, "'a.b': [1, -1, 1.1, -1]", 4, "'a.b': [1, 1, 1, 1]", true,
		  "     0.025" PM ">999%   +3900.0%       1.00        a.b\n\n" },
		{ "no digits that are not there",
		  3, "'a.b': [999.995, 999.995, 999.995]", 3,
		  "'a.b': [1000.99, 1000.99, 1000.99]", true,
		  "      1000            +0.1%       1001        a.b\n\n" },
		{ "a spread is rounded",
		  2, "'a.b': [90, 110]", 2, "'a.b': [90.1, 109.9]", true,
		  "    100.00 " PM " 10%      +0.0%     100.00 " PM " 10%  "
		  "a.b\n\n" },
		{ "less is minus",
		  3, "'a.b': [-10, -10, -10]", 3,
		  "'a.b': [-13.5, -13.5, -13.5]", false,
		  "    -10.00           -35.0%     -13.50        a.b\n\n" },
		{ "no -0.0%",
		  3, "'a.b': [10000, 10000, 10000]", 3,
		  "'a.b': [9999.9, 9999.9, 9999.9]", true,
		  "     10000            +0.0%      10000        a.b\n\n" },
		{ "-1 is a number",
		  4, "'a.b': [50, 51, 52, 53]", 4, "'a.b': [-1, 5, 6, 7]",
		  false,
		  "     51.50 " PM "  2%     -91.7%       4.25 " PM " 73%  "
		  "a.b\n\n" },
		{ "points",
		  3, "'perf-profile.self.x': [10, 10, 10], 'a.b%': [1, 1, 1]",
		  3, "'perf-profile.self.x': [12, 12, 12], 'a.b%': [2, 2, 2]",
		  false,
		  "      1.00            +1.0pp      2.00        a.b%\n"
		  "     10.00            +2.0pp     12.00        "
		  "perf-profile.self.x\n\n" },
		{ "a profile row of integers is no exception",
		  3, "'perf-profile.self.x': [10, 10, 10]",
		  3, "'perf-profile.self.x': [10, 10, 10]", false, "" },
		{ "a small number keeps its digits",
		  3, "'a.b': [0.00123, 0.00123, 0.00123]", 3,
		  "'a.b': [0.00246, 0.00246, 0.00246]", false,
		  "   0.00123          +100.0%    0.00246        a.b\n\n" },
		{ "one bad row costs that row",
		  3, "'a.b': ['x', 1, 2], 'a.c': [1, 1, 1]", 3,
		  "'a.b': [5, 6, 7], 'a.c': [9, 9, 9]", true,
		  "      1.00          +800.0%       9.00        a.c\n\n" },
		{ "what a test is run for comes first",
		  3, "'unixbench.a': [1, 1, 1], 'unixbench.score': [5, 5, 5]",
		  3, "'unixbench.a': [2, 2, 2], 'unixbench.score': [6, 6, 6]",
		  false,
		  "      5.00           +20.0%       6.00        "
		  "unixbench.score\n"
		  "      1.00          +100.0%       2.00        "
		  "unixbench.a\n\n" },
		{ "a name cannot harm the terminal",
		  3, "'a.\\u001b[31m': [1, 1, 1]", 3,
		  "'a.\\u001b[31m': [2, 2, 2]", false,
		  "      1.00          +100.0%       2.00        "
		  "a.\\x1b[31m\n\n" },
		{ "nothing in common",
		  3, "'vmstat.a': [1, 1, 1]", 3, "'iostat.a': [1, 1, 1]",
		  false,
		  "=============================================================="
		  "===========================\n"
		  "testcase:\n  unixbench\n\ncommit: \n  one\n  two\n\n"
		  "             one                         two \n"
		  "---------------- --------------------------- \n"
		  "iostat: no data of one (1 row left out)\n"
		  "vmstat: no data of two (1 row left out)\n\n" },
	};

	bool good = true;

	(void)state;
	for (size_t i = 0; i < 2 * COUNT(t); i++)
		good &= check_rows(t[i / 2].name, t[i / 2].na, t[i / 2].a,
				   t[i / 2].nb, t[i / 2].b, t[i / 2].all,
				   i % 2, t[i / 2].want);
	assert_true(good);
}

/* Sides whose rows fill more than a piece of what is printed at once. */
static void make_many_rows(struct buf *sides)
{
	struct buf rows = BUF_INIT(1 << 20);

	for (int head = 0; head < 2; head++) {
		buf_reset(&rows);
		for (int i = 0; i < 300; i++)
			buf_addf(&rows, "%s'perf-profile.self.f%d': [%d, %d, "
				 "%d.5]", i ? ", " : "", i, i, i + 1,
				 i + head * (i * 7 % 50));
		buf_addf(&rows, ", 'unixbench.score': [1, 2, 3], "
			 "'dmesg.x': [0, 0, %d]", head);
		side(sides, head ? "two" : "one", 3, rows.s);
	}
	buf_release(&rows);
}

static struct buf printed;
static int pieces, pieces_wanted;

static int take_piece(const char *text, size_t len)
{
	buf_add(&printed, text, len);
	return ++pieces == pieces_wanted ? 7 : 0;
}

/* A table is the same whether all figures are kept or none, and whether it is
 * printed in pieces or made at once. */
static void figures_can_be_made_row_by_row(void **state)
{
	struct buf sides = BUF_INIT(1 << 20), whole = BUF_INIT(1 << 20);
	struct compare_options o;

	(void)state;
	printed = (struct buf)BUF_INIT(1 << 20);
	make_many_rows(&sides);
	for (int how = 0; how < 4; how++) {
		compare_options_init(&o);
		o.select = SELECT_ALL;
		o.style = how & 1 ? COMPARE_LKP : COMPARE_DEFAULT;
		o.by_stat = how & 2;
		do_compare(sides.s, "", &o);
		buf_reset(&whole);
		table_comparison(&whole, &comparison, false);
		done();
		o.quick = o.by_row = true;
		do_compare(sides.s, "", &o);
		assert_null(comparison.group[0].row[0].figure);
		buf_reset(&printed);
		pieces = pieces_wanted = 0;
		assert_int_equal(table_print(&comparison, false, take_piece),
				 0);
		assert_string_equal(printed.s, whole.s);
		assert_true(pieces > 2);
		pieces = 0;
		pieces_wanted = 2;
		assert_int_equal(table_print(&comparison, false, take_piece),
				 7);
		assert_int_equal(pieces, 2);
		done();
	}
	buf_release(&printed);
	buf_release(&whole);
	buf_release(&sides);
}

static void a_row_asked_for_has_figures(void **state)
{
	struct buf sides = BUF_INIT(1 << 20);
	const struct row *first, *second;
	struct compare_options o;
	struct group *g;

	(void)state;
	compare_options_init(&o);
	o.select = SELECT_ALL;
	o.by_row = true;
	make_many_rows(&sides);
	do_compare(sides.s, "", &o);
	g = &comparison.group[0];
	first = group_row(&comparison, g, "unixbench.score");
	second = comparison_row(&comparison, g, &g->row[0]);
	assert_true(first->figure[1].mean == 2);
	assert_string_equal(second->name, "unixbench.score");
	assert_true(second->figure[1].mean == 2);
	second = comparison_row(&comparison, g, &g->row[1]);
	assert_string_equal(second->name, "dmesg.x");
	assert_true(second->figure[0].fails == 0);
	assert_true(second->figure[1].fails == 1);
	done();
	buf_release(&sides);
}

static void incomplete_runs_are_left_out_and_said(void **state)
{
	struct buf sides = BUF_INIT(1 << 16), table = BUF_INIT(1 << 16);
	struct compare_options o;

	(void)state;
	compare_options_init(&o);
	side(&sides, "one", 4, "'last_state.is_incomplete_run': [1, 0, 0, 0], "
	     "'unixbench.score': [0, 100, 101, 102]");
	side(&sides, "two", 3, "'unixbench.score': [200, 201, 202]");
	side(&sides, "three", 3, "'unixbench.score': [100, 101, 102], "
	     "'dmesg.x': [1, 1, 1]");
	do_compare(sides.s, "", &o);
	table_comparison(&table, &comparison, true);
	assert_non_null(strstr(table.s,
		"  one   (1 of 4 runs did not complete: left out)\n  two\n"));
	assert_non_null(strstr(table.s,
		"          1:4          -25%            :3          -25%      "
		"      :3     last_state.is_incomplete_run\n"));
	assert_non_null(strstr(table.s,
		"    101.00           +99.0%     201.00            +0.0%     "
		"101.00        unixbench.score\n"));
	assert_int_equal(comparison.group[0].side[0].incomplete, 1);
	done();
	buf_release(&sides);
	buf_release(&table);
}

static void summaries_stand_in_for_values(void **state)
{
	struct compare_options o;
	const struct row *row;

	(void)state;
	compare_options_init(&o);
	do_compare("{'axes': {'commit': 'a'}, 'summary': {'x.y': {'mean': 100,"
		   "'stddev': 1, 'runs': 4}, 'dmesg.z': {'fails': 1, 'runs': 4"
		   "}}}, {'axes': {'commit': 'b'}, 'summary': {'x.y': {'mean': "
		   "90, 'stddev': 1, 'runs': 4}, 'dmesg.z': {'fails': 3, "
		   "'runs': 4}}}", "", &o);
	assert_int_equal(comparison.group[0].nrow, 2);
	row = group_row(&comparison, &comparison.group[0], "x.y");
	assert_true(row->figure[1].change.percent == -10);
	assert_true(row->figure[1].change.high < 0);
	assert_null(row->figure[1].value);
	assert_true(isnan(row->figure[1].change.p_rank));
	row = group_row(&comparison, &comparison.group[0], "dmesg.z");
	assert_int_equal(row->kind, ROW_FAILURE);
	assert_true(row->figure[1].change.percent == 50);
	done();
}

/* What changed, where a side is but a summary: only what a deviation shows. */
static void summaries_need_a_deviation(void **state)
{
	static const struct {
		const char *base, *head;	/* members of a result */
		bool changed;
	} cases[] = {
#define SUMMARY(s) "'summary': {'x.y': {" s "}}"
#define MATRIX(v) "'matrix': {'x.y': [" v "]}"
		{ SUMMARY("'mean': 100, 'stddev': 1, 'runs': 4"),
		  SUMMARY("'mean': 110, 'stddev': 1, 'runs': 4"), true },
		{ SUMMARY("'mean': 100, 'stddev': 11, 'runs': 4"),
		  SUMMARY("'mean': 110, 'stddev': 1, 'runs': 4"), false },
		/* Not known: no telling. */
		{ SUMMARY("'mean': 100, 'runs': 4"),
		  SUMMARY("'mean': 900, 'runs': 4"), false },
		{ SUMMARY("'mean': 100, 'stddev': 1, 'runs': 4"),
		  SUMMARY("'mean': 900"), false },
		/* One run has none. */
		{ SUMMARY("'mean': 100, 'stddev': 1, 'runs': 4"),
		  SUMMARY("'mean': 900, 'runs': 1"), true },
		{ SUMMARY("'mean': 100, 'stddev': 1, 'runs': 2"),
		  SUMMARY("'mean': 900, 'stddev': 1, 'runs': 2"), false },
		/* A sample's 4.5 of 3 are the population's 3.7. */
		{ SUMMARY("'mean': 40, 'stddev': 4.5, 'sample': true, 'runs': 3"),
		  SUMMARY("'mean': 44, 'stddev': 4.5, 'sample': true, 'runs': 3"),
		  true },
		/* ... and of an unknown number as it is. */
		{ SUMMARY("'mean': 40, 'stddev': 4.5, 'sample': true"),
		  SUMMARY("'mean': 44, 'stddev': 4.5, 'sample': true"), false },
		{ SUMMARY("'mean': 40, 'stddev': 3.9, 'sample': true"),
		  SUMMARY("'mean': 44, 'stddev': 3.9, 'sample': true"), true },
		/* Values on the other side. */
		{ MATRIX("99, 101, 100"),
		  SUMMARY("'mean': 110, 'stddev': 1, 'runs': 4"), true },
		{ SUMMARY("'mean': 110, 'stddev': 1, 'runs': 4"),
		  MATRIX("99, 101, 100"), true },
		{ MATRIX("85, 115, 100"),
		  SUMMARY("'mean': 110, 'stddev': 2, 'runs': 4"), false },
		{ MATRIX("99, 101, 100"), SUMMARY("'mean': 110"), false },
		{ MATRIX("null, null, null"),
		  SUMMARY("'mean': 110, 'stddev': 1, 'runs': 4"), false },
#undef SUMMARY
#undef MATRIX
	};
	static const enum compare_style styles[] = { COMPARE_DEFAULT,
						     COMPARE_LKP };
	struct compare_options o;

	(void)state;
	compare_options_init(&o);
	for (size_t i = 0; i < COUNT(cases); i++)
		for (size_t k = 0; k < (i < 5 ? 2 : 1); k++) {
			struct buf sides = BUF_INIT(1 << 16);

			buf_addf(&sides, "{'axes': {'commit': 'a'}, %s}, "
				 "{'axes': {'commit': 'b'}, %s}",
				 cases[i].base, cases[i].head);
			o.style = styles[k];
			do_compare(sides.s, "", &o);
			if ((comparison.group[0].nrow == 1) != cases[i].changed)
				fail_msg("%zu, style %zu: %s, %s", i, k,
					 cases[i].base, cases[i].head);
			done();
			buf_release(&sides);
		}
}

/* In a format that writes zeros, a failure needs no ".pass" to be news. */
static void failures_beside_zeros_are_news(void **state)
{
	static const struct {
		const char *base, *head;
		size_t rows;
	} cases[] = {
		{ "0, 0, 0", "0, 1, 0", 1 }, { "0, 1, 0", "0, 0, 0", 1 },
		{ "0, 0, 0", "0, 0, 0", 0 }, { "1, 0, 0", "1, 1, 1", 0 },
		{ "", "1, 1, 1", 0 },
	};
	struct compare_options o;

	(void)state;
	compare_options_init(&o);
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct buf sides = BUF_INIT(1 << 16);

		buf_addf(&sides, "{'axes': {'commit': 'a'}, 'matrix': {"
			 "'x.fail': [%s], 'x.n': [1, 1, 1]}}, "
			 "{'axes': {'commit': 'b'}, 'matrix': {"
			 "'x.fail': [%s], 'x.n': [1, 1, 1]}}",
			 cases[i].base, cases[i].head);
		do_compare(sides.s, "", &o);
		if (comparison.group[0].nrow != cases[i].rows)
			fail_msg("%s, %s", cases[i].base, cases[i].head);
		done();
		buf_release(&sides);
	}
}

static void names_that_were_not_selected_can_be_had(void **state)
{
	struct buf sides = BUF_INIT(1 << 16);
	struct compare_options o;
	const struct row *row;

	(void)state;
	compare_options_init(&o);
	side(&sides, "one", 3, "'a.b': [1, 2, 3]");
	side(&sides, "two", 3, "'a.b': [1, 2, 3]");
	do_compare(sides.s, "", &o);
	assert_int_equal(comparison.group[0].nrow, 0);
	row = group_row(&comparison, &comparison.group[0], "a.b");
	assert_true(row->figure[0].mean == 2 && row->figure[1].n == 3);
	assert_null(group_row(&comparison, &comparison.group[0], "a.c"));
	done();
	buf_release(&sides);
}

static void facts_name_sides_and_metrics(void **state)
{
	struct buf sides = BUF_INIT(1 << 16), table = BUF_INIT(1 << 16);
	struct compare_options o;
	const char *label[] = { "two=fixed", NULL };
	const struct row *row;

	(void)state;
	compare_options_init(&o);
	o.label = label;
	side(&sides, "0123456789abcdef0123456789abcdef01234567", 3,
	     "'x.y': [1, 1, 1]");
	side(&sides, "two", 3, "'x.y': [2, 2, 2]");
	do_compare(sides.s, ", 'commits': {'0123456789ab': {'subject': "
		   "'mm: x'}}, 'metrics': {'x.y': {'better': 'lower', 'unit': "
		   "'s', 'kpi': true}}", &o);
	table_comparison(&table, &comparison, false);
	assert_non_null(strstr(table.s, "  0123456789 (\"mm: x\")\n  fixed\n"));
	assert_non_null(strstr(table.s, "0123456789abcdef"
			       "                       fixed \n"));
	row = group_row(&comparison, &comparison.group[0], "x.y");
	assert_true(row->kpi && row->better == BETTER_LOWER);
	assert_int_equal(row->figure[1].change.verdict, VERDICT_REGRESSION);
	done();
	buf_release(&sides);
	buf_release(&table);
}

static void json_has_it_all(void **state)
{
	struct buf sides = BUF_INIT(1 << 16), text = BUF_INIT(1 << 16);
	struct compare_options o;
	json_t *v, *row, *head, *change;
	const char *stat;
	int i;

	(void)state;
	compare_options_init(&o);
	side(&sides, "one", 3, "'unixbench.score': [100, 101, 102]");
	side(&sides, "two", 3, "'unixbench.score': [90.5, 91, 92]");
	do_compare(sides.s, "", &o);
	comparison_json(&text, &comparison);
	v = json_read_text(text.s, text.len, "json", NULL);
	row = json_array_get(json_object_get(json_array_get(
		json_object_get(v, "groups"), 0), "rows"), 0);
	head = json_array_get(json_object_get(row, "sides"), 1);
	change = json_object_get(head, "change");
	assert_int_equal(json_unpack(row, "{s:s}", "stat", &stat), 0);
	assert_string_equal(stat, "unixbench.score");
	assert_int_equal(json_unpack(head, "{s:[F,i,i!]}", "values",
				     &(double){ 0 }, &i, &i), 0);
	assert_int_equal(json_unpack(row, "{s:[{s:i,s:i}*]}", "sides", "min",
				     &i, "n", &i), 0);
	assert_true(json_real_value(json_object_get(change, "p_rank")) > 0.09);
	assert_int_equal(json_array_size(json_object_get(change, "interval")),
			 2);
	assert_string_equal(json_member_text(change, "verdict"), "regression");
	json_decref(v);
	done();
	buf_release(&sides);
	buf_release(&text);
}

static void what_cannot_be_compared_is_an_error(void **state)
{
	static const char *const t[] = {
		"",
		"{'axes': {'commit': 'a'}, 'matrix': {'a': [1]}}",
		"{'axes': {'commit': 'a', 'box': 'x'}, 'matrix': {'a': [1]}},"
		"{'axes': {'commit': 'b', 'box': 'y'}, 'matrix': {'a': [1]}}",
	};
	struct compare_options o;
	struct err err;

	(void)state;
	compare_options_init(&o);
	for (size_t i = 0; i < COUNT(t); i++) {
		err = (struct err)ERR_INIT;
		assert_int_equal(try_compare(t[i], "", &o, &err), -1);
		assert_int_equal(err.code, ERR_INPUT);
		done();
	}
	assert_non_null(strstr(err.text, "box is 'x'"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_say_what_is_so),
		cmocka_unit_test(incomplete_runs_are_left_out_and_said),
		cmocka_unit_test(summaries_stand_in_for_values),
		cmocka_unit_test(summaries_need_a_deviation),
		cmocka_unit_test(failures_beside_zeros_are_news),
		cmocka_unit_test(figures_can_be_made_row_by_row),
		cmocka_unit_test(a_row_asked_for_has_figures),
		cmocka_unit_test(names_that_were_not_selected_can_be_had),
		cmocka_unit_test(facts_name_sides_and_metrics),
		cmocka_unit_test(json_has_it_all),
		cmocka_unit_test(what_cannot_be_compared_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
