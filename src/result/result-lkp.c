#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/log.h"
#include "data/scan.h"
#include "data/yaml.h"
#include "result/build.h"
#include "result/params.h"
#include "result/readers.h"
#include "result/unite.h"

#define MATRIX_MAX ((size_t)4 << 30)
#define STATS_MAX ((size_t)256 << 20)
#define JOB_MAX ((size_t)4 << 20)
#define YAML_MATRIX_MAX ((size_t)16 << 20)
#define PATH_LIMIT 8192
#define RUNS_MAX 10000

/* The file "name" of "folder", packed or not, in the order that LKP prefers;
 * false when there is none. */
static bool find_packed(struct buf *path, const char *folder, const char *name)
{
	static const char *const endings[] = { ".gz", ".xz", "" };

	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
		buf_reset(path);
		buf_addf(path, "%s/%s%s", folder, name, endings[i]);
		if (file_exists(path->s))
			return true;
	}
	return false;
}

/* Run folders: names of digits only, sorted as numbers. */
struct runs {
	char (*name)[8];
	size_t n, cap;
};

static int by_number(const void *a, const void *b)
{
	long x = atol(a), y = atol(b);

	return (x > y) - (x < y);
}

static void find_runs(struct arena *a, const char *folder, struct runs *runs)
{
	DIR *d = opendir(folder);
	struct dirent *e;

	*runs = (struct runs){ .n = 0 };
	while (d && (e = readdir(d)) && runs->n < RUNS_MAX) {
		size_t len = strlen(e->d_name);

		if (len > 6 || strspn(e->d_name, "0123456789") != len)
			continue;
		runs->name = arena_grow(a, runs->name, &runs->cap, runs->n + 1,
					sizeof(*runs->name));
		memcpy(runs->name[runs->n++], e->d_name, len + 1);
	}
	if (d)
		closedir(d);
	if (runs->n)
		qsort(runs->name, runs->n, sizeof(*runs->name), by_number);
}

/* The stats.json of a run folder. */
static bool find_stats(struct buf *path, const char *folder, const char *run)
{
	struct buf sub = BUF_INIT(PATH_LIMIT);
	bool found;

	buf_addf(&sub, "%s/%s", folder, run);
	found = find_packed(path, sub.s, "stats.json");
	buf_release(&sub);
	return found;
}

bool is_lkp_folder(const char *path)
{
	struct buf file = BUF_INIT(PATH_LIMIT);
	struct arena a = ARENA_INIT;
	bool found = find_packed(&file, path, "matrix.json") ||
		     find_packed(&file, path, "matrix.yaml") ||
		     find_packed(&file, path, "stats.json");
	struct runs runs = { .n = 0 };

	if (!found)
		find_runs(&a, path, &runs);
	for (size_t i = 0; !found && i < runs.n; i++)
		found = find_stats(&file, path, runs.name[i]);
	arena_release(&a);
	buf_release(&file);
	return found;
}

static int read_matrix_path(struct results *rs, struct result *r,
			    const char *path, size_t max, struct err *err)
{
	struct scan *s = scan_open(path, max, err);
	int rc = -1;

	if (!s)
		return -1;
	switch (scan_next(s)) {
	case SCAN_OBJECT:
		rc = read_matrix(rs, r, s, err);
		if (rc == 0 && scan_next(s) != SCAN_END)
			rc = scan_fail(s, err);
		break;
	case SCAN_ERROR:
		scan_fail(s, err);
		break;
	default:
		err_set(err, ERR_INPUT, "%s:1: a matrix is an object", path);
	}
	scan_close(s);
	return rc;
}

/* One run's stats.json behind the others. */
static int add_run(const struct results *rs, struct unite *u, const char *path,
		   struct err *err)
{
	struct results one;
	int rc;

	results_init(&one);
	one.takes_infinity = rs->takes_infinity;
	rc = read_matrix_path(&one, result_new(&one, path), path, STATS_MAX,
			      err);
	if (rc == 0)
		unite_add_result(u, one.result[0]);
	results_release(&one);
	if (rc == 0)
		unite_end_run(u);
	return rc;
}

static void add_source(struct results *rs, struct result *r, size_t *cap,
		       size_t column, const char *path)
{
	r->run_source = arena_grow(&rs->arena, r->run_source, cap, column + 1,
				   sizeof(char *));
	r->run_source[column] = arena_strdup(&rs->arena, path);
}

static void finish_runs(struct unite *u, struct results *rs, struct result *r)
{
	struct strmap kept;

	strmap_init(&kept, &u->arena);
	for (size_t i = 0; i < u->rows.n; i++) {
		const struct strmap_entry *e = &u->rows.entry[i];

		if (unite_is_dropped(e->key, e->value))
			cells_release(e->value);
		else
			*strmap_put(&kept, e->key, e->len) = e->value;
	}
	u->rows = kept;
	unite_finish(u, rs, r);
}

static int unite_runs(struct results *rs, struct result *r, const char *folder,
		      struct err *err)
{
	struct buf path = BUF_INIT(PATH_LIMIT);
	size_t cap = 0, found = 0;
	struct unite u;
	struct runs runs;
	int rc = 0;

	unite_init(&u);
	find_runs(&u.arena, folder, &runs);
	for (size_t i = 0; rc == 0 && i < runs.n; i++) {
		if (!find_stats(&path, folder, runs.name[i])) {
			log_warn("%s/%s: no stats.json, so this run is left "
				 "out", folder, runs.name[i]);
			continue;
		}
		add_source(rs, r, &cap, u.columns, path.s);
		rc = add_run(rs, &u, path.s, err);
		found++;
	}
	if (rc == 0 && !found)
		rc = err_set(err, ERR_INPUT, "no results in folder '%s': no run "
			     "(0/ 1/ ...) has a stats.json", folder);
	if (rc == 0)
		finish_runs(&u, rs, r);
	unite_release(&u);
	buf_release(&path);
	return rc;
}

/* The job.yaml of the folder itself, else of the first run that has one. */
static int read_job(struct result *r, const char *folder, struct err *err)
{
	struct buf path = BUF_INIT(PATH_LIMIT);
	struct arena a = ARENA_INIT;
	struct runs runs;
	int rc = 0;

	buf_addf(&path, "%s/job.yaml", folder);
	if (!file_exists(path.s)) {
		find_runs(&a, folder, &runs);
		for (size_t i = 0; i < runs.n; i++) {
			buf_reset(&path);
			buf_addf(&path, "%s/%s/job.yaml", folder,
				 runs.name[i]);
			if (file_exists(path.s))
				break;
		}
	}
	if (file_exists(path.s)) {
		r->job = yaml_read_file(path.s, JOB_MAX, YAML_TEXT, err);
		rc = r->job ? 0 : -1;
	}
	arena_release(&a);
	buf_release(&path);
	return rc;
}

static const char *const path_keys[] = {
	"testcase", "path_params", "tbox_group", "rootfs", "kconfig",
	"compiler", "commit" };
#define NKEYS (sizeof(path_keys) / sizeof(*path_keys))

/* The axes that the job names; of one that names none, those that every path
 * has. */
static void axes_of_job(struct results *rs, struct result *r)
{
	const json_t *names = json_object_get(r->job, "result_axes");
	size_t n = json_is_array(names) ? json_array_size(names) : NKEYS;

	for (size_t i = 0; i < n; i++) {
		const char *key = json_is_array(names) ?
			json_string_value(json_array_get(names, i)) :
			path_keys[i];
		const char *value = key ? json_member_text(r->job, key) : NULL;

		if (value)
			result_set_axis(rs, r, key, value);
	}
}

static bool is_compiler(const char *s)
{
	static const char *const names[] = { "gcc", "clang", "llvm", "rustc" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strncmp(s, names[i], strlen(names[i])))
			return true;
	return false;
}

/* A hash, or a tag of the kernel. */
static bool is_commit(const char *s)
{
	size_t len = strlen(s);

	if (len >= 7 && strspn(s, "0123456789abcdef") == len)
		return true;
	return s[0] == 'v' && isdigit((unsigned char)s[1]);
}

/* TESTCASE/PARAMS/BOX/ROOTFS/KCONFIG/COMPILER/COMMIT at the end of "path". */
static bool split_lkp_path(char *path, char *part[NKEYS])
{
	for (size_t i = NKEYS; i-- > 0;) {
		char *slash = strrchr(path, '/');

		if (!slash || !slash[1])
			return false;
		*slash = '\0';
		part[i] = slash + 1;
	}
	return is_compiler(part[5]) && is_commit(part[6]);
}

/* What the path says and the job did not.  A job that names axes names the
 * parameters one by one; of another they are looked for. */
static bool axes_of_path(struct results *rs, struct result *r,
			 const char *folder)
{
	char *path = strdup(folder), *part[NKEYS];
	bool good, named;

	if (!path)
		die_no_memory();
	good = split_lkp_path(path, part);
	named = json_object_get(r->job, "result_axes") ||
		(good && r->job && set_params_of_path(rs, r, part[1]));
	for (size_t i = 0; good && i < NKEYS; i++)
		if (!result_axis(r, path_keys[i]) &&
		    !(named && !strcmp(path_keys[i], "path_params")))
			result_set_axis(rs, r, path_keys[i], part[i]);
	free(path);
	return good;
}

/* The same of the folder "levels" above "path". */
static bool axes_above(struct results *rs, struct result *r, const char *path,
		       int levels)
{
	char *folder = path ? strdup(path) : NULL;
	bool good = false;

	for (int i = 0; folder && i < levels && strrchr(folder, '/'); i++)
		*strrchr(folder, '/') = '\0';
	if (folder)
		good = axes_of_path(rs, r, folder);
	free(folder);
	return good;
}

void set_source_axes(struct results *rs, struct result *r)
{
	if (r->runs && r->run_source)	/* COMMIT/N/stats.json */
		axes_above(rs, r, r->run_source[0], 2);
}

int set_lkp_axes(struct results *rs, struct result *r, const char *path,
		 struct err *err)
{
	char *full = realpath(path, NULL);
	int rc = read_job(r, path, err);

	if (rc == 0) {
		axes_of_job(rs, r);
		r->is_sure = axes_of_path(rs, r, full ? full : path) ||
			axes_above(rs, r, json_member_text(r->job,
						"result_root"), 1) ||
			result_axis(r, "commit");
		if (!r->naxis)
			set_source_axes(rs, r);
		result_sort_axes(r);
	}
	free(full);
	return rc;
}

/* Is "path" the folder of a single run? Its matrix has samples over time. */
static bool is_run_folder(const char *path)
{
	size_t len = strlen(path), digits = 0;

	while (len && path[len - 1] == '/')
		len--;
	while (digits < len && isdigit((unsigned char)path[len - digits - 1]))
		digits++;
	return digits && digits <= 6 &&
	       (digits == len || path[len - digits - 1] == '/');
}

/* LKP's old form of a matrix. */
static int read_matrix_yaml(struct results *rs, struct result *r,
			    const char *path, struct err *err)
{
	json_t *v = yaml_read_file(path, YAML_MATRIX_MAX, YAML_TYPED, err);
	struct buf text = BUF_INIT((size_t)4 * YAML_MATRIX_MAX);
	struct scan *s;
	int rc = -1;

	if (!v)
		return -1;
	json_write(&text, v, 0);
	json_decref(v);
	s = scan_open_text(text.s, text.len, path);
	if (scan_next(s) == SCAN_OBJECT)
		rc = read_matrix(rs, r, s, err);
	else
		err_set(err, ERR_INPUT, "%s:1: a matrix is a map", path);
	scan_close(s);
	buf_release(&text);
	return rc;
}

int read_lkp_folder(struct results *rs, const char *path, struct err *err)
{
	struct buf file = BUF_INIT(PATH_LIMIT);
	struct result *r = result_new(rs, path);
	int rc;

	if (find_packed(&file, path, "matrix.json"))
		rc = read_matrix_path(rs, r, file.s, MATRIX_MAX, err);
	else if (find_packed(&file, path, "matrix.yaml"))
		rc = read_matrix_yaml(rs, r, file.s, err);
	else if (find_packed(&file, path, "stats.json"))
		rc = read_matrix_path(rs, r, file.s, STATS_MAX, err);
	else
		rc = unite_runs(rs, r, path, err);
	if (rc == 0)
		rc = set_lkp_axes(rs, r, path, err);
	for (size_t i = 0; i < r->nseries && is_run_folder(path); i++)
		r->series[i].in_process = true;
	buf_release(&file);
	return rc;
}

/* The job.yaml beside the stats.json "source", looked for where the result
 * lies now: the file may say where it lay once. */
static json_t *read_run_job(const struct result *r, const char *source,
			    struct err *err)
{
	struct buf path = BUF_INIT(PATH_LIMIT);
	const char *end = source ? strrchr(source, '/') : NULL, *run = end;
	json_t *job = NULL;

	while (run && run > source && run[-1] != '/')
		run--;
	if (run)
		buf_addf(&path, "%s/%.*s/job.yaml", r->source,
			 (int)(end - run), run);
	if (run && file_exists(path.s))
		job = yaml_read_file(path.s, JOB_MAX, YAML_TEXT, err);
	buf_release(&path);
	return job;
}

int results_read_jobs(struct results *rs, struct err *err)
{
	for (size_t i = 0; i < rs->n; i++) {
		struct result *r = rs->result[i];

		if (r->run_job || !r->run_source)
			continue;
		r->run_job = arena_array(&rs->arena, r->runs + 1,
					 sizeof(json_t *));
		for (size_t k = 0; k < r->runs; k++) {
			struct err why = ERR_INIT;

			r->run_job[k] = read_run_job(r, r->run_source[k], &why);
			if (why.code != ERR_NONE)
				return err_set(err, why.code, "%s", why.text);
		}
	}
	return 0;
}
