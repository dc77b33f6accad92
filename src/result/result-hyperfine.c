#include <math.h>
#include <string.h>

#include "base/err.h"
#include "result/build.h"
#include "result/readers.h"
#include "result/unite.h"

/* hyperfine --export-json: each command has its times, in seconds. */

/* Did run "i" end well?  A signal's exit code is null. */
static bool ended_well(const json_t *codes, size_t i)
{
	const json_t *code = json_array_get(codes, i);

	return !code || (json_is_integer(code) && !json_integer_value(code));
}

/* A run that failed was not measured; that it failed is a row of its own. */
static void add_times(struct unite *u, const json_t *v)
{
	const json_t *times = json_object_get(v, "times");
	const json_t *codes = json_object_get(v, "exit_codes");
	const json_t *memory = json_object_get(v, "memory_usage_byte");
	json_t *none = json_null(), *one = json_integer(1);
	json_t *zero = json_integer(0);

	for (size_t i = 0; i < json_array_size(times); i++) {
		bool good = ended_well(codes, i);

		unite_addf(u, good ? json_array_get(times, i) : none,
			   "hyperfine.time");
		if (json_is_array(memory))
			unite_addf(u, good && json_array_get(memory, i) ?
				   json_array_get(memory, i) : none,
				   "hyperfine.memory");
		if (json_is_array(codes))
			unite_addf(u, good ? zero : one, "hyperfine.fail");
	}
	json_decref(one);
	json_decref(zero);
}

/* What is given as one number for all runs together. */
static void add_mean(struct results *rs, struct result *r, const char *name,
		     double mean, double stddev, size_t runs)
{
	const struct summary sum = { .mean = mean, .stddev = stddev,
				     .sample = true, .runs = runs };
	struct series *s;

	if (isnan(mean))
		return;
	s = result_add(rs, r, name, strlen(name));
	if (!s)
		return;
	series_set_summary(&rs->arena, s, &sum);
	s->in_process = true;
}

static void read_command(struct results *rs, struct result *r, const json_t *v)
{
	size_t runs = json_array_size(json_object_get(v, "times"));
	struct unite u;

	unite_init(&u);
	add_times(&u, v);
	unite_finish(&u, rs, r);
	unite_release(&u);
	for (size_t i = 0; i < r->nseries; i++)
		r->series[i].in_process = true;
	if (!runs)
		add_mean(rs, r, "hyperfine.time",
			 json_number_or_nan(json_object_get(v, "mean")),
			 json_number_or_nan(json_object_get(v, "stddev")), 0);
	add_mean(rs, r, "hyperfine.user",
		 json_number_or_nan(json_object_get(v, "user")), NAN, runs);
	add_mean(rs, r, "hyperfine.system",
		 json_number_or_nan(json_object_get(v, "system")), NAN, runs);
	r->runs = runs;
}

int read_hyperfine(struct results *rs, const char *path, const json_t *root,
		   struct err *err)
{
	const json_t *list = json_object_get(root, "results"), *v;
	size_t n = json_array_size(list);

	if (!n)
		return err_set(err, ERR_INPUT, "%s:1: no results in it", path);
	for (size_t i = 0; i < n; i++) {
		struct result *r = result_new(rs, path);
		const char *command;

		v = json_array_get(list, i);
		command = json_member_text(v, "command");
		if (command)
			r->ran = arena_strdup(&rs->arena, command);
		if (n > 1)
			r->command = r->ran;
		result_set_axis(rs, r, "testcase", "hyperfine");
		read_command(rs, r, v);
	}
	suggest_metric(rs, "hyperfine.time", "s", LOWER_BETTER,
		       "wall-clock time of the command", true);
	suggest_metric(rs, "hyperfine.user", "s", LOWER_BETTER,
		       "time in user space, mean of all runs", false);
	suggest_metric(rs, "hyperfine.system", "s", LOWER_BETTER,
		       "time in the kernel, mean of all runs", false);
	if (strset_find(&rs->names, "hyperfine.memory", 16) != STRSET_NONE)
		suggest_metric(rs, "hyperfine.memory", "bytes", LOWER_BETTER,
			       "largest resident set", false);
	return 0;
}
