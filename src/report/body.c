#include "report/body.h"

#include <math.h>
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

/* Is it the row that a finding is about? */
static bool is_told(const struct report *r, const char *name)
{
	for (size_t i = 0; i < r->nfinding; i++) {
		const char *stat = r->finding[i].stat[0];

		if (stat && !strcmp(stat, name))
			return true;
	}
	return false;
}

static bool always(const struct report *r, const struct row *row)
{
	return row->kpi || row->kind == ROW_FAILURE || is_told(r, row->name);
}

/* What stands in the mail for row "i": itself, or what findings made of it;
 * NULL for what they say without it.  Only where rows are chosen at all. */
static const struct row *shown(const struct report *r, const struct group *g,
			       size_t i)
{
	if (!r->options.rows || g != r->group)
		return &g->row[i];
	return r->shown[i];
}

/* What the test itself says, times of the machine excepted, goes before what
 * the monitors say. */
static double weight(const struct report *r, const struct group *g, size_t i,
		     size_t side)
{
	const char *test = result_axis(g->side[0].result, "testcase");
	const char *name = g->row[i].name;
	size_t len = test ? strlen(test) : 0;

	if (len && !strncmp(name, test, len) && name[len] == '.' &&
	    strncmp(name + len + 1, "time.", 5) != 0)
		return INFINITY;
	return row_weight(shown(r, g, i), side);
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
		v[n++] = (struct candidate){ i, weight(r, g, i, side), name,
					     strcspn(name, ".") };
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
		n += keep[i] = shown(r, g, i) != NULL;
	if (r->options.rows && n > r->options.rows)
		thin_out(r, g, side, keep);
	for (size_t i = 0; i < g->nrow; i++)
		if (keep[i])
			b->row[b->n++] = shown(r, g, i);
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
