#include "compare/compare-int.h"

#include <math.h>
#include <string.h>

#include "compare/names.h"
#include "compare/verdict.h"
#include "stats/stats.h"

const bool *incomplete_runs(struct arena *a, const struct result *r,
			    size_t *count)
{
	const struct series *s = result_series(r, INCOMPLETE);
	bool *drop = NULL;

	*count = 0;
	for (size_t i = 0; s && i < s->n && i < r->runs; i++) {
		if (series_type(s, i) != CELL_INT &&
		    series_type(s, i) != CELL_FLOAT)
			continue;
		if (series_value(s, i) != 1)
			continue;
		if (!drop)
			drop = arena_array(a, r->runs, sizeof(*drop));
		drop[i] = true;
		(*count)++;
	}
	return drop;
}

static bool counts(const struct series *s, size_t i, const bool *drop,
		   size_t runs)
{
	enum cell_type type = series_type(s, i);

	return (type == CELL_INT || type == CELL_FLOAT) &&
	       !(drop && i < runs && drop[i]);
}

/* The values that exist into "value". */
static void collect(struct figure *f, const bool *drop, size_t runs,
		    double *value)
{
	const struct series *s = f->series;

	for (size_t i = 0; i < s->n; i++)
		if (counts(s, i, drop, runs))
			value[f->n++] = series_value(s, i);
	f->value = value;
}

/* The runs they are of, unless all are there. */
static void note_runs(struct arena *a, struct figure *f, const bool *drop,
		      size_t runs)
{
	const struct series *s = f->series;
	size_t n = 0, *run;

	if (f->n == s->n)
		return;
	run = arena_array(a, f->n, sizeof(*run));
	for (size_t i = 0; i < s->n; i++)
		if (counts(s, i, drop, runs))
			run[n++] = i;
	f->run = run;
}

static double mean_of(const struct figure *f)
{
	struct sum sum = { .exact = 0 };

	for (size_t i = 0; i < f->n; i++) {
		size_t run = figure_run(f, i);

		if (series_type(f->series, run) == CELL_INT)
			sum_int(&sum, series_cell(f->series, run).i);
		else
			sum_float(&sum, f->value[i]);
	}
	return f->n ? sum_mean(&sum) : NAN;
}

static void describe(struct work *w, struct figure *f)
{
	double *sorted = scratch(w, 0, f->n);

	f->mean = mean_of(f);
	f->stddev = stats_deviation(f->value, f->n, f->mean);
	if (!f->n)
		return;
	memcpy(sorted, f->value, f->n * sizeof(*sorted));
	stats_sort(sorted, f->n);
	f->min = sorted[0];
	f->median = stats_median(sorted, f->n);
	f->max = sorted[f->n - 1];
}

static void count_fails(struct figure *f)
{
	f->fails = 0;
	for (size_t i = 0; i < f->n; i++)
		f->fails += f->value[i] > 0;
}

static void take_summary(struct figure *f, const struct summary *s)
{
	/* A mean of who knows how many runs weighs as much as one run. */
	f->n = s->runs ? s->runs : 1;
	f->runs = f->n;
	f->mean = s->mean;
	f->stddev = summary_deviation(s);
	f->fails = s->is_failure ? s->fails : 0;
}

/* Values that nobody will look at again are not kept. */
static bool is_quick(const struct work *w, const struct row *row)
{
	return w->options->quick && !row->kpi;
}

static void fill_figure(struct work *w, const struct side *side,
			const struct row *row, struct figure *f)
{
	bool failure = row->kind == ROW_FAILURE, quick = is_quick(w, row);
	const bool *drop = failure ? NULL : side->is_incomplete;
	size_t runs = side->result->runs;

	f->series = result_series(side->result, row->name);
	f->runs = side->runs;
	f->mean = f->median = f->min = f->max = f->stddev = NAN;
	if (f->series && f->series->bad)
		f->series = NULL;
	f->in_process = f->series && f->series->in_process;
	if (f->series && f->series->is_summary) {
		take_summary(f, series_summary(f->series));
		return;
	}
	if (drop)
		f->left_out = side->incomplete;
	if (!f->series)
		return;
	collect(f, drop, runs, quick ? scratch(w, 1, f->series->n) :
		arena_array(w->arena, f->series->n, sizeof(double)));
	note_runs(w->arena, f, drop, runs);
	describe(w, f);
	if (failure)
		count_fails(f);
	if (quick)
		f->value = NULL;
}

static void change_failure(const struct figure *base, const struct figure *f,
			   struct change *c)
{
	*c = (struct change){ .low = NAN, .high = NAN, .p_welch = NAN,
			      .p_rank = NAN, .percent = NAN,
			      .absolute = NAN };
	if (!base->runs || !f->runs)
		return;
	c->absolute = f->fails / (double)f->runs -
		      base->fails / (double)base->runs;
	c->percent = 100 * c->absolute;
}

void fill_figures(struct work *w, const struct group *g, struct row *row)
{
	bool judge = !is_quick(w, row);

	row->figure = arena_array(w->arena, g->nside, sizeof(*row->figure));
	for (size_t i = 0; i < g->nside; i++) {
		struct figure *f = &row->figure[i];

		fill_figure(w, &g->side[i], row, f);
		row->in_process |= f->in_process;
		if (!i)
			continue;
		if (row->kind == ROW_FAILURE)
			change_failure(&row->figure[0], f, &f->change);
		else
			change_between(&row->figure[0], f, row->better, judge,
				       &f->change);
		change_ignore_small(&f->change, w->options->smallest);
	}
}
