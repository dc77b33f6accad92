#include "report/body.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"
#include "report/report.h"
#include "report/weight.h"

struct candidate {
	size_t at;	/* in the group's rows */
	double weight;
	const char *monitor;
	size_t len;	/* of the monitor's name */
};

static int by_weight(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static bool always(const struct report *r, const struct row *row)
{
	return row->kpi || row->kind == ROW_FAILURE ||
	       !strcmp(row->name, r->headline->name);
}

/* Does a finding say all there is to say of the row: that it repeats another,
 * that a monitor ran on one side only?  Only where rows are chosen at all. */
static bool is_said(const struct report *r, const struct row *row)
{
	for (size_t i = 0; i < r->nfinding && r->options.rows; i++) {
		const struct finding *f = &r->finding[i];

		if (f->kind != FINDING_SAME_ROWS &&
		    f->kind != FINDING_ONE_SIDED)
			continue;
		for (size_t k = 0; f->stat[k]; k++)
			if (f->stat[k] == row->name && !always(r, row))
				return true;
	}
	return false;
}

/* Keep the weightiest of "n" candidates while there is room. */
static void fill(const struct report *r, struct candidate *v, size_t n,
		 size_t kept, bool *keep)
{
	size_t room = r->options.rows, share = room / 3 + 1;
	struct arena scratch = ARENA_INIT;
	struct strmap taken;	/* monitor -> how many of its rows */

	strmap_init(&taken, &scratch);
	qsort(v, n, sizeof(*v), by_weight);
	for (size_t i = 0; i < n && kept < room; i++) {
		void **count = strmap_put(&taken, v[i].monitor, v[i].len);

		if ((uintptr_t)*count >= share)
			continue;
		*count = (void *)((uintptr_t)*count + 1);
		keep[v[i].at] = true;
		kept++;
	}
	arena_release(&scratch);
}

/* Of the rows marked in "keep" leave as many as there is room for. */
static void thin_out(struct report *r, const struct group *g, size_t side,
		     bool *keep)
{
	struct candidate *v = arena_array(&r->arena, g->nrow, sizeof(*v));
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < g->nrow; i++) {
		const char *name = g->row[i].name;

		kept += keep[i] && always(r, &g->row[i]);
		if (!keep[i] || always(r, &g->row[i]))
			continue;
		keep[i] = false;
		v[n++] = (struct candidate){ i, row_weight(&g->row[i], side),
					     name, strcspn(name, ".") };
	}
	fill(r, v, n, kept, keep);
}

static void choose(struct report *r, struct body *b, const struct group *g)
{
	size_t side = r->side < g->nside ? r->side : g->nside - 1, n = 0;
	bool *keep = arena_array(&r->arena, g->nrow, sizeof(*keep));

	b->group = g;
	b->row = arena_array(&r->arena, g->nrow, sizeof(*b->row));
	for (size_t i = 0; i < g->nrow; i++)
		n += keep[i] = !is_said(r, &g->row[i]);
	if (r->options.rows && n > r->options.rows)
		thin_out(r, g, side, keep);
	for (size_t i = 0; i < g->nrow; i++)
		if (keep[i])
			b->row[b->n++] = &g->row[i];
}

void body_choose(struct report *r)
{
	const struct comparison *c = r->comparison;

	r->body = arena_array(&r->arena, c->ngroup, sizeof(*r->body));
	choose(r, &r->body[r->nbody++], r->group);
	for (size_t i = 0; i < c->ngroup; i++)
		if (&c->group[i] != r->group && c->group[i].nside > 1)
			choose(r, &r->body[r->nbody++], &c->group[i]);
}
