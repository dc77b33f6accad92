#include "request/quotation.h"

#include <string.h>

#include "request/reading.h"

#define PASSAGES_MAX 200
#define LINES_READ 25	/* of a passage: robots say early who they are */
#define BYTES_READ 400	/* of a line */

static bool is_quoting(const struct line *l)
{
	return l->kind == LINE_QUOTED || l->kind == LINE_ATTRIBUTION;
}

static bool is_empty_line(const struct line *l)
{
	return l->kind == LINE_NEW && strspn(l->text, " \t\r") >= l->len;
}

/* "----- Original Message -----": it says of nobody that he wrote. */
static bool is_bare_rule(const char *text, size_t len)
{
	while (len && strchr(" \t\r", text[len - 1]))
		len--;
	text += strspn(text, " \t");
	return len && strchr("-_=", *text) && strchr("-_=", text[len - 1]) &&
	       !strchr(text, '@');
}

static bool names_robot(const struct company *c, const char *text, size_t len)
{
	if (robot_is_named(c->robot, text, len))
		return true;
	for (size_t i = 0; i < c->robot->addresses.n; i++)
		if (strcasestr(text, c->robot->addresses.v[i]))
			return true;
	return grammar_mark(c->grammar, "robot-wrote", text, len);
}

struct passage {
	const char *attribution;	/* the last one, or NULL */
	bool robot_wrote, robot_speech;
	bool to_robot;			/* it greets the robot itself */
};

/* Does a quoted line, its marks taken off, speak to the robot? */
static bool greets_robot(struct company *c, struct arena *a, const char *text)
{
	size_t len;

	text += strspn(text, "> |\t");
	return whom_first(c, a, text, &len) == WHOM_ROBOT;
}

static void read_line(struct passage *p, struct company *c, struct arena *a,
		      const struct line *l)
{
	size_t len = line_bytes(l, BYTES_READ);
	const char *text = arena_strndup(a, l->text, len);

	if (l->kind == LINE_QUOTED && l->depth <= 1) {
		p->robot_speech = p->robot_speech || p->robot_wrote ||
			grammar_mark(c->grammar, "robot-speech", text, len);
		p->to_robot = p->to_robot || greets_robot(c, a, text);
		return;
	}
	if (l->kind != LINE_ATTRIBUTION || l->depth ||
	    is_bare_rule(text, len) ||
	    grammar_mark(c->grammar, "other-header", text, len))
		return;
	p->attribution = p->attribution ?
		arena_printf(a, "%s %s", p->attribution, text) : text;
	p->robot_wrote |= names_robot(c, text, len) ||
			  company_at_home(c, text) ||
			  company_knows_operator(c, a, text);
}

static enum whom judge(const struct passage *p, struct company *c,
		       struct arena *a, bool quotes)
{
	if (p->robot_wrote || p->robot_speech) {
		if (p->attribution)
			company_add_operator(c, a, p->attribution);
		return WHOM_ROBOT;
	}
	/* What was said to the robot, or by the writer, turns to nobody. */
	if (p->to_robot ||
	    (p->attribution && company_names_sender(c, p->attribution)))
		return WHOM_NOBODY;
	return p->attribution && quotes ? WHOM_OTHER : WHOM_NOBODY;
}

/* The passage that begins at line "i"; blank lines within belong to it. */
static size_t read_passage(struct quotation *q, struct company *c,
			   struct arena *a, const struct message *m, size_t i)
{
	struct passage p = { .attribution = NULL };
	bool quotes = false;

	q->from = i;
	for (; i < m->nline; i++) {
		const struct line *l = &m->line[i];

		if (!is_quoting(l) && !is_empty_line(l))
			break;
		quotes |= l->kind == LINE_QUOTED;
		if (i - q->from < LINES_READ && l->len)
			read_line(&p, c, a, l);
	}
	q->to = i;
	q->whom = judge(&p, c, a, quotes);
	return i;
}

void quotations_find(struct quotations *q, struct company *c, struct arena *a,
		     const struct message *m)
{
	for (size_t i = 0; i < m->nline && q->n < PASSAGES_MAX;) {
		if (!is_quoting(&m->line[i])) {
			i++;
			continue;
		}
		q->v = arena_grow(a, q->v, &q->cap, q->n + 1, sizeof(*q->v));
		i = read_passage(&q->v[q->n], c, a, m, i);
		q->n++;
	}
}

enum whom quotations_at(struct quotations *q, size_t i)
{
	enum whom whom = WHOM_NOBODY;

	while (q->next < q->n && q->v[q->next].to <= i)
		whom = q->v[q->next++].whom;
	return whom;
}

enum whom quotations_first(const struct quotations *q,
			   const struct message *m)
{
	if (!q->n)
		return WHOM_NOBODY;
	for (size_t i = 0; i < q->v[0].from; i++)
		if (m->line[i].kind == LINE_NEW && !is_empty_line(&m->line[i]))
			return q->v[0].whom;
	return WHOM_NOBODY;
}

bool quotations_of(const struct quotations *q, enum whom whom)
{
	for (size_t i = 0; i < q->n; i++)
		if (q->v[i].whom == whom)
			return true;
	return false;
}
