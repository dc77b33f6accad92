#include "render/mustache.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/strmap.h"
#include "render/mustache-parse.h"

enum {
	PARTIAL_DEPTH_MAX = 32,
	STEPS_MAX = 20 * 1000 * 1000,	/* tags rendered in all */
};

/* Where names are looked up: the innermost first. */
struct context {
	const json_t *value;
	const struct context *outer;
};

struct renderer {
	const struct mustache_options *options;
	struct arena arena;
	struct strmap parsed;	/* "INDENT>NAME" -> struct template * */
	struct buf *out;
	size_t partials;	/* inside each other, now */
	size_t steps;
	struct err *err;
};

static int fail(const struct renderer *r, const struct template *t,
		const struct tag *tag, const char *what)
{
	return err_set(r->err, ERR_INPUT, "%s:%zu: %s '%.80s'", t->file,
		       tag->line, what, tag->text);
}

static const json_t *member(const json_t *value, const char *name, size_t len)
{
	return json_is_object(value) ? json_object_getn(value, name, len) : NULL;
}

/*
 * The value of a name: its first part from the innermost context that has it,
 * the others from what that gave and from nowhere else.
 */
static const json_t *look_up(const struct context *c, const char *name)
{
	const json_t *value = NULL;
	size_t len = strcspn(name, ".");

	if (!strcmp(name, "."))
		return c->value;
	for (; c && !value; c = c->outer)
		value = member(c->value, name, len);
	while (value && name[len]) {
		name += len + 1;
		len = strcspn(name, ".");
		value = member(value, name, len);
	}
	return value;
}

/* As look_up(); where strict, a name that is not there is an error. */
static int get(const struct renderer *r, const struct template *t,
	       const struct tag *tag, const struct context *c,
	       const json_t **value)
{
	*value = look_up(c, tag->text);
	if (!*value && r->options->strict)
		return fail(r, t, tag, "no");
	return 0;
}

static bool is_true(const json_t *value)
{
	if (json_is_array(value))
		return json_array_size(value) > 0;
	return value && !json_is_false(value) && !json_is_null(value);
}

static void add_escaped(struct buf *out, const char *s, size_t len)
{
	for (const char *end = s + len; s < end; s++)
		switch (*s) {
		case '&': buf_addstr(out, "&amp;"); break;
		case '<': buf_addstr(out, "&lt;"); break;
		case '>': buf_addstr(out, "&gt;"); break;
		case '"': buf_addstr(out, "&quot;"); break;
		case '\'': buf_addstr(out, "&#39;"); break;
		default: buf_addch(out, *s);
		}
}

static int add_value(struct renderer *r, const struct template *t,
		     const struct tag *tag, const json_t *value)
{
	const char *s = json_string_value(value);

	if (s && tag->kind == TAG_NAME && r->options->html)
		add_escaped(r->out, s, json_string_length(value));
	else if (s)
		buf_add(r->out, s, json_string_length(value));
	else if (!json_is_array(value) && !json_is_object(value))
		json_scalar(r->out, value);
	else if (r->options->strict)
		return fail(r, t, tag, "a list or an object has no text:");
	return 0;
}

static int load_partial(struct renderer *r, const struct template *t,
			const struct tag *tag, struct template **found)
{
	const char *key = arena_printf(&r->arena, "%s>%s", tag->indent,
				       tag->text);
	void **place = strmap_put(&r->parsed, key, strlen(key));
	struct mustache_source source = { .text = "" };
	int there = 0;

	*found = *place;
	if (*found)
		return 0;
	if (r->options->partial)
		there = r->options->partial(r->options->arg, &r->arena,
					    tag->text, &source, r->err);
	if (there == -1)
		return err_in(r->err, "%s:%zu", t->file, tag->line);
	if (!there && r->options->strict)
		return fail(r, t, tag, "no template");
	*found = template_parse(&r->arena, &source, tag->indent, r->err);
	*place = *found;
	return *found ? 0 : -1;
}

static int render(struct renderer *r, const struct template *t, size_t from,
		  size_t to, const struct context *c);

static int render_partial(struct renderer *r, const struct template *t,
			  const struct tag *tag, const struct context *c)
{
	struct template *partial;
	int ret;

	if (r->partials == PARTIAL_DEPTH_MAX)
		return fail(r, t, tag, "templates nested too deep at");
	if (load_partial(r, t, tag, &partial) == -1)
		return -1;
	r->partials++;
	ret = render(r, partial, 0, partial->n, c);
	r->partials--;
	return ret;
}

static int render_section(struct renderer *r, const struct template *t,
			  size_t at, const struct context *c)
{
	const struct tag *tag = &t->tag[at];
	struct context inner = { .outer = c };
	const json_t *value;
	size_t n;

	if (get(r, t, tag, c, &value) == -1)
		return -1;
	if (is_true(value) == (tag->kind == TAG_INVERTED))
		return 0;
	if (tag->kind == TAG_INVERTED)
		return render(r, t, at + 1, tag->end, c);
	inner.value = value;
	if (!json_is_array(value))
		return render(r, t, at + 1, tag->end, &inner);
	n = json_array_size(value);
	for (size_t i = 0; i < n; i++) {
		inner.value = json_array_get(value, i);
		if (render(r, t, at + 1, tag->end, &inner) == -1)
			return -1;
	}
	return 0;
}

static int render_tag(struct renderer *r, const struct template *t, size_t at,
		      const struct context *c)
{
	const struct tag *tag = &t->tag[at];
	const json_t *value;

	switch (tag->kind) {
	case TAG_TEXT:
		buf_add(r->out, tag->text, tag->len);
		return 0;
	case TAG_NAME:
	case TAG_RAW:
		if (get(r, t, tag, c, &value) == -1)
			return -1;
		return add_value(r, t, tag, value);
	case TAG_SECTION:
	case TAG_INVERTED:
		return render_section(r, t, at, c);
	case TAG_PARTIAL:
		return render_partial(r, t, tag, c);
	case TAG_END:
		break;
	}
	return 0;
}

/*
 * The tags from .. to - 1.  Recursion goes as deep as the template's sections
 * and partials do, which are capped, whatever the data.
 */
static int render(struct renderer *r, const struct template *t, size_t from,
		  size_t to, const struct context *c)
{
	for (size_t i = from; i < to; i++) {
		const struct tag *tag = &t->tag[i];

		if (render_tag(r, t, i, c) == -1)
			return -1;
		if (r->steps++ == STEPS_MAX || buf_over(r->out))
			return err_set(r->err, ERR_INPUT,
				       "%s:%zu: more output than allowed",
				       t->file, tag->line);
		if (tag->kind == TAG_SECTION || tag->kind == TAG_INVERTED)
			i = tag->end;
	}
	return 0;
}

int mustache_render(struct buf *out, const struct mustache_source *source,
		    const json_t *data, const struct mustache_options *options,
		    struct err *err)
{
	struct renderer r = { .options = options, .arena = ARENA_INIT,
			      .out = out, .err = err };
	struct context outermost = { .value = data };
	struct template *t;
	int ret = -1;

	strmap_init(&r.parsed, &r.arena);
	t = template_parse(&r.arena, source, "", err);
	if (t)
		ret = render(&r, t, 0, t->n, &outermost);
	arena_release(&r.arena);
	return ret;
}
