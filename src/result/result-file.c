#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/log.h"
#include "data/scan.h"
#include "result/build.h"
#include "result/readers.h"

/* A file of any format. */

#define FILE_MAX ((size_t)4 << 30)
#define WHOLE_MAX ((size_t)256 << 20)	/* of other tools' files */

/* A matrix.json or stats.json that lies in its folder, or any other file. */
static int set_matrix_axes(struct results *rs, struct result *r,
			   const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	char *folder;
	int rc;

	if (strncmp(name, "matrix.json", 11) && strncmp(name, "stats.json", 10)) {
		set_source_axes(rs, r);
		return 0;
	}
	folder = slash ? strndup(path, (size_t)(slash - path) + 1) :
		strdup(".");
	if (!folder)
		die_no_memory();
	rc = set_lkp_axes(rs, r, folder, err);
	free(folder);
	return rc;
}

static int read_matrix_file(struct results *rs, const char *path,
			    struct scan *s, struct err *err)
{
	struct result *r = result_new(rs, path);

	if (read_matrix(rs, r, s, err) == -1)
		return -1;
	if (scan_next(s) != SCAN_END)
		return scan_fail(s, err);
	return set_matrix_axes(rs, r, path, err);
}

/* All that is left of "s". */
static json_t *read_rest(struct scan *s, struct err *err)
{
	json_t *v = scan_value_loose(s, scan_next(s), err);

	if (v && scan_next(s) != SCAN_END) {
		scan_fail(s, err);
		json_decref(v);
		v = NULL;
	}
	return v;
}

json_t *read_loosely(const char *text, size_t len, const char *name,
		     struct err *err)
{
	struct scan *s = scan_open_text(text, len, name);
	json_t *v = read_rest(s, err);

	scan_close(s);
	return v;
}

static int read_value(struct results *rs, const char *path, struct scan *s,
		      int (*read)(struct results *, const char *,
				  const json_t *, struct err *),
		      struct err *err)
{
	json_t *root = read_rest(s, err);
	int rc = root ? read(rs, path, root, err) : -1;

	json_decref(root);
	return rc;
}

/* Blank all before the line at "to"; the lines stay, for the numbers of those
 * behind them. */
static void blank_before(char *s, const char *to)
{
	for (; s < to; s++)
		if (*s != '\n')
			*s = ' ';
}

/*
 * fio's own log lines may stand before its object and behind it.  With
 * --status-interval there is an object each time, of all so far: the last one
 * is the run's.
 */
static int read_fio_text(struct results *rs, const char *path,
			 struct buf *text, struct err *err)
{
	char *start = text->s, *end = strrchr(text->s, '}'), *next;
	json_t *root;
	int rc = -1;

	while (*start && *start != '{') {
		start = strchrnul(start, '\n');
		start += *start == '\n';
	}
	while ((next = strstr(start, "\n}\n{\n")))
		start = next + strlen("\n}\n");
	blank_before(text->s, start);
	if (!end || end < start)
		return err_set(err, ERR_INPUT, "%s:1: cut off", path);
	root = read_loosely(text->s, (size_t)(end + 1 - text->s), path, err);
	if (root)
		rc = read_fio(rs, path, root, err);
	json_decref(root);
	return rc;
}

static int read_as_text(struct results *rs, const char *path, struct scan *s,
			enum format format, struct err *err)
{
	struct buf text = BUF_INIT(WHOLE_MAX);
	int rc = scan_take(s, &text, err);

	if (rc == 0 && memchr(text.s, '\0', text.len))
		rc = err_set(err, ERR_INPUT, "%s:1: a NUL in it", path);
	if (rc == 0)
		rc = format == FORMAT_FIO ? read_fio_text(rs, path, &text, err)
			: read_perf(rs, path, &text, err);
	buf_release(&text);
	return rc;
}

/* Broken JSON is better told as such than as an unknown format. */
static int unknown(const char *path, struct scan *s, struct err *err)
{
	size_t len;
	const char *text = scan_peek(s, &len);
	char first = text[strspn(text, " \t\r\n")];

	if ((first == '{' || first == '[' || !first) &&
	    scan_skip(s, scan_next(s)) == -1)
		return scan_fail(s, err);
	return err_set(err, ERR_INPUT, "%s:1: no format that perfpost knows, "
		       "see perfpost-results(5)", path);
}

static const struct {
	enum format format;
	int (*read)(struct results *rs, const char *path, const json_t *root,
		    struct err *err);
} readers[] = {
	{ FORMAT_HYPERFINE, read_hyperfine },
	{ FORMAT_GOOGLE, read_google },
	{ FORMAT_PYTEST, read_pytest },
	{ FORMAT_KCIDB, read_kcidb },
	{ FORMAT_MMTESTS, read_mmtests },
};

static void warn_of_bad_rows(const struct result *r)
{
	for (size_t i = 0; i < r->nseries; i++)
		if (r->series[i].bad)
			log_warn("%s: row '%.200s' left out: a value of it is "
				 "no number", r->source,
				 series_name(r, &r->series[i]));
}

static int read_other(struct results *rs, const char *path, struct scan *s,
		      enum format format, struct err *err)
{
	if (format == FORMAT_FIO || format == FORMAT_PERF)
		return read_as_text(rs, path, s, format, err);
	for (size_t i = 0; i < sizeof(readers) / sizeof(*readers); i++)
		if (readers[i].format == format)
			return read_value(rs, path, s, readers[i].read, err);
	return unknown(path, s, err);
}

int read_file(struct results *rs, const char *path, struct err *err)
{
	struct scan *s = scan_open(path, FILE_MAX, err);
	enum format format;
	const char *text;
	size_t len, before = rs->n;
	int rc = -1;

	if (!s)
		return -1;
	text = scan_peek(s, &len);
	format = format_recognise(text, len);
	if (format == FORMAT_MATRIX || format == FORMAT_OWN)
		scan_next(s);	/* the object, as recognised */
	if (format == FORMAT_MATRIX)
		rc = read_matrix_file(rs, path, s, err);
	else if (format == FORMAT_OWN)
		rc = read_own(rs, s, err);
	else
		rc = read_other(rs, path, s, format, err);
	for (size_t i = before; rc == 0 && i < rs->n; i++)
		if (format != FORMAT_MATRIX && format != FORMAT_OWN)
			warn_of_bad_rows(rs->result[i]);
	scan_close(s);
	return rc;
}
