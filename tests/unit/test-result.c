#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <cmocka.h>

#include "result-files.h"

static void own_format_is_read(void **state)
{
	struct err err = ERR_INIT;
	const struct series *s;
	struct results rs;

	(void)state;
	assert_int_equal(read_text(&rs,
		"{\"results\": [{\"summary\": {\"b.z\": {\"mean\": 3, "
		"\"stddev\": 0.5, \"runs\": 4}, \"dmesg.BUG\": {\"fails\": 1, "
		"\"runs\": 4}, \"b.s\": {\"mean\": 1, \"sample\": true}},\n"
		"\"matrix\": {\"a.x\": [1, 2.5, null], \"a.none\": [], "
		"\"a.null\": [null, null], \"a.y\": [1, 2], "
		"\"stats_source\": [\"0\", \"1\", \"2\"]},\n"
		"\"axes\": {\"testcase\": \"a\", \"n\": 1, \"f\": 0.1, "
		"\"b\": true, \"commit\": \"c1\"}}],\n"
		"\"format\": \"perfpost-results/1\", \"headline\": \"a.x\"}",
		&err), 0);
	assert_string_equal(said, "");
	assert_int_equal(only(&rs)->runs, 3);
	assert_true(only(&rs)->has_source);
	assert_string_equal(result_axis(only(&rs), "n"), "1");
	assert_string_equal(result_axis(only(&rs), "f"), "0.1");
	assert_string_equal(result_axis(only(&rs), "b"), "true");
	assert_null(result_axis(only(&rs), "none"));
	assert_string_equal(json_member_text(rs.facts, "headline"), "a.x");
	assert_null(json_object_get(rs.facts, "results"));
	assert_null(json_object_get(rs.facts, "format"));
	assert_string_equal(row(only(&rs), "a.x"), "1 2.500000000 -");
	assert_string_equal(row(only(&rs), "a.y"), "1 2");
	/* An empty list is a series without values, not one of zeros. */
	assert_string_equal(row(only(&rs), "a.none"), "");
	assert_string_equal(row(only(&rs), "a.null"), "- -");
	s = result_series(only(&rs), "b.z");
	assert_true(series_summary(s)->mean == 3);
	assert_true(series_summary(s)->stddev == 0.5);
	assert_int_equal(series_summary(s)->runs, 4);
	assert_false(series_summary(s)->sample || series_summary(s)->is_failure);
	s = result_series(only(&rs), "dmesg.BUG");
	assert_true(series_summary(s)->is_failure && series_summary(s)->fails == 1);
	s = result_series(only(&rs), "b.s");
	assert_true(series_summary(s)->sample && isnan(series_summary(s)->stddev));
	assert_int_equal(series_summary(s)->runs, 0);
	results_release(&rs);
}

#define OWN(results) \
	"{\"format\": \"perfpost-results/1\",\n\"results\": [" results "]}"

static void own_format_mistakes(void **state)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{ "{\"format\": \"perfpost-results/2\", \"results\": []}",
		  ":1: format 'perfpost-results/2' is not known here, only "
		  "perfpost-results/1" },
		{ "{\"results\": [{\"axes\": {\"commit\": \"c\"}, \"matrix\": "
		  "{}}]}", ":1: no member 'format': \"perfpost-results/1\"" },
		{ "{\"format\": \"perfpost-results/1\"}",
		  ":1: no member 'results'" },
		{ OWN("{\"matrix\": {}}"), ":2: a result without axes" },
		{ OWN("{\"axes\": {\"a\": \"b\"}, \"matrix\": {}}"),
		  ":2: axes without a commit" },
		{ OWN("{\"axes\": {\"commit\": \"\"}, \"matrix\": {}}"),
		  ":2: axes without a commit" },
		{ OWN("{\"axes\": {\"commit\": [\"x\"]}, \"matrix\": {}}"),
		  ":2: an axis has one value" },
		{ OWN("{\"axes\": \"c\", \"matrix\": {}}"),
		  ":2: a result's axes are an object" },
		{ OWN("{\"axes\": {\"commit\": \"c\"}}"),
		  ":2: a result without matrix and summary" },
		{ OWN("{\"axes\": {\"commit\": \"c\"},\n\"matrix\": [1]}"),
		  ":3: a matrix is an object" },
		{ OWN("{\"axes\": {\"commit\": \"c\"},\n\"summary\": [1]}"),
		  ":3: a result's summary is an object" },
		{ OWN("{\"axes\": {\"commit\": \"c\"}, \"axes\": {}}"),
		  ":2: 'axes' stands twice" },
		{ OWN("{\"axes\": {\"commit\": \"c\", \"commit\": \"d\"}}"),
		  ":2: 'commit' stands twice" },
		{ OWN("{\"matrix\": {},\n\"matrix\": {}}"),
		  ":3: 'matrix' stands twice" },
		{ OWN("7"), ":2: a result is an object" },
		{ OWN("{\"axes\": {\"commit\": \"c\"}, \"matrix\": {\"a\": "
		      "[1, 2"), ":2: cut off" },
		{ "{\"format\": \"perfpost-results/1\", \"results\": 1}",
		  ":1: 'results' is a list" },
		{ "{\"format\": \"perfpost-results/1\", \"tree\": \"a\",\n"
		  "\"tree\": \"b\", \"results\": []}",
		  ":2: 'tree' stands twice" },
		{ "{\"format\": \"perfpost-results/1\", \"results\": []}\n}",
		  ":2: more text behind the end" },
		{ "{\"format\": \"perfpost-results/1\", \"results\": [], "
		  "\"tree\": NaN}", ":1: 'NaN' is no value of JSON" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct err err = ERR_INIT;
		struct results rs;

		assert_int_equal(read_text(&rs, cases[i].text, &err), -1);
		assert_int_equal(err.code, ERR_INPUT);
		assert_int_equal(rs.n, 0);
		if (!strstr(err.text, cases[i].error))
			fail_msg("case %zu: %s", i, err.text);
		assert_int_equal(strlen(strstr(err.text, cases[i].error)),
				 strlen(cases[i].error));
		results_release(&rs);
	}
}

static void deviations_are_told_apart(void **state)
{
	struct summary s = { .stddev = 2, .runs = 4 };

	(void)state;
	assert_true(summary_deviation(&s) == 2);
	s.sample = true;
	assert_true(summary_deviation(&s) == 2 * sqrt(0.75));
	s.runs = 1;
	assert_true(summary_deviation(&s) == 0);
	s.runs = 0;
	assert_true(isnan(summary_deviation(&s)));
}

static void own_format_warnings(void **state)
{
	struct err err = ERR_INIT;
	struct results rs;

	(void)state;
	assert_int_equal(read_text(&rs, OWN("{\"axes\": {\"commit\": \"c\"}, "
		"\"matrix\": {\"a.x\": [1]}, \"other\": 1, \"summary\": "
		"{\"a.x\": {\"mean\": 1}, \"a.y\": {\"stddev\": 1}, "
		"\"a.w\": {\"mean\": 1, \"stddev\": -1}, \"a.z\": 5, "
		"\"a.f\": {\"fails\": 1}, \"a.g\": {\"fails\": 5, \"runs\": 4}, "
		"\"a.n\": {\"mean\": NaN}}}"), &err), 0);
	assert_non_null(strstr(said, "'other' of a result is unknown"));
	assert_non_null(strstr(said, "summary 'a.x' left out: it stands in "
			       "the matrix too"));
	assert_non_null(strstr(said, "summary 'a.y' left out: it lacks"));
	assert_non_null(strstr(said, "summary 'a.w' left out: it lacks"));
	assert_non_null(strstr(said, "summary 'a.z' left out: it lacks"));
	assert_non_null(strstr(said, "summary 'a.f' left out: it lacks"));
	assert_non_null(strstr(said, "summary 'a.g' left out: it lacks"));
	assert_non_null(strstr(said, "summary 'a.n' left out: it lacks"));
	assert_int_equal(only(&rs)->nseries, 1);
	results_release(&rs);
}

static int read_with_infinity(struct results *rs, const char *text,
			      struct err *err)
{
	results_init(rs);
	rs->takes_infinity = true;
	return read_quietly(rs, put("x.json", text), err);
}

/* In rows alone: elsewhere it is as wrong as before. */
static void infinity_is_taken_where_asked_for(void **state)
{
	static const char *const odd[] = { "NaN", "Inf", "-Infinit", "+Infinity",
					   "Infinity1", "--Infinity" };
	struct err err = ERR_INIT;
	struct results rs;

	(void)state;
	assert_int_equal(read_with_infinity(&rs, "{\"a.x\": [1, Infinity, "
					    "-Infinity], \"a.y\": [2]}", &err),
			 0);
	assert_string_equal(said, "");
	assert_true(series_value(result_series(only(&rs), "a.x"), 1) ==
		    INFINITY);
	assert_true(series_value(result_series(only(&rs), "a.x"), 2) ==
		    -INFINITY);
	results_release(&rs);
	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		char text[100];

		snprintf(text, sizeof(text), "{\"a.x\": [1, %s]}", odd[i]);
		assert_int_equal(read_with_infinity(&rs, text, &err), 0);
		assert_true(result_series(only(&rs), "a.x")->bad);
		results_release(&rs);
	}
	assert_int_equal(read_with_infinity(&rs, OWN("{\"axes\": {\"commit\": "
		"\"c\"}, \"matrix\": {\"a.x\": [Infinity]}, \"summary\": "
		"{\"a.n\": {\"mean\": Infinity}}}"), &err), 0);
	assert_non_null(strstr(said, "summary 'a.n' left out"));
	results_release(&rs);
}

/* One bad row costs that row and a warning; it stays known as bad, so that it
 * can be left out on the other sides too. */
static void bad_rows_cost_themselves(void **state)
{
	static const struct {
		const char *row, *why;
	} cases[] = {
		{ "[1, \"2\"]", "text is no number" },
		{ "[1, true]", "true is no number" },
		{ "[1, [2]]", "a list is no number" },
		{ "[1, {\"a\": 2}]", "an object is no number" },
		{ "[1, NaN]", "'NaN' is no number" },
		{ "[1, -Infinity]", "'-Infinity' is no number" },
		{ "[1e999, 2]", "'1e999' is no number" },
		{ "[1, 007]", "'007' is no number" },
		{ "[1, 2_000]", "'2_000' is no number" },
		{ "\"text\"", "no list of numbers" },
		{ "{\"a\": [1]}", "no list of numbers" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct err err = ERR_INIT;
		char text[400], want[200];
		struct results rs;

		snprintf(text, sizeof(text), "{\"a.good\": [1, 2],\n"
			 "\"a.bad\": %s,\n\"a.more\": [3, 4]}", cases[i].row);
		assert_int_equal(read_text(&rs, text, &err), 0);
		assert_string_equal(row(only(&rs), "a.good"), "1 2");
		assert_string_equal(row(only(&rs), "a.more"), "3 4");
		assert_true(result_series(only(&rs), "a.bad")->bad);
		assert_false(result_series(only(&rs), "a.more")->bad);
		snprintf(want, sizeof(want), ":2: row 'a.bad' left out: %s\n",
			 cases[i].why);
		if (!strstr(said, want))
			fail_msg("%s: said %s", cases[i].row, said);
		results_release(&rs);
	}
}

static void odd_rows_in_a_matrix(void **state)
{
	struct err err = ERR_INIT;
	struct results rs;

	(void)state;
	assert_int_equal(read_text(&rs, "{\"a.x\": [1, 2],\n\"a.y\": [3],\n"
		"\"a.x\": [4, 5], \"a.\xff\": [1], \"stats_source\": 5}", &err),
		0);
	assert_true(result_series(only(&rs), "a.x")->bad);
	assert_non_null(strstr(said, ":3: row 'a.x' left out: it stands "
			       "twice"));
	assert_true(result_series(only(&rs), "a.?")->bad);
	assert_non_null(strstr(said, "its name is no UTF-8"));
	assert_non_null(strstr(said, "'stats_source' left out: no list"));
	assert_string_equal(row(only(&rs), "a.y"), "3");
	results_release(&rs);
}

static void warnings_end(void **state)
{
	struct buf text = BUF_INIT(100000);
	struct err err = ERR_INIT;
	struct results rs;
	int lines = 0;

	(void)state;
	for (int i = 0; i < 1000; i++)
		buf_addf(&text, "%s\"a.%d\": [NaN]", i ? "," : "{", i);
	buf_addstr(&text, "}");
	assert_int_equal(read_text(&rs, text.s, &err), 0);
	for (const char *p = said; (p = strchr(p, '\n')); p++)
		lines++;
	assert_int_equal(lines, 11);
	assert_non_null(strstr(said, "990 more rows left out"));
	results_release(&rs);
	buf_release(&text);
}

/* lkp-style.md 1.1: stats_source says how many; without it two rows do, the
 * first and the last. */
static void runs_are_counted(void **state)
{
	static const struct {
		const char *text;
		size_t runs;
		bool source;
		const char *said;
	} cases[] = {
		{ "{}", 0, false, NULL },
		{ "{\"a.x\": [1, 2]}", 2, false, NULL },
		{ "{\"a.x\": [1], \"a.y\": [1, 2, 3], \"a.z\": [1, 2]}", 2,
		  false, NULL },
		{ "{\"a.x\": [1, 2, 3, 4], \"a.z\": [1, 2]}", 4, false, NULL },
		{ "{\"a.x\": [], \"a.y\": [1, 2], \"a.z\": [1]}", 1, false, NULL },
		{ "{\"a.x\": [1, 2, 3], \"stats_source\": [\"0\", \"1\"]}", 2,
		  true, ": a row has 3 values, stats_source names 2 runs\n" },
		{ "{\"stats_source\": [0, 0],\n\"stats_source\": [0]}", 2, true,
		  ":2: row 'stats_source' left out: it stands twice\n" },
		{ "{\"stats_source\": [\"0\", 0, 0], \"a.x\": [1]}", 3, true, NULL },
		{ "{\"a.x\": 5, \"a.y\": 6.5}", 1, false, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct err err = ERR_INIT;
		struct results rs;

		assert_int_equal(read_text(&rs, cases[i].text, &err), 0);
		assert_int_equal(only(&rs)->runs, cases[i].runs);
		assert_int_equal(only(&rs)->has_source, cases[i].source);
		if (cases[i].said)
			assert_non_null(strstr(said, cases[i].said));
		else
			assert_string_equal(said, "");
		results_release(&rs);
	}
}

static void files_that_are_none(void **state)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{ "", "x.json:1: no value in it" },
		{ "{\"a.x\": [1, 2],\n\"b", "x.json:2: cut off inside a string" },
		{ "{\"a.x\": [1,\n2", "x.json:2: cut off" },
		{ "{\"a.x\": [1, 2]} x", "x.json:1: more text behind the end" },
		{ "<xml/>", "x.json:1: no format that perfpost knows, see "
		  "perfpost-results(5)" },
		{ "[1, 2]", "x.json:1: no format that perfpost knows, see "
		  "perfpost-results(5)" },
		{ "{\"a\": {}, \"b\": \"c\"}", "x.json:1: no format that "
		  "perfpost knows, see perfpost-results(5)" },
		{ "{\"a.x\": [[[[1", "x.json:1: cut off" },
		{ "{\"results\": [{\"command\": \"x\", \"times\": [1]",
		  "x.json:1: cut off" },
		{ "{\"benchmarks\": [{\"run_name\": 1}]}",
		  "x.json:1: no benchmarks in it" },
		{ "{\"fio version\": \"fio-3.33\"}", "x.json:1: no jobs in it" },
		{ "{\"metric-value\": \"1.0\", \"metric-unit\": \"x\"}",
		  "x.json:1: no counter in it" },
	};
	struct err err = ERR_INIT;
	char deep[3000];
	struct results rs;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(read_text(&rs, cases[i].text, &err), -1);
		assert_int_equal(err.code, ERR_INPUT);
		assert_string_equal(strstr(err.text, "x.json"), cases[i].error);
		assert_int_equal(rs.n, 0);
		results_release(&rs);
	}
	memset(deep, '[', sizeof(deep));
	memcpy(deep, "{\"a.x\":", 7);
	deep[sizeof(deep) - 1] = '\0';
	assert_int_equal(read_text(&rs, deep, &err), -1);
	assert_non_null(strstr(err.text, "x.json:1: nested too deep"));
	results_release(&rs);
	results_init(&rs);
	assert_int_equal(results_read(&rs, "/no/such/file", &err), -1);
	assert_int_equal(err.code, ERR_SYSTEM);
	assert_int_equal(results_read(&rs, "/dev/null", &err), -1);
	assert_int_equal(results_read(&rs, top, &err), -1);
	results_release(&rs);
}

static void facts_are_merged(void **state)
{
	struct err err = ERR_INIT;
	struct buf out = BUF_INIT(10000);
	struct results rs;

	(void)state;
	assert_int_equal(read_text(&rs, "{\"format\": \"perfpost-results/1\", "
		"\"headline\": \"a.x\", \"test\": {\"machine\": \"m\", "
		"\"url\": \"u\"}, \"results\": []}", &err), 0);
	assert_int_equal(results_read_facts(&rs, put("f.yaml",
		"headline: b.y\ntest: {machine: n, fixed_time: true}\n"
		"commits:\n  0123456e789: {label: 'v5.10'}\n"), &err), 0);
	assert_int_equal(results_read_facts(&rs, put("f.json",
		"{\"n\": [1,\t2.5], \"smile\": \"\\ud83d\\ude00\"}"), &err), 0);
	json_write(&out, rs.facts, 0);
	assert_string_equal(out.s, "{\"headline\": \"b.y\", \"test\": "
		"{\"machine\": \"n\", \"url\": \"u\", \"fixed_time\": true}, "
		"\"commits\": {\"0123456e789\": {\"label\": \"v5.10\"}}, "
		"\"n\": [1, 2.5], \"smile\": \"\xf0\x9f\x98\x80\"}");
	assert_int_equal(results_read_facts(&rs, put("f.yaml", "- a\n"), &err),
			 -1);
	assert_non_null(strstr(err.text, "f.yaml:1: facts are a map"));
	assert_int_equal(results_read_facts(&rs, put("f.json", "{\"a\": 1\n"
		"\"b\": 2}"), &err), -1);
	assert_non_null(strstr(err.text, "f.json:2: ',' or '}' belongs here"));
	buf_release(&out);
	results_release(&rs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_format_is_read),
		cmocka_unit_test(own_format_mistakes),
		cmocka_unit_test(deviations_are_told_apart),
		cmocka_unit_test(own_format_warnings),
		cmocka_unit_test(bad_rows_cost_themselves),
		cmocka_unit_test(infinity_is_taken_where_asked_for),
		cmocka_unit_test(odd_rows_in_a_matrix),
		cmocka_unit_test(warnings_end),
		cmocka_unit_test(runs_are_counted),
		cmocka_unit_test(files_that_are_none),
		cmocka_unit_test(facts_are_merged),
	};
	return cmocka_run_group_tests(tests, make_top, remove_top);
}
