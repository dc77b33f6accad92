#ifndef DATA_SCAN_H
#define DATA_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "data/cells.h"
#include "data/json.h"

struct buf;
struct err;

/*
 * JSON read once, front to back and piece by piece, so that a matrix of any
 * size needs no more memory than the numbers in it.  json.h builds values with
 * it; the result room reads matrices.
 *
 *	struct scan *s = scan_open(path, MAX, err);
 *	while ((token = scan_next(s)) != SCAN_END) ...
 *
 * What is wrong inside a number or a word costs that token alone (SCAN_ODD);
 * broken structure ends the text (SCAN_ERROR, from then on always).
 */
struct scan;

enum scan_token {
	SCAN_ERROR,
	SCAN_END,		/* the text is over, and was whole */
	SCAN_OBJECT, SCAN_OBJECT_END,
	SCAN_ARRAY, SCAN_ARRAY_END,
	SCAN_NAME,		/* of a member; its value comes next */
	SCAN_TEXT,
	SCAN_INT, SCAN_FLOAT,
	SCAN_TRUE, SCAN_FALSE, SCAN_NULL,
	SCAN_ODD,		/* NaN, 1e999, 007, yes ... */
};

/* As source_open(). */
struct scan *scan_open(const char *path, size_t max, struct err *err);

/* A text in memory, which is copied; "name" for errors. */
struct scan *scan_open_text(const char *text, size_t len, const char *name);

void scan_close(struct scan *s);	/* NULL: nothing */

/* From now on Infinity and -Infinity, which are no JSON though Ruby and Python
 * write them, are SCAN_FLOAT; or SCAN_ODD again. */
void scan_take_infinity(struct scan *s, bool take);

/* The beginning of the text, as much as is at hand (at least 32 KB, or all of
 * it), without reading on.  Only before the first scan_next(). */
const char *scan_peek(struct scan *s, size_t *len);

/* Append the whole text instead, JSON or not.  Likewise. */
int scan_take(struct scan *s, struct buf *out, struct err *err);

/* The next token; after SCAN_END and SCAN_ERROR always the same. */
enum scan_token scan_next(struct scan *s);

/* Of SCAN_NAME, SCAN_TEXT and SCAN_ODD (as written): NUL-terminated, without
 * NULs inside, good until the next call. */
const char *scan_text(const struct scan *s, size_t *len);

/* Had it bytes that are no UTF-8?  They stand in it as '?'. */
bool scan_text_mended(const struct scan *s);

/* Of SCAN_INT and SCAN_FLOAT. */
union cell scan_number(const struct scan *s);

int scan_line(struct scan *s);	/* of the last token, from 1 */
const char *scan_name(const struct scan *s);	/* of the text, for messages */

/* After SCAN_ERROR: fill "err" ("NAME:LINE: reason"), return -1. */
int scan_fail(const struct scan *s, struct err *err);

/*
 * After SCAN_ARRAY: read to the end of that array.  Numbers and null become
 * cells, all else (lists and objects are passed over) CELL_TEXT.  Returns 0,
 * or -1 on SCAN_ERROR.
 */
int scan_cells(struct scan *s, struct cells *cells);

/* The first CELL_TEXT of the last scan_cells(): what stood there, cut to be
 * shown, and its line. */
const char *scan_first_odd(const struct scan *s, int *line);

/* Pass over the value that begins with "token", the last one read. */
int scan_skip(struct scan *s, enum scan_token token);

/* Build it: a new reference, or NULL with "err".  Here SCAN_ODD, bytes that
 * are no UTF-8 and a key that stands twice are errors. */
json_t *scan_value(struct scan *s, enum scan_token token, struct err *err);

/* The same, but SCAN_ODD becomes text, as it is written. */
json_t *scan_value_odd(struct scan *s, enum scan_token token,
		       struct err *err);

/* And of a key that stands twice the last counts, and bytes that are no UTF-8
 * stand in texts as '?': for files of tools that write such. */
json_t *scan_value_loose(struct scan *s, enum scan_token token,
			 struct err *err);

#endif
