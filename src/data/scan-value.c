#include "data/scan.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"

/* What is taken that is no good JSON; each takes what those before do. */
enum mercy { STRICT, ODD, LOOSE };

/* One value whose parts, if any, are added by scan_value(). */
static json_t *make_value(struct scan *s, enum scan_token token)
{
	const char *text;
	size_t len;

	switch (token) {
	case SCAN_OBJECT:
		return json_object();
	case SCAN_ARRAY:
		return json_array();
	case SCAN_TEXT:
		text = scan_text(s, &len);
		return json_stringn_nocheck(text, len);
	case SCAN_INT:
		return json_integer(scan_number(s).i);
	case SCAN_FLOAT:
		return json_real(scan_number(s).f);
	case SCAN_TRUE:
		return json_true();
	case SCAN_FALSE:
		return json_false();
	case SCAN_NULL:
		return json_null();
	default:
		return NULL;
	}
}

static bool refuse(struct scan *s, struct err *err, const char *what)
{
	err_set(err, ERR_INPUT, "%s:%d: '%.80s' %s", scan_name(s),
		scan_line(s), scan_text(s, NULL), what);
	return false;
}

/* A container that is being filled, and the name its next value gets. */
struct level {
	json_t *value;
	char *name;
};

/* The name of a member: not twice, and text as it was written. */
static bool take_name(struct scan *s, enum mercy mercy, struct level *l,
		      struct err *err)
{
	const char *name = scan_text(s, NULL);

	if (scan_text_mended(s) && mercy < LOOSE)
		return refuse(s, err, "is no UTF-8");
	if (json_object_get(l->value, name) && mercy < LOOSE)
		return refuse(s, err, "stands twice");
	l->name = strdup(name);
	if (!l->name)
		die_no_memory();
	return true;
}

static void put(struct level *l, json_t *v)
{
	if (json_is_array(l->value)) {
		json_array_append_new(l->value, v);
		return;
	}
	json_object_set_new_nocheck(l->value, l->name, v);
	free(l->name);
	l->name = NULL;
}

/* One token on; false at an error.  "level[0]" holds the whole. */
static bool build(struct scan *s, enum scan_token token, enum mercy mercy,
		  struct level *level, size_t *depth, struct err *err)
{
	json_t *v;

	if (token == SCAN_ERROR) {
		scan_fail(s, err);
		return false;
	}
	if (token == SCAN_NAME)
		return take_name(s, mercy, &level[*depth], err);
	if (token == SCAN_OBJECT_END || token == SCAN_ARRAY_END) {
		--*depth;
		return true;
	}
	if (token == SCAN_TEXT && scan_text_mended(s) && mercy < LOOSE)
		return refuse(s, err, "is no UTF-8");
	v = make_value(s, token);
	if (!v)
		return refuse(s, err, "is no value of JSON");
	put(&level[*depth], v);
	if (token == SCAN_OBJECT || token == SCAN_ARRAY)
		level[++*depth].value = v;
	return true;
}

static json_t *read_value(struct scan *s, enum scan_token token,
			  enum mercy mercy, struct err *err)
{
	struct level level[JSON_DEPTH_MAX + 2] = { { .value = json_array() } };
	size_t depth = 0;
	json_t *v = NULL;
	bool good;

	for (;;) {
		if (token == SCAN_ODD && mercy)
			token = SCAN_TEXT;
		good = build(s, token, mercy, level, &depth, err);
		if (!good || !depth)
			break;
		token = scan_next(s);
	}
	if (good)
		v = json_incref(json_array_get(level[0].value, 0));
	for (size_t i = 0; i <= depth; i++)
		free(level[i].name);
	json_decref(level[0].value);
	return v;
}

json_t *scan_value(struct scan *s, enum scan_token token, struct err *err)
{
	return read_value(s, token, STRICT, err);
}

json_t *scan_value_odd(struct scan *s, enum scan_token token, struct err *err)
{
	return read_value(s, token, ODD, err);
}

json_t *scan_value_loose(struct scan *s, enum scan_token token,
			 struct err *err)
{
	return read_value(s, token, LOOSE, err);
}
