#include "render/terminal.h"

#include <string.h>

#include "base/buf.h"
#include "base/strmap.h"
#include "base/utf8.h"

enum { LEAST_NAME = 20, RULE = 89 };

/* ECMA-48 8.3.117. */
#define BOLD "\033[1m"
#define RED "\033[31m"
#define GREEN "\033[32m"
#define YELLOW "\033[33m"
#define PLAIN "\033[0m"

struct printer {
	struct buf *out;
	const struct report *report;
	const struct terminal_options *options;
	struct arena arena;
	struct strmap row;	/* of the table that we are in: name -> row */
	size_t tables;		/* begun so far */
	const struct group *group;
};

/* The next table's rows, by the names that stand in the text. */
static void begin_table(struct printer *p)
{
	const struct body *b;

	if (p->tables == p->report->nbody)
		return;
	b = &p->report->body[p->tables++];
	p->group = b->group;
	strmap_init(&p->row, &p->arena);
	for (size_t i = 0; i < b->n; i++) {
		struct buf name = BUF_INIT(SIZE_MAX);
		const char *key;

		utf8_inert(&name, b->row[i]->name, strlen(b->row[i]->name),
			   false);
		key = arena_strndup(&p->arena, name.s, name.len);
		*strmap_put(&p->row, key, strlen(key)) = (void *)b->row[i];
		buf_release(&name);
	}
}

static bool is_rule(const char *s, size_t len)
{
	size_t n = 0;

	while (n < len && s[n] == '=')
		n++;
	return n == RULE && n == len;
}

/*
 * Where the name of a table's row begins, behind 16 columns and 28 for each
 * further side and two blanks; 0: it is no such line.
 */
static size_t name_at(const struct printer *p, const char *s, size_t len)
{
	size_t columns, at;

	if (!p->group)
		return 0;
	columns = 16 + 28 * (p->group->nside - 1) + 2;
	at = utf8_fit(s, len, columns);
	if (at >= len || utf8_width(s, at) != columns ||
	    memcmp(s + at - 2, "  ", 2))
		return 0;
	return at;
}

/* The length of the name at "s": numbers of runs may stand behind it. */
static size_t name_length(const char *s, size_t len)
{
	const char *notes = memmem(s, len, "  [", 3);

	return notes ? (size_t)(notes - s) : len;
}

static enum verdict row_verdict(const struct printer *p, const struct row *row)
{
	size_t side = p->report->side;

	if (side >= p->group->nside)
		side = p->group->nside - 1;
	return row->figure[side].change.verdict;
}

/* The row with its name cut to the width and its judgement behind it. */
static void add_row(struct printer *p, const char *s, size_t len, size_t at,
		    const struct row *row)
{
	size_t name = name_length(s + at, len - at), room = SIZE_MAX;
	enum verdict v = row_verdict(p, row);
	const char *word = v == VERDICT_REGRESSION ? "  (worse)" :
			   v == VERDICT_IMPROVEMENT ? "  (better)" : "";
	size_t around = utf8_width(s, at) + (len - at - name) + strlen(word);
	bool color = p->options->color && *word;

	if (p->options->width)
		room = p->options->width > around + LEAST_NAME ?
		       p->options->width - around : LEAST_NAME;
	if (color)
		buf_addstr(p->out, v == VERDICT_REGRESSION ? RED : GREEN);
	buf_add(p->out, s, at);
	utf8_middle(p->out, s + at, name, room);
	buf_add(p->out, s + at + name, len - at - name);
	buf_addstr(p->out, word);
	if (color)
		buf_addstr(p->out, PLAIN);
}

/* How a line that is no row begins, and what it looks like then. */
static const char *look(const char *s, size_t len)
{
	static const struct {
		const char *start, *look;
	} looks[] = {
		{ "Subject: ", BOLD }, { "In short:", BOLD },
		{ "WARNING: ", YELLOW }, { "Note: ", YELLOW },
	};

	for (size_t i = 0; i < sizeof(looks) / sizeof(*looks); i++)
		if (len >= strlen(looks[i].start) &&
		    !memcmp(s, looks[i].start, strlen(looks[i].start)))
			return looks[i].look;
	return memmem(s, len, " noticed a ", 11) ||
	       memmem(s, len, " noticed an ", 12) ||
	       memmem(s, len, " noticed no change", 18) ? BOLD : NULL;
}

static void add_line(struct printer *p, const char *s, size_t len)
{
	const char *mark = p->options->color ? look(s, len) : NULL;

	buf_addstr(p->out, mark ? mark : "");
	buf_add(p->out, s, len);
	buf_addstr(p->out, mark ? PLAIN : "");
}

static const struct row *row_of(const struct printer *p, const char *s,
				size_t len, size_t at)
{
	void **row;

	if (!at)
		return NULL;
	row = strmap_find(&p->row, s + at, name_length(s + at, len - at));
	return row ? *row : NULL;
}

void terminal_text(struct buf *out, const struct report *r, const char *text,
		   const struct terminal_options *options)
{
	struct printer p = { .out = out, .report = r, .options = options,
			     .arena = ARENA_INIT };

	while (*text) {
		size_t len = strcspn(text, "\n"), at;
		const struct row *row;

		if (is_rule(text, len))
			begin_table(&p);
		at = name_at(&p, text, len);
		row = row_of(&p, text, len, at);
		if (row)
			add_row(&p, text, len, at, row);
		else
			add_line(&p, text, len);
		buf_addch(out, '\n');
		text += len + (text[len] == '\n');
	}
	arena_release(&p.arena);
}
