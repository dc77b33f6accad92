/* 1. Is it real: runs, spread, the interval of the change, runs needed. */
#include "report/finding.h"

#include <math.h>

#include "report/words.h"

enum { ENOUGH = 4 };	/* runs; with less it is only probable */

static double spread(const struct figure *f)
{
	return f->mean != 0 ? 100 * f->stddev / fabs(f->mean) : NAN;
}

/* "4 runs of each" or "4 and 6 runs". */
static void add_runs(struct note *n, size_t base, size_t head,
		     const char *what)
{
	if (base == head)
		buf_addf(&n->text, "%zu %s%s of each", base, what,
			 base == 1 ? "" : "s");
	else
		buf_addf(&n->text, "%zu and %zu %ss", base, head, what);
	note_number(n, "base_runs", (double)base);
	note_number(n, "head_runs", (double)head);
}

static void add_spread(struct note *n, const struct figure *base,
		       const struct figure *head)
{
	double a = spread(base), b = spread(head);

	if (isfinite(a) && isfinite(b))
		buf_addf(&n->text, ", spread %.1f%% and %.1f%%", a, b);
	note_number(n, "base_spread_percent", a);
	note_number(n, "head_spread_percent", b);
}

/* A rise to more than ten times the base as such: "17.9 and 18.0 times". */
static void add_times(struct note *n, double low, double high)
{
	int digits = high - low < 100 ? 2 : 1;

	buf_addf(&n->text, "it is between %.*f and %.*f times the base", digits,
		 1 + low / 100, digits, 1 + high / 100);
}

static void add_bound(struct note *n, double x, const char *unit)
{
	if (*unit == '%')
		words_percent(&n->text, x, WORDS_SIGNED);
	else
		buf_addf(&n->text, "%+.1f%s", fabs(x) < 0.05 ? 0 : x, unit);
}

/* The interval as the change itself is shown: percent, or points. */
static void add_interval(struct note *n, const struct report *r)
{
	double base = fabs(base_figure(r)->mean);
	double low = r->change->low, high = r->change->high;
	bool percent = !r->headline->points && isfinite(r->change->percent) &&
		       isfinite(100 / base);
	double scale = percent ? 100 / base : 1;
	const char *unit = percent ? "%" : r->headline->points ? "pp" : "";

	/* What is never negative cannot fall by more than all of it. */
	if (base_figure(r)->min >= 0 && head_figure(r)->min >= 0)
		low = fmax(low, -base);
	buf_addf(&n->text, "; with %g%% confidence ", 100 * CHANGE_LEVEL);
	if (percent && scale * high >= 1000) {
		add_times(n, scale * low, scale * high);
	} else {
		buf_addstr(&n->text, "the change is between ");
		add_bound(n, scale * low, unit);
		buf_addstr(&n->text, " and ");
		add_bound(n, scale * high, unit);
	}
	note_number(n, "low", low);
	note_number(n, "high", high);
	note_number(n, "p_welch", r->change->p_welch);
	note_number(n, "p_rank", r->change->p_rank);
}

static bool excludes_zero(const struct change *c)
{
	return c->low > 0 || c->high < 0;
}

static bool ranges_apart(const struct figure *a, const struct figure *b)
{
	return a->max < b->min || b->max < a->min;
}

static bool has_few(const struct report *r)
{
	return base_figure(r)->n < ENOUGH || head_figure(r)->n < ENOUGH;
}

static const char *answer(const struct report *r)
{
	bool few = has_few(r);

	if (r->news.kind == NEWS_NOT_COMPARABLE)
		return excludes_zero(r->change) ?
			"It is no noise, whatever its cause: " : "Not decided: ";
	switch (r->verdict) {
	case VERDICT_REGRESSION:
	case VERDICT_IMPROVEMENT:
		return few ? "It is probably real, but there are only "
			   : "It is real: ";
	case VERDICT_NO_CHANGE:
		if (excludes_zero(r->change))
			return "Sure, but too small to matter: ";
		return "No change can be told from noise: ";
	case VERDICT_INCONCLUSIVE:
		return "Not decided: ";
	case VERDICT_NONE:
		break;
	}
	if (!excludes_zero(r->change))
		return "Not decided: ";
	return few ? "It is probably no noise, but there are only "
		   : "It is no noise: ";
}

static void add_outlook(struct note *n, const struct report *r)
{
	size_t needed = r->change->runs_needed;

	if (needed && !has_far_run(r)) {
		buf_addf(&n->text, ". About %zu runs of each side would decide",
			 needed);
		note_number(n, "runs_needed", (double)needed);
	} else if (ranges_apart(base_figure(r), head_figure(r)) &&
		   base_figure(r)->n > 2 && head_figure(r)->n > 2) {
		buf_addstr(&n->text, ". No run of one side comes near the "
				     "other's");
	}
	buf_addch(&n->text, '.');
}

static bool is_lone_mean(const struct figure *f)
{
	return !f->value && f->n == 1;
}

static void too_few(struct note *n, const struct report *r)
{
	if (is_lone_mean(base_figure(r)) && is_lone_mean(head_figure(r))) {
		buf_addstr(&n->text, "Not decided: of both sides only a mean "
			   "is known, which tells nothing about noise. Run "
			   "both sides at least four times.");
		return;
	}
	buf_addstr(&n->text, "Not decided: ");
	add_runs(n, base_figure(r)->n, head_figure(r)->n, "run");
	if (base_figure(r)->n > 1 && head_figure(r)->n > 1) {
		buf_addstr(&n->text, ", of which the spread is not known.");
		return;
	}
	buf_addf(&n->text, " %s nothing about noise. Run both sides at least "
		 "four times.", base_figure(r)->n == 1 && head_figure(r)->n == 1
		 ? "tells" : "tell");
}

static bool is_constant(const struct figure *f)
{
	return f->value && f->n > 1 && f->min == f->max;
}

/* "812.00 in every run of both." */
static void add_constants(struct note *n, const struct report *r)
{
	const struct figure *base = base_figure(r), *head = head_figure(r);

	if (base->mean == head->mean) {
		words_mean(&n->text, r->headline, 0);
		buf_addstr(&n->text, " in every run of both");
	} else {
		words_mean(&n->text, r->headline, 0);
		buf_addstr(&n->text, " in every run of the base, ");
		words_mean(&n->text, r->headline, r->side);
		buf_addstr(&n->text, " in every run with the commit");
	}
	buf_addstr(&n->text, " (");
	add_runs(n, base->n, head->n, "run");
	buf_addstr(&n->text, "): no noise at all.");
	note_number(n, "low", r->change->low);
	note_number(n, "high", r->change->high);
}

void find_real(struct report *r)
{
	const struct figure *base = base_figure(r), *head = head_figure(r);
	bool inside = base->in_process || head->in_process;
	struct note n;

	if (!base->n || !head->n)
		return;
	note_start(&n, r);
	note_stat(&n, r->headline->name);
	if (!isfinite(r->change->low)) {
		too_few(&n, r);
		note_end(&n, FINDING_REAL);
		return;
	}
	if (is_constant(base) && is_constant(head)) {
		add_constants(&n, r);
	} else {
		buf_addstr(&n.text, answer(r));
		add_runs(&n, base->n, head->n, inside ? "repetition" : "run");
		add_spread(&n, base, head);
		add_interval(&n, r);
		add_outlook(&n, r);
	}
	if (inside)
		buf_addstr(&n.text, " These are repetitions inside one run: "
				    "another boot or build may move them all.");
	note_end(&n, FINDING_REAL);
}
