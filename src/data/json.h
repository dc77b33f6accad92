#ifndef DATA_JSON_H
#define DATA_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct err;

/*
 * JSON values.  The value type is jansson's json_t, handed on as it is: its
 * json_object_get(), json_array_foreach() and the like are used everywhere.
 * Reading is ours: input comes from strangers, so size and depth are capped,
 * a key that stands twice, NaN, 1e999 and text behind the value are errors,
 * and every error says "NAME:LINE: reason".
 */

#define JSON_DEPTH_MAX 100	/* arrays and objects inside each other */

/* One value, which is all of "text".  "name" is for errors.  Returns a new
 * reference, or NULL with "err" (ERR_INPUT). */
json_t *json_read_text(const char *text, size_t len, const char *name,
		       struct err *err);

/* The same from a file ("-": standard input) of at most "max" bytes after
 * unpacking; .gz and .xz are recognised by content. */
json_t *json_read_file(const char *path, size_t max, struct err *err);

/* Append "v" as text: one line, or with "indent" > 0 pretty.  Numbers in the
 * shortest form that reads back as the same; key order is kept. */
void json_write(struct buf *out, const json_t *v, int indent);

/* The same for a text alone, NULL: null.  For what is too much to make values
 * of first; the commas and colons around it are the caller's. */
void json_write_text(struct buf *out, const char *text);

/* The string member "key" of "object", or NULL when there is none. */
const char *json_member_text(const json_t *object, const char *key);

/* The number, NaN for all that is none. */
double json_number_or_nan(const json_t *v);

/* Append the scalar as a person writes it: text as it is, 1, 0.5, true;
 * nothing for null, lists and objects. */
void json_scalar(struct buf *out, const json_t *v);

/* New references: null for NaN, infinities, NULL; text that is no UTF-8 is
 * mended with U+FFFD. */
json_t *json_number(double value);
json_t *json_text(const char *text);

/* Is it a list of strings and nothing else (or an empty one)? */
bool json_is_text_list(const json_t *v);

#endif
