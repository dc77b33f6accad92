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
#include "report/findings.h"
#include "report/report.h"
#include "simulate.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* A report of a results file given as text. */
struct built {
	struct results results;
	struct rules *rules;
	struct comparison comparison;
	struct report report;
};

static void build_text(struct built *b, const char *text)
{
	static const struct report_options options = { .rows = 60 };
	struct compare_options compare_by;
	char path[] = "/tmp/test-findings-XXXXXX";
	struct err err = ERR_INIT;
	int fd = mkstemp(path);

	assert_true(fd != -1);
	assert_int_equal(file_write_fd(fd, path, text, strlen(text), &err), 0);
	close(fd);
	results_init(&b->results);
	if (results_read(&b->results, path, &err) == -1)
		fail_msg("%s\n%s", err.text, text);
	unlink(path);
	b->rules = rules_new(NULL, &err);
	if (!b->rules)
		fail_msg("%s", err.text);
	compare_options_init(&compare_by);
	compare_by.rules = b->rules;
	if (compare(&b->comparison, &b->results, &compare_by, &err) == -1 ||
	    report_build(&b->report, &b->comparison, &b->results, &options,
			 &err) == -1)
		fail_msg("%s", err.text);
}

/* Two sides of test "fio"; "facts" are more members, each with a comma. */
static void build(struct built *b, const char *base, const char *head,
		  const char *facts)
{
	char text[65536];

	snprintf(text, sizeof(text),
		 "{\"format\":\"perfpost-results/1\",%s"
		 "\"headline\":\"fio.write_iops\",\"metrics\":"
		 "{\"fio.write_iops\":{\"better\":\"higher\",\"unit\":\"io/s\","
		 "\"kpi\":true}},\"results\":["
		 "{\"axes\":{\"testcase\":\"fio\",\"commit\":"
		 "\"aaaaaaaaaaaaaaaa\"},\"matrix\":{%s}},"
		 "{\"axes\":{\"testcase\":\"fio\",\"commit\":"
		 "\"bbbbbbbbbbbbbbbb\"},\"matrix\":{%s}}]}",
		 facts, base, head);
	build_text(b, text);
}

static void built_release(struct built *b)
{
	report_release(&b->report);
	comparison_release(&b->comparison);
	rules_free(b->rules);
	results_release(&b->results);
}

/* The text of the "n"th finding of a kind in one line; NULL: there is none. */
static const char *said(const struct built *b, enum finding_kind kind, size_t n,
			char *line)
{
	for (size_t i = 0; i < b->report.nfinding; i++) {
		const struct finding *f = &b->report.finding[i];
		size_t column = 0;

		if (f->kind != kind || n--)
			continue;
		for (const char *s = f->text; *s; s++) {
			column = *s == '\n' ? 0 : column + 1;
			assert_true(column <= FINDING_COLUMNS);
			*line++ = *s == '\n' ? ' ' : *s;
		}
		*line = '\0';
		return line - strlen(f->text);
	}
	return NULL;
}

struct example {
	const char *base, *head, *facts;
	const char *says;	/* NULL: silent */
};

static void run_examples(enum finding_kind kind, const struct example *e,
			 size_t n)
{
	char line[4096];

	for (size_t i = 0; i < n; i++) {
		struct built b;
		const char *got;

		build(&b, e[i].base, e[i].head, e[i].facts ? e[i].facts : "");
		got = said(&b, kind, 0, line);
		if (!e[i].says && got)
			fail_msg("example %zu: says '%s'", i, got);
		if (e[i].says && !got)
			fail_msg("example %zu: silent", i);
		if (e[i].says && !strstr(got, e[i].says))
			fail_msg("example %zu: '%s'\nand not '%s'", i, got,
				 e[i].says);
		built_release(&b);
	}
}

#define IOPS "\"fio.write_iops\":"
#define STEADY IOPS "[1000,1001,1002,999]"

static void says_the_direction(void **state)
{
	static const struct example e[] = {
		{ STEADY, IOPS "[900,901,902,899]", NULL,
		  "fio.write_iops fell by 10.0%, from 1000 to 900.50 io/s "
		  "(higher is better): a regression." },
		{ STEADY, IOPS "[1100,1101,1102,1099]", NULL,
		  "rose by 10.0%, from 1000 to 1100 io/s (higher is better): "
		  "an improvement." },
		{ STEADY, STEADY, NULL, "did not change: 1000 io/s on both sides (higher is "
		  "better)." },
		{ STEADY, IOPS "[1001,1002,1000,1000]", NULL,
		  "(higher is better): no change to speak of." },
		{ IOPS "[5,9,1,7]", IOPS "[8,4,9,5]", NULL, ": not decided." },
	};

	(void)state;
	run_examples(FINDING_DIRECTION, e, COUNT(e));
}

static void says_whether_it_is_real(void **state)
{
	static const struct example e[] = {
		{ STEADY, IOPS "[900,901,902,899]", NULL,
		  "It is real: 4 runs of each, spread 0.1% and 0.1%; with 99.5% "
		  "confidence the change is between -10.4% and -9.6%. No run of "
		  "one side comes near the other's." },
		{ STEADY, STEADY, NULL, "No change can be told from noise:" },
		{ IOPS "[1000,1100,900]", IOPS "[950,1000,800,990]", NULL,
		  "Not decided: 3 and 4 runs" },
		{ IOPS "[1000,1100,900]", IOPS "[950,1050,850]", NULL,
		  "runs of each side would decide" },
		{ IOPS "[1000]", IOPS "[900]", NULL,
		  "1 run of each tells nothing about noise" },
	};

	(void)state;
	run_examples(FINDING_REAL, e, COUNT(e));
}

#define LESS_WORK IOPS "[900,901,902,899]"
#define FIXED "\"test\":{\"fixed_time\":true},"

static void says_what_went_with_the_work(void **state)
{
	static const char base[] =
		STEADY ",\"fio.time.minor_page_faults\":[50000,50010,50020,49990]"
		",\"proc-vmstat.pgfault\":[80000,80010,80020,79990]"
		",\"fio.time.user_time\":[400,401,402,403]";
	static const char same_rate[] =
		LESS_WORK ",\"fio.time.minor_page_faults\":"
		"[45000,45010,45020,44990]"
		",\"proc-vmstat.pgfault\":[72000,72010,72020,71990]"
		",\"fio.time.user_time\":[360,361,362,363]";
	static const char one_more[] =
		LESS_WORK ",\"fio.time.minor_page_faults\":"
		"[45000,45010,45020,44990]"
		",\"proc-vmstat.pgfault\":[120000,120010,120020,119990]"
		",\"fio.time.user_time\":[360,361,362,363]";
	static const char other_rate[] =
		LESS_WORK ",\"fio.time.minor_page_faults\":"
		"[25000,25010,25020,24990]";
	static const char same_work[] =
		STEADY ",\"fio.time.minor_page_faults\":"
		"[45000,45010,45020,44990]";
	static const struct example e[] = {
		{ base, same_rate, FIXED,
		  "counters fell with the work done (-10.0%): "
		  "fio.time.minor_page_faults -10.0%, per unit of work it did "
		  "not (+0.0%); likewise proc-vmstat.pgfault." },
		{ base, one_more, FIXED,
		  " But proc-vmstat.pgfault rose by 67% per unit of work." },
		{ base, same_rate, NULL, NULL },	/* nobody says fixed */
		{ base, other_rate, FIXED, NULL },
		{ base, same_work, FIXED, NULL },
	};

	(void)state;
	run_examples(FINDING_FIXED_TIME, e, COUNT(e));
}

static void says_what_ran_on_one_side(void **state)
{
	static const char monitor[] =
		STEADY ",\"perf-stat.instructions\":[5000,5001,5002,5003]"
		",\"uptime.boot\":[300,301,302,303]";
	static const char profile[] =
		STEADY ",\"perf-profile.calltrace.cycles-pp.a.b\":[20,21,22,20]"
		",\"perf-profile.self.cycles-pp.a\":[20,21,22,20]";
	static const char no_self[] =
		STEADY ",\"perf-profile.calltrace.cycles-pp.a.b\":[30,31,32,30]";
	static const struct example e[] = {
		{ monitor, STEADY, NULL,
		  "perf-stat (1 row), uptime (1 row): collected on aaaaaaaaaa "
		  "only. No data (0 of 4 runs) on bbbbbbbbbb, so nothing to "
		  "compare." },
		{ STEADY, monitor, NULL, "collected on bbbbbbbbbb only" },
		{ monitor, monitor, NULL, NULL },
		{ profile, no_self, NULL,
		  "perf-profile.self (1 row): collected on aaaaaaaaaa only" },
		{ profile, profile, NULL, NULL },
	};

	(void)state;
	run_examples(FINDING_ONE_SIDED, e, COUNT(e));
}

static void says_which_runs_are_odd(void **state)
{
	static const char failed[] =
		IOPS "[900,901,0,902]"
		",\"last_state.is_incomplete_run\":[0,0,1,0]"
		",\"last_state.booting\":[0,0,1,0]";
	static const char lonely[] =
		STEADY ",\"proc-vmstat.compact_stall\":[9000,9100,900000,9050]";
	static const char none[] =
		STEADY ",\"proc-vmstat.compact_stall\":[5000,5001,5002,5003]";
	static const struct example e[] = {
		{ STEADY, failed, NULL,
		  "1 of 4 runs of bbbbbbbbbb did not complete and is left out "
		  "(run 3; booting)." },
		{ STEADY, IOPS "[900,901,902,10]", NULL,
		  "Run 4 of bbbbbbbbbb is far from the other 3: 10.00 against "
		  "900.00 to 902.00" },
		{ IOPS "[0,901,902,900,903]", STEADY, NULL,
		  "1 of 5 runs of aaaaaaaaaa did not complete and is left out "
		  "(run 1; it reported 0)." },
		{ IOPS "[0,901,902,900,903],\"fio.read_iops\":[5,6,7,6,5]",
		  STEADY, NULL,
		  "Run 1 of aaaaaaaaaa is far from the other 4: 0.00 against" },
		{ none, lonely, NULL,
		  "In 1 row a single run makes all the difference: "
		  "proc-vmstat.compact_stall." },
		{ none, none, NULL, NULL },
		{ STEADY, IOPS "[900,950,902,860]", NULL, NULL },
		{ STEADY, IOPS "[900,901,10]", NULL, NULL },	/* too few */
	};

	(void)state;
	run_examples(FINDING_ODD_RUN, e, COUNT(e));
}

#define TRACE "\"perf-profile.calltrace.cycles-pp."

static void says_where_the_hot_path_is(void **state)
{
	static const char base[] =
		STEADY "," TRACE "_raw_spin_lock.lru_add.fault\":[10,11,12,10]"
		"," TRACE "lru_add.fault\":[11,12,13,11]"
		"," TRACE "fault\":[50,51,52,50]"
		"," TRACE "copy_page.fault\":[30,31,30,31]";
	static const char head[] =
		STEADY "," TRACE "_raw_spin_lock.lru_add.fault\":[20,21,22,20]"
		"," TRACE "lru_add.fault\":[21,22,23,21]"
		"," TRACE "fault\":[60,61,62,60]"
		"," TRACE "copy_page.fault\":[30,31,30,31]";
	static const char noise[] =
		STEADY "," TRACE "_raw_spin_lock.lru_add.fault\":[10.5,11,12,9]"
		"," TRACE "lru_add.fault\":[11,12,13.5,11]"
		"," TRACE "fault\":[50,51,52.5,50]"
		"," TRACE "copy_page.fault\":[30,31,30,31]";
	static const char symbols[] =
		STEADY ",\"perf-profile.self.cycles-pp.copy_page\":[5,5,5,5.1]";
	static const char more[] =
		STEADY ",\"perf-profile.self.cycles-pp.copy_page\":[9,9,9,9.1]";
	static const struct example e[] = {
		{ base, head, NULL,
		  "Lock contention in _raw_spin_lock under fault grew by 10.00 "
		  "percentage points (pp), from 10.75% to 20.75%; the lock is "
		  "taken in lru_add." },
		{ head, base, NULL,
		  "Lock contention in _raw_spin_lock under fault shrank by "
		  "10.00 percentage points (pp)" },
		{ base, noise, NULL, NULL },
		{ symbols, more, NULL,
		  "The profile's share of copy_page grew by 4.00 percentage "
		  "points (pp)" },
		{ base, STEADY, NULL, NULL },	/* no profile there */
	};

	(void)state;
	run_examples(FINDING_HOT_PATH, e, COUNT(e));
}

/* A side's profile: 150 rows of all sizes, each as noisy as "noise". */
static void add_profile(struct buf *out, uint64_t *sizes, uint64_t *state,
			double noise, double factor)
{
	for (int i = 0; i < 150; i++) {
		double share = 0.3 * exp(4.4 * random_unit(sizes));

		if (i == 75)
			share = 10 * factor;
		buf_addf(out, "," TRACE "f%d.g%d\":[", i, i);
		for (int k = 0; k < 4; k++)
			buf_addf(out, "%s%.3f", k ? "," : "",
				 fabs(random_value(state, NORMAL, share,
						   noise)));
		buf_addch(out, ']');
	}
}

/* How many of 60 pairs of profiles, of which one row differs by "factor", are
 * told to have a hot path. */
static int count_hot_paths(double noise, double factor)
{
	uint64_t state = 4711;
	char line[4096];
	int n = 0;

	for (int i = 0; i < 60; i++) {
		uint64_t sizes = 1000 + (uint64_t)i, same = sizes;
		struct buf base = BUF_INIT(30000), head = BUF_INIT(30000);
		struct built b;

		buf_addstr(&base, STEADY);
		buf_addstr(&head, STEADY);
		add_profile(&base, &sizes, &state, noise, 1);
		add_profile(&head, &same, &state, noise, factor);
		build(&b, base.s, head.s, "");
		n += said(&b, FINDING_HOT_PATH, 0, line) != NULL;
		built_release(&b);
		buf_release(&base);
		buf_release(&head);
	}
	return n;
}

/* Some of many rows stand apart by chance: that is no finding. */
static void noise_is_no_hot_path(void **state)
{
	(void)state;
	assert_in_range(count_hot_paths(0.1, 1), 0, 1);
	assert_in_range(count_hot_paths(0.3, 1), 0, 1);
	assert_in_range(count_hot_paths(0.1, 2), 50, 60);
}

/* Not a loss of 90 points and a gain of 90. */
static void matches_renamed_chains(void **state)
{
	static const char base[] =
		STEADY "," TRACE "poll\":[95,95.5,95,95]"
		"," TRACE "entry.poll\":[90,90.5,90,90]"
		"," TRACE "sys.entry.poll\":[80,80.5,80,80]";
	static const char head[] =
		STEADY "," TRACE "entry\":[90.1,90.5,90,90]"
		"," TRACE "sys.entry\":[80.2,80.5,80,80]";
	char line[4096];
	struct built b;

	(void)state;
	build(&b, base, head, "");
	assert_string_equal(said(&b, FINDING_HOT_PATH, 0, line),
			    "2 call chains are renamed, not lost and gained "
			    "(poll is no longer in them): sys has 80.12% before "
			    "and 80.17% after.");
	assert_null(said(&b, FINDING_HOT_PATH, 1, line));
	built_release(&b);
}

static void says_that_there_are_clusters(void **state)
{
	static const char two[] =
		IOPS "[100,122,100.4,121.6,100.1,122.3,100.2,121.8]";
	static const char one[] =
		IOPS "[100,101,103,104.5,106,107,109,110]";
	static const struct example e[] = {
		{ one, two, NULL,
		  "fio.write_iops falls into two clusters: on bbbbbbbbbb 4 runs "
		  "near 100.15 and 4 near 121.90." },
		{ one, one, NULL, NULL },
		{ IOPS "[100,122,100,122]", STEADY, NULL, NULL },	/* few */
		{ IOPS "[1000,1000,1000,1001,1001,1001]", STEADY, NULL, NULL },
	};

	(void)state;
	run_examples(FINDING_CLUSTERS, e, COUNT(e));
}

static void says_which_rows_are_the_same(void **state)
{
	static const char base[] =
		STEADY ",\"meminfo.pid.active_objs\":[7075,7000,7100,7050]"
		",\"meminfo.pid.num_objs\":[7075,7000,7100,7050]"
		",\"meminfo.c\":[70750,70000,71000,70500]";
	static const char head[] =
		STEADY ",\"meminfo.pid.active_objs\":[5823,5800,5850,5810]"
		",\"meminfo.pid.num_objs\":[5823,5800,5850,5810]"
		",\"meminfo.c\":[58230,58000,58500,58100]";
	static const char differ[] =
		STEADY ",\"meminfo.pid.active_objs\":[5823,5800,5850,5810]"
		",\"meminfo.pid.num_objs\":[5923,5900,5950,5910]";
	static const struct example e[] = {
		{ base, head, NULL,
		  "Rows that repeat another: meminfo.pid.num_objs is "
		  "meminfo.pid.active_objs." },
		{ base, differ, NULL, NULL },
	};

	(void)state;
	run_examples(FINDING_SAME_ROWS, e, COUNT(e));
}

static void repeated_rows_leave_the_body(void **state)
{
	static const char base[] =
		STEADY ",\"meminfo.a\":[70750,70000,71000,70500]"
		",\"meminfo.b\":[70750,70000,71000,70500]";
	static const char head[] =
		STEADY ",\"meminfo.a\":[5823,5800,5850,5810]"
		",\"meminfo.b\":[5823,5800,5850,5810]";
	struct built b;
	size_t seen = 0;

	(void)state;
	build(&b, base, head, "");
	for (size_t i = 0; i < b.report.body[0].n; i++)
		seen += !strncmp(b.report.body[0].row[i]->name, "meminfo.", 8);
	assert_int_equal(seen, 1);
	built_release(&b);
}

static void says_what_to_do_next(void **state)
{
	static const char base[] =
		STEADY "," TRACE "_raw_spin_lock.lru_add.fault\":[10,11,12,10]";
	static const char head[] =
		IOPS "[900,901,902,899],"
		TRACE "_raw_spin_lock.lru_add.fault\":[20,21,22,20]";
	static const struct example e[] = {
		{ base, head, NULL,
		  "Next: see who takes the spinlock of lru_add, or holds it "
		  "longer." },
		{ STEADY, IOPS "[900,901,902,899]", NULL, NULL },
		{ STEADY, IOPS "[1100,1101,1102,1099]", NULL, NULL },
		{ IOPS "[1000,1100,900]", IOPS "[950,1050,850]", NULL,
		  "runs of each side, before anybody looks further." },
		{ STEADY, STEADY, NULL, NULL },
	};

	(void)state;
	run_examples(FINDING_NEXT, e, COUNT(e));
}

static void hostile_names_stay_in_their_columns(void **state)
{
	static char base[12000], head[12000];
	char name[5001], line[4096];
	struct built b;

	(void)state;
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	memcpy(name, "meminfo.\\u202e\\u001b", 20);
	snprintf(base, sizeof(base), STEADY ",\"%s\":[70750,70000,71000,70500],"
		 "\"%s2\":[70750,70000,71000,70500]", name, name);
	snprintf(head, sizeof(head), STEADY ",\"%s\":[5000,5001,5002,5003],"
		 "\"%s2\":[5000,5001,5002,5003]", name, name);
	build(&b, base, head, "");
	assert_non_null(said(&b, FINDING_SAME_ROWS, 0, line));
	for (const char *s = line; *s; s++)
		assert_true(*s >= ' ' && *s <= '~');
	built_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(says_the_direction),
		cmocka_unit_test(says_whether_it_is_real),
		cmocka_unit_test(says_what_went_with_the_work),
		cmocka_unit_test(says_what_ran_on_one_side),
		cmocka_unit_test(says_which_runs_are_odd),
		cmocka_unit_test(says_where_the_hot_path_is),
		cmocka_unit_test(noise_is_no_hot_path),
		cmocka_unit_test(matches_renamed_chains),
		cmocka_unit_test(says_that_there_are_clusters),
		cmocka_unit_test(says_which_rows_are_the_same),
		cmocka_unit_test(repeated_rows_leave_the_body),
		cmocka_unit_test(says_what_to_do_next),
		cmocka_unit_test(hostile_names_stay_in_their_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
