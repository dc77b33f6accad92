#include "bot/judge.h"

#include <math.h>

#include "stats/stats.h"

/*
 * Below these parts of the loss a change is none, above it all is back; an
 * interval wider than 2 * WIDE on either side decides nothing.
 */
#define NOTHING 0.15
#define ALL 0.85
#define WIDE 0.35
#define RUNS_MAX 1000

const char *judged_name(enum outcome_verdict v)
{
	static const char *const name[] = {
		[JUDGED_INCONCLUSIVE] = "inconclusive",
		[JUDGED_RECOVERED] = "recovered",
		[JUDGED_PARTLY] = "partly recovered",
		[JUDGED_NO_CHANGE] = "no change", [JUDGED_WORSE] = "worse",
	};

	return name[v];
}

static void undecided(struct judgement *j, const char *why)
{
	j->verdict = JUDGED_INCONCLUSIVE;
	j->why = why;
}

/* Of results that hold only a summary that is what is known. */
static double deviation(const struct figure *f)
{
	if (!f->value)
		return f->stddev;
	return stats_sample_deviation(f->value, f->n, f->mean);
}

static double variance_of_mean(const struct figure *f)
{
	double s = deviation(f);

	return s * s / (double)f->n;
}

static struct sample sample_of(const struct figure *f)
{
	return (struct sample){ f->n, f->mean, deviation(f) };
}

/* Is the regression itself there in these values? */
static int has_gap(const struct figure *base, const struct figure *reported)
{
	struct sample a = sample_of(base), b = sample_of(reported);
	struct welch w = stats_welch(&a, &b, CHANGE_LEVEL);

	return w.low > 0 || w.high < 0;
}

/* Half the interval of the part: the variances of the three means, each
 * weighed by how the part depends on it. */
static double half_width(const struct judgement *j, double gap,
			 const struct figure *base,
			 const struct figure *reported,
			 const struct figure *asked)
{
	double r = j->part;
	const double variance[] = {
		variance_of_mean(asked),
		(r - 1) * (r - 1) * variance_of_mean(reported),
		r * r * variance_of_mean(base),
	};
	const size_t n[] = { asked->n, reported->n, base->n };

	return fabs(stats_half_width(variance, n, 3, CHANGE_LEVEL) / gap);
}

static void choose(struct judgement *j)
{
	if (j->part >= ALL && j->low > NOTHING)
		j->verdict = JUDGED_RECOVERED;
	else if (j->part <= -NOTHING && j->high < 0)
		j->verdict = JUDGED_WORSE;
	else if (fabs(j->part) < NOTHING || (j->low <= 0 && j->high >= 0))
		j->verdict = JUDGED_NO_CHANGE;
	else
		j->verdict = JUDGED_PARTLY;
}

void judge_recovery(struct judgement *j, const struct figure *base,
		    const struct figure *reported, const struct figure *asked)
{
	double gap = reported->mean - base->mean, half;
	double more;

	*j = (struct judgement){ .part = NAN, .low = NAN, .high = NAN };
	if (base->n < 2 || reported->n < 2 || asked->n < 2) {
		undecided(j, "less than two runs of a side");
		return;
	}
	if (!has_gap(base, reported)) {
		j->no_change = true;
		undecided(j, "base and reported commit do not differ in these "
			     "runs");
		return;
	}
	j->part = (asked->mean - reported->mean) / -gap;
	half = half_width(j, gap, base, reported, asked);
	j->low = j->part - half;
	j->high = j->part + half;
	if (half > WIDE) {
		undecided(j, "the runs differ too much from each other");
		more = ceil((double)asked->n * half * half / (WIDE * WIDE));
		j->runs_needed = more <= RUNS_MAX ? (size_t)more : 0;
		return;
	}
	choose(j);
}
