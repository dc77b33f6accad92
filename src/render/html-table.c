#include "render/html-table.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/strmap.h"
#include "base/utf8.h"
#include "render/table.h"
#include "report/words.h"

enum {
	VALUES_SHOWN = 24,
	TEXT_MAX = 1 << 20,
};

/* The text in "b", which is released. */
static json_t *take(struct buf *b)
{
	json_t *v = json_text(b->s);

	buf_release(b);
	return v;
}

static json_t *take_or_null(struct buf *b)
{
	if (b->len)
		return take(b);
	buf_release(b);
	return json_null();
}

json_t *html_name(const char *name, size_t columns, json_t **full)
{
	struct buf inert = BUF_INIT(TEXT_MAX), cut = BUF_INIT(TEXT_MAX);

	utf8_inert(&inert, name, strlen(name), false);
	utf8_middle(&cut, inert.s, inert.len, columns);
	if (full)
		*full = cut.len < inert.len ? json_text(inert.s) : json_null();
	buf_release(&inert);
	return take(&cut);
}

static size_t group_number(const struct report *r, const struct group *g)
{
	return (size_t)(g - r->comparison->group);
}

static json_t *row_id(const struct report *r, const struct group *g, size_t i)
{
	struct buf b = BUF_INIT(64);

	buf_addf(&b, "row-%zu-%zu", group_number(r, g), i);
	return take(&b);
}

json_t *html_row_id(const struct report *r, const struct row *row)
{
	const struct group *g = r->group;

	if (row < g->row || row >= g->row + g->nrow)
		return json_null();
	return row_id(r, g, (size_t)(row - g->row));
}

/* Which findings speak of a row: the one numbered n sets bit n. */
static void collect_marks(const struct report *r, struct strmap *marks)
{
	for (size_t i = 0; i < r->nfinding && i < 63; i++)
		for (const char *const *s = r->finding[i].stat; *s; s++) {
			void **at = strmap_put(marks, *s, strlen(*s));

			*at = (void *)((uintptr_t)*at | (uintptr_t)2 << i);
		}
}

static json_t *marks_of(const struct strmap *marks, const char *name)
{
	uintptr_t bits = (uintptr_t)strmap_get(marks, name);
	json_t *list = json_array();

	for (json_int_t n = 1; n < 64; n++)
		if (bits >> n & 1)
			json_array_append_new(list, json_pack("{s:I}", "n", n));
	return list;
}

static json_t *values_text(const struct figure *f)
{
	struct buf b = BUF_INIT(4096);

	if (!f->value || !f->n)
		return json_null();
	buf_addf(&b, "%zu value%s:", f->n, f->n == 1 ? "" : "s");
	for (size_t i = 0; i < f->n && i < VALUES_SHOWN; i++)
		buf_addf(&b, " %.10g", f->value[i]);
	if (f->n > VALUES_SHOWN)
		buf_addstr(&b, " ...");
	return take(&b);
}

static json_t *value_text(const struct row *row, size_t side)
{
	const struct figure *f = &row->figure[side];
	struct buf b = BUF_INIT(400);

	if (row->kind == ROW_FAILURE)
		buf_addf(&b, "%.0f of %zu", f->fails, f->runs);
	else if (!f->n)
		buf_addf(&b, "no data (0 of %zu)", f->runs);
	else
		words_mean(&b, row, side);
	return take(&b);
}

static json_t *spread_text(const struct row *row, const struct figure *f)
{
	struct buf b = BUF_INIT(400);
	double spread = 100 * f->stddev / fabs(f->mean);

	if (row->kind == ROW_PERF && f->n > 1 && isfinite(spread))
		buf_addf(&b, "\u00b1%.*f%%", spread < 10, spread);
	if (row->kind == ROW_PERF && f->n && f->n < f->runs)
		buf_addf(&b, " n=%zu", f->n);
	return take_or_null(&b);
}

static json_t *change_of(const struct row *row, size_t side)
{
	const struct figure *f = &row->figure[side];
	const char *class = "", *word = NULL;
	struct buf b = BUF_INIT(400);

	if (row->kind == ROW_FAILURE)
		buf_addf(&b, "%+.0f%%",
			 100 * (f->fails / fmax(1, (double)f->runs) -
				row->figure[0].fails /
				fmax(1, (double)row->figure[0].runs)));
	else if (f->n && row->figure[0].n)
		words_change(&b, row, side, WORDS_SIGNED);
	if (f->change.verdict == VERDICT_REGRESSION)
		class = word = "worse";
	else if (f->change.verdict == VERDICT_IMPROVEMENT)
		class = word = "better";
	return json_pack("{s:o, s:s, s:o}", "text", take(&b), "class", class,
			 "word", word ? json_text(word) : json_null());
}

static json_t *side_name(const struct side *s)
{
	struct buf b = BUF_INIT(TEXT_MAX);
	json_t *v;

	table_side_name(&b, s);
	v = html_name(b.s, HTML_NAME, NULL);
	buf_release(&b);
	return v;
}

static json_t *cells_of(const struct row *row, const struct group *g)
{
	json_t *list = json_array();

	for (size_t i = 0; i < g->nside; i++) {
		const struct figure *f = &row->figure[i];

		json_array_append_new(list, json_pack(
			"{s:o, s:o, s:o, s:o, s:o}", "side",
			side_name(&g->side[i]), "text", value_text(row, i),
			"spread", spread_text(row, f), "values", values_text(f),
			"change", i ? change_of(row, i) : json_null()));
	}
	return list;
}

static json_t *row_of(const struct report *r, const struct group *g, size_t i,
		      const struct strmap *marks)
{
	const struct row *row = &g->row[i];
	json_t *full, *name = html_name(row->name, HTML_NAME, &full);

	return json_pack("{s:o, s:o, s:o, s:s, s:b, s:o, s:o}",
			 "id", row_id(r, g, i), "name", name, "full", full,
			 "class", row->kind == ROW_FAILURE ? "failure" : "perf",
			 "kpi", row->kpi, "cells", cells_of(row, g),
			 "marks", g == r->group ? marks_of(marks, row->name)
						: json_array());
}

static json_t *monitor_of(const struct report *r, const struct group *g,
			  size_t *i, const struct strmap *marks)
{
	const char *first = g->row[*i].name;
	size_t len = strcspn(first, "."), start = *i;
	json_t *rows = json_array(), *name;
	struct buf b = BUF_INIT(TEXT_MAX), count = BUF_INIT(64);

	buf_add(&b, first, len);
	for (; *i < g->nrow && strcspn(g->row[*i].name, ".") == len &&
	       !strncmp(g->row[*i].name, first, len); ++*i)
		json_array_append_new(rows, row_of(r, g, *i, marks));
	name = html_name(b.s, HTML_NAME, NULL);
	buf_release(&b);
	buf_addf(&count, "%zu row%s", *i - start, *i - start == 1 ? "" : "s");
	return json_pack("{s:o, s:o, s:o}", "name", name, "count", take(&count),
			 "rows", rows);
}

static json_t *sides_of(const struct group *g)
{
	json_t *list = json_array();

	for (size_t i = 0; i < g->nside; i++)
		json_array_append_new(list, json_pack(
			"{s:o, s:b}", "name", side_name(&g->side[i]), "first",
			i == 0));
	return list;
}

static json_t *axes_of(const struct group *g)
{
	struct buf b = BUF_INIT(TEXT_MAX), inert = BUF_INIT(TEXT_MAX);

	for (size_t i = 0; i < g->naxis; i++)
		buf_addf(&b, "%s%s: %s", i ? ", " : "", g->axis[i].key,
			 g->axis[i].value);
	utf8_inert(&inert, b.s, b.len, false);
	buf_release(&b);
	return take(&inert);
}

static json_t *left_out_of(const struct group *g)
{
	json_t *list = json_array();

	for (size_t i = 0; i < g->none_sided; i++) {
		const struct one_sided *o = &g->one_sided[i];
		struct buf b = BUF_INIT(TEXT_MAX);

		utf8_inert(&b, o->monitor, strlen(o->monitor), false);
		buf_addf(&b, " (%zu row%s): no data on", o->rows,
			 o->rows == 1 ? "" : "s");
		for (size_t k = 0; k < g->nside; k++)
			if (!o->ran[k]) {
				buf_addch(&b, ' ');
				table_side_name(&b, &g->side[k]);
			}
		json_array_append_new(list, json_pack("{s:o}", "text",
						      take(&b)));
	}
	return list;
}

static json_t *title_of(const struct report *r, const struct group *g)
{
	const char *test = result_axis(g->side[0].result, "testcase");
	const char *box = result_axis(g->side[0].result, "tbox_group");
	struct buf b = BUF_INIT(TEXT_MAX);

	if (r->comparison->ngroup == 1)
		return json_null();
	utf8_inert(&b, test ? test : "test", strlen(test ? test : "test"),
		   false);
	if (box) {
		buf_addstr(&b, " on ");
		utf8_inert(&b, box, strlen(box), false);
	}
	return take(&b);
}

static json_t *group_of(const struct report *r, const struct group *g,
			const struct strmap *marks)
{
	json_t *monitors = json_array();

	for (size_t i = 0; i < g->nrow;)
		json_array_append_new(monitors, monitor_of(r, g, &i, marks));
	return json_pack("{s:o, s:o, s:o, s:I, s:o, s:o}", "title",
			 title_of(r, g), "axes", axes_of(g), "sides",
			 sides_of(g), "compared", (json_int_t)g->nside - 1,
			 "left_out", left_out_of(g), "monitors", monitors);
}

json_t *html_groups(const struct report *r, size_t *count)
{
	struct arena a = ARENA_INIT;
	json_t *list = json_array();
	struct strmap marks;

	*count = 0;
	strmap_init(&marks, &a);
	collect_marks(r, &marks);
	for (size_t i = 0; i < r->nbody; i++) {
		const struct group *g = r->body[i].group;

		*count += g->nrow;
		json_array_append_new(list, group_of(r, g, &marks));
	}
	arena_release(&a);
	return list;
}
