#include <ctype.h>
#include <string.h>

#include "base/err.h"
#include "result/build.h"
#include "result/readers.h"
#include "result/unite.h"

/*
 * mmtests' extract-mmtests.pl --print-json: a list of modules, each the
 * results of one kernel ("_TestName").  Iterations are runs; where there is but
 * one, its samples are what there is.
 */

/* "ExtractTbench4" -> "tbench4" */
static const char *module_name(struct arena *a, const json_t *v)
{
	const char *name = json_member_text(v, "_ModuleName");
	char *copy;

	if (!name)
		return "mmtests";
	if (!strncmp(name, "Extract", 7) && name[7])
		name += 7;
	copy = arena_strdup(a, name);
	for (char *p = copy; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return copy;
}

static enum direction direction_of(const json_t *v)
{
	const char *preferred = json_member_text(v, "_PreferredVal");

	if (!preferred)
		return NO_DIRECTION;
	return !strcmp(preferred, "Higher") ? HIGHER_BETTER :
	       !strcmp(preferred, "Lower") ? LOWER_BETTER : NO_DIRECTION;
}

static void add_mean(struct unite *u, const char *name, const json_t *values)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < json_array_size(values); i++) {
		const json_t *v = json_array_get(values, i);

		if (!json_is_number(v))
			continue;
		sum += json_number_value(v);
		n++;
	}
	unite_add(u, name, strlen(name), n ? CELL_FLOAT : CELL_NONE,
		  (union cell){ .f = n ? sum / (double)n : 0 });
}

static void add_operation(struct unite *u, const char *name,
			  const json_t *iterations)
{
	size_t n = json_array_size(iterations);
	const json_t *values;

	for (size_t i = 0; i < n; i++) {
		values = json_object_get(json_array_get(iterations, i),
					 "Values");
		if (n > 1)
			add_mean(u, name, values);
		for (size_t k = 0; n == 1 && k < json_array_size(values); k++)
			unite_addf(u, json_array_get(values, k), "%s", name);
	}
}

static void read_module(struct results *rs, const char *path, const json_t *v)
{
	const char *kernel = json_member_text(v, "_TestName"), *operation;
	struct result *r = result_new(rs, path);
	struct unite u;
	json_t *list;

	unite_init(&u);
	json_object_foreach(json_object_get(v, "_ResultData"), operation,
			    list) {
		const char *name = arena_printf(&rs->arena, "%s.%s",
					module_name(&rs->arena, v), operation);

		add_operation(&u, name, list);
		suggest_metric(rs, name, json_member_text(v, "_PlotYaxis"),
			       direction_of(v), NULL, true);
	}
	unite_finish(&u, rs, r);
	unite_release(&u);
	json_object_foreach(json_object_get(v, "_ResultData"), operation, list)
		if (json_array_size(list) == 1)
			result_at(rs, r, arena_printf(&rs->arena, "%s.%s",
				  module_name(&rs->arena, v), operation))->
				in_process = true;
	result_set_axis(rs, r, "testcase", module_name(&rs->arena, v));
	r->is_sure = kernel != NULL;
	if (kernel)
		result_set_axis(rs, r, "commit", kernel);
	result_count_runs(r);
}

int read_mmtests(struct results *rs, const char *path, const json_t *root,
		 struct err *err)
{
	size_t n = json_array_size(root);

	for (size_t i = 0; i < n; i++)
		if (json_is_object(json_array_get(root, i)))
			read_module(rs, path, json_array_get(root, i));
	return n ? 0 : err_set(err, ERR_INPUT, "%s:1: no module in it", path);
}
