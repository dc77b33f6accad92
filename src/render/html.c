#include "render/html.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "render/html-table.h"
#include "render/plot-choose.h"
#include "render/plot-row.h"
#include "render/plot-svg.h"
#include "render/table.h"
#include "render/template-set.h"
#include "report/words.h"

enum {
	PLOTS_MAX = 24,
	LINKS_MAX = 6,		/* rows named below a finding */
	RUNS_SHOWN = 500,	/* in the list below a plot */
	TITLE = 160,		/* columns */
	TEXT_MAX = 1 << 26,
};

static json_t *take(struct buf *b)
{
	json_t *v = json_text(b->s);

	buf_release(b);
	return v;
}

static json_t *inert(const char *text, bool lines)
{
	struct buf b = BUF_INIT(TEXT_MAX);

	if (!text)
		return json_null();
	utf8_inert(&b, text, strlen(text), lines);
	return take(&b);
}

static json_t *mean(const struct report *r, size_t side)
{
	struct buf b = BUF_INIT(400);

	words_mean(&b, r->headline, side);
	return take(&b);
}

static const char *verdict_class(enum verdict v)
{
	if (v == VERDICT_REGRESSION)
		return "worse";
	return v == VERDICT_IMPROVEMENT ? "better" : "plain";
}

static const char *direction(enum better b)
{
	if (b == BETTER_UNKNOWN)
		return NULL;
	return b == BETTER_HIGHER ? "higher is better" : "lower is better";
}

static json_t *headline(const struct report *r)
{
	json_t *full, *name = html_name(r->headline->name, HTML_NAME, &full);

	return json_pack("{s:o, s:o, s:s, s:s, s:o, s:o, s:o, s:o}",
			 "name", name, "full", full, "class",
			 verdict_class(r->verdict), "judged", r->news.badge,
			 "base", mean(r, 0), "head", mean(r, r->side), "unit",
			 inert(r->headline->unit, false), "direction",
			 json_text(direction(r->headline->better)));
}

/* "base commit", "tested version" */
static json_t *commit(const struct report *r, size_t side, const char *role)
{
	const struct side *s = &r->group->side[side];
	struct buf name = BUF_INIT(TEXT_MAX), what = BUF_INIT(TEXT_MAX);

	table_side_name(&name, s);
	buf_addf(&what, "%s %s", role, side_kind(s));
	return json_pack("{s:o, s:o, s:o}", "role", take(&what), "name",
			 take(&name), "subject", inert(s->subject, false));
}

static json_t *commits(const struct report *r)
{
	json_t *list = json_array();

	json_array_append_new(list, commit(r, 0, "base"));
	json_array_append_new(list, commit(r, r->side, "tested"));
	return list;
}

static json_t *headers(const struct html_mail *m)
{
	json_t *list = json_array();

	for (size_t i = 0; i < m->nheader; i++)
		json_array_append_new(list, json_pack(
			"{s:o, s:o}", "name", inert(m->header[i].name, false),
			"value", inert(m->header[i].value, false)));
	return list;
}

/* What an attachment holds; the beginning of a large one. */
static json_t *content(const struct html_attachment *a)
{
	struct buf b = BUF_INIT(TEXT_MAX);

	utf8_inert(&b, a->text, a->size, true);
	return take(&b);
}

static json_t *attachments(const struct html_mail *m)
{
	json_t *list = json_array();

	for (size_t i = 0; i < m->nattachment; i++) {
		const struct html_attachment *a = &m->attachment[i];

		json_array_append_new(list, json_pack(
			"{s:o, s:o, s:I, s:o}", "name", inert(a->name, false),
			"type", inert(a->type, false), "size",
			(json_int_t)a->size, "text", content(a)));
	}
	return list;
}

static json_t *mail(const struct html_mail *m)
{
	if (!m)
		return json_null();
	return json_pack("{s:o, s:o, s:o}", "headers", headers(m), "body",
			 inert(m->body, true), "attachments", attachments(m));
}

static json_t *finding_rows(const struct report *r, const struct finding *f,
			    size_t *more)
{
	json_t *list = json_array();

	*more = 0;
	for (size_t i = 0; f->stat[i]; i++) {
		const struct row *row = NULL;

		for (size_t k = 0; k < r->group->nrow && !row; k++)
			if (!strcmp(r->group->row[k].name, f->stat[i]))
				row = &r->group->row[k];
		if (!row)
			continue;
		if (json_array_size(list) == LINKS_MAX)
			++*more;
		else
			json_array_append_new(list, json_pack(
				"{s:o, s:o}", "id", html_row_id(r, row), "name",
				html_name(row->name, HTML_LINK, NULL)));
	}
	return list;
}

static json_t *findings(const struct report *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->nfinding; i++) {
		size_t more;
		json_t *rows = finding_rows(r, &r->finding[i], &more);

		json_array_append_new(list, json_pack(
			"{s:I, s:o, s:b, s:o, s:o}", "n", (json_int_t)i + 1,
			"text", inert(r->finding[i].text, true), "has_rows",
			json_array_size(rows) > 0, "rows", rows, "more", more ?
			json_integer((json_int_t)more) : json_null()));
	}
	return list;
}

static json_t *runs(const struct plot_block *b)
{
	json_t *list = json_array();

	for (size_t i = 0; i < b->nrun && i < RUNS_SHOWN; i++) {
		const struct plot_run *run = &b->run[i];
		struct buf value = BUF_INIT(100);

		if (isnan(run->value))
			buf_addstr(&value, "no data");
		else
			buf_addf(&value, "%.10g", run->value);
		json_array_append_new(list, json_pack(
			"{s:I, s:o, s:b}", "number", (json_int_t)run->number,
			"value", take(&value), "failed",
			run->state == RUN_FAILED));
	}
	return list;
}

static json_t *plot_sides(const struct plot *p)
{
	json_t *list = json_array();

	for (size_t i = 0; i < p->nblock; i++) {
		const struct plot_block *b = &p->block[i];
		struct buf side = BUF_INIT(TEXT_MAX);

		if (b->role)
			buf_addf(&side, "%s ", b->role);
		utf8_inert(&side, b->name, strlen(b->name), false);
		json_array_append_new(list, json_pack(
			"{s:o, s:o}", "side", take(&side), "runs", runs(b)));
	}
	return list;
}

static json_t *plots(const struct report *r)
{
	struct arena a = ARENA_INIT;
	json_t *list = json_array();
	struct plot_rows rows;

	plot_rows_report(&rows, &a, r, PLOTS_MAX);
	for (size_t i = 0; i < rows.n; i++) {
		struct buf svg = BUF_INIT(TEXT_MAX);
		struct plot p;

		plot_of_row(&p, &a, r->group, rows.row[i], r->side,
			    r->results->facts);
		plot_svg(&svg, &p, i);
		json_array_append_new(list, json_pack(
			"{s:o, s:o, s:o}", "name",
			html_name(rows.row[i]->name, HTML_LINK, NULL), "svg", take(&svg),
			"sides", plot_sides(&p)));
	}
	arena_release(&a);
	return list;
}

static json_t *title(const struct report *r)
{
	json_t *name = html_name(r->headline->name, HTML_LINK, NULL);
	struct buf b = BUF_INIT(TEXT_MAX);

	table_side_name(&b, &r->group->side[r->side]);
	if (r->news.subject) {
		buf_addstr(&b, ": ");
		utf8_middle(&b, r->news.subject, strlen(r->news.subject),
			    TITLE);
	} else {
		buf_addf(&b, ": %s %s", json_string_value(name),
			 r->news.badge);
	}
	json_decref(name);
	return take(&b);
}

static json_t *kicker(const struct report *r)
{
	const char *tree = json_member_text(r->results->facts, "tree");
	const char *branch = json_member_text(r->results->facts, "branch");
	struct buf b = BUF_INIT(TEXT_MAX);

	buf_addstr(&b, "Performance report");
	if (tree) {
		buf_addstr(&b, " - ");
		utf8_inert(&b, tree, strlen(tree), false);
	}
	if (branch) {
		buf_addch(&b, ' ');
		utf8_inert(&b, branch, strlen(branch), false);
	}
	return take(&b);
}

static json_t *counted_rows(size_t n)
{
	struct buf b = BUF_INIT(64);

	buf_addf(&b, "%zu row%s", n, n == 1 ? "" : "s");
	return take(&b);
}

static json_t *page(const struct report *r, const struct html_mail *m)
{
	size_t rows;
	json_t *groups = html_groups(r, &rows);

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:o}",
			 "title", title(r), "kicker", kicker(r), "headline",
			 headline(r), "commits", commits(r), "mail", mail(m),
			 "findings", findings(r), "plots", plots(r),
			 "plot_style", plot_svg_style, "rows",
			 counted_rows(rows), "groups", groups);
}

int html_page(struct buf *out, const struct report *r,
	      const struct html_mail *m, struct err *err)
{
	struct template_set set;
	json_t *data;
	int rc;

	rc = template_set_open(&set, "html", NULL, 0, err);
	if (rc == 0) {
		data = page(r, m);
		rc = template_set_render(&set, "page", data, true, out, err);
		json_decref(data);
	}
	template_set_release(&set);
	return rc;
}
