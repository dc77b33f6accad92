#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "result-files.h"

/* oracle/cases/unite.json: what LKP makes of the same run folders.  It fills
 * holes with 0; we keep them as holes. */
static void check_row(const struct result *r, const char *name,
		      const json_t *want)
{
	const struct series *s = result_series(r, name);
	size_t i;
	json_t *v;

	assert_non_null(s);
	assert_int_equal(s->n, json_array_size(want));
	json_array_foreach((json_t *)(uintptr_t)want, i, v) {
		enum cell_type t = series_type(s, i);

		if (t == CELL_NONE)
			assert_true(json_is_integer(v) &&
				    !json_integer_value(v));
		else
			assert_int_equal(t, json_is_integer(v) ? CELL_INT :
					 CELL_FLOAT);
		if (t != CELL_NONE)
			assert_true(series_value(s, i) ==
				    json_number_value(v));
	}
}

static void unite_case(const json_t *c)
{
	const json_t *runs = json_object_get(c, "runs");
	struct buf text = BUF_INIT(100000);
	struct err err = ERR_INIT;
	const char *name;
	struct results rs;
	char path[200];
	size_t rows = 0;
	json_t *v;

	for (size_t i = 0; i < json_array_size(runs); i++) {
		buf_reset(&text);
		json_write(&text, json_array_get(runs, i), 2);
		snprintf(path, sizeof(path), "unite/%s/%zu/stats.json",
			 json_member_text(c, "name"), i);
		put(path, text.s);
	}
	snprintf(path, sizeof(path), "%s/unite/%s", top,
		 json_member_text(c, "name"));
	results_init(&rs);
	assert_int_equal(read_quietly(&rs, path, &err), 0);
	json_object_foreach(json_object_get(c, "matrix"), name, v) {
		if (!strcmp(name, "stats_source")) {
			assert_int_equal(only(&rs)->runs, json_array_size(v));
			continue;
		}
		check_row(only(&rs), name, v);
		assert_string_equal(series_name(only(&rs),
					&only(&rs)->series[rows++]), name);
	}
	assert_int_equal(only(&rs)->nseries, rows);
	results_release(&rs);
	buf_release(&text);
}

static void runs_are_united(void **state)
{
	struct err err = ERR_INIT;
	json_t *cases = json_read_file(TESTDATA "/data/unite.json", 1000000,
				       &err);
	json_t *c;
	size_t i;

	(void)state;
	assert_true(json_array_size(cases) > 5);
	json_array_foreach(cases, i, c)
		unite_case(c);
	json_decref(cases);
}

static void run_folders_in_order(void **state)
{
	struct err err = ERR_INIT;
	struct results rs;
	char path[100];

	(void)state;
	put("order/10/stats.json", "{\"a.x\": 10}");
	put("order/9/stats.json", "{\"a.x\": 9}");
	put("order/2/stats.json", "{\"a.x\": 2, \"a.y\": \"5\"}");
	put("order/11/dmesg", "");
	put("order/x/stats.json", "{\"a.x\": 77}");
	results_init(&rs);
	snprintf(path, sizeof(path), "%s/order", top);
	assert_int_equal(read_quietly(&rs, path, &err), 0);
	assert_string_equal(row(only(&rs), "a.x"), "2 9 10");
	assert_true(result_series(only(&rs), "a.y")->bad);
	assert_non_null(strstr(said, "order/11: no stats.json"));
	assert_string_equal(result_axis(only(&rs), "commit"), "order");
	results_release(&rs);

	/* A run folder is one run. */
	results_init(&rs);
	snprintf(path, sizeof(path), "%s/order/9", top);
	assert_int_equal(read_quietly(&rs, path, &err), 0);
	assert_string_equal(row(only(&rs), "a.x"), "9");
	results_release(&rs);

	snprintf(path, sizeof(path), "%s/order", top);
	put("order/9/stats.json", "{\"a.x\": ");
	results_init(&rs);
	assert_int_equal(read_quietly(&rs, path, &err), -1);
	assert_non_null(strstr(err.text, "order/9/stats.json:1: cut off"));
	assert_int_equal(rs.n, 0);
	results_release(&rs);
}

#define LKP "tc/performance-4/box1/debian.cgz/x86_64-rhel/gcc-12/"

static void axes_of_lkp_folders(void **state)
{
	static const char matrix[] = "{\"a.x\": [1, 2], \"stats_source\": "
		"[\"/r/0/stats.json\", \"/r/1/stats.json\"]}";
	struct err err = ERR_INIT;
	const struct result *r;
	struct results rs;
	char path[300];

	(void)state;
	put(LKP "0123456789abcdef/matrix.json", matrix);
	put(LKP "0123456789abcdef/1/job.yaml", "testcase: tc\ntbox_group: box1\n"
	    "rootfs: debian.cgz\nnr_task: 0100\nucode: 0x1f\nrate: 1e5\n"
	    "commit: 0123456789abcdef\nempty:\n"
	    "result_axes: [commit, testcase, nr_task, ucode, rate, empty]\n");
	put(LKP "v6.12-rc4/matrix.json", matrix);
	results_init(&rs);
	snprintf(path, sizeof(path), "%s/" LKP "0123456789abcdef", top);
	assert_int_equal(read_quietly(&rs, path, &err), 0);
	snprintf(path, sizeof(path), "%s/" LKP "v6.12-rc4/", top);
	assert_int_equal(read_quietly(&rs, path, &err), 0);
	r = rs.result[0];
	/* The job names the parameters, as they are written. */
	assert_string_equal(result_axis(r, "nr_task"), "0100");
	assert_string_equal(result_axis(r, "ucode"), "0x1f");
	assert_string_equal(result_axis(r, "rate"), "1e5");
	assert_null(result_axis(r, "empty"));
	assert_null(result_axis(r, "path_params"));
	assert_string_equal(result_axis(r, "kconfig"), "x86_64-rhel");
	assert_string_equal(result_axis(r, "commit"), "0123456789abcdef");
	/* Without a job the path says it all. */
	r = rs.result[1];
	assert_int_equal(r->naxis, 7);
	assert_string_equal(result_axis(r, "testcase"), "tc");
	assert_string_equal(result_axis(r, "path_params"), "performance-4");
	assert_string_equal(result_axis(r, "tbox_group"), "box1");
	assert_string_equal(result_axis(r, "compiler"), "gcc-12");
	assert_string_equal(result_axis(r, "commit"), "v6.12-rc4");
	/* Elsewhere the job says what it can. */
	put("elsewhere/job.yaml", "testcase: tc\nkconfig: k\ncommit: abc\n");
	put("elsewhere/matrix.json", matrix);
	snprintf(path, sizeof(path), "%s/elsewhere", top);
	assert_int_equal(read_quietly(&rs, path, &err), 0);
	r = rs.result[2];
	assert_int_equal(r->naxis, 3);
	assert_string_equal(result_axis(r, "commit"), "abc");
	assert_int_equal(results_read_jobs(&rs, &err), 0);
	assert_null(rs.result[0]->run_job[0]);
	assert_string_equal(json_member_text(rs.result[0]->run_job[1],
					     "testcase"), "tc");
	results_release(&rs);
}

/* A job that names no axes: the parameters are those that make up the path. */
static void axes_of_a_job_without_names(void **state)
{
	static const struct {
		const char *params, *job, *want;
	} cases[] = {
		{ "performance-process-100%-poll2",
		  "cpufreq_governor: performance\nnr_task: 100%\n"
		  "will-it-scale: {mode: process, test: poll2}\n"
		  "kernel_cmdline: x\nmodel: poll2\n",
		  "cpufreq_governor=performance mode=process nr_task=100% "
		  "test=poll2" },
		/* Options have their name, long values are cut, other
		 * characters replaced. */
		{ "ext4-a_b_c-1234567890123456789012345678901-ucode=0x1f",
		  "fs: ext4\nmount: a/b c\n"
		  "size: '1234567890123456789012345678901234'\n"
		  "ucode: '0x1f'\n",
		  "fs=ext4 mount=a/b c "
		  "size=1234567890123456789012345678901234 ucode=0x1f" },
		/* The same member twice is one. */
		{ "4", "nr_task: 4\nt: {nr_task: 4}\n", "nr_task=4" },
		/* Two that fit, none that fits, and the wrong order: all that
		 * is sure is the path. */
		{ "4", "nr_task: 4\nnr_threads: 4\n", "path_params=4" },
		{ "4-x", "nr_task: 4\n", "path_params=4-x" },
		{ "x-4", "a: 4\nb: x\n", "path_params=x-4" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct err err = ERR_INIT;
		char path[300], shown[300] = "";
		const struct result *r;
		struct results rs;

		snprintf(path, sizeof(path), "p%zu/t/%s/box/r/k/gcc-9/"
			 "0123456789ab/job.yaml", i, cases[i].params);
		put(path, cases[i].job);
		snprintf(path, sizeof(path), "p%zu/t/%s/box/r/k/gcc-9/"
			 "0123456789ab/matrix.json", i, cases[i].params);
		put(path, "{\"a.x\": [1]}");
		snprintf(path, sizeof(path), "%s/p%zu/t/%s/box/r/k/gcc-9/"
			 "0123456789ab", top, i, cases[i].params);
		results_init(&rs);
		assert_int_equal(read_quietly(&rs, path, &err), 0);
		r = only(&rs);
		for (size_t k = 0; k < r->naxis; k++) {
			static const char *const known[] = { "commit",
				"compiler", "kconfig", "rootfs", "tbox_group",
				"testcase" };
			bool is_known = false;

			for (size_t j = 0; j < 6; j++)
				is_known |= !strcmp(r->axis[k].key, known[j]);
			if (!is_known)
				snprintf(shown + strlen(shown),
					 sizeof(shown) - strlen(shown),
					 "%s%s=%s", *shown ? " " : "",
					 r->axis[k].key, r->axis[k].value);
		}
		assert_string_equal(shown, cases[i].want);
		results_release(&rs);
	}
}

static void an_old_matrix_is_yaml(void **state)
{
	struct err err = ERR_INIT;
	struct results rs;
	char path[100];

	(void)state;
	put("old/matrix.yaml", "a.x:\n- 1\n- 2.5\na.y: [x]\n"
	    "stats_source: [/r/0, /r/1]\n");
	snprintf(path, sizeof(path), "%s/old", top);
	results_init(&rs);
	assert_int_equal(read_quietly(&rs, path, &err), 0);
	assert_string_equal(row(only(&rs), "a.x"), "1 2.500000000");
	assert_true(result_series(only(&rs), "a.y")->bad);
	assert_int_equal(only(&rs)->runs, 2);
	results_release(&rs);
}

static void axes_of_stats_source(void **state)
{
	struct err err = ERR_INIT;
	const char *a, *b;
	struct results rs;

	(void)state;
	a = put("m1.json", "{\"a.x\": [1], \"stats_source\": [\"/lkp/result/"
		LKP "fedcba9876543210/0/stats.json\"]}");
	b = put("m2.json", "{\"a.x\": [1], \"stats_source\": [\"/lkp/result/"
		LKP "fedcba9876543210/1/stats.json\"]}");
	results_init(&rs);
	assert_int_equal(read_quietly(&rs, a, &err), 0);
	assert_string_equal(result_axis(rs.result[0], "commit"),
			    "fedcba9876543210");
	assert_string_equal(result_axis(rs.result[0], "tbox_group"), "box1");
	assert_int_equal(read_quietly(&rs, b, &err), 0);
	/* Both cannot be it, if they are to be compared. */
	assert_non_null(strstr(said, "both say that they are fedcba98765"));
	assert_string_equal(result_axis(rs.result[0], "commit"), "m1");
	assert_string_equal(result_axis(rs.result[1], "commit"), "m2");
	results_release(&rs);
}

static void hostile_jobs(void **state)
{
	static const struct {
		const char *job, *error;
	} cases[] = {
		{ "a: &a [1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\n"
		  "c: &c [*b,*b,*b,*b,*b,*b,*b,*b]\n"
		  "d: &d [*c,*c,*c,*c,*c,*c,*c,*c]\n"
		  "e: &e [*d,*d,*d,*d,*d,*d,*d,*d]\n"
		  "f: &f [*e,*e,*e,*e,*e,*e,*e,*e]\n",
		  "job.yaml:5: too much in it (aliases resolved)" },
		{ "a: &a [*a]\n", "job.yaml:1: unknown alias" },
		{ "a: [\n", "job.yaml:2: " },
		{ "a: 1\na: 2\n", "job.yaml:2: key 'a' stands twice" },
		{ "[a]: 2\n", "job.yaml:1: a key must be plain text" },
	};

	(void)state;
	put("job/matrix.json", "{\"a.x\": [1]}");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct err err = ERR_INIT;
		struct results rs;
		char path[100];

		put("job/job.yaml", cases[i].job);
		snprintf(path, sizeof(path), "%s/job", top);
		results_init(&rs);
		assert_int_equal(read_quietly(&rs, path, &err), -1);
		if (!strstr(err.text, cases[i].error))
			fail_msg("case %zu: %s", i, err.text);
		results_release(&rs);
	}
}

static void packed_matrices(void **state)
{
	struct err err = ERR_INIT;
	struct results rs;
	char command[400], path[200];

	(void)state;
	put("packed/matrix.json", "{\"a.x\": [1, 2, 3]}");
	snprintf(command, sizeof(command), "cd %s/packed && gzip -k matrix.json "
		 "&& xz -k matrix.json && echo '{\"a.x\": [9]}' >matrix.json",
		 top);
	if (system(command))
		skip();
	for (int i = 0; i < 3; i++) {
		static const char *const gone[] = { "matrix.json.gz",
						    "matrix.json.xz", "x" };

		/* .gz wins over .xz, that over the plain one. */
		snprintf(path, sizeof(path), "%s/packed", top);
		results_init(&rs);
		assert_int_equal(read_quietly(&rs, path, &err), 0);
		assert_string_equal(row(only(&rs), "a.x"),
				    i < 2 ? "1 2 3" : "9");
		results_release(&rs);
		snprintf(path, sizeof(path), "%s/packed/%s", top, gone[i]);
		if (i < 2)	/* cut off, then away */
			assert_int_equal(truncate(path, 30), 0);
		results_init(&rs);
		if (i < 2)
			assert_int_equal(read_quietly(&rs, path, &err), -1);
		if (i < 2)
			assert_non_null(strstr(err.text, "is cut off"));
		results_release(&rs);
		unlink(path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_are_united),
		cmocka_unit_test(run_folders_in_order),
		cmocka_unit_test(axes_of_lkp_folders),
		cmocka_unit_test(axes_of_a_job_without_names),
		cmocka_unit_test(an_old_matrix_is_yaml),
		cmocka_unit_test(axes_of_stats_source),
		cmocka_unit_test(hostile_jobs),
		cmocka_unit_test(packed_matrices),
	};
	return cmocka_run_group_tests(tests, make_top, remove_top);
}
