#include "data/json.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/utf8.h"
#include "data/scan.h"

/* All of "s", which is closed; NULL passes an error on. */
static json_t *read_all(struct scan *s, struct err *err)
{
	json_t *v = NULL;

	if (s)
		v = scan_value(s, scan_next(s), err);
	if (v && scan_next(s) != SCAN_END) {
		scan_fail(s, err);
		json_decref(v);
		v = NULL;
	}
	scan_close(s);
	return v;
}

json_t *json_read_text(const char *text, size_t len, const char *name,
		       struct err *err)
{
	return read_all(scan_open_text(text, len, name), err);
}

json_t *json_read_file(const char *path, size_t max, struct err *err)
{
	return read_all(scan_open(path, max, err), err);
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

/* A character that JSON cannot hold as it is. */
static void add_escaped(struct buf *out, char c)
{
	static const char named[] = "\n\t\r\b\f\"\\";
	const char *n = c ? strchr(named, c) : NULL;

	if (!n) {
		buf_addf(out, "\\u%04x", c);
		return;
	}
	buf_addch(out, '\\');
	buf_addch(out, "ntrbf\"\\"[n - named]);
}

/* Bytes that stand in a JSON text as they are. */
static const bool is_plain[256] = {
	[' '] = true, ['!'] = true, ['#' ... '['] = true,
	[']' ... '~'] = true, [0x80 ... 0xff] = true,
};

#define EACH(byte) (0x0101010101010101 * (uint64_t)(byte))

/* Not 0 when one of the eight bytes is 0. */
static uint64_t zero_in(uint64_t eight)
{
	return (eight - EACH(1)) & ~eight & EACH(0x80);
}

/* How many bytes at "s" stand as they are. */
static size_t plain_run(const char *s, size_t len)
{
	uint64_t eight;
	size_t i = 0;

	for (; i + 8 <= len; i += 8) {
		memcpy(&eight, s + i, 8);
		if (((eight - EACH(' ')) & ~eight & EACH(0x80)) |
		    zero_in(eight ^ EACH('"')) | zero_in(eight ^ EACH('\\')) |
		    zero_in(eight ^ EACH(0x7f)))
			break;
	}
	while (i < len && is_plain[(unsigned char)s[i]])
		i++;
	return i;
}

/* RFC 8259 7; what is no UTF-8 becomes U+FFFD. */
static void add_string(struct buf *out, const char *text, size_t len)
{
	struct buf clean = BUF_INIT(SIZE_MAX);

	if (!utf8_valid(text, len)) {
		utf8_clean(&clean, text, len);
		text = clean.s;
		len = clean.len;
	}
	buf_addch(out, '"');
	for (size_t i = 0, n; i < len; i += n + 1) {
		n = plain_run(text + i, len - i);
		buf_add(out, text + i, n);
		if (i + n < len)
			add_escaped(out, text[i + n]);
	}
	buf_addch(out, '"');
	buf_release(&clean);
}

void json_write_text(struct buf *out, const char *text)
{
	if (text)
		add_string(out, text, strlen(text));
	else
		buf_addstr(out, "null");
}

static void add_scalar(struct buf *out, const json_t *v)
{
	double d = json_real_value(v);

	if (json_is_string(v))
		add_string(out, json_string_value(v), json_string_length(v));
	else if (json_is_integer(v))
		buf_addf(out, "%lld", (long long)json_integer_value(v));
	else if (json_is_boolean(v))
		buf_addstr(out, json_is_true(v) ? "true" : "false");
	else if (!json_is_real(v) || !isfinite(d))
		buf_addstr(out, "null");
	else {
		size_t before = out->len;

		add_real(out, d);
		/* It must not come back as an integer. */
		if (!strpbrk(out->s + before, ".e"))
			buf_addstr(out, ".0");
	}
}

static void new_line(struct buf *out, int indent, int depth)
{
	if (indent > 0)
		buf_addf(out, "\n%*s", indent * depth, "");
}

/* Recursion is fine: what is read is no deeper than JSON_DEPTH_MAX, what we
 * build ourselves no deeper than that either. */
static void add_value(struct buf *out, const json_t *v, int indent, int depth)
{
	const char *comma = indent > 0 ? "," : ", ", *key;
	json_t *object = (json_t *)(uintptr_t)v, *child;
	size_t n = 0;

	if (!json_is_array(v) && !json_is_object(v)) {
		add_scalar(out, v);
		return;
	}
	buf_addch(out, json_is_array(v) ? '[' : '{');
	for (; n < json_array_size(v); n++) {
		buf_addstr(out, n ? comma : "");
		new_line(out, indent, depth + 1);
		add_value(out, json_array_get(v, n), indent, depth + 1);
	}
	json_object_foreach(object, key, child) {
		buf_addstr(out, n++ ? comma : "");
		new_line(out, indent, depth + 1);
		add_string(out, key, strlen(key));
		buf_addstr(out, ": ");
		add_value(out, child, indent, depth + 1);
	}
	if (n)
		new_line(out, indent, depth);
	buf_addch(out, json_is_array(v) ? ']' : '}');
}

void json_write(struct buf *out, const json_t *v, int indent)
{
	add_value(out, v, indent, 0);
}

const char *json_member_text(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

double json_number_or_nan(const json_t *v)
{
	return json_is_number(v) ? json_number_value(v) : NAN;
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
	if (utf8_valid(text, strlen(text)))
		return json_string_nocheck(text);
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
