#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <cmocka.h>

#include "result-files.h"

/* Read a sample of tests/data/formats. */
static void read_sample(struct results *rs, const char *name)
{
	struct err err = ERR_INIT;
	char path[400];

	snprintf(path, sizeof(path), TESTDATA "/data/formats/%s", name);
	if (read_quietly(rs, path, &err) == -1)
		fail_msg("%s", err.text);
	assert_string_equal(said, "");
}

static const char *metric(const struct results *rs, const char *name,
			  const char *member)
{
	return json_member_text(json_object_get(json_object_get(rs->facts,
				"metrics"), name), member);
}

static void hyperfine_is_read(void **state)
{
	const struct series *s;
	struct results rs;

	(void)state;
	results_init(&rs);
	read_sample(&rs, "hyperfine.json");
	assert_int_equal(rs.n, 2);
	/* Alone, its commands are the sides. */
	assert_string_equal(result_axis(rs.result[0], "commit"), "sleep10");
	assert_string_equal(result_axis(rs.result[1], "commit"), "sleep20");
	assert_string_equal(row(rs.result[0], "hyperfine.time"),
			    "0.01128976700 0.01127443500 0.01140589100 "
			    "0.01134435500 0.01132162300");
	assert_true(result_series(rs.result[0], "hyperfine.time")->in_process);
	/* A mean alone is no run of zero. */
	s = result_series(rs.result[0], "hyperfine.user");
	assert_int_equal(s->n, 0);
	assert_true(series_summary(s)->mean == 0.0008814000000000001);
	assert_true(isnan(series_summary(s)->stddev) && series_summary(s)->runs == 5);
	assert_string_equal(metric(&rs, "hyperfine.time", "unit"), "s");
	assert_string_equal(metric(&rs, "hyperfine.time", "better"), "lower");
	assert_null(metric(&rs, "hyperfine.memory", "unit"));
	/* With a second file they are tests, and the files the sides. */
	put("hf/new/hyperfine.json", "{\"results\": [{\"command\": \"sleep10\","
	    "\"times\": [1, 2, 3], \"exit_codes\": [0, 1, null],"
	    "\"memory_usage_byte\": [10, 20, 30]}]}");
	{
		struct err err = ERR_INIT;
		char path[200];

		snprintf(path, sizeof(path), "%s/hf/new/hyperfine.json", top);
		assert_int_equal(read_quietly(&rs, path, &err), 0);
	}
	assert_string_equal(result_axis(rs.result[0], "command"), "sleep10");
	assert_string_equal(result_axis(rs.result[0], "commit"), "formats");
	assert_string_equal(result_axis(rs.result[2], "commit"), "new");
	assert_string_equal(result_axis(rs.result[2], "command"), "sleep10");
	/* A run that failed was not measured. */
	assert_string_equal(row(rs.result[2], "hyperfine.time"), "1 - -");
	assert_string_equal(row(rs.result[2], "hyperfine.memory"), "10 - -");
	assert_string_equal(row(rs.result[2], "hyperfine.fail"), "0 1 1");
	results_release(&rs);
}

#define AGGREGATE(kind, more) "{\"name\": \"A_" kind "\", \"run_name\": " \
	"\"A\", \"run_type\": \"aggregate\", \"aggregate_name\": \"" kind \
	"\", \"repetitions\": 7, \"time_unit\": \"s\", \"real_time\": " more "}"

/* One command beside several is one of those tests, whichever comes first. */
static void one_command_beside_several(void **state)
{
	static const char one[] = "{\"results\": [{\"command\": \"b\", "
		"\"times\": [1]}]}";
	static const char two[] = "{\"results\": [{\"command\": \"a\", "
		"\"times\": [2]}, {\"command\": \"b\", \"times\": [3]}]}";

	(void)state;
	for (int i = 0; i < 2; i++) {
		const char *a = put("hf1/x.json", i ? two : one);
		const char *b = put("hf2/y.json", i ? one : two);
		struct err err = ERR_INIT;
		struct results rs;

		results_init(&rs);
		assert_int_equal(read_quietly(&rs, a, &err), 0);
		assert_int_equal(read_quietly(&rs, b, &err), 0);
		assert_int_equal(rs.n, 3);
		assert_string_equal(result_axis(rs.result[i ? 2 : 0],
						"command"), "b");
		assert_string_equal(result_axis(rs.result[0], "commit"), "x");
		assert_string_equal(result_axis(rs.result[2], "commit"), "y");
		results_release(&rs);
	}
}

static void google_benchmark_is_read(void **state)
{
	struct err err = ERR_INIT;
	const struct series *s;
	struct results rs;

	(void)state;
	results_init(&rs);
	read_sample(&rs, "google-benchmark.json");
	assert_string_equal(row(only(&rs), "BM_sort/64.real_time_ns"),
			    "411.7464529 409.9249532 426.7956215");
	assert_string_equal(row(only(&rs), "BM_sort/64.custom"),
			    "42.00000000 42.00000000 42.00000000");
	assert_int_equal(only(&rs)->runs, 3);
	assert_int_equal(only(&rs)->nseries, 10);	/* no aggregate */
	assert_string_equal(metric(&rs, "BM_sort/64.items_per_second",
				   "better"), "higher");
	assert_string_equal(metric(&rs, "BM_sort/64.real_time_ns", "better"),
			    "lower");
	results_release(&rs);

	/* Aggregates alone, another unit, a failed run. */
	assert_int_equal(read_text(&rs, "{\"benchmarks\": ["
		"{\"name\": \"A_mean\", \"run_name\": \"A\", \"run_type\": "
		"\"aggregate\", \"aggregate_name\": \"mean\", \"repetitions\": "
		"7, \"real_time\": 2.5, \"time_unit\": \"us\"},"
		"{\"name\": \"A_stddev\", \"run_name\": \"A\", \"run_type\": "
		"\"aggregate\", \"aggregate_name\": \"stddev\", "
		"\"repetitions\": 7, \"real_time\": 0.5, \"time_unit\": \"us\"},"
		"{\"name\": \"B\", \"run_type\": \"iteration\", \"real_time\": "
		"3, \"time_unit\": \"ms\"},"
		"{\"name\": \"B\", \"run_type\": \"iteration\", \"real_time\": "
		"0, \"time_unit\": \"ms\", \"error_occurred\": true}]}", &err),
		0);
	s = result_series(only(&rs), "A.real_time_ns");
	assert_true(series_summary(s)->mean == 2500 && series_summary(s)->stddev == 500);
	assert_true(series_summary(s)->sample && series_summary(s)->runs == 7);
	assert_string_equal(row(only(&rs), "B.real_time_ns"), "3000000.000 -");
	assert_string_equal(row(only(&rs), "B.fail"), "0 1");
	results_release(&rs);

	/* Counters have aggregates, too; what was skipped did not fail. */
	assert_int_equal(read_text(&rs, "{\"context\": {\"host_name\": "
		"\"box1\"}, \"benchmarks\": ["
		AGGREGATE("stddev", "0.5, \"bytes_per_second\": 3") ","
		AGGREGATE("mean", "2.5, \"bytes_per_second\": 9") ","
		AGGREGATE("cv", "0.1, \"bytes_per_second\": 1") ","
		"{\"name\": \"L_stddev\", \"run_name\": \"L\", \"run_type\": "
		"\"aggregate\", \"aggregate_name\": \"stddev\", "
		"\"real_time\": 1, \"time_unit\": \"s\"},"
		"{\"name\": \"S\", \"run_type\": \"iteration\", "
		"\"real_time\": 0, \"time_unit\": \"s\", \"skipped\": true},"
		"{\"name\": \"S\", \"run_type\": \"iteration\", "
		"\"real_time\": 2, \"time_unit\": \"s\"}]}", &err), 0);
	s = result_series(only(&rs), "A.bytes_per_second");
	assert_true(series_summary(s)->mean == 9 &&
		    series_summary(s)->stddev == 3 && s->in_process);
	assert_string_equal(metric(&rs, "A.bytes_per_second", "unit"),
			    "bytes/s");
	s = result_series(only(&rs), "A.real_time_ns");
	assert_true(series_summary(s)->mean == 2.5e9 &&
		    series_summary(s)->stddev == .5e9);
	assert_null(result_series(only(&rs), "L.real_time_ns"));
	assert_string_equal(row(only(&rs), "S.real_time_ns"),
			    "- 2000000000.");
	assert_string_equal(row(only(&rs), "S.fail"), "- 0");
	assert_string_equal(only(&rs)->box, "box1");
	results_release(&rs);
}

static void pytest_benchmark_is_read(void **state)
{
	struct err err = ERR_INIT;
	const struct series *s;
	struct results rs;

	(void)state;
	results_init(&rs);
	read_sample(&rs, "pytest-benchmark.json");
	s = result_series(only(&rs), "test_b.py::test_small.time_s");
	assert_int_equal(s->n, 6);
	assert_true(s->in_process && series_cell(s, 0).f == 6.875500002934132e-05);
	/* "unversioned" is no commit. */
	assert_string_equal(result_axis(only(&rs), "commit"),
			    "pytest-benchmark");
	results_release(&rs);

	/* Saved without data; and it knows its commit. */
	assert_int_equal(read_text(&rs, "{\"commit_info\": {\"id\": "
		"\"0123456789ab\", \"dirty\": true}, \"benchmarks\": "
		"[{\"fullname\": \"t\", \"stats\": {\"mean\": 0.5, \"stddev\": "
		"0.1, \"rounds\": 9}}]}", &err), 0);
	assert_string_equal(result_axis(only(&rs), "commit"), "0123456789ab+");
	s = result_series(only(&rs), "t.time_s");
	assert_true(series_summary(s)->sample && series_summary(s)->runs == 9);
	results_release(&rs);
}

static void fio_is_read(void **state)
{
	struct buf text = BUF_INIT(100000);
	struct err err = ERR_INIT;
	struct results rs;

	(void)state;
	results_init(&rs);
	read_sample(&rs, "fio.json");
	assert_string_equal(row(only(&rs), "fio.randread.read.iops"),
			    "25600.00000");
	assert_string_equal(row(only(&rs), "fio.randread.read.clat_ns.p99.9"),
			    "248832");
	/* What did not run is absent, not zero. */
	assert_string_equal(row(only(&rs), "fio.randread.write.iops"), "none");
	assert_string_equal(row(only(&rs), "fio.randread.read.slat_ns.mean"),
			    "none");
	assert_false(result_series(only(&rs), "fio.randread.read.iops")->
		     in_process);
	results_release(&rs);

	/* Log lines around it, jobs of the same name, one of which failed. */
	buf_addstr(&text, "fio: something\nnote: {x}\n{\"fio version\": \"3\", "
		   "\"jobs\": [{\"jobname\": \"j\", \"error\": 0, \"read\": "
		   "{\"total_ios\": 1, \"iops\": 5}}, {\"jobname\": \"j\", "
		   "\"error\": 22, \"read\": {\"total_ios\": 1, \"iops\": 0}}]}"
		   "\nfio: terminating\n");
	assert_int_equal(read_text(&rs, text.s, &err), 0);
	assert_string_equal(row(only(&rs), "fio.j.read.iops"), "5");
	assert_string_equal(row(only(&rs), "fio.j.fail"), "0");
	assert_string_equal(row(only(&rs), "fio.j#2.read.iops"), "none");
	assert_string_equal(row(only(&rs), "fio.j#2.fail"), "1");
	results_release(&rs);
	buf_release(&text);
}

/* A job with 9 reads, and what else it has. */
#define JOB(name, iops, more) "{\"jobname\": \"" name "\", \"error\": 0, " \
	"\"read\": {\"total_ios\": 9, \"iops\": " iops "}" more "}"
#define AT(host, port) ", \"hostname\": \"" host "\", \"port\": " port

/* fio --client: whichever host was done first. */
static void fio_clients_are_read(void **state)
{
	struct err err = ERR_INIT;
	struct results rs;

	(void)state;
	assert_int_equal(read_text(&rs, "<a> fio: a note\n\n{"
		"\"fio version\": \"fio-3.33\","
		"\"global options\": {\"bs\": \"4k\", \"bs\": \"4k\"},"
		"\"client_stats\": ["
		JOB("j", "20", AT("b", "8765")) ","
		JOB("j", "10", AT("a", "8765")) ","
		JOB("j", "11", AT("a", "8765")) ","
		JOB("All clients", "41", AT("a", "8765")) "],"
		"\"disk_util\": [{\"name\": \"sda\", \"util\": 1" AT("b", "8765")
		"}, {\"name\": \"sda\", \"util\": 2" AT("a", "8765") "}]}\n",
		&err), 0);
	assert_string_equal(row(only(&rs), "fio.j@b.read.iops"), "20");
	assert_string_equal(row(only(&rs), "fio.j@a.read.iops"), "10");
	assert_string_equal(row(only(&rs), "fio.j@a#2.read.iops"), "11");
	assert_string_equal(row(only(&rs), "fio-disk.sda@b.util%"), "1");
	assert_null(result_series(only(&rs), "fio.All clients.read.iops"));
	assert_int_equal(only(&rs)->nseries, 8);
	assert_int_equal(only(&rs)->runs, 1);
	results_release(&rs);

	/* One host needs no name; two on one box go by their ports. */
	assert_int_equal(read_text(&rs, "{\"client_stats\": ["
		JOB("j", "20", AT("b", "8765")) ","
		JOB("All clients", "20", AT("b", "8765")) "]}", &err), 0);
	assert_string_equal(row(only(&rs), "fio.j.read.iops"), "20");
	assert_int_equal(only(&rs)->nseries, 2);
	results_release(&rs);
	assert_int_equal(read_text(&rs, "{\"client_stats\": ["
		JOB("j", "20", AT("b", "1")) "," JOB("j", "21", AT("b", "2"))
		"]}", &err), 0);
	assert_string_equal(row(only(&rs), "fio.j@b:2.read.iops"), "21");
	results_release(&rs);
	assert_int_equal(read_text(&rs, "{\"client_stats\": ["
		JOB("All clients", "20", "") "]}", &err), 0);
	assert_string_equal(row(only(&rs), "fio.All clients.read.iops"), "20");
	results_release(&rs);
}

static void odd_fio_is_read(void **state)
{
	struct err err = ERR_INIT;
	struct results rs;

	(void)state;
	/* Version 2 had microseconds and kilobytes a second. */
	assert_int_equal(read_text(&rs, "{\"fio version\": \"fio-2.1.3\", "
		"\"jobs\": [{\"jobname\": \"j\", \"error\": 0, \"write\": "
		"{\"io_bytes\": 8, \"bw\": 100, \"iops\": 25.5, \"slat\": "
		"{\"min\": 0, \"max\": 0, \"mean\": 0}, \"clat\": "
		"{\"mean\": 1.5, \"max\": 7, \"percentile\": "
		"{\"99.990000\": 6}}}, \"read\": {\"io_bytes\": 0, "
		"\"iops\": 0}}]}", &err), 0);
	assert_string_equal(row(only(&rs), "fio.j.write.bw_bytes"),
			    "102400.0000");
	assert_string_equal(row(only(&rs), "fio.j.write.clat_ns.mean"),
			    "1500.000000");
	assert_string_equal(row(only(&rs), "fio.j.write.clat_ns.p99.99"),
			    "6000.000000");
	assert_string_equal(row(only(&rs), "fio.j.write.slat_ns.mean"), "none");
	assert_string_equal(row(only(&rs), "fio.j.read.iops"), "none");
	results_release(&rs);

	/* --status-interval: the last counts.  fsync, unified_rw_reporting. */
	assert_int_equal(read_text(&rs, "{\n\"jobs\": [" JOB("j", "5", "")
		"]\n}\n{\n\"jobs\": [" JOB("j", "7", ", \"sync\": "
		"{\"total_ios\": 2, \"lat_ns\": {\"N\": 2, \"mean\": 4}}")
		"," JOB("m", "1", ", \"mixed\": {\"total_ios\": 2, \"iops\": "
		"3}") "]\n}\n", &err), 0);
	assert_string_equal(row(only(&rs), "fio.j.read.iops"), "7");
	assert_string_equal(row(only(&rs), "fio.j.sync.lat_ns.mean"), "4");
	assert_string_equal(row(only(&rs), "fio.j.sync.iops"), "none");
	assert_string_equal(row(only(&rs), "fio.m.mixed.iops"), "3");
	results_release(&rs);
}

static void perf_stat_is_read(void **state)
{
	struct err err = ERR_INIT;
	const struct series *s;
	struct results rs;

	(void)state;
	results_init(&rs);
	read_sample(&rs, "perf-stat-j.json");
	assert_string_equal(row(only(&rs), "perf-stat.task-clock"),
			    "0.9941720000");
	assert_string_equal(metric(&rs, "perf-stat.task-clock", "unit"),
			    "msec");
	results_release(&rs);

	/* -r: a mean of unknown runs; its "variance" is no deviation. */
	results_init(&rs);
	read_sample(&rs, "perf-stat-j-r3.json");
	s = result_series(only(&rs), "perf-stat.page-faults");
	assert_true(series_summary(s)->mean == 76 && isnan(series_summary(s)->stddev));
	assert_int_equal(series_summary(s)->runs, 0);
	assert_null(result_series(only(&rs), "perf-stat.cycles"));
	results_release(&rs);

	results_init(&rs);
	read_sample(&rs, "perf-stat-j-interval.json");
	assert_int_equal(only(&rs)->runs, 4);
	assert_string_equal(row(only(&rs), "perf-stat.task-clock"),
			    "0.8130260000 - - 0.06295600000");
	assert_true(result_series(only(&rs), "perf-stat.task-clock")->
		    in_process);
	results_release(&rs);

	/* The sum of the intervals is none. */
	assert_int_equal(read_text(&rs,
		"{\"interval\": 1, \"counter-value\": \"3\", \"event\": \"e\"}\n"
		"{\"interval\": 2, \"counter-value\": \"4\", \"event\": \"e\"}\n"
		"{\"counter-value\": \"7\", \"event\": \"e\"}\n", &err), 0);
	assert_string_equal(row(only(&rs), "perf-stat.e"),
			    "3.000000000 4.000000000");
	assert_int_equal(only(&rs)->nseries, 1);
	results_release(&rs);

	/* A decimal comma, places, a line that is broken. */
	assert_int_equal(read_text(&rs,
		"{\"cpu\": \"0\", \"counter-value\": \"1,5\", \"event\": \"e\"}\n"
		"{\"cpu\": \"1\", \"counter-value\": \"2.5\", \"event\": \"e\"}\n"
		"{\"counter-value\": \"x\", \"event\": \"e\"}\n"
		"{\"counter-value\": \"7\", \"event\": \n"
		"{\"counter-value\": \"8\", \"event\": \"f\"}\n"
		"{\"counter-value\": \"9\", \"event\": \"f\"}\n", &err), 0);
	assert_string_equal(row(only(&rs), "perf-stat.e.cpu0"), "1.500000000");
	assert_string_equal(row(only(&rs), "perf-stat.e.cpu1"), "2.500000000");
	assert_string_equal(row(only(&rs), "perf-stat.f"), "8.000000000");
	assert_string_equal(row(only(&rs), "perf-stat.f#2"), "9.000000000");
	assert_non_null(strstr(said, ":3: left out: a counter's value"));
	assert_non_null(strstr(said, ":4: left out: no JSON"));
	results_release(&rs);
}

/* perf stat --metric-only, of each generation of perf. */
static void perf_metrics_are_read(void **state)
{
	struct err err = ERR_INIT;
	struct results rs;

	(void)state;
	assert_int_equal(read_text(&rs,
		"{\"interval\" : 1.0, \"socket\" : \"S0\", \"cpu-count\" : 8, "
		"\"GHz\" : \"3.1\", \"insn per cycle\" : \"none\", "
		"\"branch-misses of all branches\" : \"2,5\", "
		"\"MiB/s  bandwidth\" : \"64\", \"GHz\" : \"2.1\"}\n"
		"{\"interval\" : 2.0, \"socket\" : \"S0\", \"cpu-count\" : 8, "
		"\"insn per cycle\" : \"1.25\"}\n", &err), 0);
	assert_string_equal(said, "");
	assert_string_equal(row(only(&rs), "perf-stat.GHz.S0"), "3.100000000");
	assert_string_equal(row(only(&rs), "perf-stat.GHz.S0#2"),
			    "2.100000000");
	assert_string_equal(row(only(&rs), "perf-stat.insn_per_cycle.S0"),
			    "- 1.250000000");
	assert_string_equal(row(only(&rs),
		"perf-stat.branch-misses_of_all_branches.S0%"), "2.500000000");
	assert_string_equal(metric(&rs, "perf-stat.bandwidth.S0", "unit"),
			    "MiB/s");
	assert_string_equal(metric(&rs, "perf-stat.insn_per_cycle.S0",
				   "better"), "higher");
	assert_true(result_series(only(&rs), "perf-stat.GHz.S0")->in_process);
	results_release(&rs);

	/* Names in a line before; some versions name what they leave out. */
	assert_int_equal(read_text(&rs, "# started on Mon Nov 30\n\n"
		"{\"unit\" : \"/sec\", \"unit\" : \"GHz\", \"unit\" : "
		"\"insn per cycle\"}\n"
		"{\"interval\" : 0.1}{\"metric-value\" : \"3\"}"
		"{\"metric-value\" : \"1.5\"}\n"
		"{\"interval\" : 0.2}{\"metric-value\" : \"\"}\n"
		"{\"interval\" : 0.3}{\"metric-value\" : \"4\"}"
		"{\"metric-value\" : \"\"}\n"
		"{\"interval\" : 0.4}{\"metric-value\" : \"4\"}"
		"{\"metric-value\" : \"4\"}{\"metric-value\" : \"4\"}\n", &err),
		0);
	assert_string_equal(row(only(&rs), "perf-stat.GHz"),
			    "3.000000000 - 4.000000000");
	assert_string_equal(row(only(&rs), "perf-stat.insn_per_cycle"),
			    "1.500000000 - -");
	assert_non_null(strstr(said, ":7: left out: metrics other than"));
	results_release(&rs);

	/* A number that is a number is a matrix; text of perf's is none. */
	assert_int_equal(read_text(&rs, "{\"interval\": 3, \"x\": \"y\"}",
				   &err), 0);
	assert_string_equal(row(only(&rs), "interval"), "3");
	results_release(&rs);
	assert_int_equal(read_text(&rs, "# started on Mon\n\n1.2,msec,"
				   "task-clock,1,100.00,,\n", &err), -1);
	assert_non_null(strstr(err.text, "writes that with -j"));
	results_release(&rs);
	assert_int_equal(read_text(&rs, "{\"metric-value\" : \"none\"}\n",
				   &err), -1);
	assert_non_null(strstr(err.text, "no counter in it"));
	results_release(&rs);
}

static void kcidb_is_read(void **state)
{
	struct err err = ERR_INIT;
	const struct series *s;
	struct results rs;

	(void)state;
	results_init(&rs);
	read_sample(&rs, "kcidb-5.3.json");
	assert_int_equal(rs.n, 2);
	assert_string_equal(result_axis(rs.result[1], "commit"),
			    "2222222222222222bbbbbbbbbbbbbbbbbbbbbbbb");
	assert_string_equal(result_axis(rs.result[1], "kconfig"),
			    "x86_64-rhel-8.3");
	assert_string_equal(row(rs.result[0], "will-it-scale.per_process_ops"),
			    "240408 240310 240501");
	assert_string_equal(row(rs.result[1], "will-it-scale.per_process_ops"),
			    "231711 231600");
	s = result_series(rs.result[1], "will-it-scale.per_process_ops.fail");
	assert_true(series_summary(s)->fails == 1 && series_summary(s)->runs == 3);
	s = result_series(rs.result[0], "ltp.syscalls.fork01.fail");
	assert_true(series_summary(s)->fails == 0 && series_summary(s)->runs == 1);
	assert_string_equal(metric(&rs, "will-it-scale.per_process_ops",
				   "unit"), "ops");
	results_release(&rs);

	assert_int_equal(read_text(&rs, "{\"tests\": [{\"build_id\": \"b\", "
		"\"path\": \"p\", \"status\": \"PASS\"}]}", &err), -1);
	assert_non_null(strstr(err.text, "no test in it that was run on a "
			       "known commit"));
	results_release(&rs);
}

static void mmtests_is_read(void **state)
{
	struct err err = ERR_INIT;
	struct results rs;

	(void)state;
	results_init(&rs);
	read_sample(&rs, "mmtests-extract.json");
	assert_int_equal(rs.n, 2);
	assert_string_equal(result_axis(rs.result[0], "testcase"), "tbench4");
	assert_string_equal(result_axis(rs.result[1], "commit"), "v6.18-rc1");
	assert_string_equal(row(rs.result[0], "tbench4.1"),
			    "301.2000000 300.8000000 301.9000000");
	assert_true(result_series(rs.result[0], "tbench4.1")->in_process);
	assert_string_equal(metric(&rs, "tbench4.1", "better"), "higher");
	results_release(&rs);

	/* Iterations are runs. */
	assert_int_equal(read_text(&rs, "[{\"_ModuleName\": \"X\", "
		"\"_ResultData\": {\"a\": [{\"Values\": [1, 3]}, "
		"{\"Values\": []}, {\"Values\": [5]}]}}]", &err), 0);
	assert_string_equal(row(only(&rs), "x.a"),
			    "2.000000000 - 5.000000000");
	assert_false(result_series(only(&rs), "x.a")->in_process);
	assert_string_equal(result_axis(only(&rs), "commit"), "x");
	results_release(&rs);
}

/* Several files a side: a run each. */
static void files_are_runs(void **state)
{
	static const char one[] = "{\"counter-value\": \"1\", \"event\": \"e\"}";
	static const char two[] = "{\"counter-value\": \"2\", \"event\": \"e\"}\n"
		"{\"counter-value\": \"5\", \"event\": \"f\"}";
	struct err err = ERR_INIT;
	struct results rs;
	char list[200];

	(void)state;
	put("runs/base2.json", two);
	put("runs/base10.json", one);
	put("runs/notes.txt", "no result");
	put("head/a.json", one);
	results_init(&rs);
	snprintf(list, sizeof(list), "%s/runs", top);
	assert_int_equal(read_quietly(&rs, list, &err), 0);
	snprintf(list, sizeof(list), "%s/runs/base10.json,%s/runs/base2.json",
		 top, top);
	assert_int_equal(read_quietly(&rs, list, &err), 0);
	assert_string_equal(row(rs.result[0], "perf-stat.e"),
			    "2.000000000 1.000000000");
	assert_string_equal(row(rs.result[1], "perf-stat.e"),
			    "1.000000000 2.000000000");
	/* No value in the first run is a hole, not 0. */
	assert_string_equal(row(rs.result[1], "perf-stat.f"), "- 5.000000000");
	assert_int_equal(rs.result[1]->runs, 2);
	assert_string_equal(result_axis(rs.result[0], "commit"), "runs");
	assert_string_equal(result_axis(rs.result[1], "commit"), "base");
	results_release(&rs);

	/* Repetitions inside a process are one value of its run. */
	put("hfruns/1.json", "{\"results\": [{\"command\": \"c\", \"times\": "
	    "[1, 2, 6], \"exit_codes\": [0, 0, 0]}]}");
	put("hfruns/2.json", "{\"results\": [{\"command\": \"c\", \"times\": "
	    "[5, 9], \"exit_codes\": [0, 1]}]}");
	results_init(&rs);
	snprintf(list, sizeof(list), "%s/hfruns", top);
	assert_int_equal(read_quietly(&rs, list, &err), 0);
	assert_string_equal(row(only(&rs), "hyperfine.time"),
			    "3.000000000 5.000000000");
	assert_string_equal(row(only(&rs), "hyperfine.fail"),
			    "0.000000000 1.000000000");
	assert_false(result_series(only(&rs), "hyperfine.time")->in_process);
	results_release(&rs);
}

static void names_tell_paths_apart(void **state)
{
	static const char text[] = "{\"a.x\": [1, 2]}";
	static const char *const folders[] = { "base", "head", "fix" };
	struct err err = ERR_INIT;
	struct results rs;

	(void)state;
	results_init(&rs);
	for (int i = 0; i < 3; i++) {
		char path[60];

		snprintf(path, sizeof(path), "apart/%s/r.json", folders[i]);
		assert_int_equal(read_quietly(&rs, put(path, text), &err), 0);
		assert_string_equal(said, "");
	}
	for (int i = 0; i < 3; i++)
		assert_string_equal(result_axis(rs.result[i], "commit"),
				    folders[i]);
	results_release(&rs);
}

/* What a person says of a metric goes before what a format knows. */
static void formats_do_not_overrule_facts(void **state)
{
	struct err err = ERR_INIT;
	struct results rs;

	(void)state;
	results_init(&rs);
	assert_int_equal(results_read_facts(&rs, put("f.yaml",
		"metrics: {hyperfine.time: {better: higher}}\n"), &err), 0);
	read_sample(&rs, "hyperfine.json");
	assert_string_equal(metric(&rs, "hyperfine.time", "better"), "higher");
	assert_string_equal(metric(&rs, "hyperfine.time", "unit"), "s");
	results_release(&rs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hyperfine_is_read),
		cmocka_unit_test(one_command_beside_several),
		cmocka_unit_test(google_benchmark_is_read),
		cmocka_unit_test(pytest_benchmark_is_read),
		cmocka_unit_test(fio_is_read),
		cmocka_unit_test(fio_clients_are_read),
		cmocka_unit_test(odd_fio_is_read),
		cmocka_unit_test(perf_stat_is_read),
		cmocka_unit_test(perf_metrics_are_read),
		cmocka_unit_test(kcidb_is_read),
		cmocka_unit_test(mmtests_is_read),
		cmocka_unit_test(files_are_runs),
		cmocka_unit_test(names_tell_paths_apart),
		cmocka_unit_test(formats_do_not_overrule_facts),
	};
	return cmocka_run_group_tests(tests, make_top, remove_top);
}
