#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "data/yaml.h"
#include "result/build.h"
#include "result/readers.h"

#define MATRIX_MAX ((size_t)1 << 30)
#define JOB_MAX ((size_t)4 << 20)
#define RUNS_MAX 1000

static void join(struct buf *path, const char *folder, const char *name)
{
	buf_reset(path);
	buf_addf(path, "%s/%s", folder, name);
}

static bool find_matrix(struct buf *path, const char *folder)
{
	static const char *const names[] = {
		"matrix.json.gz", "matrix.json.xz", "matrix.json" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		join(path, folder, names[i]);
		if (file_exists(path->s))
			return true;
	}
	return false;
}

static int read_job(struct result *r, const char *folder, struct err *err)
{
	struct buf path = BUF_INIT(8192);
	char name[32] = "job.yaml";
	int rc = 0;

	for (int i = -1; i < RUNS_MAX && !r->job; i++) {
		if (i >= 0)
			snprintf(name, sizeof(name), "%d/job.yaml", i);
		join(&path, folder, name);
		if (!file_exists(path.s))
			continue;
		r->job = yaml_read_file(path.s, JOB_MAX, YAML_TEXT, err);
		rc = r->job ? 0 : -1;
		break;
	}
	buf_release(&path);
	return rc;
}

static int by_key(const void *a, const void *b)
{
	return strcmp(((const struct axis *)a)->key,
		      ((const struct axis *)b)->key);
}

static void set_axes(struct results *rs, struct result *r, const char *folder)
{
	const json_t *names = json_object_get(r->job, "result_axes");
	const char *slash = strrchr(folder, '/');

	for (size_t i = 0; i < json_array_size(names); i++) {
		const char *key = json_string_value(json_array_get(names, i));
		const char *value = key ? json_member_text(r->job, key) : NULL;

		if (value)
			result_set_axis(rs, r, key, value);
	}
	if (!result_axis(r, "commit"))
		result_set_axis(rs, r, "commit", slash ? slash + 1 : folder);
	qsort(r->axis, r->naxis, sizeof(*r->axis), by_key);
}

int read_lkp_folder(struct results *rs, const char *path, struct err *err)
{
	struct buf file = BUF_INIT(8192);
	json_t *matrix = NULL;
	struct result *r;
	int rc = -1;

	if (!find_matrix(&file, path)) {
		err_set(err, ERR_INPUT, "no results in folder '%s'", path);
	} else if ((matrix = json_read_file(file.s, MATRIX_MAX, err))) {
		r = result_new(rs, path);
		rc = read_job(r, path, err);
		set_axes(rs, r, path);
		read_matrix(rs, r, matrix);
	}
	json_decref(matrix);
	buf_release(&file);
	return rc;
}
