#include <math.h>
#include <string.h>

#include "base/err.h"
#include "result/build.h"
#include "result/readers.h"
#include "result/unite.h"

/* pytest-benchmark: seconds an iteration, each round a value where the file
 * was saved with data, else their mean and sample deviation. */

static void add_rounds(struct unite *u, const char *name, const json_t *data)
{
	for (size_t i = 0; i < json_array_size(data); i++)
		unite_addf(u, json_array_get(data, i), "%s.time_s", name);
}

static void add_summary(struct results *rs, struct result *r, const char *name,
			const json_t *stats)
{
	double rounds = json_number_or_nan(json_object_get(stats, "rounds"));
	struct summary sum = {
		.mean = json_number_or_nan(json_object_get(stats, "mean")),
		.stddev = json_number_or_nan(json_object_get(stats, "stddev")),
		.sample = true,
		.runs = rounds >= 1 && rounds < 1e9 ? (size_t)rounds : 0,
	};
	struct series *s;

	/* One round has no deviation; the file says 0. */
	if (sum.runs < 2)
		sum.stddev = NAN;
	if (isnan(sum.mean))
		return;
	s = result_at(rs, r, arena_printf(&rs->arena, "%s.time_s", name));
	if (s->n)
		return;
	series_set_summary(&rs->arena, s, &sum);
	s->in_process = true;
}

static const char *test_name(const json_t *benchmark)
{
	const char *name = json_member_text(benchmark, "fullname");

	return name ? name : json_member_text(benchmark, "name");
}

/* The commit it ran on, if a repository knew: with "+" when files differed. */
static void set_commit(struct results *rs, struct result *r,
		       const json_t *info)
{
	const char *id = json_member_text(info, "id");
	bool dirty = json_is_true(json_object_get(info, "dirty"));

	if (id && strlen(id) >= 7 &&
	    strspn(id, "0123456789abcdef") == strlen(id))
		result_set_axis(rs, r, "commit",
				arena_printf(&rs->arena, "%s%s", id,
					     dirty ? "+" : ""));
}

int read_pytest(struct results *rs, const char *path, const json_t *root,
		struct err *err)
{
	const json_t *list = json_object_get(root, "benchmarks"), *stats;
	struct result *r = result_new(rs, path);
	struct unite u;
	const char *name;

	unite_init(&u);
	for (size_t i = 0; i < json_array_size(list); i++) {
		name = test_name(json_array_get(list, i));
		stats = json_object_get(json_array_get(list, i), "stats");
		if (name)
			add_rounds(&u, name, json_object_get(stats, "data"));
	}
	unite_finish(&u, rs, r);
	unite_release(&u);
	for (size_t i = 0; i < r->nseries; i++)
		r->series[i].in_process = true;
	for (size_t i = 0; i < json_array_size(list); i++) {
		name = test_name(json_array_get(list, i));
		stats = json_object_get(json_array_get(list, i), "stats");
		if (name)
			add_summary(rs, r, name, stats);
	}
	for (size_t i = 0; i < r->nseries; i++)
		suggest_metric(rs, series_name(r, &r->series[i]), "s", LOWER_BETTER,
			       "time an iteration takes", true);
	result_set_axis(rs, r, "testcase", "pytest-benchmark");
	result_set_box(rs, r, json_object_get(root, "machine_info"), "node");
	set_commit(rs, r, json_object_get(root, "commit_info"));
	result_count_runs(r);
	if (!r->nseries)
		return err_set(err, ERR_INPUT, "%s:1: no benchmarks in it", path);
	return 0;
}
