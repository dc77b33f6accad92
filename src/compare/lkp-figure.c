#include "compare/compare-int.h"

#include <math.h>

#include "stats/stats.h"

/* What the reference prints of a side (lkp-style.md 1.6), with all of 1.8. */

static bool pads(const struct result *r)
{
	return r->has_source;	/* without one nothing says how far */
}

static void sum_row(const struct side *side, const struct series *s,
		    const bool *drop, struct sum *sum)
{
	size_t runs = side->result->runs, n = s ? s->n : 0;

	if (s && pads(side->result) && n < runs)
		n = runs;
	for (size_t i = 0; i < n; i++) {
		enum cell_type type = i < s->n ? series_type(s, i) : CELL_NONE;

		if (drop && i < runs && drop[i])
			continue;
		if (type == CELL_FLOAT)
			sum_float(sum, series_cell(s, i).f);
		else
			sum_int(sum, type == CELL_INT ? series_cell(s, i).i : 0);
	}
}

/* As stats_deviation(), over the same row. */
static double deviation_of(struct work *w, const struct side *side,
			   const struct series *s, const bool *drop,
			   double mean)
{
	size_t runs = side->result->runs, n = 0;
	size_t all = pads(side->result) && s->n < runs ? runs : s->n;
	double *v = scratch(w, 0, all);

	for (size_t i = 0; i < all; i++) {
		if (drop && i < runs && drop[i])
			continue;
		v[n++] = i < s->n && (series_type(s, i) == CELL_INT ||
				      series_type(s, i) == CELL_FLOAT) ?
				 series_value(s, i) : 0;
	}
	return stats_deviation(v, n, mean);
}

static void fill_from_summary(const struct summary *s, struct lkp_figure *f)
{
	double deviation = summary_deviation(s);

	f->runs = s->runs;
	f->mean = isnan(s->mean) ? 0 : s->mean;
	f->fails = s->fails;
	if (!isnan(deviation))
		f->stddev = deviation;
}

static void fill_side(struct work *w, const struct side *side,
		      const struct row *row, struct lkp_figure *f)
{
	const struct series *s = result_series(side->result, row->name);
	struct sum sum = { .exact = 0 };
	const bool *drop = row->kind == ROW_PERF ? side->is_incomplete : NULL;

	f->stddev = -1;
	f->runs = side->runs;
	if (s && s->bad)
		s = NULL;
	if (s && s->is_summary) {
		fill_from_summary(series_summary(s), f);
		return;
	}
	sum_row(side, s, drop, &sum);
	f->mean = sum_mean(&sum);
	f->fails = sum_total(&sum);
	f->is_whole = sum_whole(&sum, &f->whole);
	if (sum.n > 1)
		f->stddev = deviation_of(w, side, s, drop, f->mean);
}

static double perf_change(const struct row *row, double base, double mean)
{
	if (row->points)
		return mean - base;
	if (base == 0)
		base = 1e-100;
	return 100.0 * (mean - base) / base;
}

void fill_lkp_figures(struct work *w, const struct group *g, struct row *row)
{
	struct lkp_figure *f = arena_array(w->arena, g->nside, sizeof(*f));

	row->lkp = f;
	for (size_t i = 0; i < g->nside; i++)
		fill_side(w, &g->side[i], row, &f[i]);
	for (size_t i = 1; i < g->nside; i++)
		if (row->kind == ROW_FAILURE)
			/* By the runs of the column to the left. */
			f[i].change = 100 * (f[i].fails /
						     (double)f[i - 1].runs -
					     f[0].fails / (double)f[0].runs);
		else
			f[i].change = perf_change(row, f[0].mean, f[i].mean);
}
