#ifndef TESTS_RESULT_FILES_H
#define TESTS_RESULT_FILES_H

/* Files and folders for the tests of the result room, and what is read from
 * them.  Include it once, behind cmocka.h. */

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "result/result.h"

/* A folder of the test's own, and what went to standard error. */
static char top[] = "/tmp/test-result-XXXXXX";
static char said[65536];

static int make_top(void **state)
{
	(void)state;
	return mkdtemp(top) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int remove_top(void **state)
{
	(void)state;
	return nftw(top, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Write the file top/PATH; returns its whole path, static. */
static inline const char *put(const char *path, const char *text)
{
	static char full[4][400];
	static int turn;
	char *f = full[turn++ % 4], *slash;
	struct err err = ERR_INIT;

	snprintf(f, sizeof(full[0]), "%s/%s", top, path);
	slash = strrchr(f, '/');
	*slash = '\0';
	assert_int_equal(file_make_folder(f, &err), 0);
	*slash = '/';
	assert_int_equal(file_write(f, text, strlen(text), &err), 0);
	return f;
}

static int read_quietly(struct results *rs, const char *path, struct err *err)
{
	FILE *f = tmpfile();
	int saved = dup(STDERR_FILENO), rc;
	size_t n;

	fflush(stderr);
	dup2(fileno(f), STDERR_FILENO);
	rc = results_read(rs, path, err);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(f);
	n = fread(said, 1, sizeof(said) - 1, f);
	said[n] = '\0';
	fclose(f);
	return rc;
}

/* Read "text" as a file "x.json"; release the results. */
static inline int read_text(struct results *rs, const char *text, struct err *err)
{
	results_init(rs);
	return read_quietly(rs, put("x.json", text), err);
}

static const struct result *only(const struct results *rs)
{
	assert_int_equal(rs->n, 1);
	return rs->result[0];
}

/* The row as text: "1 2.5 - TEXT". */
static const char *row(const struct result *r, const char *name)
{
	static char text[1000];
	const struct series *s = result_series(r, name);
	size_t n = 0;

	*text = '\0';
	if (!s)
		return "none";
	for (uint32_t i = 0; i < s->n; i++) {
		static const char *const words[] = { "-", "", "", "TEXT" };
		enum cell_type t = series_type(s, i);
		const char *sep = i ? " " : "";

		if (t == CELL_INT)
			n += (size_t)snprintf(text + n, sizeof(text) - n,
				"%s%lld", sep, (long long)series_cell(s, i).i);
		else if (t == CELL_FLOAT)
			n += (size_t)snprintf(text + n, sizeof(text) - n,
				"%s%#.10g", sep, series_cell(s, i).f);
		else
			n += (size_t)snprintf(text + n, sizeof(text) - n,
				"%s%s", sep, words[t]);
	}
	return text;
}

#endif
