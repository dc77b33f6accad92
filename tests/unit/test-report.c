#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "compare/rules.h"
#include "report/json.h"
#include "report/report.h"
#include "report/words.h"

#define N(a) (sizeof(a) / sizeof(*(a)))

/* Results as JSON, compared and reported. */
struct made {
	struct results results;
	struct rules *rules;
	struct comparison comparison;
	struct report report;
	struct err err;
	int rc;
};

static void make(struct made *m, const char *json,
		 const struct report_options *options)
{
	char path[] = "/tmp/test-report-XXXXXX";
	struct compare_options o;
	int fd = mkstemp(path);

	assert_int_not_equal(fd, -1);
	close(fd);
	memset(m, 0, sizeof(*m));
	results_init(&m->results);
	assert_int_equal(file_write(path, json, strlen(json), NULL), 0);
	if (results_read(&m->results, path, &m->err))
		fail_msg("%s", m->err.text);
	unlink(path);
	m->rules = rules_new(NULL, &m->err);
	assert_non_null(m->rules);
	compare_options_init(&o);
	o.rules = m->rules;
	if (compare(&m->comparison, &m->results, &o, &m->err))
		fail_msg("%s", m->err.text);
	m->rc = report_build(&m->report, &m->comparison, &m->results, options,
			     &m->err);
}

static void unmake(struct made *m)
{
	report_release(&m->report);
	comparison_release(&m->comparison);
	results_release(&m->results);
	rules_free(m->rules);
}

#define METRICS "\"metrics\": {" \
	"\"t.ops\": {\"better\": \"higher\", \"kpi\": true, \"unit\": \"1/s\"}," \
	"\"t.slow\": {\"better\": \"lower\", \"kpi\": true}," \
	"\"u.ops\": {\"better\": \"higher\", \"kpi\": true}}"
#define SIDE(test, commit, matrix) "{\"axes\": {\"testcase\": \"" test \
	"\", \"commit\": \"" commit "\"}, \"matrix\": {" matrix "}}"
#define RESULTS(facts, list) "{\"format\": \"perfpost-results/1\", " \
	METRICS facts ", \"results\": [" list "]}"

/* t.ops loses 10% at 1% spread, t.slow gains 50% at 30% spread. */
#define TWO SIDE("t", "aaaa", "\"t.ops\": [100, 101, 99, 100]," \
		 "\"t.slow\": [10, 14, 7, 9], \"vmstat.in\": [5, 6, 5, 6]") "," \
	    SIDE("t", "bbbb", "\"t.ops\": [90, 91, 89, 90]," \
		 "\"t.slow\": [15, 21, 11, 13], \"vmstat.in\": [5, 6, 5, 6]")

/* Nothing changed beyond its spread. */
#define SAME SIDE("t", "aaaa", "\"t.ops\": [100, 101, 99, 100]," \
		  "\"t.slow\": [10, 14, 7, 9]") "," \
	     SIDE("t", "bbbb", "\"t.ops\": [100, 101, 99, 101]," \
		  "\"t.slow\": [10, 13, 7, 9]")

static bool stands_in_body(const struct report *r, const char *name)
{
	for (size_t i = 0; i < r->body[0].n; i++)
		if (!strcmp(r->body[0].row[i]->name, name))
			return true;
	return false;
}

static void chooses_the_headline(void **state)
{
	static const struct {
		const char *json;
		struct report_options options;
		const char *stat, *head;
		enum verdict verdict;
	} cases[] = {
		{ RESULTS("", TWO), { .rows = 0 }, "t.ops", "bbbb",
		  VERDICT_REGRESSION },
		{ RESULTS("", TWO), { .headline = "t.slow" }, "t.slow", "bbbb",
		  VERDICT_INCONCLUSIVE },
		{ RESULTS(", \"headline\": \"t.slow\"", TWO), { .rows = 0 },
		  "t.slow", "bbbb", VERDICT_INCONCLUSIVE },
		{ RESULTS(", \"headline\": \"t.slow\"", TWO),
		  { .headline = "t.ops" }, "t.ops", "bbbb",
		  VERDICT_REGRESSION },
		{ RESULTS("", TWO), { .headline = "vmstat.in" }, "vmstat.in",
		  "bbbb", VERDICT_INCONCLUSIVE },
		/* A KPI that did not change is still what it is about. */
		{ RESULTS("", SAME), { .rows = 0 }, "t.ops", "bbbb",
		  VERDICT_NO_CHANGE },
		/* Also one that is not called after the test. */
		{ RESULTS("", SIDE("x", "aaaa", "\"t.ops\": [1, 2, 3, 4]") ","
			      SIDE("x", "bbbb", "\"t.ops\": [1, 2, 3, 4]")),
		  { .rows = 0 }, "t.ops", "bbbb", VERDICT_INCONCLUSIVE },
		/* Of three sides the last, or the one asked for. */
		{ RESULTS("", TWO "," SIDE("t", "cccc",
		  "\"t.ops\": [110, 111, 109, 110]")), { .rows = 0 }, "t.ops",
		  "cccc", VERDICT_IMPROVEMENT },
		{ RESULTS("", TWO "," SIDE("t", "cccc",
		  "\"t.ops\": [110, 111, 109, 110]")), { .side = "bb" },
		  "t.ops", "bbbb", VERDICT_REGRESSION },
	};

	(void)state;
	for (size_t i = 0; i < N(cases); i++) {
		struct made m;
		const struct report *r = &m.report;

		make(&m, cases[i].json, &cases[i].options);
		if (m.rc)
			fail_msg("case %zu: %s", i, m.err.text);
		assert_string_equal(r->headline->name, cases[i].stat);
		assert_string_equal(r->group->side[r->side].name,
				    cases[i].head);
		assert_int_equal(r->verdict, cases[i].verdict);
		assert_true(stands_in_body(r, cases[i].stat));
		unmake(&m);
	}
}

static void refuses_what_is_not_there(void **state)
{
	static const struct {
		struct report_options options;
		const char *want;
	} cases[] = {
		{ { .headline = "t.none" },
		  "headline 't.none': no result has it on both sides" },
		{ { .side = "ffff" }, "no results of 'ffff' to report" },
		{ { .side = "aaaa" }, "no results of 'aaaa' to report" },
	};

	(void)state;
	for (size_t i = 0; i < N(cases); i++) {
		struct made m;

		make(&m, RESULTS("", TWO), &cases[i].options);
		assert_int_equal(m.rc, -1);
		assert_string_equal(m.err.text, cases[i].want);
		unmake(&m);
	}
}

/* Other groups: in the box when their KPI changed beyond doubt. */
static void keeps_other_impacts(void **state)
{
	static const struct {
		const char *head;
		size_t impacts;
	} cases[] = {
		{ SIDE("u", "bbbb", "\"u.ops\": [110, 111, 109, 110]"), 1 },
		{ SIDE("u", "bbbb", "\"u.ops\": [100, 101, 99, 101]"), 0 },
		{ SIDE("u", "bbbb", "\"u.other\": [1, 2, 3, 4]"), 0 },
	};

	(void)state;
	for (size_t i = 0; i < N(cases); i++) {
		struct report_options o = { .rows = 0 };
		struct buf json = BUF_INIT(10000);
		struct made m;

		buf_addf(&json, "%s%s]}", "{\"format\": \"perfpost-results/1\","
			 METRICS ", \"results\": [" TWO ","
			 SIDE("u", "aaaa", "\"u.ops\": [100, 101, 99, 100],"
			      "\"u.other\": [100, 101, 99, 100]") ",",
			 cases[i].head);
		make(&m, json.s, &o);
		assert_int_equal(m.rc, 0);
		assert_string_equal(m.report.headline->name, "t.ops");
		assert_int_equal(m.report.nimpact, cases[i].impacts);
		if (cases[i].impacts)
			assert_string_equal(m.report.impact[0].row->name,
					    "u.ops");
		assert_int_equal(m.report.nbody, 2);
		unmake(&m);
		buf_release(&json);
	}
}

/* 40 rows of two monitors; the larger the number, the larger the change. */
static void add_monitors(struct buf *json, int percent)
{
	for (int i = 0; i < 40; i++) {
		int v = 100000 + percent * 50 * (i + 40);

		buf_addf(json, ", \"%s.n%02d\": [%d, %d, %d, %d]",
			 i < 30 ? "proc-vmstat" : "meminfo", i, v, v + 3, v - 3,
			 v);
	}
}

static void keeps_the_rows_that_matter(void **state)
{
	struct report_options o = { .rows = 10 };
	struct buf json = BUF_INIT(100000);
	size_t vmstat = 0;
	struct made m;

	(void)state;
	buf_addstr(&json, "{\"format\": \"perfpost-results/1\"," METRICS
		   ",\"results\": [{\"axes\": {\"testcase\": \"t\", "
		   "\"commit\": \"aaaa\"}, \"matrix\": {"
		   "\"t.ops\": [100, 101, 99, 100]");
	add_monitors(&json, 0);
	buf_addstr(&json, "}}, {\"axes\": {\"testcase\": \"t\", "
		   "\"commit\": \"bbbb\"}, \"matrix\": {"
		   "\"t.ops\": [90, 91, 89, 90]");
	add_monitors(&json, 10);
	buf_addstr(&json, "}}]}");
	make(&m, json.s, &o);
	assert_int_equal(m.rc, 0);
	assert_int_equal(m.report.group->nrow, 41);
	assert_int_equal(m.report.body[0].n, 1 + 4 + 4);
	for (size_t i = 0; i < m.report.body[0].n; i++) {
		const char *name = m.report.body[0].row[i]->name;

		vmstat += !strncmp(name, "proc-vmstat.", 12);
		if (!strncmp(name, "meminfo.", 8))
			assert_true(strcmp(name, "meminfo.n36") >= 0);
	}
	assert_int_equal(vmstat, 4);	/* no monitor more than a third */
	unmake(&m);
	buf_release(&json);
}

/* Results of a CI that keeps no single runs. */
#define SUMMARY(commit, mean) "{\"axes\": {\"testcase\": \"t\", \"commit\": \"" \
	commit "\"}, \"summary\": {\"t.ops\": {\"mean\": " mean "," \
	"\"stddev\": 1, \"runs\": 5}, \"t.slow\": {\"mean\": 7}}}"

static void reports_on_summaries(void **state)
{
	struct report_options o = { .rows = 60 };
	struct made m;

	(void)state;
	make(&m, RESULTS("", SUMMARY("aaaa", "100") ","
			     SUMMARY("bbbb", "80")), &o);
	assert_int_equal(m.rc, 0);
	assert_string_equal(m.report.headline->name, "t.ops");
	assert_null(m.report.headline->figure[0].value);
	for (size_t i = 0; i < m.report.nfinding; i++)
		assert_int_not_equal(m.report.finding[i].kind,
				     FINDING_CLUSTERS);
	unmake(&m);
}

#define FAILED "\"last_state.is_incomplete_run\": [1, 1]"

static void says_why_there_is_nothing(void **state)
{
	struct report_options o = { .rows = 60 };
	struct made m;

	(void)state;
	make(&m, RESULTS("", SIDE("t", "aaaa", "\"t.ops\": [1, 2], " FAILED) ","
			     SIDE("t", "bbbb", "\"t.ops\": [1, 2], " FAILED)),
	     &o);
	assert_int_equal(m.rc, -1);
	assert_non_null(strstr(m.err.text,
			       ": none of 2 runs of 'aaaa' did complete"));
	unmake(&m);
}

/* No run with the commit has the KPI: that is the news. */
static void tells_what_is_missing(void **state)
{
	struct report_options o = { .rows = 60 };
	struct made m;

	(void)state;
	make(&m, RESULTS("", SIDE("t", "aaaa", "\"t.ops\": [1, 2]") ","
			     SIDE("t", "bbbb", "\"t.ops\": [1, 2], " FAILED)),
	     &o);
	assert_int_equal(m.rc, 0);
	assert_int_equal(m.report.news.kind, NEWS_MISSING);
	assert_string_equal(m.report.news.subject,
			    "no t.ops in any of 2 runs (base 2 of 2)");
	assert_false(m.report.news.blames);
	unmake(&m);
}

static bool finds(const struct made *m, const char *words)
{
	for (size_t i = 0; i < m->report.nfinding; i++)
		if (strstr(m->report.finding[i].text, words))
			return true;
	return false;
}

/* A fix behind a regression; an improvement that another test pays for. */
static void speaks_of_other_sides_and_groups(void **state)
{
	struct report_options o = { .rows = 60 };
	struct made m;

	(void)state;
	make(&m, RESULTS("", TWO "," SIDE("t", "cccc",
	     "\"t.ops\": [100, 101, 99, 100]")), &o);
	assert_true(finds(&m, "Against the same base: bbbb -10.0% regression"));
	unmake(&m);
	make(&m, RESULTS("", TWO ","
	     SIDE("u", "aaaa", "\"u.ops\": [100, 101, 99, 100]") ","
	     SIDE("u", "bbbb", "\"u.ops\": [190, 191, 189, 190]")), &o);
	assert_string_equal(m.report.headline->name, "u.ops");
	assert_true(finds(&m, "regressions\nof other tests") ||
		    finds(&m, "regressions of other"));
	unmake(&m);
}

static void says_numbers_as_the_table_does(void **state)
{
	static const struct {
		double base, head, absolute, percent;
		bool points;
		const char *want;
	} cases[] = {
		{ 100, 91.34, -8.66, -8.66, false,
		  "-8.7% -8.7% 8.7% 100.00 91.34" },
		{ 259561, 275418, 15857, 6.109, false,
		  "+6.1% 6.1% 6.1% 259561 275418" },
		{ 1000.6, 1000.2, -0.4, -0.03998, false,
		  "-0.04% -0.04% 0.04% 1001 1000" },
		{ 0, 5, 5, 0.0 / 0.0, false, "+5.0 5.0 5.0 0.00 5.00" },
		{ 13.68, 15.86, 2.18, 15.9, true,
		  "+2.2pp 2.2pp 2.2pp 13.68 15.86" },
		{ 1.721e8, 1e300, 1e300, 5.8e293, false,
		  "+5.8e+293% 5.8e+293% 5.8e+293% 1.721e+08 1e+300" },
		{ -10, -13.5, -3.5, -35, false,
		  "-35.0% -35.0% 35.0% -10.00 -13.50" },
		{ 0.0113, 0.0215, 0.0102, 90.3, false,
		  "+90.3% 90.3% 90.3% 0.0113 0.0215" },
	};

	(void)state;
	for (size_t i = 0; i < N(cases); i++) {
		struct figure f[2] = {
			{ .n = 3, .mean = cases[i].base },
			{ .n = 3, .mean = cases[i].head,
			  .change = { .absolute = cases[i].absolute,
				      .percent = cases[i].percent } },
		};
		struct row row = { .figure = f, .points = cases[i].points };
		struct buf b = BUF_INIT(1000);

		for (int sign = WORDS_SIGNED; sign <= WORDS_SIZE; sign++) {
			words_change(&b, &row, 1, (enum words_sign)sign);
			buf_addch(&b, ' ');
		}
		words_mean(&b, &row, 0);
		buf_addch(&b, ' ');
		words_mean(&b, &row, 1);
		assert_string_equal(b.s, cases[i].want);
		buf_release(&b);
	}
}

static void says_an_eight(void **state)
{
	static const char *const an[] = { "8.3%", "80.0%", "8", "800.0%",
		"11.0%", "18.5pp", "11000%", "18e+05%", "improvement" };
	static const char *const a[] = { "-8.3%", "+8.3%", "1.8%", "10.8%",
		"110.0%", "1100%", "181.0%", "7.8%", "0.8%", "no data", "",
		"regression" };

	(void)state;
	for (size_t i = 0; i < N(an); i++)
		assert_string_equal(words_article(an[i]), "an");
	for (size_t i = 0; i < N(a); i++)
		assert_string_equal(words_article(a[i]), "a");
}

/* Facts of every wrong kind: what is no text is nothing, never a crash. */
static void takes_strange_facts(void **state)
{
	static const char *const facts[] = {
		", \"test\": [1], \"commits\": 5, \"tree\": {}, \"heads\": 1,"
		"\"patch\": \"x\", \"machines\": [], \"subsystem\": []",
		", \"test\": {\"parameters\": [1], \"reproduce\": {\"a\": 1},"
		"\"machine\": {}, \"setup\": 3, \"description\": 1.5},"
		"\"commits\": {\"bbbb\": 1, \"\": {}}, \"heads\": [1, {}],"
		"\"patch\": {\"url\": []}, \"branch\": 5, \"archive\": 1",
		", \"test\": {\"parameters\": {\"\": 1, \"a\": [], \"b\": null,"
		"\"c\\nd\": \"e\\nf\\u001b[31m\"}, \"reproduce\": [[], \"x\"]},"
		"\"commits\": {\"bbbb\": {\"subject\": \"a\\nBcc: x\","
		"\"author\": {\"name\": 1}, \"fixes\": [1]}}",
	};

	(void)state;
	for (size_t i = 0; i < N(facts); i++) {
		struct report_options o = { .rows = 60 };
		struct buf json = BUF_INIT(10000);
		struct made m;
		json_t *v;

		buf_addf(&json, "{\"format\": \"perfpost-results/1\", %s%s, %s",
			 METRICS, facts[i], "\"results\": [" TWO "]}");
		make(&m, json.s, &o);
		assert_int_equal(m.rc, 0);
		v = report_json(&m.report);
		assert_non_null(v);
		buf_reset(&json);
		json_write(&json, v, 0);
		assert_null(strstr(json.s, "\\u001b"));
		assert_null(strstr(json.s, "a\\nBcc"));
		json_decref(v);
		unmake(&m);
		buf_release(&json);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chooses_the_headline),
		cmocka_unit_test(refuses_what_is_not_there),
		cmocka_unit_test(keeps_other_impacts),
		cmocka_unit_test(keeps_the_rows_that_matter),
		cmocka_unit_test(reports_on_summaries),
		cmocka_unit_test(says_why_there_is_nothing),
		cmocka_unit_test(tells_what_is_missing),
		cmocka_unit_test(speaks_of_other_sides_and_groups),
		cmocka_unit_test(says_numbers_as_the_table_does),
		cmocka_unit_test(says_an_eight),
		cmocka_unit_test(takes_strange_facts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
