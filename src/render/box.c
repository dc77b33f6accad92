#include "render/box.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/utf8.h"

struct cells {
	struct arena arena;
	struct pair {
		const char *left, *right;	/* left NULL: a rule */
	} *line;
	size_t n, cap;
};

static void add_line(struct cells *c, const char *left, const char *right)
{
	c->line = arena_grow(&c->arena, c->line, &c->cap, c->n + 1,
			     sizeof(*c->line));
	c->line[c->n++] = (struct pair){ left, right };
}

static const char *text(const json_t *object, const char *key)
{
	const char *s = json_member_text(object, key);

	return s ? s : "";
}

/* The robot kept the place of a sign that it no longer shows. */
static bool lost_sign(const json_t *impact)
{
	const json_t *change = json_object_get(impact, "change");

	return *text(change, "minus") == '-' && *text(impact, "shown") != '-';
}

static void add_test(struct cells *c, const json_t *impact)
{
	const json_t *test = json_object_get(impact, "test");
	const json_t *parameters = json_object_get(test, "parameters");
	const char *name = text(test, "name");
	json_t *p;
	size_t i;

	add_line(c, "testcase: change",
		 arena_printf(&c->arena, "%s%s%s %s%s %s", name,
			      *name ? ": " : "", text(impact, "stat"),
			      lost_sign(impact) ? " " : "",
			      text(impact, "shown"), text(impact, "word")));
	if (*text(test, "machine"))
		add_line(c, "test machine", text(test, "machine"));
	json_array_foreach(parameters, i, p)
		add_line(c, i ? "" : "test parameters",
			 arena_printf(&c->arena, "%s=%s", text(p, "key"),
				      text(p, "value")));
	add_line(c, NULL, NULL);
}

static size_t wider(size_t width, const char *s)
{
	size_t need = s ? utf8_width(s, strlen(s)) : 0;

	return need > width ? need : width;
}

static void add_repeated(struct buf *out, char ch, size_t n)
{
	while (n--)
		buf_addch(out, ch);
}

static void add_cell(struct buf *out, const char *s, size_t width)
{
	buf_addf(out, "| %s", s);
	add_repeated(out, ' ', width - utf8_width(s, strlen(s)) + 1);
}

void box_text(struct buf *out, const json_t *impacts)
{
	struct cells c = { .arena = ARENA_INIT };
	size_t left = 0, right = 0, i;
	json_t *impact;

	if (json_array_size(impacts))
		add_line(&c, NULL, NULL);
	json_array_foreach(impacts, i, impact)
		add_test(&c, impact);
	for (i = 0; i < c.n; i++) {
		left = wider(left, c.line[i].left);
		right = wider(right, c.line[i].right);
	}
	for (i = 0; i < c.n; i++) {
		if (c.line[i].left) {
			add_cell(out, c.line[i].left, left);
			add_cell(out, c.line[i].right, right);
			buf_addstr(out, "|\n");
			continue;
		}
		buf_addch(out, '+');
		add_repeated(out, '-', left + 2);
		buf_addch(out, '+');
		add_repeated(out, '-', right + 2);
		buf_addstr(out, "+\n");
	}
	arena_release(&c.arena);
}
