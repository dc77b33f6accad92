#include "data/yaml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/strmap.h"
#include "base/utf8.h"
#include "data/source.h"

/* A list or map that is not closed yet. */
struct open_node {
	struct yaml *node;
	struct yaml *key;		/* of a map: waits for its value */
	const char *anchor;
	size_t cap_key, cap_value;
	struct strmap seen;		/* of a map: its keys */
};

struct builder {
	yaml_parser_t parser;
	struct arena *arena;
	const char *name;
	struct err *err;
	struct strmap anchors;		/* name -> struct yaml *, when complete */
	struct open_node open[YAML_DEPTH_MAX];
	size_t depth, documents;
	struct yaml *root;
};

static int fail(struct builder *b, int line, const char *what)
{
	return err_set(b->err, ERR_INPUT, "%s:%d: %s", b->name, line, what);
}

static int add_child(struct builder *b, struct yaml *y);

/* "<<: *other": keys of the other map that this one does not have itself;
 * added when the map is closed, so that the order of keys does not matter. */
static int merge(struct builder *b, struct open_node *o,
		 const struct yaml *from)
{
	if (from->kind == YAML_LIST) {
		for (size_t i = 0; i < from->n; i++)
			if (from->value[i]->kind != YAML_MAP ||
			    merge(b, o, from->value[i]) == -1)
				return fail(b, from->line, "'<<' takes maps");
		return 0;
	}
	if (from->kind != YAML_MAP)
		return fail(b, from->line, "'<<' takes a map");
	for (size_t i = 0; i < from->n; i++) {
		const char *key = from->key[i]->text;

		if (strmap_find(&o->seen, key, strlen(key)))
			continue;
		o->key = from->key[i];
		if (add_child(b, from->value[i]) == -1)
			return -1;
	}
	return 0;
}

static struct yaml *merge_value(const struct yaml *map)
{
	for (size_t i = 0; i < map->n; i++)
		if (map->key[i]->plain && !strcmp(map->key[i]->text, "<<"))
			return map->value[i];
	return NULL;
}

static int add_pair(struct builder *b, struct open_node *o, struct yaml *y)
{
	struct yaml *n = o->node;
	void **seen;

	if (!o->key) {
		if (y->kind != YAML_SCALAR)
			return fail(b, y->line, "a key must be plain text");
		o->key = y;
		return 0;
	}
	seen = strmap_put(&o->seen, o->key->text, strlen(o->key->text));
	if (*seen) {
		err_set(b->err, ERR_INPUT, "%s:%d: key '%.80s' stands twice",
			b->name, o->key->line, o->key->text);
		return -1;
	}
	*seen = y;
	n->key = arena_grow(b->arena, n->key, &o->cap_key, n->n + 1,
			    sizeof(struct yaml *));
	n->value = arena_grow(b->arena, n->value, &o->cap_value, n->n + 1,
			      sizeof(struct yaml *));
	n->key[n->n] = o->key;
	n->value[n->n++] = y;
	n->size += 1 + y->size;
	if (n->depth <= y->depth)
		n->depth = y->depth + 1;
	o->key = NULL;
	return 0;
}

/* Put a complete node where it belongs. */
static int add_child(struct builder *b, struct yaml *y)
{
	struct open_node *o;
	struct yaml *n;

	if (!b->depth) {
		b->root = y;
		return 0;
	}
	o = &b->open[b->depth - 1];
	n = o->node;
	if (n->size + y->size > YAML_NODES_MAX)
		return fail(b, y->line, "too much in it (aliases resolved)");
	if (y->depth >= YAML_DEPTH_MAX)
		return fail(b, y->line, "nested too deep (aliases resolved)");
	if (n->kind == YAML_MAP)
		return add_pair(b, o, y);
	n->value = arena_grow(b->arena, n->value, &o->cap_value, n->n + 1,
			      sizeof(struct yaml *));
	n->value[n->n++] = y;
	n->size += y->size;
	if (n->depth <= y->depth)
		n->depth = y->depth + 1;
	return 0;
}

static void set_anchor(struct builder *b, const char *anchor, struct yaml *y)
{
	if (anchor)
		*strmap_put(&b->anchors, anchor, strlen(anchor)) = y;
}

static const char *copy_anchor(struct builder *b, const yaml_char_t *anchor)
{
	return anchor ? arena_strdup(b->arena, (const char *)anchor) : NULL;
}

static struct yaml *new_node(struct builder *b, const yaml_event_t *e,
			     enum yaml_kind kind)
{
	struct yaml *y = arena_alloc(b->arena, sizeof(*y));

	y->kind = kind;
	y->line = (int)e->start_mark.line + 1;
	y->size = 1;
	y->depth = 1;
	return y;
}

static int on_scalar(struct builder *b, const yaml_event_t *e)
{
	struct yaml *y = new_node(b, e, YAML_SCALAR);
	const char *text = (const char *)e->data.scalar.value;

	if (strlen(text) != e->data.scalar.length)
		return fail(b, y->line, "a NUL in text");
	y->text = arena_strdup(b->arena, text);
	y->plain = e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	set_anchor(b, copy_anchor(b, e->data.scalar.anchor), y);
	return add_child(b, y);
}

static int on_alias(struct builder *b, const yaml_event_t *e)
{
	struct yaml *y = strmap_get(&b->anchors,
				    (const char *)e->data.alias.anchor);

	/* An anchor counts from the end of its node: none holds itself. */
	if (!y)
		return fail(b, (int)e->start_mark.line + 1, "unknown alias");
	return add_child(b, y);
}

static int on_open(struct builder *b, const yaml_event_t *e,
		   enum yaml_kind kind, const yaml_char_t *anchor)
{
	struct yaml *y = new_node(b, e, kind);

	if (b->depth == YAML_DEPTH_MAX)
		return fail(b, y->line, "nested too deep");
	b->open[b->depth] = (struct open_node){
		.node = y, .anchor = copy_anchor(b, anchor) };
	strmap_init(&b->open[b->depth++].seen, b->arena);
	return 0;
}

static int on_close(struct builder *b)
{
	struct open_node *o = &b->open[b->depth - 1];
	struct yaml *y = o->node;
	const struct yaml *from = y->kind == YAML_MAP ? merge_value(y) : NULL;

	if (from && merge(b, o, from) == -1)
		return -1;
	b->depth--;
	set_anchor(b, o->anchor, y);
	return add_child(b, y);
}

static int on_event(struct builder *b, const yaml_event_t *e)
{
	switch (e->type) {
	case YAML_DOCUMENT_START_EVENT:
		return b->documents++ ? fail(b, (int)e->start_mark.line + 1,
					     "a second document") : 0;
	case YAML_SCALAR_EVENT:
		return on_scalar(b, e);
	case YAML_ALIAS_EVENT:
		return on_alias(b, e);
	case YAML_SEQUENCE_START_EVENT:
		return on_open(b, e, YAML_LIST, e->data.sequence_start.anchor);
	case YAML_MAPPING_START_EVENT:
		return on_open(b, e, YAML_MAP, e->data.mapping_start.anchor);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		return on_close(b);
	default:
		return 0;
	}
}

static int parse_failed(struct builder *b)
{
	const yaml_parser_t *p = &b->parser;
	size_t line = p->problem_mark.line;

	return fail(b, (int)line + 1, p->problem ? p->problem : "no YAML");
}

static int run(struct builder *b)
{
	bool more = true;

	while (more) {
		yaml_event_t e;
		int rc;

		if (!yaml_parser_parse(&b->parser, &e))
			return parse_failed(b);
		more = e.type != YAML_STREAM_END_EVENT;
		rc = on_event(b, &e);
		yaml_event_delete(&e);
		if (rc == -1)
			return -1;
	}
	return 0;
}

static struct yaml *empty_map(struct arena *a)
{
	struct yaml *y = arena_alloc(a, sizeof(*y));

	*y = (struct yaml){ .kind = YAML_MAP, .line = 1, .size = 1,
			     .depth = 1 };
	return y;
}

struct yaml *yaml_parse(struct arena *a, const char *text, size_t len,
			const char *name, struct err *err)
{
	struct builder *b = arena_alloc(a, sizeof(*b));
	int rc;

	b->arena = a;
	b->name = name;
	b->err = err;
	strmap_init(&b->anchors, a);
	if (!yaml_parser_initialize(&b->parser))
		die_no_memory();
	yaml_parser_set_input_string(&b->parser, (const unsigned char *)text,
				     len);
	yaml_parser_set_encoding(&b->parser, YAML_UTF8_ENCODING);
	rc = run(b);
	yaml_parser_delete(&b->parser);
	if (rc == -1)
		return NULL;
	return b->root ? b->root : empty_map(a);
}

struct yaml *yaml_get(const struct yaml *map, const char *key)
{
	for (size_t i = 0; map->kind == YAML_MAP && i < map->n; i++)
		if (!strcmp(map->key[i]->text, key))
			return map->value[i];
	return NULL;
}

static bool is_one_of(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (!strcmp(text, *words))
			return true;
	return false;
}

bool yaml_is_null(const struct yaml *y)
{
	static const char *const nulls[] = { "", "~", "null", "Null", "NULL",
					     NULL };

	return y->kind == YAML_SCALAR && y->plain &&
	       is_one_of(y->text, nulls);
}

/* YAML 1.2 10.3.2: [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] ... )? */
static bool looks_number(const char *s, bool *is_int)
{
	size_t digits, more = 0;

	s += *s == '-' || *s == '+';
	digits = strspn(s, "0123456789");
	s += digits;
	*is_int = *s == '\0' && digits;
	if (*s == '.') {
		more = strspn(s + 1, "0123456789");
		s += 1 + more;
	}
	if (digits + more == 0)
		return false;
	if (*s == 'e' || *s == 'E') {
		s++;
		s += *s == '-' || *s == '+';
		if (!*s)
			return false;
		s += strspn(s, "0123456789");
	}
	return *s == '\0';
}

static json_t *number_to_json(const char *text, bool is_int)
{
	/* More than 18 digits need not fit: then it is a float. */
	if (is_int && strlen(text) <= 18)
		return json_integer(strtoll(text, NULL, 10));
	return json_real(strtod(text, NULL));
}

static json_t *scalar_to_json(const struct yaml *y, enum yaml_scalars scalars)
{
	static const char *const trues[] = { "true", "True", "TRUE", NULL };
	static const char *const falses[] = { "false", "False", "FALSE", NULL };
	bool is_int;

	if (yaml_is_null(y))
		return json_null();
	if (scalars == YAML_TYPED && y->plain) {
		if (is_one_of(y->text, trues))
			return json_true();
		if (is_one_of(y->text, falses))
			return json_false();
		if (looks_number(y->text, &is_int) &&
		    isfinite(strtod(y->text, NULL)))
			return number_to_json(y->text, is_int);
	}
	return json_string(y->text);
}

/* Recursion is fine: depth is capped when nodes are joined. */
json_t *yaml_to_json(const struct yaml *y, enum yaml_scalars scalars)
{
	json_t *v;

	if (y->kind == YAML_SCALAR)
		return scalar_to_json(y, scalars);
	v = y->kind == YAML_LIST ? json_array() : json_object();
	for (size_t i = 0; i < y->n; i++) {
		json_t *child = yaml_to_json(y->value[i], scalars);

		if (y->kind == YAML_LIST)
			json_array_append_new(v, child);
		else
			json_object_set_new(v, y->key[i]->text, child);
	}
	return v;
}

json_t *yaml_read_file(const char *path, size_t max, enum yaml_scalars scalars,
		       struct err *err)
{
	struct buf text = BUF_INIT(max);
	struct arena a = ARENA_INIT;
	const struct yaml *y = NULL;
	json_t *v = NULL;

	if (source_read_all(path, &text, err) == 0)
		y = yaml_parse(&a, text.s, text.len, path, err);
	if (y)
		v = yaml_to_json(y, scalars);
	arena_release(&a);
	buf_release(&text);
	return v;
}
