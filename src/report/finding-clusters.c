/* 7. Values that fall into two clusters: placement, not the commit. */
#include "report/finding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "report/words.h"
#include "stats/stats.h"

enum { LEAST_RUNS = 6, LEAST_IN_CLUSTER = 2 };

struct clusters {
	size_t low, high;	/* runs in each */
	double low_at, high_at;	/* their medians */
	double gap;		/* between them */
	double wide;		/* the wider one's range */
};

/*
 * A gap between values of one cluster is at most this many times as wide as
 * both remaining parts, in 299 of 300 samples, be they normal or log-normal.
 */
static double least_gap(size_t n)
{
	return n < 8 ? 7.5 : n < 10 ? 4 : n < 20 ? 3 : 2;
}

static bool is_wider(const struct clusters *a, const struct clusters *b)
{
	return a->gap * b->wide > b->gap * a->wide;
}

/* The best cut of the sorted values. */
static struct clusters cut(const double *v, size_t n)
{
	size_t least = n / 5 > LEAST_IN_CLUSTER ? n / 5 : LEAST_IN_CLUSTER;
	struct clusters best = { .wide = 1 };

	for (size_t k = least; k + least <= n; k++) {
		struct clusters c = {
			k, n - k, stats_median(v, k),
			stats_median(v + k, n - k), v[k] - v[k - 1],
			fmax(v[k - 1] - v[0], v[n - 1] - v[k]),
		};

		if (is_wider(&c, &best))
			best = c;
	}
	return best;
}

static bool find_cut(const struct figure *f, struct clusters *c)
{
	double *v;

	if (!f->value || f->n < LEAST_RUNS)
		return false;
	v = malloc(f->n * sizeof(*v));
	if (!v)
		die_no_memory();
	memcpy(v, f->value, f->n * sizeof(*v));
	stats_sort(v, f->n);
	*c = cut(v, f->n);
	free(v);
	return c->low && c->gap > least_gap(f->n) * c->wide &&
	       c->gap > .01 * fabs(f->mean);
}

static void add_clusters(struct note *n, const struct clusters *c)
{
	buf_addf(&n->text, "%zu runs near ", c->low);
	words_value(&n->text, c->low_at);
	buf_addf(&n->text, " and %zu near ", c->high);
	words_value(&n->text, c->high_at);
}

static void add_numbers(struct note *n, const char *side,
			const struct clusters *c)
{
	json_object_set_new(n->numbers, side, json_pack(
		"{s:I, s:o, s:I, s:o}", "low_runs", (json_int_t)c->low, "low",
		json_number(c->low_at), "high_runs", (json_int_t)c->high,
		"high", json_number(c->high_at)));
}

/* How many runs of "f" lie in either cluster of the other side; false when some
 * lie in none. */
static bool sort_in(const struct figure *f, const struct clusters *c,
		    size_t *low, size_t *high)
{
	double near = c->gap / 4 + c->wide;

	*low = *high = 0;
	for (size_t i = 0; f->value && i < f->n; i++) {
		*low += fabs(f->value[i] - c->low_at) <= near;
		*high += fabs(f->value[i] - c->high_at) <= near;
	}
	return f->value && *low + *high == f->n;
}

/* "near 641.00 (base 0 of 6 runs, tested 3 of 6)" */
static void add_shared(struct note *n, double at, size_t base, size_t head)
{
	buf_addstr(&n->text, "near ");
	words_value(&n->text, at);
	buf_addf(&n->text, " (%zu of %zu runs of the base, %zu of %zu with the "
		 "commit)", base, base_figure(n->report)->n, head,
		 head_figure(n->report)->n);
}

static void add_both(struct note *n, const struct clusters *base,
		     const struct clusters *head)
{
	struct report *r = n->report;

	if (base) {
		buf_addf(&n->text, "on %s ", side_title(r, 0));
		add_clusters(n, base);
	}
	buf_addstr(&n->text, base && head ? "; " : "");
	if (head) {
		buf_addf(&n->text, "on %s ", side_title(r, r->side));
		add_clusters(n, head);
	}
}

/* Both sides by the same two clusters, where all of their runs lie there. */
static bool add_common(struct note *n, const struct row *row,
		       const struct clusters *base, const struct clusters *head)
{
	const struct clusters *c = head ? head : base;
	size_t low[2], high[2];

	if (row != n->report->headline ||
	    !sort_in(&row->figure[0], c, &low[0], &high[0]) ||
	    !sort_in(&row->figure[n->report->side], c, &low[1], &high[1]))
		return false;
	add_shared(n, c->low_at, low[0], low[1]);
	buf_addstr(&n->text, " and ");
	add_shared(n, c->high_at, high[0], high[1]);
	return true;
}

static void add_row(struct report *r, const struct row *row)
{
	struct clusters base, head;
	bool in_base = find_cut(&row->figure[0], &base);
	bool in_head = find_cut(&row->figure[r->side], &head);
	struct note n;

	if (!in_base && !in_head)
		return;
	note_start(&n, r);
	note_stat(&n, row->name);
	note_name(&n, row->name);
	buf_addstr(&n.text, " falls into two clusters: ");
	if (in_base)
		add_numbers(&n, "base", &base);
	if (in_head)
		add_numbers(&n, "head", &head);
	if (!add_common(&n, row, in_base ? &base : NULL,
			in_head ? &head : NULL))
		add_both(&n, in_base ? &base : NULL, in_head ? &head : NULL);
	buf_addstr(&n.text, ". Such clusters often come from memory or task "
			    "placement; the mean says little.");
	note_end(&n, FINDING_CLUSTERS);
}

void find_clusters(struct report *r)
{
	add_row(r, r->headline);
	for (size_t i = 0; i < r->group->nrow; i++)
		if (r->group->row[i].kpi &&
		    strcmp(r->group->row[i].name, r->headline->name))
			add_row(r, &r->group->row[i]);
}
