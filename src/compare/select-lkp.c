#include "compare/compare-int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/names.h"
#include "compare/values.h"

/* A side as the reference sees it at one moment: it deletes as it goes. */
struct view {
	const struct side *side;
	const struct result *r;		/* the side's */
	size_t columns;		/* before any is dropped */
	const bool *drop;	/* these columns are gone; NULL: none */
	size_t dropped;
	bool key_gone;		/* so is INCOMPLETE */
};

static const struct series *view_series(const struct view *v, uint32_t id)
{
	const struct series *s = result_series_id(v->r, id);

	if (!s || (v->key_gone && !strcmp(series_name(v->r, s), INCOMPLETE)))
		return NULL;
	return s;
}

static size_t view_columns(const struct view *v)
{
	return v->columns - v->dropped;
}

static bool view_has_key(const struct view *v)
{
	return !v->key_gone && result_series(v->r, INCOMPLETE);
}

/* --- One row, exactly. ------------------------------------------------- */

/* Before columns are dropped. */
static size_t row_length(const struct view *v, const struct series *s)
{
	return s && s->n > v->columns ? s->n : v->columns;
}

static struct number number_at(const struct series *s, size_t i,
			       enum cell_type type)
{
	if (type == CELL_INT)
		return number_int(series_cell(s, i).i);
	return type == CELL_FLOAT ? number_float(series_cell(s, i).f) :
				    number_int(0);
}

/* A side's row as the reference has it: zeros where a run has no value. */
static struct numbers *gather(struct work *w, int side, const struct view *v,
			      const struct series *s)
{
	size_t n = row_length(v, s);
	struct numbers *to = &w->numbers[side];

	numbers_reserve(to, n);
	to->n = 0;
	for (size_t i = 0; i < n; i++) {
		enum cell_type type = s && i < s->n ? series_type(s, i) :
						      CELL_NONE;

		if (v->drop && i < v->columns && v->drop[i])
			continue;
		to->v[to->n++] = number_at(s, i, type);
	}
	return to;
}

struct pair {
	struct number_range a, b;	/* head, base */
};

/* Where only a summary is at hand, one deviation to each side stands for the
 * values. */
static bool summary_range(const struct summary *s, struct number_range *r)
{
	double spread = summary_spread(s);

	if (s->is_failure) {
		r->min = number_int(0);
		r->median = r->max = number_float(s->fails);
		return true;
	}
	if (isnan(s->mean) || isnan(spread))
		return false;
	r->min = number_float(s->mean - spread);
	r->median = number_float(s->mean);
	r->max = number_float(s->mean + spread);
	return true;
}

static bool range_of(struct work *w, int side, const struct view *v,
		     const struct series *s, size_t cap, struct number_range *r)
{
	if (s && s->is_summary)
		return summary_range(series_summary(s), r);
	return numbers_trim(gather(w, side, v, s), cap, r);
}

static bool ranges(struct work *w, const struct view *a, const struct view *b,
		   const struct series *sa, const struct series *sb,
		   bool failure, struct pair *p)
{
	size_t cap = failure ? 0 : 3;
	size_t base_runs = row_length(b, sb) - b->dropped;

	if (!range_of(w, 0, b, sb, cap, &p->b))
		return false;
	if (cap > 1 && base_runs <= 3)
		cap = 1;
	return range_of(w, 1, a, sa, cap, &p->a);
}

static bool is_above(struct number a, struct number b)
{
	return number_compare(a, b) > 0;
}

static bool gap_is_wide(const struct number_range *low, const struct number_range *high,
			double gap)
{
	double width = number_value(number_minus(high->min, low->max));
	double between = number_value(number_minus(high->median, low->median));

	return is_above(high->min, low->max) && width > between * gap;
}

static bool are_apart(const struct number_range *low, const struct number_range *high)
{
	return is_above(high->min, low->median) &&
	       is_above(high->median, low->max);
}

/* The threshold of perf-profile rows only meets medians of its own type: 5 is
 * an integer unless --perf-profile-threshold is given. */
static bool threshold_applies(const struct work *w, const char *name,
			      const struct pair *p)
{
	return is_profile(name) &&
	       p->a.median.is_int == !!isnan(w->options->profile_threshold);
}

static bool ranges_differ(const struct work *w, const char *name, bool failure,
			  const struct pair *p)
{
	double gap = w->options->gap;
	struct number limit = isnan(w->options->profile_threshold) ?
		number_int(5) : number_float(w->options->profile_threshold);

	if (threshold_applies(w, name, p))
		return is_above(p->a.median, limit) ||
		       is_above(p->b.median, limit);
	if (failure)
		return number_compare(p->a.max, p->b.max) != 0;
	if (!isnan(gap))
		return gap_is_wide(&p->a, &p->b, gap) ||
		       gap_is_wide(&p->b, &p->a, gap);
	return are_apart(&p->a, &p->b) || are_apart(&p->b, &p->a);
}

static bool is_large_enough(const struct work *w, const char *name,
			    const struct pair *p)
{
	bool a_high = is_above(p->a.median, p->b.median);
	struct number high = a_high ? p->a.median : p->b.median;
	struct number low = a_high ? p->b.median : p->a.median;
	struct number max = is_above(p->a.max, p->b.max) ? p->a.max : p->b.max;
	double ratio = 5;

	if (is_above(low, number_int(0)))
		ratio = number_value(high) / number_value(low);
	if (is_profile(name))
		return true;
	return ratio > 1.01 &&
	       (ratio > 1.05 || rules_sensitive(w->rules, name)) &&
	       rules_reasonable(w->rules, name, number_minus(high, low), max);
}

/* --- Names. ------------------------------------------------------------- */

static bool has_monitor(const struct view *v, const char *prefix)
{
	for (size_t i = 0; i < v->r->nseries; i++)
		if (starts_with(series_name(v->r, &v->r->series[i]), prefix))
			return true;
	return false;
}

static bool may_lack_base(const struct view *b, const char *name)
{
	static const char *const monitors[] = { "lock_stat.", "perf-profile." };

	for (size_t i = 0; i < sizeof(monitors) / sizeof(monitors[0]); i++)
		if (starts_with(name, monitors[i]))
			return has_monitor(b, monitors[i]);
	return false;
}

/* What pass one of a side with incomplete runs looks at. */
static bool is_early(const char *name)
{
	return starts_with(name, "dmesg.") || starts_with(name, "last_state.") ||
	       starts_with(name, "stderr.");
}

struct pass {
	struct work *w;
	const struct view *a, *b;
	struct selection *sel;
	bool early_only;
};

static bool is_skipped(const struct pass *p, uint32_t id, bool in_base,
		       bool forced)
{
	struct work *w = p->w;
	const char *name = stat_name(w, id);

	if (w->options->select != SELECT_MORE && is_noise(w, id))
		return true;
	if (is_failure(w, id))
		return !forced && lacks_counterpart(p->b->r, name);
	if (!forced && view_columns(p->a) < 3 && view_columns(p->b) < 3)
		return true;
	return !in_base && !may_lack_base(p->b, name);
}

static bool has_changed(const struct pass *p, uint32_t id,
			const struct series *sa, const struct series *sb)
{
	struct work *w = p->w;
	const char *force = w->options->force, *name = stat_name(w, id);
	bool failure = is_failure(w, id), forced = force && !strcmp(force, name);
	struct pair ranges_of;

	if (is_skipped(p, id, sb != NULL, forced) ||
	    !ranges(w, p->a, p->b, sa, sb, failure, &ranges_of))
		return false;
	name = stat_name(w, id);
	return forced || (ranges_differ(w, name, failure, &ranges_of) &&
			  is_large_enough(w, name, &ranges_of));
}

/* --- The quick look. ------------------------------------------------------
 *
 * Most rows do not differ, and most of the time goes into finding that out.
 * So before a name is judged or a row is sorted, its values are run through
 * once, as doubles; "perhaps" is the answer to everything that is not plain.
 */

/* All values of a row of one type and full length; else it is not plain. */
static bool glance(struct work *w, int side, const struct view *v,
		   const struct series *s, size_t base_n, struct values *to)
{
	size_t n = v->columns;

	if (v->drop || !s || s->n != n || !n || s->is_summary)
		return false;
	to->v = scratch(w, side, n);
	to->n = n;
	if (s->type != CELL_FLOAT && s->type != CELL_INT)
		return false;
	series_values(s, to->v);
	values_range(to, values_margin(n, base_n));
	/* A least value of -1 is the marker of "no data". */
	return to->least != -1 && fabs(to->least) < 0x1p53 &&
	       fabs(to->most) < 0x1p53;
}

/* May the row have changed?  False is certain. */
static bool look(const struct pass *p, uint32_t id, const struct series *sa,
		 const struct series *sb)
{
	struct work *w = p->w;
	const char *name = stat_name(w, id);
	struct values a, b;

	if (w->options->force && !strcmp(w->options->force, name))
		return true;
	if (is_profile(name) && !isnan(w->options->profile_threshold))
		return true;
	if (!glance(w, 0, p->b, sb, p->b->columns, &b) ||
	    !glance(w, 1, p->a, sa, p->b->columns, &a) ||
	    (is_profile(name) && sa->type == CELL_INT))
		return true;
	if (values_are_apart(&a, &b) || values_are_apart(&b, &a))
		return true;
	return a.most != b.most && is_failure(w, id);
}

/* --- Passes. -------------------------------------------------------------- */

static void consider(const struct pass *p, uint32_t id)
{
	const struct series *sa = view_series(p->a, id);
	const struct series *sb = view_series(p->b, id);

	if (p->early_only && !is_early(stat_name(p->w, id)))
		return;
	if ((sa && sa->bad) || (sb && sb->bad))
		return;
	if (look(p, id, sa, sb) && has_changed(p, id, sa, sb))
		selection_add(p->sel, id);
}

/* Names of the head in its order, then those that only the base has. */
static void run_pass(const struct pass *p)
{
	for (size_t i = 0; i < p->a->r->nseries; i++) {
		uint32_t id = series_id(p->a->r, i);

		if (view_series(p->a, id))
			consider(p, id);
	}
	for (size_t i = 0; i < p->b->r->nseries; i++) {
		uint32_t id = series_id(p->b->r, i);

		if (view_series(p->b, id) && !result_series_id(p->a->r, id))
			consider(p, id);
	}
}

static void drop_incomplete(struct view *v)
{
	v->drop = v->side->is_incomplete;
	v->dropped = v->side->incomplete;
	v->key_gone = true;
}

static struct view view_of(const struct side *s)
{
	size_t runs = s->result->runs ? s->result->runs : s->runs;

	return (struct view){ .side = s, .r = s->result, .columns = runs };
}

static void compare_with_base(struct work *w, struct view *b,
			      const struct side *head, struct selection *sel)
{
	struct view a = view_of(head);
	struct pass p = { w, &a, b, sel, false };

	if (!view_has_key(&a) && !view_has_key(b)) {
		run_pass(&p);
		return;
	}
	p.early_only = true;
	run_pass(&p);
	drop_incomplete(&a);
	drop_incomplete(b);
	p.early_only = false;
	if (a.r->has_source && b->r->has_source)
		run_pass(&p);
}

void select_lkp(struct work *w, const struct group *g, struct selection *sel)
{
	struct view base = view_of(&g->side[0]);

	for (size_t i = 1; i < g->nside; i++)
		compare_with_base(w, &base, &g->side[i], sel);
}
