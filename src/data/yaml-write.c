#include "data/yaml-write.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"

/* YAML 1.2 5.3 and 7.3.3: may the text stand without quotes? */
static bool is_plain(const char *s, size_t len)
{
	if (!len || isspace((unsigned char)s[len - 1]) ||
	    strchr("-?:,[]{}#&*!|>'\"%@` <~=", *s) || !strcasecmp(s, "null"))
		return false;
	for (size_t i = 0; i < len; i++) {
		if ((unsigned char)s[i] < 0x20 || (unsigned char)s[i] >= 0x7f ||
		    strchr(",[]{}", s[i]))
			return false;
		if (s[i] == ':' && (i + 1 == len || s[i + 1] == ' '))
			return false;
		if (s[i] == '#' && s[i - 1] == ' ')
			return false;
	}
	return true;
}

/* YAML 5.1: a character of two or three bytes that must be escaped (C1, the
 * Unicode line ends, the byte order mark), or 0. */
static unsigned int special(const char *s)
{
	if (s[0] == '\xc2' && (unsigned char)s[1] < 0xa0)
		return (unsigned char)s[1];
	if (!strncmp(s, "\xe2\x80\xa8", 3) || !strncmp(s, "\xe2\x80\xa9", 3))
		return s[2] == '\xa8' ? 0x2028 : 0x2029;
	return strncmp(s, "\xef\xbb\xbf", 3) ? 0 : 0xfeff;
}

/* JSON is YAML, but for what YAML takes for line ends and controls. */
static void add_quoted(struct buf *out, const json_t *v)
{
	struct buf json = BUF_INIT(out->max);
	unsigned int c;

	json_write(&json, v, 0);
	for (const char *s = json.s; *s; s++) {
		c = *s == 0x7f ? 0x7f : special(s);
		if (!c) {
			buf_addch(out, *s);
			continue;
		}
		buf_addf(out, "\\u%04x", c);
		s += c < 0x80 ? 0 : c < 0x800 ? 1 : 2;
	}
	buf_release(&json);
}

static void add_text(struct buf *out, const char *s)
{
	json_t *v;

	if (is_plain(s, strlen(s))) {
		buf_addstr(out, s);
		return;
	}
	v = json_string(s);
	add_quoted(out, v);
	json_decref(v);
}

static void add_scalar(struct buf *out, const json_t *v)
{
	if (json_is_string(v) &&
	    strlen(json_string_value(v)) == json_string_length(v))
		add_text(out, json_string_value(v));
	else
		add_quoted(out, v);
}

static bool is_scalar(const json_t *v)
{
	return !json_is_array(v) && !json_is_object(v);
}

/* On one line: nothing to indent below it. */
static bool is_flat(const json_t *v)
{
	const json_t *item;
	size_t i;

	if (is_scalar(v))
		return true;
	if (json_is_object(v))
		return json_object_size(v) == 0;
	json_array_foreach(v, i, item)
		if (!is_scalar(item))
			return false;
	return true;
}

static void add_flat(struct buf *out, const json_t *v)
{
	const json_t *item;
	size_t i;

	if (json_is_object(v)) {
		buf_addstr(out, "{}");
	} else if (is_scalar(v)) {
		add_scalar(out, v);
	} else {
		buf_addch(out, '[');
		json_array_foreach(v, i, item) {
			buf_addstr(out, i ? ", " : "");
			add_scalar(out, item);
		}
		buf_addch(out, ']');
	}
	buf_addch(out, '\n');
}

static void indent(struct buf *out, int depth)
{
	for (int i = 0; i < depth; i++)
		buf_addstr(out, "  ");
}

/* Recursion is bounded: values were read with a cap on their depth. */
static void add_value(struct buf *out, const json_t *v, int depth);

static void add_member(struct buf *out, const char *key, const json_t *value,
		       int depth)
{
	indent(out, depth);
	add_text(out, key);
	buf_addstr(out, is_flat(value) ? ": " : ":\n");
	add_value(out, value, depth + 1);
}

static void add_value(struct buf *out, const json_t *v, int depth)
{
	const json_t *item;
	const char *key;
	size_t i;

	if (depth > JSON_DEPTH_MAX)
		return;
	if (is_flat(v)) {
		add_flat(out, v);
	} else if (json_is_object(v)) {
		json_object_foreach((json_t *)(uintptr_t)v, key, item)
			add_member(out, key, item, depth);
	} else {
		json_array_foreach(v, i, item) {
			indent(out, depth);
			buf_addstr(out, is_flat(item) ? "- " : "-\n");
			add_value(out, item, depth + 1);
		}
	}
}

void yaml_write(struct buf *out, const json_t *v)
{
	add_value(out, v, 0);
}
