#include "compare/compare-int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/strmap.h"
#include "compare/names.h"

/*
 * Sorts by the rank of the monitor or test (lkp-style.md 1.7), which puts those
 * with failures on top and, of the other monitors, those with many rows last.
 * The name decides within one; profiles have their changes in order below each
 * kind.  In our own style the KPIs precede all other rows that are no failures.
 */

struct place {
	const struct row *row;
	size_t number;		/* before sorting, to break ties */
	long rank;
	size_t key_len;		/* how much of the name is compared */
	size_t nside;
	bool first;		/* a KPI, in our own style */
};

struct monitor_rank {
	long rank;
	bool is_test;
};

static bool is_failure_row(const struct row *row)
{
	return row->kind == ROW_FAILURE;
}

static struct monitor_rank *rank_of(struct strmap *ranks, const char *name)
{
	size_t len = stat_base_length(name);
	void **known = strmap_put(ranks, name, len);

	if (!*known)
		*known = arena_alloc(ranks->arena,
				     sizeof(struct monitor_rank));
	return *known;
}

static void count_rows(struct work *w, const struct group *g,
		       struct strmap *ranks)
{
	for (size_t i = 0; i < g->nrow; i++) {
		const char *name = g->row[i].name;
		size_t known = ranks->n;
		struct monitor_rank *m = rank_of(ranks, name);

		if (ranks->n > known) {
			m->rank = is_failure_row(&g->row[i]) ? -10000 : 0;
			m->is_test = rules_test(w->rules, name,
						stat_base_length(name));
		}
		m->rank++;
	}
	for (size_t i = 0; i < ranks->n; i++) {
		struct monitor_rank *m = ranks->entry[i].value;

		if (m->is_test && m->rank > 0)
			m->rank = 0;
	}
}

/* "perf-profile.self" of "perf-profile.self.cycles-pp.x". */
static size_t key_length(const struct work *w, const char *name)
{
	size_t len = strlen(name), base = stat_base_length(name);

	if (base != 12 || strncmp(name, "perf-profile", 12) || !name[base])
		return len;
	if (w->options->era && w->options->era <= 2017)
		return len;
	return base + 1 + strcspn(name + base + 1, ".");
}

static int compare_changes(const struct place *a, const struct place *b)
{
	for (size_t i = 1; i < a->nside; i++) {
		double x = a->row->change[i], y = b->row->change[i];

		if (isnan(x) || isnan(y)) {
			if (isnan(x) != isnan(y))
				return isnan(x) ? 1 : -1;
		} else if (x != y) {
			return x < y ? -1 : 1;
		}
	}
	return 0;
}

static int compare_keys(const struct place *a, const struct place *b)
{
	size_t len = a->key_len < b->key_len ? a->key_len : b->key_len;
	int c = memcmp(a->row->name, b->row->name, len);

	if (c)
		return c;
	return (a->key_len > b->key_len) - (a->key_len < b->key_len);
}

static int by_place(const void *va, const void *vb)
{
	const struct place *a = va, *b = vb;
	int c;

	if (a->first != b->first)
		return a->first ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	c = compare_keys(a, b);
	if (!c)
		c = compare_changes(a, b);
	if (!c)
		c = (a->number > b->number) - (a->number < b->number);
	return c;
}

/* Row p[i].number is to be row i: each goes where the next of its circle leaves
 * a place. */
static void put_in_order(struct row *row, struct place *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct row first = row[i];
		size_t at = i;

		while (p[at].number != i) {
			size_t from = p[at].number;

			row[at] = row[from];
			p[at].number = at;
			at = from;
		}
		row[at] = first;
		p[at].number = at;
	}
}

void order_rows(struct work *w, struct group *g)
{
	bool kpi_first = w->options->style == COMPARE_DEFAULT;
	struct place *p = calloc(g->nrow + 1, sizeof(*p));
	struct strmap ranks;

	if (!p)
		die_no_memory();
	strmap_init(&ranks, &w->c->arena);
	count_rows(w, g, &ranks);
	for (size_t i = 0; i < g->nrow; i++)
		p[i] = (struct place){
			.row = &g->row[i],
			.number = i,
			.rank = rank_of(&ranks, g->row[i].name)->rank,
			.key_len = key_length(w, g->row[i].name),
			.nside = g->nside,
			.first = kpi_first && g->row[i].kpi &&
				 !is_failure_row(&g->row[i]),
		};
	qsort(p, g->nrow, sizeof(*p), by_place);
	put_in_order(g->row, p, g->nrow);
	free(p);
}
