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

/* Entries without a unit are in ns; 0: there is no such unit. */
static double to_ns(const json_t *entry)
{
	const char *unit = json_member_text(entry, "time_unit");

	if (!json_object_get(entry, "time_unit"))
		return 1;
	for (size_t i = 0; unit && i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(unit, units[i].unit))
			return units[i].ns;
	return 0;
}

static int check_units(const char *path, const json_t *list, struct err *err)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *entry = json_array_get(list, i);
		const char *unit = json_member_text(entry, "time_unit");

		if (to_ns(entry) > 0)
			continue;
		return err_set(err, ERR_INPUT, "%s:1: benchmark %zu: time_unit "
			       "'%.40s' is none of ns, us, ms and s", path,
			       i + 1, unit ? unit : "");
	}
	return 0;
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

static void suggest_time(struct results *rs, const char *name, bool real)
{
	suggest_metric(rs, name, "ns", LOWER_BETTER, real ?
		       "time an iteration takes" :
		       "CPU time an iteration takes", real);
}

/* A time in ns; null when the entry has none. */
static void add_time(struct results *rs, struct unite *u, const json_t *entry,
		     const char *key, bool failed)
{
	const json_t *time = json_object_get(entry, key);
	const char *run = run_name(entry);
	json_t *v;

	if (!json_is_number(time))
		return;
	v = failed ? json_null() :
		json_real(json_number_value(time) * to_ns(entry));
	unite_addf(u, v, "%s.%s_ns", run, key);
	json_decref(v);
	suggest_time(rs, arena_printf(&rs->arena, "%s.%s_ns", run, key),
		     !strcmp(key, "real_time"));
}

/* A repetition that failed, or was skipped, was not measured. */
static void add_iteration(struct results *rs, struct unite *u,
			  const json_t *entry)
{
	bool failed = json_is_true(json_object_get(entry, "error_occurred"));
	bool skipped = json_is_true(json_object_get(entry, "skipped"));
	const char *run = run_name(entry), *key;
	json_t *v, *fails = skipped ? json_null() : json_integer(failed);

	add_time(rs, u, entry, "real_time", failed || skipped);
	add_time(rs, u, entry, "cpu_time", failed || skipped);
	json_object_foreach((json_t *)(uintptr_t)entry, key, v) {
		if (!json_is_number(v) || is_setting(key) || failed || skipped)
			continue;
		unite_addf(u, v, "%s.%s", run, key);
		suggest_counter(rs, run, key);
	}
	unite_addf(u, fails, "%s.fail", run);
	json_decref(fails);
}

/* A mean, or the deviation of one that is there; neither where there are
 * repetitions. */
static bool set_aggregate(struct results *rs, struct result *r, bool is_mean,
			  const char *name, const json_t *entry, double value)
{
	struct summary sum = { .mean = value, .stddev = NAN, .sample = true };
	struct series *s = NULL;

	if (is_mean)
		s = result_add(rs, r, name, strlen(name));
	else if (result_series(r, name))
		s = result_at(rs, r, name);
	if (!s || s->n)
		return false;
	if (!is_mean) {
		sum = *series_summary(s);
		sum.stddev = value;
	}
	sum.runs = (size_t)json_integer_value(json_object_get(entry,
							"repetitions"));
	series_set_summary(&rs->arena, s, &sum);
	s->in_process = true;
	return true;
}

static void add_aggregate(struct results *rs, struct result *r, bool is_mean,
			  const json_t *entry)
{
	static const char *const times[] = { "real_time", "cpu_time" };
	const char *run = run_name(entry), *key, *name;
	json_t *v;

	for (int i = 0; i < 2; i++) {
		v = json_object_get(entry, times[i]);
		name = arena_printf(&rs->arena, "%s.%s_ns", run, times[i]);
		if (json_is_number(v) &&
		    set_aggregate(rs, r, is_mean, name, entry,
				  json_number_value(v) * to_ns(entry)))
			suggest_time(rs, name, !i);
	}
	json_object_foreach((json_t *)(uintptr_t)entry, key, v) {
		if (!json_is_number(v) || is_setting(key))
			continue;
		name = arena_printf(&rs->arena, "%s.%s", run, key);
		if (set_aggregate(rs, r, is_mean, name, entry,
				  json_number_value(v)))
			suggest_counter(rs, run, key);
	}
}

/* Those of one kind: "mean" or "stddev". */
static void add_aggregates(struct results *rs, struct result *r,
			   const json_t *list, const char *kind)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *entry = json_array_get(list, i);
		const char *name = json_member_text(entry, "aggregate_name");

		if (run_name(entry) && is_aggregate(entry) && name &&
		    !strcmp(name, kind))
			add_aggregate(rs, r, !strcmp(kind, "mean"), entry);
	}
}

int read_google(struct results *rs, const char *path, const json_t *root,
		struct err *err)
{
	const json_t *list = json_object_get(root, "benchmarks"), *entry;
	const json_t *context = json_object_get(root, "context");
	const char *program = json_member_text(context, "executable");
	struct result *r = result_new(rs, path);
	struct unite u;

	if (check_units(path, list, err) == -1)
		return -1;
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
	add_aggregates(rs, r, list, "mean");
	add_aggregates(rs, r, list, "stddev");
	result_set_box(rs, r, context, "host_name");
	if (program)
		r->ran = arena_strdup(&rs->arena, program);
	result_set_axis(rs, r, "testcase", "google-benchmark");
	result_count_runs(r);
	if (!r->nseries)
		return err_set(err, ERR_INPUT, "%s:1: no benchmarks in it", path);
	return 0;
}
