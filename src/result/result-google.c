#include <math.h>
#include <string.h>

#include "base/err.h"
#include "result/build.h"
#include "result/readers.h"
#include "result/unite.h"

/*
 * Google Benchmark --benchmark_format=json.  Each repetition is an entry of
 * its own; aggregates count only where there are no repetitions.  Times become
 * nanoseconds, so that files with other units compare.
 */

static const struct {
	const char *unit;
	double ns;
} units[] = { { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };

static double to_ns(const json_t *entry)
{
	const char *unit = json_member_text(entry, "time_unit");

	for (size_t i = 0; unit && i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(unit, units[i].unit))
			return units[i].ns;
	return 1;
}

/* Files before version 1.5 tell an aggregate by its name alone. */
static bool is_aggregate(const json_t *entry)
{
	static const char *const endings[] = { "_mean", "_median", "_stddev",
					       "_cv", "_BigO", "_RMS" };
	const char *type = json_member_text(entry, "run_type");
	const char *name = json_member_text(entry, "name");

	if (type)
		return strcmp(type, "iteration");
	for (size_t i = 0; name && i < sizeof(endings) / sizeof(*endings); i++)
		if (name_ends(name, endings[i]))
			return true;
	return false;
}

static const char *run_name(const json_t *entry)
{
	const char *name = json_member_text(entry, "run_name");

	return name ? name : json_member_text(entry, "name");
}

/* Members of an entry that say how it was measured, not what. */
static bool is_setting(const char *key)
{
	static const char *const keys[] = {
		"family_index", "per_family_instance_index", "repetitions",
		"repetition_index", "threads", "iterations", "real_time",
		"cpu_time", "big_o", "rms", "cpu_coefficient",
		"real_coefficient", NULL };

	for (const char *const *k = keys; *k; k++)
		if (!strcmp(*k, key))
			return true;
	return false;
}

static void suggest_counter(struct results *rs, const char *run,
			    const char *counter)
{
	bool rate = name_ends(counter, "_per_second");
	char *name = arena_printf(&rs->arena, "%s.%s", run, counter);

	suggest_metric(rs, name, !rate ? NULL : !strcmp(counter,
		       "bytes_per_second") ? "bytes/s" : "1/s",
		       rate ? HIGHER_BETTER : NO_DIRECTION, NULL, false);
}

/* A time in ns; null when the entry has none. */
static void add_time(struct results *rs, struct unite *u, const json_t *entry,
		     const char *key, bool failed)
{
	const json_t *time = json_object_get(entry, key);
	const char *run = run_name(entry);
	bool real = !strcmp(key, "real_time");
	json_t *v;

	if (!json_is_number(time))
		return;
	v = failed ? json_null() :
		json_real(json_number_value(time) * to_ns(entry));
	unite_addf(u, v, "%s.%s_ns", run, key);
	json_decref(v);
	suggest_metric(rs, arena_printf(&rs->arena, "%s.%s_ns", run, key), "ns",
		       LOWER_BETTER, real ? "time an iteration takes" :
		       "CPU time an iteration takes", real);
}

static void add_iteration(struct results *rs, struct unite *u,
			  const json_t *entry)
{
	bool failed = json_is_true(json_object_get(entry, "error_occurred"));
	const char *run = run_name(entry), *key;
	json_t *v, *fails = json_integer(failed);

	add_time(rs, u, entry, "real_time", failed);
	add_time(rs, u, entry, "cpu_time", failed);
	json_object_foreach((json_t *)(uintptr_t)entry, key, v) {
		if (!json_is_number(v) || is_setting(key) || failed)
			continue;
		unite_addf(u, v, "%s.%s", run, key);
		suggest_counter(rs, run, key);
	}
	unite_addf(u, fails, "%s.fail", run);
	json_decref(fails);
}

/* The mean or deviation of one time, unless its repetitions are there. */
static void add_aggregate(struct results *rs, struct result *r,
			  const json_t *entry, const char *key)
{
	const char *kind = json_member_text(entry, "aggregate_name");
	const json_t *time = json_object_get(entry, key);
	struct summary sum = { .mean = NAN, .stddev = NAN, .sample = true };
	double ns = json_number_value(time) * to_ns(entry);
	struct series *s;

	if (!kind || !json_is_number(time) ||
	    (strcmp(kind, "mean") && strcmp(kind, "stddev")))
		return;
	s = result_at(rs, r, arena_printf(&rs->arena, "%s.%s_ns",
					  run_name(entry), key));
	if (s->n)
		return;
	if (s->is_summary)
		sum = *series_summary(s);
	if (!strcmp(kind, "mean"))
		sum.mean = ns;
	else
		sum.stddev = ns;
	sum.runs = (size_t)json_integer_value(json_object_get(entry,
							"repetitions"));
	series_set_summary(&rs->arena, s, &sum);
	s->in_process = true;
	suggest_metric(rs, series_name(r, s), "ns", LOWER_BETTER, NULL,
		       !strcmp(key, "real_time"));
}

int read_google(struct results *rs, const char *path, const json_t *root,
		struct err *err)
{
	const json_t *list = json_object_get(root, "benchmarks"), *entry;
	struct result *r = result_new(rs, path);
	struct unite u;

	unite_init(&u);
	for (size_t i = 0; i < json_array_size(list); i++) {
		entry = json_array_get(list, i);
		if (run_name(entry) && !is_aggregate(entry))
			add_iteration(rs, &u, entry);
	}
	unite_finish(&u, rs, r);
	unite_release(&u);
	for (size_t i = 0; i < r->nseries; i++)
		r->series[i].in_process = true;
	for (size_t i = 0; i < json_array_size(list); i++) {
		entry = json_array_get(list, i);
		if (!run_name(entry) || !is_aggregate(entry))
			continue;
		add_aggregate(rs, r, entry, "real_time");
		add_aggregate(rs, r, entry, "cpu_time");
	}
	result_set_axis(rs, r, "testcase", "google-benchmark");
	result_count_runs(r);
	if (!r->nseries)
		return err_set(err, ERR_INPUT, "%s:1: no benchmarks in it", path);
	return 0;
}
