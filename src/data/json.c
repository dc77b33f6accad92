#include "data/json.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/utf8.h"
#include "data/source.h"

json_t *json_read_text(const char *text, size_t len, const char *name,
		       struct err *err)
{
	json_error_t e;
	json_t *v = json_loadb(text, len, JSON_REJECT_DUPLICATES |
			       JSON_DECODE_ANY, &e);

	if (!v)
		err_set(err, ERR_INPUT, "%s:%d: %s", name, e.line, e.text);
	return v;
}

json_t *json_read_file(const char *path, size_t max, struct err *err)
{
	struct buf text = BUF_INIT(max);
	json_t *v = NULL;

	if (source_read_all(path, &text, err) == 0)
		v = json_read_text(text.s, text.len, path, err);
	buf_release(&text);
	return v;
}

static int add_text(const char *text, size_t len, void *out)
{
	buf_add(out, text, len);
	return 0;
}

void json_write(struct buf *out, const json_t *v, int indent)
{
	size_t flags = JSON_ENCODE_ANY | JSON_REAL_PRECISION(17);

	flags |= indent > 0 ? JSON_INDENT((size_t)indent) : 0;
	json_dump_callback(v, add_text, out, flags);
}

const char *json_member_text(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/* The shortest decimal form that reads back as the same number. */
static void add_real(struct buf *out, double value)
{
	char s[40];

	for (int digits = 15; digits <= 17; digits++) {
		snprintf(s, sizeof(s), "%.*g", digits, value);
		if (strtod(s, NULL) == value)
			break;
	}
	buf_addstr(out, s);
}

void json_scalar(struct buf *out, const json_t *v)
{
	if (json_is_real(v))
		add_real(out, json_real_value(v));
	else if (json_is_string(v))
		buf_add(out, json_string_value(v), json_string_length(v));
	else if (v && !json_is_null(v) && !json_is_array(v) &&
		 !json_is_object(v))
		json_write(out, v, 0);
}

json_t *json_number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_text(const char *text)
{
	struct buf clean = BUF_INIT(SIZE_MAX);
	json_t *v;

	if (!text)
		return json_null();
	v = json_string(text);
	if (v)
		return v;
	utf8_clean(&clean, text, strlen(text));
	v = json_stringn(clean.s, clean.len);
	buf_release(&clean);
	return v;
}

bool json_is_text_list(const json_t *v)
{
	for (size_t i = 0; i < json_array_size(v); i++)
		if (!json_is_string(json_array_get(v, i)))
			return false;
	return json_is_array(v);
}
