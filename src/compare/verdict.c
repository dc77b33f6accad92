#include "compare/verdict.h"

#include <math.h>

#include "stats/stats.h"

static struct sample sample_of(const struct figure *f)
{
	double n = (double)f->n;

	return (struct sample){ f->n, f->mean, f->stddev * sqrt(n / (n - 1)) };
}

static enum verdict changed(enum better better, double change)
{
	if (better == BETTER_UNKNOWN)
		return VERDICT_NONE;
	return (change > 0) == (better == BETTER_HIGHER) ? VERDICT_IMPROVEMENT :
							   VERDICT_REGRESSION;
}

static enum verdict verdict_of(const struct change *c, enum better better,
			       double small)
{
	if (isnan(c->low) || isnan(c->high))
		return VERDICT_INCONCLUSIVE;
	if (c->low > 0 || c->high < 0)
		return changed(better, c->absolute);
	if (c->low >= -small && c->high <= small)
		return VERDICT_NO_CHANGE;
	return VERDICT_INCONCLUSIVE;
}

/* The half width that would decide either way is the larger of both. */
static size_t runs_to_decide(const struct sample *a, const struct sample *b,
			     double change, double small)
{
	double away = fabs(change), within = small - away;
	size_t runs;

	if (isnan(a->deviation) || isnan(b->deviation))
		return 0;
	runs = stats_runs_needed(a->deviation, b->deviation,
				 away > within ? away : within, CHANGE_LEVEL,
				 VERDICT_RUNS_MAX);
	return runs < VERDICT_RUNS_MAX ? runs : 0;
}

static void judge_change(const struct figure *base, const struct figure *f,
			 enum better better, struct change *c)
{
	struct sample a = sample_of(base), b = sample_of(f);
	struct welch w = stats_welch(&a, &b, CHANGE_LEVEL);
	double small = VERDICT_SMALL * fabs(base->mean);

	c->low = w.low;
	c->high = w.high;
	c->p_welch = w.p;
	if (base->value && f->value)
		c->p_rank = stats_rank_test(base->value, base->n, f->value,
					    f->n);
	c->verdict = verdict_of(c, better, small);
	if (c->verdict == VERDICT_INCONCLUSIVE)
		c->runs_needed = runs_to_decide(&a, &b, c->absolute, small);
}

void change_between(const struct figure *base, const struct figure *f,
		    enum better better, bool judge, struct change *c)
{
	*c = (struct change){ .low = NAN, .high = NAN, .p_welch = NAN,
			      .p_rank = NAN };
	c->absolute = f->mean - base->mean;	/* NaN when one has no data */
	c->percent = base->mean != 0 ?
			     100 * c->absolute / fabs(base->mean) : NAN;
	if (isinf(c->percent))	/* so little is as good as 0 */
		c->percent = NAN;
	if (judge && base->n && f->n)
		judge_change(base, f, better, c);
}

void change_ignore_small(struct change *c, double smallest)
{
	if ((c->verdict == VERDICT_REGRESSION ||
	     c->verdict == VERDICT_IMPROVEMENT) &&
	    fabs(c->percent) < smallest)
		c->verdict = VERDICT_NO_CHANGE;
}

const char *verdict_name(enum verdict v)
{
	switch (v) {
	case VERDICT_REGRESSION:
		return "regression";
	case VERDICT_IMPROVEMENT:
		return "improvement";
	case VERDICT_NO_CHANGE:
		return "no-change";
	case VERDICT_INCONCLUSIVE:
		return "inconclusive";
	case VERDICT_NONE:
		break;
	}
	return "none";
}

const char *better_name(enum better b)
{
	return b == BETTER_HIGHER ? "higher" :
	       b == BETTER_LOWER  ? "lower" :
				    NULL;
}
