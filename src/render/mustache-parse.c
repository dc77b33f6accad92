#include "render/mustache-parse.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"

enum { DELIMITER_MAX = 16 };

struct parser {
	struct arena *arena;
	struct template *template;
	const char *text, *end;		/* the whole source */
	const char *at;			/* not yet read */
	const char *counted;		/* "line" is the number of this place's */
	size_t line;
	const char *open, *close;	/* delimiters */
	size_t section[MUSTACHE_DEPTH_MAX];	/* indices of the open ones */
	size_t depth;
	struct err *err;
};

/* A tag as it stands in the source. */
struct piece {
	const char *start, *stop;	/* with its delimiters */
	const char *name;		/* inside, blanks around it cut */
	size_t len;
	char sigil;			/* one of "#^/>&{!=", or 0 for a name */
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_space(char c)
{
	return is_blank(c) || c == '\n' || c == '\r';
}

static size_t line_of(struct parser *p, const char *place)
{
	for (; p->counted < place; p->counted++)
		if (*p->counted == '\n')
			p->line++;
	return p->line;
}

static int fail(struct parser *p, const struct piece *piece, const char *what)
{
	size_t len = piece->len < 80 ? piece->len : 80;
	const char *newline = memchr(piece->name, '\n', len);

	if (newline)
		len = (size_t)(newline - piece->name);
	return err_set(p->err, ERR_INPUT, "%s:%zu: %s '%.*s'",
		       p->template->file, line_of(p, piece->start), what,
		       (int)len, piece->name);
}

static struct tag *add_tag(struct parser *p, enum tag_kind kind,
			   const char *text, size_t len, const char *place)
{
	struct template *t = p->template;
	struct tag *tag;

	t->tag = arena_grow(p->arena, t->tag, &t->cap, t->n + 1, sizeof(*tag));
	tag = &t->tag[t->n++];
	tag->kind = kind;
	tag->text = text;
	tag->len = len;
	tag->line = line_of(p, place);
	tag->indent = "";
	return tag;
}

static void add_text(struct parser *p, const char *from, const char *to)
{
	if (from < to)
		add_tag(p, TAG_TEXT, from, (size_t)(to - from), from);
}

static const char *find(const struct parser *p, const char *from,
			const char *what)
{
	return memmem(from, (size_t)(p->end - from), what, strlen(what));
}

/* What is inside the tag that begins at piece->start. */
static int read_piece(struct parser *p, struct piece *piece)
{
	const char *inside = piece->start + strlen(p->open), *stop;
	char close[40] = "";

	while (inside < p->end && is_space(*inside))
		inside++;
	piece->name = inside;
	piece->len = 0;
	piece->sigil = 0;
	if (inside < p->end && *inside && strchr("#^/>&{!=", *inside))
		piece->sigil = *inside++;
	if (piece->sigil == '{')
		close[0] = '}';
	else if (piece->sigil == '=')
		close[0] = '=';
	strcat(close, p->close);	/* at most DELIMITER_MAX */
	stop = find(p, inside, close);
	if (!stop) {
		piece->len = (size_t)(p->end - piece->name);
		return fail(p, piece, "a tag does not end:");
	}
	piece->stop = stop + strlen(close);
	while (inside < stop && is_space(*inside))
		inside++;
	while (stop > inside && is_space(stop[-1]))
		stop--;
	piece->name = inside;
	piece->len = (size_t)(stop - inside);
	return 0;
}

/* {{=<% %>=}} */
static int set_delimiters(struct parser *p, const struct piece *piece)
{
	const char *s = piece->name, *e = s + piece->len, *blank = s;
	const char *second;

	while (blank < e && !is_space(*blank))
		blank++;
	second = blank;
	while (second < e && is_space(*second))
		second++;
	if (blank == s || second == e || blank - s > DELIMITER_MAX ||
	    e - second > DELIMITER_MAX || memchr(s, '=', piece->len))
		return fail(p, piece, "no two delimiters in");
	for (const char *c = second; c < e; c++)
		if (is_space(*c))
			return fail(p, piece, "no two delimiters in");
	p->open = arena_strndup(p->arena, s, (size_t)(blank - s));
	p->close = arena_strndup(p->arena, second, (size_t)(e - second));
	return 0;
}

/*
 * Is the tag alone on its line?  Then "from" and "to" are where the line
 * begins and where the next one does.
 */
static bool alone(const struct parser *p, const struct piece *piece,
		  const char **from, const char **to)
{
	const char *s = piece->start, *e = piece->stop;

	while (s > p->text && is_blank(s[-1]))
		s--;
	if (s > p->text && s[-1] != '\n')
		return false;
	while (e < p->end && is_blank(*e))
		e++;
	if (e < p->end && *e == '\r' && e + 1 < p->end && e[1] == '\n')
		e++;
	if (e < p->end && *e != '\n')
		return false;
	*from = s;
	*to = e < p->end ? e + 1 : e;
	return true;
}

static int open_section(struct parser *p, const struct piece *piece,
			enum tag_kind kind)
{
	if (p->depth == MUSTACHE_DEPTH_MAX)
		return fail(p, piece, "sections nested too deep at");
	p->section[p->depth++] = p->template->n;
	add_tag(p, kind, arena_strndup(p->arena, piece->name, piece->len),
		piece->len, piece->start);
	return 0;
}

static int close_section(struct parser *p, const struct piece *piece)
{
	struct tag *open;

	if (!p->depth)
		return fail(p, piece, "no section open for the end of");
	open = &p->template->tag[p->section[p->depth - 1]];
	if (open->len != piece->len ||
	    memcmp(open->text, piece->name, piece->len))
		return fail(p, piece, "another section is open at the end of");
	open->end = p->template->n;
	p->depth--;
	add_tag(p, TAG_END, open->text, open->len, piece->start);
	return 0;
}

static int add_piece(struct parser *p, const struct piece *piece,
		     const char *indent)
{
	const char *name;

	if (piece->sigil == '!')
		return 0;
	if (piece->sigil == '=')
		return set_delimiters(p, piece);
	if (!piece->len)
		return fail(p, piece, "a tag without a name");
	if (piece->sigil == '#')
		return open_section(p, piece, TAG_SECTION);
	if (piece->sigil == '^')
		return open_section(p, piece, TAG_INVERTED);
	if (piece->sigil == '/')
		return close_section(p, piece);
	name = arena_strndup(p->arena, piece->name, piece->len);
	if (piece->sigil == '>')
		add_tag(p, TAG_PARTIAL, name, piece->len, piece->start)->indent =
			indent;
	else
		add_tag(p, piece->sigil ? TAG_RAW : TAG_NAME, name, piece->len,
			piece->start);
	return 0;
}

/* The text up to the next tag, and the tag. */
static int read_next(struct parser *p)
{
	struct piece piece;
	const char *from, *to, *indent = "";

	piece.start = find(p, p->at, p->open);
	if (!piece.start) {
		add_text(p, p->at, p->end);
		p->at = p->end;
		return 0;
	}
	if (read_piece(p, &piece) == -1)
		return -1;
	from = piece.start;
	to = piece.stop;
	if (piece.sigil && !strchr("&{", piece.sigil) &&
	    alone(p, &piece, &from, &to))
		indent = arena_strndup(p->arena, from,
				       (size_t)(piece.start - from));
	add_text(p, p->at, from);
	p->at = to;
	return add_piece(p, &piece, indent);
}

/* "source" with "indent" in front of each line that is there. */
static const char *indented(struct arena *a, struct mustache_source *source,
			    const char *indent)
{
	struct buf b = BUF_INIT(MUSTACHE_SOURCE_MAX);
	const char *s = source->text, *end = s + source->len, *line;

	for (; s < end; s = line) {
		line = memchr(s, '\n', (size_t)(end - s));
		line = line ? line + 1 : end;
		buf_addstr(&b, indent);
		buf_add(&b, s, (size_t)(line - s));
	}
	source->text = arena_strndup(a, b.s, b.len);
	source->len = b.len;
	s = buf_over(&b) ? NULL : source->text;
	buf_release(&b);
	return s;
}

struct template *template_parse(struct arena *a,
				const struct mustache_source *source,
				const char *indent, struct err *err)
{
	struct mustache_source s = *source;
	struct parser p = { .arena = a, .open = "{{", .close = "}}",
			    .line = 1, .err = err };

	if (s.len > MUSTACHE_SOURCE_MAX ||
	    (*indent && !indented(a, &s, indent))) {
		err_set(err, ERR_INPUT, "%s: too large", s.file);
		return NULL;
	}
	p.template = arena_alloc(a, sizeof(*p.template));
	p.template->file = s.file;
	p.text = p.at = p.counted = s.text;
	p.end = s.text + s.len;
	while (p.at < p.end)
		if (read_next(&p) == -1)
			return NULL;
	if (p.depth) {
		struct tag *t = &p.template->tag[p.section[p.depth - 1]];

		err_set(err, ERR_INPUT, "%s:%zu: section '%s' does not end",
			s.file, t->line, t->text);
		return NULL;
	}
	return p.template;
}
