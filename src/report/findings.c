#include "report/findings.h"

#include <string.h>

#include "base/utf8.h"
#include "report/finding.h"

enum {
	NAME_COLUMNS = 56,	/* of a stat's name in a sentence */
	SIDE_COLUMNS = 24,
	SHORT_HASH = 10,
	LONG_HASH = 12,		/* hex digits that are taken for a hash */
	TEXT_MAX = 4096,
	HEAD_MAX = 5,		/* findings at the head, if it can be */
};

void note_start(struct note *n, struct report *r)
{
	*n = (struct note){ .report = r, .text = BUF_INIT(TEXT_MAX),
			    .numbers = json_object() };
}

static void add_ascii(struct buf *out, const char *s, size_t columns)
{
	struct buf ascii = BUF_INIT(strlen(s) + 1);

	utf8_ascii(&ascii, s, strlen(s));
	utf8_middle(out, ascii.s, ascii.len, columns);
	buf_release(&ascii);
}

void note_name(struct note *n, const char *name)
{
	add_ascii(&n->text, name, NAME_COLUMNS);
}

void note_stat(struct note *n, const char *name)
{
	n->stat = arena_grow(&n->report->arena, n->stat, &n->cap,
			     n->nstat + 2, sizeof(*n->stat));
	n->stat[n->nstat++] = name;
}

void note_number(struct note *n, const char *key, double value)
{
	json_object_set_new(n->numbers, key, json_number(value));
}

void note_text(struct note *n, const char *key, const char *value)
{
	json_object_set_new(n->numbers, key, json_text(value));
}

/* Break at blanks; a word that is longer than a line has one of its own. */
static void wrap(struct buf *out, const char *text)
{
	size_t column = 0;

	for (;;) {
		size_t len;

		text += strspn(text, " ");
		len = strcspn(text, " ");
		if (!len)
			break;
		if (column && column + 1 + len > FINDING_COLUMNS) {
			buf_addch(out, '\n');
			column = 0;
		} else if (column) {
			buf_addch(out, ' ');
			column++;
		}
		buf_add(out, text, len);
		column += len;
		text += len;
	}
}

void note_end(struct note *n, enum finding_kind kind)
{
	static const char *const no_stat[] = { NULL };
	struct buf wrapped = BUF_INIT(2 * TEXT_MAX);
	struct report *r = n->report;
	struct finding *f;

	wrap(&wrapped, n->text.s);
	r->finding = arena_grow(&r->arena, r->finding, &r->cfinding,
				r->nfinding + 1, sizeof(*f));
	f = &r->finding[r->nfinding++];
	f->kind = kind;
	f->text = arena_strndup(&r->arena, wrapped.s, wrapped.len);
	f->stat = n->stat ? n->stat : no_stat;
	f->numbers = n->numbers;
	buf_release(&wrapped);
	buf_release(&n->text);
}

void note_aside(struct note *n, enum finding_kind kind)
{
	struct report *r = n->report;

	note_end(n, kind);
	r->finding[r->nfinding - 1].aside = true;
}

void note_replace(struct note *n, const struct row *row,
		  const struct row *instead)
{
	const struct group *g = n->report->group;

	/* What the report is about is always there. */
	if (row >= g->row && row < g->row + g->nrow && !row->kpi &&
	    strcmp(row->name, n->report->headline->name))
		n->report->shown[row - g->row] = instead;
}

void note_hide(struct note *n, const struct row *row)
{
	note_replace(n, row, NULL);
}

void note_drop(struct note *n)
{
	json_decref(n->numbers);
	buf_release(&n->text);
}

const char *side_title(struct report *r, size_t side)
{
	const struct side *s = &r->group->side[side];
	struct buf out = BUF_INIT(4 * SIDE_COLUMNS);
	const char *title;

	if (s->label)
		add_ascii(&out, s->label, SIDE_COLUMNS);
	else if (strspn(s->name, "0123456789abcdef") >= LONG_HASH)
		buf_add(&out, s->name, SHORT_HASH);
	else
		add_ascii(&out, s->name, SIDE_COLUMNS);
	title = arena_strndup(&r->arena, out.s, out.len);
	buf_release(&out);
	return title;
}

const struct finding *finding_of(const struct report *r,
				 enum finding_kind kind)
{
	for (size_t i = 0; i < r->nfinding; i++)
		if (r->finding[i].kind == kind)
			return &r->finding[i];
	return NULL;
}

const struct figure *base_figure(const struct report *r)
{
	return &r->headline->figure[0];
}

const struct figure *head_figure(const struct report *r)
{
	return &r->headline->figure[r->side];
}

/* All runs died: that says it. */
static bool has_said_all(const struct report *r)
{
	return r->news.kind == NEWS_FAILURE && !head_figure(r)->n &&
	       finding_of(r, FINDING_FAILURE);
}

static void find_headline(struct report *r)
{
	if (has_said_all(r) || find_dead(r))
		return;
	find_direction(r);
	find_others(r);
	find_real(r);
}

/* What can do without a place at the head where there is much else to say:
 * what the table's own notes say, chains that have a new name or a smaller share.
 */
static bool is_housekeeping(const struct finding *f)
{
	return f->kind == FINDING_ONE_SIDED ||
	       (f->kind == FINDING_HOT_PATH &&
		!(json_number_value(json_object_get(f->numbers, "points")) > 0));
}

static void spare_the_reader(struct report *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->nfinding; i++)
		n += !r->finding[i].aside;
	for (size_t i = r->nfinding; i-- && n > HEAD_MAX;)
		if (!r->finding[i].aside && is_housekeeping(&r->finding[i])) {
			r->finding[i].aside = true;
			n--;
		}
}

/* Numbers then count up without a gap. */
static void asides_last(struct report *r)
{
	struct finding *all = arena_array(&r->arena, r->nfinding + 1,
					  sizeof(*all));
	size_t n = 0;

	for (int aside = 0; aside < 2; aside++)
		for (size_t i = 0; i < r->nfinding; i++)
			if (r->finding[i].aside == aside)
				all[n++] = r->finding[i];
	r->finding = all;
}

static void find_risen_failures(struct report *r)
{
	find_new_failures(r);
	find_rates(r, FAILURE_MORE);
}

/* What matters most first. */
static void find_all(struct report *r)
{
	bool fails = r->news.kind == NEWS_FAILURE;
	bool other = r->news.kind == NEWS_NOT_COMPARABLE;

	if (other)
		find_caveats(r);
	if (fails)
		find_risen_failures(r);
	if (r->headline->kind == ROW_PERF)
		find_headline(r);
	if (!fails)
		find_risen_failures(r);
	if (!other)
		find_caveats(r);
	find_trade(r);
	find_also(r);
	find_gone_failures(r);
	find_rates(r, FAILURE_LESS);
	find_odd_run(r);
	if (r->headline->kind == ROW_PERF)
		find_clusters(r);
	find_fixed_time(r);
	find_hot_path(r);
	find_one_sided(r);
	find_same_rows(r);
	find_next(r);
}

void findings_find(struct report *r)
{
	r->shown = arena_array(&r->arena, r->group->nrow, sizeof(*r->shown));
	for (size_t i = 0; i < r->group->nrow; i++)
		r->shown[i] = &r->group->row[i];
	find_all(r);
	spare_the_reader(r);
	asides_last(r);
}
