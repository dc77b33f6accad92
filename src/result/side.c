#include "result/side.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/log.h"
#include "result/build.h"
#include "result/readers.h"
#include "result/unite.h"

#define FILES_MAX 10000

/* A result of the side that is being put together, and its runs so far. */
struct part {
	struct result *r;
	struct unite u;
};

struct side {
	struct results *rs;
	const char *path;	/* as given */
	struct part *part;
	size_t n;
};

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* The part with the axes of "r"; a new one has no runs of earlier files. */
static struct part *find_part(struct side *s, const struct result *r,
			      size_t file)
{
	struct part *p;

	for (size_t i = 0; i < s->n; i++)
		if (result_same_axes(s->part[i].r, r, NULL) &&
		    same_text(s->part[i].r->command, r->command))
			return &s->part[i];
	s->part = reallocarray(s->part, s->n + 1, sizeof(*s->part));
	if (!s->part)
		die_no_memory();
	p = &s->part[s->n++];
	p->r = result_new(s->rs, s->path);
	p->r->is_sure = r->is_sure;
	for (size_t i = 0; i < r->naxis; i++)
		result_set_axis(s->rs, p->r, r->axis[i].key, r->axis[i].value);
	if (r->command)
		p->r->command = arena_strdup(&s->rs->arena, r->command);
	if (r->ran)
		p->r->ran = arena_strdup(&s->rs->arena, r->ran);
	unite_init(&p->u);
	for (size_t i = 0; i < file; i++)
		unite_end_run(&p->u);
	return p;
}

/* What one process measured is one value of the run: the mean, and of
 * failures whether there was one. */
static double value_of_run(const char *name, const struct series *s)
{
	double sum = 0;
	size_t n = 0;

	for (uint32_t i = 0; i < s->n; i++)
		if (series_type(s, i) == CELL_INT ||
		    series_type(s, i) == CELL_FLOAT) {
			sum += series_value(s, i);
			n++;
		}
	if (name_ends(name, ".fail"))
		return sum > 0;
	return n ? sum / (double)n : 0;
}

static bool has_numbers(const struct series *s)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (series_type(s, i) != CELL_NONE)
			return true;
	return false;
}

static void add_series(struct unite *u, const char *name,
		       const struct series *s)
{
	const struct summary *sum = series_summary(s);
	size_t len = strlen(name);
	union cell cell;

	if (sum) {
		cell.f = sum->is_failure ? sum->fails : sum->mean;
		unite_add(u, name, len, CELL_FLOAT, cell);
	} else if (s->in_process && !s->bad && has_numbers(s)) {
		cell.f = value_of_run(name, s);
		unite_add(u, name, len, CELL_FLOAT, cell);
	} else {
		for (uint32_t i = 0; i < s->n; i++)
			unite_add(u, name, len, series_type(s, i),
				  series_cell(s, i));
	}
}

/* Runs of one side may come from several boxes. */
static void add_box(struct side *s, struct result *to, const char *box)
{
	if (!box || (to->box && strstr(to->box, box)))
		return;
	to->box = to->box ? arena_printf(&s->rs->arena, "%s, %s", to->box, box)
			  : arena_strdup(&s->rs->arena, box);
}

static int add_file(struct side *s, size_t file, const char *path,
		    struct err *err)
{
	struct results one;
	int rc;

	results_init(&one);
	rc = read_file(&one, path, err);
	for (size_t i = 0; rc == 0 && i < one.n; i++) {
		const struct result *r = one.result[i];
		struct part *p = find_part(s, r, file);

		add_box(s, p->r, r->box);
		for (size_t k = 0; k < r->nseries; k++)
			add_series(&p->u, series_name(r, &r->series[k]),
				   &r->series[k]);
	}
	if (rc == 0)
		json_object_update_recursive(s->rs->facts, one.facts);
	results_release(&one);
	/* A part that this file does not have has no value from it. */
	for (size_t i = 0; i < s->n; i++)
		unite_end_run(&s->part[i].u);
	return rc;
}

static int read_side(struct results *rs, const char *path, char **files,
		     size_t n, struct err *err)
{
	struct side s = { .rs = rs, .path = path };
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = add_file(&s, i, files[i], err);
	for (size_t i = 0; i < s.n; i++) {
		if (rc == 0)
			unite_finish(&s.part[i].u, rs, s.part[i].r);
		unite_release(&s.part[i].u);
	}
	free(s.part);
	return rc;
}

/* Names of files, each and the list from malloc(). */
struct files {
	char **name;
	size_t n;
};

static void add_name(struct files *f, char *name)
{
	f->name = reallocarray(f->name, f->n + 1, sizeof(*f->name));
	if (!f->name || !name)
		die_no_memory();
	f->name[f->n++] = name;
}

/* A run counts once, however often it is named. */
static void add_name_once(struct files *f, char *name)
{
	for (size_t i = 0; name && i < f->n; i++) {
		if (strcmp(f->name[i], name))
			continue;
		log_warn("'%s' is given twice: it counts once", name);
		free(name);
		return;
	}
	add_name(f, name);
}

static void files_release(struct files *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->name[i]);
	free(f->name);
}

int read_list(struct results *rs, const char *list, struct err *err)
{
	struct files f = { .n = 0 };
	const char *p = list;
	int rc;

	while (f.n < FILES_MAX) {
		size_t len = strcspn(p, ",");

		if (len)
			add_name_once(&f, strndup(p, len));
		if (!p[len])
			break;
		p += len + 1;
	}
	rc = read_side(rs, list, f.name, f.n, err);
	files_release(&f);
	return rc;
}

static bool is_result_name(const char *name)
{
	return *name != '.' && (name_ends(name, ".json") ||
				name_ends(name, ".json.gz") ||
				name_ends(name, ".json.xz"));
}

/* run2 before run10 */
static int by_version(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

int read_folder(struct results *rs, const char *path, struct err *err)
{
	struct files f = { .n = 0 };
	DIR *d = opendir(path);
	struct dirent *e;
	int rc;

	if (!d)
		return err_sys(err, "cannot read folder '%s'", path);
	while ((e = readdir(d)) && f.n < FILES_MAX) {
		char *name = NULL;

		if (!is_result_name(e->d_name))
			continue;
		if (asprintf(&name, "%s/%s", path, e->d_name) == -1)
			die_no_memory();
		add_name(&f, name);
	}
	closedir(d);
	if (f.n)
		qsort(f.name, f.n, sizeof(*f.name), by_version);
	rc = f.n ? read_side(rs, path, f.name, f.n, err) :
		err_set(err, ERR_INPUT, "no results in folder '%s': neither "
			"matrix.json nor runs (0/ 1/ ... with stats.json) "
			"nor files of results", path);
	files_release(&f);
	return rc;
}

/* The last "parts" parts of the path, without slashes at its end and without
 * the ending of a result file: "base/run" of "x/base/run.json.gz". */
static char *tail(const char *path, size_t parts)
{
	static const char *const endings[] = { ".gz", ".xz", ".json" };
	size_t len = strlen(path), start;
	char *name;

	while (len > 1 && path[len - 1] == '/')
		len--;
	for (start = len; start; start--)
		if (path[start - 1] == '/' && start < len && !--parts)
			break;
	name = strndup(path + start, len - start);
	if (!name)
		die_no_memory();
	for (size_t i = 0; i < 3; i++)
		if (name_ends(name, endings[i]))
			name[strlen(name) - strlen(endings[i])] = '\0';
	return name;
}

/* "base1.json,base2.json": what the paths begin with, "base".  Of a folder the
 * full path, since "." names nothing. */
static char *plain_path(const char *path)
{
	size_t first = strcspn(path, ","), same = first;
	char *plain = NULL;

	if (file_is_folder(path))
		plain = realpath(path, NULL);
	if (plain)
		return plain;
	if (!path[first] || file_exists(path))
		same = first = strlen(path);
	for (const char *p = path + first; *p; p += strcspn(p, ",")) {
		size_t i = 0;

		p++;
		while (i < same && p[i] == path[i])
			i++;
		same = i;
	}
	while (path[first] && same && !isalpha((unsigned char)path[same - 1]))
		same--;
	plain = strndup(path, same ? same : first);
	if (!plain)
		die_no_memory();
	return plain;
}

static void set_command(struct results *rs, struct result *r)
{
	if (!r->command)
		return;
	result_set_axis(rs, r, "command", r->command);
	result_sort_axes(r);
}

static void set_name(struct results *rs, struct result *r, const char *name)
{
	r->name = arena_strdup(&rs->arena, name);
	if (r->command && !rs->paths) {
		/* Alone on the command line it may hold both sides. */
		result_set_axis(rs, r, "commit", r->command);
		return;
	}
	set_command(rs, r);
	if (result_axis(r, "commit"))
		return;
	result_set_axis(rs, r, "commit", name);
	r->by_path = true;
}

/* The first file, thought to hold both sides, is one of several after all. */
static void reconsider_first(struct results *rs, size_t first)
{
	for (size_t i = 0; i < first; i++) {
		struct result *r = rs->result[i];

		if (!r->command || r->by_path)
			continue;
		set_command(rs, r);
		result_set_axis(rs, r, "commit", r->name);
		r->by_path = true;
	}
}

/* A file with one command beside one with several: it is one of those tests. */
static void match_commands(struct results *rs)
{
	bool several = false;

	for (size_t i = 0; i < rs->n; i++)
		several |= result_axis(rs->result[i], "command") != NULL;
	for (size_t i = 0; i < rs->n && several; i++) {
		struct result *r = rs->result[i];
		const char *test = result_axis(r, "testcase");

		if (!r->ran || !test || strcmp(test, "hyperfine") ||
		    result_axis(r, "command"))
			continue;
		r->command = r->ran;
		set_command(rs, r);
	}
}

static bool same_place(const char *a, const char *b)
{
	char *x = realpath(a, NULL), *y = realpath(b, NULL);
	bool same = x && y ? !strcmp(x, y) : !strcmp(a, b);

	free(x);
	free(y);
	return same;
}

/* Do both claim to be the same commit of the same test, on no firm ground? */
static bool collide(const struct result *a, const struct result *b)
{
	if (a->is_sure || b->is_sure || !result_same_axes(a, b, "commit") ||
	    same_place(a->source, b->source))
		return false;
	if (!strcmp(result_axis(a, "commit"), result_axis(b, "commit")))
		return true;
	return a->by_path && b->by_path && !strcmp(a->name, b->name);
}

/* Name both after the last part of their paths that is not the same. */
static void tell_apart(struct results *rs, struct result *a, struct result *b)
{
	char *path_a = plain_path(a->source), *path_b = plain_path(b->source);
	char *x = NULL, *y = NULL;

	for (size_t parts = 1; parts < 64; parts++) {
		free(x);
		free(y);
		x = tail(path_a, parts);
		y = tail(path_b, parts);
		if (strcmp(x, y))
			break;
	}
	if (!a->by_path || !b->by_path)
		log_warn("'%s' and '%s' both say that they are %s: named "
			 "after their paths", a->source, b->source,
			 result_axis(a, "commit"));
	x[strcspn(x + 1, "/") + 1] = '\0';
	y[strcspn(y + 1, "/") + 1] = '\0';
	result_set_axis(rs, a, "commit", x);
	result_set_axis(rs, b, "commit", y);
	a->by_path = b->by_path = true;
	free(x);
	free(y);
	free(path_a);
	free(path_b);
}

void name_results(struct results *rs, size_t first, const char *path)
{
	char *plain = plain_path(path), *stem = tail(plain, 1);

	if (rs->paths == 1)
		reconsider_first(rs, first);
	for (size_t i = first; i < rs->n; i++)
		set_name(rs, rs->result[i], stem);
	match_commands(rs);
	for (size_t i = first; i < rs->n; i++) {
		for (size_t k = 0; k < first; k++)
			if (collide(rs->result[k], rs->result[i]))
				tell_apart(rs, rs->result[k], rs->result[i]);
	}
	free(plain);
	free(stem);
}
