/*
 * What is known about names: perfpost's own table, and the rule files of
 * lkp-tests with the reference's answers.  Those files stand beside the source
 * (../shared/lkp-etc); where they do not, these tests are skipped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/err.h"
#include "base/file.h"
#include "compare/rules.h"

#define COUNT(t) (sizeof(t) / sizeof((t)[0]))

static char lkp_src[4096];

static struct rules *rules_of_lkp(void)
{
	struct err err = ERR_INIT;
	struct rules *r;

	if (!*lkp_src)
		skip();
	r = rules_new(lkp_src, &err);
	if (!r)
		fail_msg("%s", err.text);
	return r;
}

static bool wanted(const json_t *c, const char *key)
{
	return json_is_true(json_object_get(c, key));
}

static void check_predicates(const struct rules *r, const json_t *c)
{
	const char *name = json_member_text(c, "key");
	const char *up = json_member_text(c, "direction_up");
	bool noise = !wanted(c, "bisectable") && !wanted(c, "report_allowlist");
	enum better better = rules_metric(r, name).better;
	enum better want = !strcmp(up, "improvement") ? BETTER_HIGHER :
			   !strcmp(up, "regression")  ? BETTER_LOWER :
							BETTER_UNKNOWN;

	if (rules_failure(r, name) != wanted(c, "function") ||
	    rules_sensitive(r, name) != wanted(c, "perf_metric") ||
	    rules_noise(r, name) != noise ||
	    rules_points(name) != wanted(c, "absolute_change") ||
	    rules_kpi(r, name) != wanted(c, "kpi") ||
	    rules_kpi_strict(r, name) != wanted(c, "strict_kpi") ||
	    (want != BETTER_UNKNOWN && better != want))
		fail_msg("'%s'", name);
}

static void names_are_judged_as_by_the_reference(void **state)
{
	struct rules *r = rules_of_lkp();
	json_t *all = json_read_file(TESTDATA "/data/predicates.json", 1 << 20,
				     NULL), *c;
	size_t i;

	(void)state;
	assert_int_equal(json_array_size(all), 378);
	json_array_foreach(all, i, c)
		check_predicates(r, c);
	json_decref(all);
	rules_free(r);
}

static struct number number_of(const json_t *v)
{
	return json_is_integer(v) ? number_int(json_integer_value(v)) :
				    number_float(json_real_value(v));
}

static void floors_are_those_of_the_reference(void **state)
{
	struct rules *r = rules_of_lkp();
	json_t *all = json_read_file(TESTDATA "/data/thresholds.json", 1 << 20,
				     NULL), *c;
	size_t i;

	(void)state;
	assert_int_equal(json_array_size(all), 323);
	json_array_foreach(all, i, c) {
		const char *name = json_member_text(c, "key");

		if (rules_reasonable(r, name,
				     number_of(json_object_get(c, "delta")),
				     number_of(json_object_get(c, "max"))) !=
		    wanted(c, "reasonable"))
			fail_msg("'%s', case %zu", name, i);
	}
	json_decref(all);
	rules_free(r);
}

/* An expression as a name that it matches: no two alternatives, no classes
 * beyond what the files use. */
static void name_for(const char *expression, char *name)
{
	for (const char *p = expression; *p; p++) {
		if (*p == '\\' && p[1]) {
			*name++ = *++p;
		} else if (*p == '.' && (p[1] == '+' || p[1] == '*')) {
			*name++ = 'x';
			p++;
		} else if (*p == '(') {
			while (*++p != '|' && *p != ')')
				*name++ = *p;
			p += strcspn(p, ")");
		} else if (*p != '"' && *p != '\'') {
			*name++ = *p;
		}
	}
	*name = '\0';
}

static void check_index(const struct rules *own, const char *file)
{
	char path[4200], line[400], name[400];
	FILE *f;
	int n = 0;

	snprintf(path, sizeof(path), "%s/etc/%s", lkp_src, file);
	f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		char *colon = strstr(line, ": ");

		if (!colon || *line == '#')
			continue;
		*colon = '\0';
		name_for(line, name);
		if (rules_metric(own, name).better == BETTER_UNKNOWN)
			fail_msg("%s: '%s' is not known", file, name);
		n++;
	}
	fclose(f);
	assert_true(n > 10);
}

/* Our own table knows which way every KPI is better that lkp-tests knows. */
static void own_table_knows_all_kpis(void **state)
{
	static const char *const files[] = {
		"index-perf-all.yaml", "index-perf.yaml", "index-latency.yaml",
		"index-latency-all.yaml", "index-power.yaml",
		"index-size.yaml",
	};
	struct rules *own;

	(void)state;
	if (!*lkp_src)
		skip();
	own = rules_new(NULL, NULL);
	for (size_t i = 0; i < COUNT(files); i++)
		check_index(own, files[i]);
	rules_free(own);
}

static void own_table_knows_names(void **state)
{
	static const struct {
		const char *name;
		bool failure, noise, kpi, sensitive;
		enum better better;
	} t[] = {
		{ "unixbench.score", false, false, true, true, BETTER_HIGHER },
		{ "will-it-scale.per_process_ops", false, false, true, true,
		  BETTER_HIGHER },
		{ "will-it-scale.time.user_time", false, false, false, true,
		  BETTER_UNKNOWN },
		{ "dbench.max_latency", false, false, true, true,
		  BETTER_LOWER },
		{ "fio.write_iops", false, false, true, true, BETTER_HIGHER },
		{ "fwq.fwq.med", false, false, true, false, BETTER_LOWER },
		{ "dmesg.WARNING:at_mm/x.c", true, false, false, false,
		  BETTER_UNKNOWN },
		{ "dmesg.timestamp:last", true, true, false, false,
		  BETTER_UNKNOWN },
		{ "ltp.x.fail", true, false, true, false, BETTER_UNKNOWN },
		{ "ltp.x.pass", true, false, true, false, BETTER_UNKNOWN },
		{ "x.error_entry", false, false, false, false,
		  BETTER_UNKNOWN },
		{ "x.time.fail", false, false, false, true, BETTER_UNKNOWN },
		{ "slabinfo.dentry.num_objs", false, true, false, false,
		  BETTER_UNKNOWN },
		{ "turbostat.PkgWatt", false, false, false, true,
		  BETTER_LOWER },
		{ "unheard.of", false, false, false, false, BETTER_UNKNOWN },
		{ "", false, false, false, false, BETTER_UNKNOWN },
	};
	struct rules *r = rules_new(NULL, NULL);

	(void)state;
	assert_non_null(r);
	for (size_t i = 0; i < COUNT(t); i++)
		if (rules_failure(r, t[i].name) != t[i].failure &&
		    strcmp(t[i].name, "dmesg.timestamp:last") != 0)
			fail_msg("failure: '%s'", t[i].name);
		else if (rules_noise(r, t[i].name) != t[i].noise ||
			 rules_kpi(r, t[i].name) != t[i].kpi ||
			 rules_sensitive(r, t[i].name) != t[i].sensitive ||
			 rules_metric(r, t[i].name).better != t[i].better)
			fail_msg("'%s'", t[i].name);
	assert_string_equal(rules_metric(r, "fio.write_iops").unit, "IO/s");
	assert_true(rules_reasonable(r, "vmstat.cpu.id", number_int(5),
				     number_int(10)));
	assert_false(rules_reasonable(r, "vmstat.cpu.id", number_int(4),
				      number_int(10)));
	assert_false(rules_reasonable(r, "meminfo.Slab", number_int(400),
				      number_int(999)));
	rules_free(r);
}

static void facts_override(void **state)
{
	struct rules *r = rules_new(NULL, NULL);
	struct err err = ERR_INIT;
	json_t *facts = json_pack("{s:{s:s,s:s},s:{s:b,s:s}}",
				  "unixbench.score", "better", "lower", "unit",
				  "s", "mine.x", "kpi", 1, "meaning", "my own");
	json_t *bad = json_pack("{s:{s:s}}", "mine.y", "better", "more");

	(void)state;
	assert_int_equal(rules_learn(r, facts, &err), 0);
	assert_int_equal(rules_learn(r, NULL, &err), 0);
	assert_int_equal(rules_metric(r, "unixbench.score").better,
			 BETTER_LOWER);
	assert_string_equal(rules_metric(r, "unixbench.score").unit, "s");
	assert_true(rules_metric(r, "unixbench.score").kpi);
	assert_true(rules_kpi(r, "mine.x"));
	assert_string_equal(rules_metric(r, "mine.x").meaning, "my own");
	assert_int_equal(rules_learn(r, bad, &err), -1);
	assert_int_equal(err.code, ERR_INPUT);
	json_decref(facts);
	json_decref(bad);
	rules_free(r);
}

static void numbers_compare_exactly(void **state)
{
	struct number big = number_int(INT64_C(9007199254740993));
	struct number most = number_int(INT64_MAX);

	(void)state;
	assert_true(number_compare(big, number_float(9007199254740992.0)) > 0);
	assert_true(number_compare(number_float(9007199254740992.0), big) < 0);
	assert_true(number_compare(number_int(2), number_float(2.5)) < 0);
	assert_true(number_compare(number_int(-2), number_float(-2.5)) > 0);
	assert_true(number_compare(number_int(3), number_float(3)) == 0);
	assert_true(number_compare(most, number_float(0x1p63)) < 0);
	assert_true(number_compare(number_int(INT64_MIN),
				   number_float(-0x1p63)) == 0);
	assert_true(number_compare(number_int(INT64_MIN),
				   number_float(-1e300)) > 0);
	assert_true(number_minus(big, number_int(1)).i == 9007199254740992);
	assert_false(number_minus(number_int(INT64_MIN), most).is_int);
	assert_false(number_minus(number_int(1), number_float(1)).is_int);
}

static void bad_folders_are_errors(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	assert_null(rules_new("/no/such/folder", &err));
	assert_int_equal(err.code, ERR_SYSTEM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_judged_as_by_the_reference),
		cmocka_unit_test(floors_are_those_of_the_reference),
		cmocka_unit_test(own_table_knows_all_kpis),
		cmocka_unit_test(own_table_knows_names),
		cmocka_unit_test(facts_override),
		cmocka_unit_test(numbers_compare_exactly),
		cmocka_unit_test(bad_folders_are_errors),
	};
	const char *top = getenv("top_srcdir");

	snprintf(lkp_src, sizeof(lkp_src), "%s/../shared/lkp-etc",
		 top ? top : ".");
	if (!file_is_folder(lkp_src))
		*lkp_src = '\0';
	return cmocka_run_group_tests(tests, NULL, NULL);
}
