#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
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

static int read_value(struct results *rs, const char *path, struct scan *s,
		      int (*read)(struct results *, const char *,
				  const json_t *, struct err *),
		      struct err *err)
{
	json_t *root = scan_value(s, scan_next(s), err);
	int rc = -1;

	if (root && scan_next(s) != SCAN_END)
		scan_fail(s, err);
	else if (root)
		rc = read(rs, path, root, err);
	json_decref(root);
	return rc;
}

/* fio's own log lines may stand before its object and behind it. */
static int read_fio_text(struct results *rs, const char *path,
			 const struct buf *text, struct err *err)
{
	const char *start = text->s, *end;
	json_t *root;
	int rc = -1;

	while (*start && *start != '{') {
		start = strchr(start, '\n');
		start = start ? start + 1 : "";
	}
	end = strrchr(start, '}');
	if (!end)
		return err_set(err, ERR_INPUT, "%s: cut off", path);
	root = json_read_text(start, (size_t)(end + 1 - start), path, err);
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
		rc = err_set(err, ERR_INPUT, "%s: a NUL in it", path);
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
	return err_set(err, ERR_INPUT, "%s: no format that perfpost knows, "
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
	size_t len;
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
	scan_close(s);
	return rc;
}
