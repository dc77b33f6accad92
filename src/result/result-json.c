#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/log.h"
#include "result/build.h"
#include "result/readers.h"

#define FILE_MAX ((size_t)1 << 30)

static void add_cell(struct cells *c, const json_t *v)
{
	if (json_is_integer(v))
		cells_add_int(c, json_integer_value(v));
	else if (json_is_real(v))
		cells_add_float(c, json_real_value(v));
	else if (json_is_null(v))
		cells_add_other(c, CELL_NONE);
	else
		cells_add_other(c, CELL_TEXT);
}

static void read_row(struct results *rs, struct result *r, const char *name,
		     const json_t *row)
{
	struct cells c = { .n = 0 };
	struct series *s;

	for (size_t i = 0; i < json_array_size(row); i++)
		add_cell(&c, json_array_get(row, i));
	if (!json_is_array(row))
		add_cell(&c, row);
	s = result_add(rs, r, name, strlen(name));
	series_set(rs, s, &c);
	if (s->bad)
		log_warn("%s: row '%s' holds what is no number: left out",
			 r->source, name);
	cells_release(&c);
}

void read_matrix(struct results *rs, struct result *r, json_t *matrix)
{
	const json_t *source = json_object_get(matrix, "stats_source");
	const char *name;
	json_t *row;

	json_object_foreach(matrix, name, row)
		if (strcmp(name, "stats_source"))
			read_row(rs, r, name, row);
	result_count_runs(r);
	r->has_source = json_is_array(source);
	if (r->has_source)
		r->runs = json_array_size(source);
}

static double number_or_nan(const json_t *v)
{
	return json_is_number(v) ? json_number_value(v) : NAN;
}

static void read_summary(struct results *rs, struct result *r,
			 const char *name, const json_t *v)
{
	const json_t *runs = json_object_get(v, "runs");
	const json_t *fails = json_object_get(v, "fails");
	struct summary sum = {
		.mean = number_or_nan(json_object_get(v, "mean")),
		.stddev = number_or_nan(json_object_get(v, "stddev")),
		.sample = json_is_true(json_object_get(v, "sample")),
		.is_failure = json_is_number(fails),
		.fails = json_is_number(fails) ? json_number_value(fails) : 0,
	};
	struct series *s;

	if (json_integer_value(runs) > 0)
		sum.runs = (size_t)json_integer_value(runs);
	if (!sum.is_failure && isnan(sum.mean)) {
		log_warn("%s: summary '%s' has neither mean nor fails: "
			 "left out", r->source, name);
		return;
	}
	s = result_add(rs, r, name, strlen(name));
	if (s)
		series_set_summary(rs, s, &sum);
}

static void read_axes(struct results *rs, struct result *r, const json_t *axes)
{
	struct buf text = BUF_INIT(4096);
	const char *key;
	json_t *v;

	json_object_foreach((json_t *)(uintptr_t)axes, key, v) {
		buf_reset(&text);
		json_scalar(&text, v);
		result_set_axis(rs, r, key, text.s);
	}
	buf_release(&text);
}

static int read_result(struct results *rs, const char *path, size_t i,
		       const json_t *v, struct err *err)
{
	json_t *matrix = json_object_get(v, "matrix");
	json_t *summary = json_object_get(v, "summary");
	const json_t *axes = json_object_get(v, "axes");
	struct result *r;
	const char *name;
	json_t *one;

	if (!json_is_object(axes) || !json_object_get(axes, "commit"))
		return err_set(err, ERR_INPUT, "%s: results[%zu] has no axes "
			       "with a commit", path, i);
	if (!json_is_object(matrix) && !json_is_object(summary))
		return err_set(err, ERR_INPUT, "%s: results[%zu] has neither "
			       "matrix nor summary", path, i);
	r = result_new(rs, path);
	read_axes(rs, r, axes);
	read_matrix(rs, r, matrix);
	json_object_foreach(summary, name, one)
		read_summary(rs, r, name, one);
	return 0;
}

static int read_results(struct results *rs, const char *path, json_t *root,
			struct err *err)
{
	const json_t *list = json_object_get(root, "results");
	json_t *v;
	size_t i;

	if (!json_is_array(list))
		return err_set(err, ERR_INPUT, "%s: no list of results", path);
	json_array_foreach(list, i, v)
		if (read_result(rs, path, i, v, err) == -1)
			return -1;
	json_object_del(root, "results");
	json_object_del(root, "format");
	json_object_update_recursive(rs->facts, root);
	return 0;
}

int read_file(struct results *rs, const char *path, struct err *err)
{
	json_t *root = json_read_file(path, FILE_MAX, err);
	const char *format, *slash = strrchr(path, '/');
	int rc = 0;

	if (!root)
		return -1;
	format = json_member_text(root, "format");
	if (format && !strcmp(format, "perfpost-results/1")) {
		rc = read_results(rs, path, root, err);
	} else {
		struct result *r = result_new(rs, path);

		read_matrix(rs, r, root);
		result_set_axis(rs, r, "commit", slash ? slash + 1 : path);
	}
	json_decref(root);
	return rc;
}
