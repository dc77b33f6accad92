/* 1. Is it real: runs, spread, the interval of the change, runs needed. */
#include "report/finding.h"

#include <math.h>


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

/* The interval as the change itself is shown: percent, or points. */
static void add_interval(struct note *n, const struct report *r)
{
	double base = fabs(base_figure(r)->mean);
	bool percent = !r->headline->points && isfinite(r->change->percent) &&
		       isfinite(100 / base);
	double scale = percent ? 100 / base : 1;
	const char *unit = percent ? "%" : r->headline->points ? "pp" : "";

	buf_addf(&n->text, "; with %g%% confidence the change is between "
		 "%+.1f%s and %+.1f%s", 100 * CHANGE_LEVEL,
		 scale * r->change->low, unit, scale * r->change->high, unit);
	note_number(n, "low", r->change->low);
	note_number(n, "high", r->change->high);
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

static const char *answer(const struct report *r)
{
	switch (r->verdict) {
	case VERDICT_REGRESSION:
	case VERDICT_IMPROVEMENT:
		return "It is real: ";
	case VERDICT_NO_CHANGE:
		return "No change can be told from noise: ";
	case VERDICT_INCONCLUSIVE:
		return "Not decided: ";
	case VERDICT_NONE:
		break;
	}
	return excludes_zero(r->change) ? "It is no noise: " : "";
}

static void add_outlook(struct note *n, const struct report *r)
{
	size_t needed = r->change->runs_needed;

	if (needed) {
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

static void too_few(struct note *n, const struct report *r)
{
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
	buf_addstr(&n.text, answer(r));
	add_runs(&n, base->n, head->n, inside ? "repetition" : "run");
	add_spread(&n, base, head);
	add_interval(&n, r);
	add_outlook(&n, r);
	if (inside)
		buf_addstr(&n.text, " These are repetitions inside one run: "
				    "another boot or build may move them all.");
	note_end(&n, FINDING_REAL);
}
