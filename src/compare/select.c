#include "compare/compare-int.h"

#include <math.h>
#include <string.h>

#include "base/strmap.h"
#include "compare/names.h"
#include "compare/values.h"
#include "stats/stats.h"

/*
 * Which rows changed, over the values that exist.  The rule is the reference's
 * (lkp-style.md 1.5: the ranges of both sides hardly overlap, the change is not
 * tiny, the values are large enough to mean something) without what makes it
 * lie: nothing is filled up with zeros, -1 is a number, a run that did not
 * complete is no run, failures are compared by their rate.
 */

enum { RUNS_MIN = 3 };

struct monitor {
	const char *name;
	const bool *ran;	/* one a side */
	bool is_test;		/* never left out */
	size_t rows;
};

struct finder {
	struct work *w;
	struct group *g;
	const char *testcase;
	struct strmap monitor;	/* name -> struct monitor, as they are met */
};

/* --- Values. --------------------------------------------------------------- */

static void take_those_there(struct values *to, const struct series *s,
			     const bool *drop, size_t runs)
{
	to->n = 0;
	for (size_t i = 0; i < s->n; i++) {
		enum cell_type type = series_type(s, i);

		if (drop && i < runs && drop[i])
			continue;
		if (type == CELL_INT || type == CELL_FLOAT)
			to->v[to->n++] = series_value(s, i);
	}
}

static void take_values(struct work *w, int slot, const struct side *side,
			const struct series *s, bool all_runs,
			struct values *to)
{
	const bool *drop = all_runs ? NULL : side->is_incomplete;

	to->n = 0;
	if (!s || s->bad)
		return;
	to->v = scratch(w, slot, s->n);
	if (drop || (s->type != CELL_FLOAT && s->type != CELL_INT)) {
		take_those_there(to, s, drop, side->result->runs);
		return;
	}
	series_values(s, to->v);
	to->n = s->n;
}

/* --- The rule. -------------------------------------------------------------- */

static bool gap_is_wide(const struct values *low, const struct values *high,
			double distance, double gap)
{
	return high->low > low->high &&
	       high->low - low->high > distance * gap;
}

/* How many times the smaller is the larger?  Across 0: many. */
static double ratio_of(double a, double b)
{
	if (a * b <= 0)
		return 5;
	a = fabs(a);
	b = fabs(b);
	return a > b ? a / b : b / a;
}

static bool means_something(struct finder *f, const char *name, double base,
			    double head, double most)
{
	double ratio = ratio_of(base, head);
	const struct rules *rules = f->w->rules;

	return ratio > 1.01 && (ratio > 1.05 || rules_sensitive(rules, name)) &&
	       rules_reasonable(rules, name, number_float(fabs(head - base)),
				number_float(most));
}

static double most_of(const struct values *a, const struct values *b)
{
	return fmax(fmax(fabs(a->high), fabs(b->high)),
		    fmax(fabs(a->low), fabs(b->low)));
}

static bool both_changed(struct finder *f, const char *name,
			 struct values *base, struct values *head)
{
	const struct compare_options *o = f->w->options;
	bool profile = is_profile(name), apart = false;
	double most, a, b;

	values_range(base, values_margin(base->n, base->n));
	values_range(head, values_margin(head->n, base->n));
	if (isnan(o->gap))
		apart = values_are_apart(base, head) ||
			values_are_apart(head, base);
	if (!apart && isnan(o->gap) &&
	    !(profile && !isnan(o->profile_threshold)))
		return false;
	most = most_of(base, head);
	a = values_upper_median(base);
	b = values_upper_median(head);
	if (!isnan(o->gap))
		apart = gap_is_wide(base, head, b - a, o->gap) ||
			gap_is_wide(head, base, a - b, o->gap);
	if (profile)
		return apart || a > o->profile_threshold ||
		       b > o->profile_threshold;
	return apart && means_something(f, name, a, b, most);
}

/* --- Monitors that ran on one side only. ------------------------------------ */

static bool ran_on(const struct side *side, const char *base, size_t len)
{
	const struct result *r = side->result;

	if (r->runs && side->incomplete == r->runs)
		return false;
	for (size_t i = 0; i < r->nseries; i++)
		if (has_base(series_name(r, &r->series[i]), base, len) &&
		    (r->series[i].n || r->series[i].is_summary))
			return true;
	return false;
}

static struct monitor *monitor_of(struct finder *f, const char *name)
{
	struct arena *a = &f->w->c->arena;
	size_t len = stat_base_length(name);
	void **known = strmap_find(&f->monitor, name, len);
	struct monitor *m;
	bool *ran;

	if (known)
		return *known;
	m = arena_alloc(a, sizeof(*m));
	m->name = arena_strndup(a, name, len);
	ran = arena_array(a, f->g->nside, sizeof(*ran));
	for (size_t i = 0; i < f->g->nside; i++)
		ran[i] = ran_on(&f->g->side[i], m->name, len);
	m->ran = ran;
	m->is_test = rules_test(f->w->rules, m->name, len) ||
		     (f->testcase && has_base(m->name, f->testcase, len));
	*strmap_put(&f->monitor, m->name, len) = m;
	return m;
}

/* Nothing to compare: the base lacks the monitor, or all heads do. */
static bool leaves_nothing(const struct finder *f, const struct monitor *m)
{
	if (m->is_test)
		return false;
	if (!m->ran[0])
		return true;
	for (size_t i = 1; i < f->g->nside; i++)
		if (m->ran[i])
			return false;
	return true;
}

static size_t complete(const struct side *s)
{
	return s->runs - s->incomplete;
}

/* One of both sides has no value at all: news, if the other mostly has. */
static bool came_or_went(struct finder *f, uint32_t id,
			 const struct side *there, const struct side *missing,
			 struct values *v)
{
	struct monitor *m = monitor_of(f, stat_name(f->w, id));
	const char *name = stat_name(f->w, id);
	double median;

	if (leaves_nothing(f, m)) {
		m->rows++;
		return false;
	}
	if (complete(there) < RUNS_MIN && complete(missing) < RUNS_MIN)
		return false;
	if (2 * v->n <= complete(there))
		return false;
	values_range(v, 0);
	median = values_upper_median(v);
	if (median == 0)
		return false;
	return is_profile(name) ||
	       rules_reasonable(f->w->rules, name, number_float(fabs(median)),
				number_float(most_of(v, v)));
}

/* --- Rows. -------------------------------------------------------------------- */

static double failure_rate(struct work *w, const struct side *side,
			   const struct series *s)
{
	struct values v = { .n = 0 };
	size_t fails = 0;

	if (!side->runs)
		return NAN;
	if (s && s->is_summary)
		return series_summary(s)->fails /
		       (double)series_summary(s)->runs;
	take_values(w, 0, side, s, true, &v);
	for (size_t i = 0; i < v.n; i++)
		fails += v.v[i] > 0;
	return (double)fails / (double)side->runs;
}

static bool is_counted(const struct series *s)
{
	return s && (s->n || s->is_summary);
}

static bool failure_changed(struct finder *f, uint32_t id,
			    const struct side *head, const struct series *sa,
			    const struct series *sb)
{
	const struct side *base = &f->g->side[0];
	double before = failure_rate(f->w, base, sb);
	double after = failure_rate(f->w, head, sa);

	if (before == after || isnan(before) || isnan(after))
		return false;
	/* LKP drops rows of zeros: where there is one, every run counted. */
	if (is_counted(sa) && is_counted(sb) && (before == 0 || after == 0))
		return true;
	return !lacks_counterpart(base->result, stat_name(f->w, id));
}

static bool is_hidden(struct finder *f, uint32_t id)
{
	return f->w->options->select != SELECT_MORE && is_noise(f->w, id);
}

/* A side as a summary: its own, or one made of its values. */
static struct summary as_summary(struct finder *f, const struct side *side,
				 const struct series *s)
{
	struct summary sum = { .mean = NAN, .stddev = NAN };
	struct values v = { .n = 0 };

	if (s && s->is_summary)
		return *series_summary(s);
	take_values(f->w, 0, side, s, false, &v);
	sum.runs = v.n;
	sum.mean = stats_mean(v.v, v.n);
	sum.stddev = stats_deviation(v.v, v.n, sum.mean);
	return sum;
}

static bool is_few(const struct summary *s)
{
	return s->runs && s->runs < RUNS_MIN;
}

/* One deviation to each side stands for the range of the values, so neither
 * may reach the other's mean.  Where it is not known there is no range. */
static bool summaries_changed(struct finder *f, uint32_t id,
			      const struct side *head, const struct series *sa,
			      const struct series *sb)
{
	struct summary a = as_summary(f, head, sa);
	struct summary b = as_summary(f, &f->g->side[0], sb);
	double apart = fabs(a.mean - b.mean);

	/* False with NaN. */
	if (!(apart > summary_spread(&a) && apart > summary_spread(&b)))
		return false;
	return !(is_few(&a) && is_few(&b)) &&
	       means_something(f, stat_name(f->w, id), b.mean, a.mean,
			       fmax(fabs(a.mean), fabs(b.mean)));
}

static bool perf_changed(struct finder *f, uint32_t id,
			 const struct side *head, const struct series *sa,
			 const struct series *sb)
{
	const struct side *base = &f->g->side[0];
	struct values a = { .n = 0 }, b = { .n = 0 };

	if ((sa && sa->is_summary) || (sb && sb->is_summary))
		return summaries_changed(f, id, head, sa, sb) &&
		       !is_hidden(f, id);
	take_values(f->w, 0, base, sb, false, &b);
	take_values(f->w, 1, head, sa, false, &a);
	if (!a.n && !b.n)
		return false;
	if (!a.n)
		return !is_hidden(f, id) &&
		       came_or_went(f, id, base, head, &b);
	if (!b.n)
		return !is_hidden(f, id) &&
		       came_or_went(f, id, head, base, &a);
	if (a.n < RUNS_MIN && b.n < RUNS_MIN)
		return false;
	return both_changed(f, stat_name(f->w, id), &b, &a) &&
	       !is_hidden(f, id);
}

static void consider(struct finder *f, uint32_t id, const struct side *head,
		     struct selection *sel)
{
	const struct result *base = f->g->side[0].result;
	const struct series *sa = result_series_id(head->result, id);
	const struct series *sb = result_series_id(base, id);
	const char *force = f->w->options->force;
	bool changed;

	if ((sa && sa->bad) || (sb && sb->bad))
		return;
	if (force && !strcmp(force, stat_name(f->w, id)))
		changed = true;
	else if (is_failure(f->w, id))
		changed = failure_changed(f, id, head, sa, sb) &&
			  !is_hidden(f, id);
	else
		changed = perf_changed(f, id, head, sa, sb);
	if (changed)
		selection_add(sel, id);
}

static void compare_with_base(struct finder *f, const struct side *head,
			      struct selection *sel)
{
	const struct result *a = head->result, *b = f->g->side[0].result;

	for (size_t i = 0; i < a->nseries; i++)
		consider(f, series_id(a, i), head, sel);
	for (size_t i = 0; i < b->nseries; i++)
		if (!result_series_id(a, series_id(b, i)))
			consider(f, series_id(b, i), head, sel);
}

static void note_one_sided(struct finder *f)
{
	struct group *g = f->g;

	g->one_sided = arena_array(&f->w->c->arena, f->monitor.n,
				   sizeof(*g->one_sided));
	for (size_t i = 0; i < f->monitor.n; i++) {
		const struct monitor *m = f->monitor.entry[i].value;

		if (m->rows)
			g->one_sided[g->none_sided++] =
				(struct one_sided){ m->name, m->rows, m->ran };
	}
}

void select_changed(struct work *w, struct group *g, struct selection *sel)
{
	struct finder f = { .w = w, .g = g };

	f.testcase = result_axis(g->side[0].result, "testcase");
	strmap_init(&f.monitor, &w->c->arena);
	for (size_t i = 1; i < g->nside; i++)
		compare_with_base(&f, &g->side[i], sel);
	note_one_sided(&f);
}
