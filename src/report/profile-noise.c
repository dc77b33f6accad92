#include "report/profile-noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "stats/stats.h"

enum { USUAL_RUNS = 3, RUNS_MAX = 1000 };

static const double single_points = 5;

/* The runs that completed. */
static size_t values_of(const struct side *side, const struct series *s,
			double *value)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n && n < RUNS_MAX; i++) {
		enum cell_type type = series_type(s, i);

		if ((type == CELL_INT || type == CELL_FLOAT) &&
		    !(side->is_incomplete && i < side->runs &&
		      side->is_incomplete[i]))
			value[n++] = series_value(s, i);
	}
	return n;
}

static bool is_kind(const char *name, enum chain_kind kind)
{
	struct chain c;

	if (strncmp(name, "perf-profile.", 13))
		return false;
	chain_read(&c, name);
	return c.kind == kind;
}

/* Append the noise of one side's rows; returns how many are large. */
static size_t add_side(const struct side *side, enum chain_kind kind,
		       double *noise, size_t *n)
{
	const struct result *r = side->result;
	double value[RUNS_MAX];
	size_t large = 0;

	for (size_t i = 0; i < r->nseries; i++) {
		const struct series *s = &r->series[i];
		size_t runs = is_kind(series_name(r, s), kind) ?
			values_of(side, s, value) : 0;
		double mean = runs ? stats_mean(value, runs) : 0;

		if (mean < PROFILE_POINTS)
			continue;
		large++;
		if (runs > 1)
			noise[(*n)++] = stats_sample_deviation(value, runs, mean) /
					mean;
	}
	return large;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void profile_noise_learn(const struct report *r, enum chain_kind kind,
			 struct profile_noise *p)
{
	const struct side *base = &r->group->side[0];
	const struct side *head = &r->group->side[r->side];
	double *noise = malloc((base->result->nseries + head->result->nseries +
				1) * sizeof(*noise));
	size_t n = 0, a, b;

	if (!noise)
		die_no_memory();
	a = add_side(base, kind, noise, &n);
	b = add_side(head, kind, noise, &n);
	qsort(noise, n, sizeof(*noise), by_size);
	p->large = a > b ? a : b;
	p->usual = n ? noise[n / 2] : 0;
	free(noise);
}

/* A side as a sample of USUAL_RUNS more, whose mean is as sure as before. */
static struct sample sample_of(const struct profile_noise *p,
			       const struct figure *f,
			       const struct figure *other)
{
	double n = (double)(f->n ? f->n : other->n), all = n + USUAL_RUNS;
	double usual = f->n ? p->usual * f->mean : 0;
	double own = f->n > 1 ? f->stddev * sqrt(n / (n - 1)) : 0;
	double variance = (USUAL_RUNS * usual * usual + (n - 1) * own * own) /
			  (all - 1);

	return (struct sample){ (size_t)all, f->n ? f->mean : 0,
				sqrt(variance * all / n) };
}

bool profile_noise_exceeded(const struct profile_noise *p,
			    const struct figure *base,
			    const struct figure *head)
{
	struct sample a = sample_of(p, base, head);
	struct sample b = sample_of(p, head, base);
	double rows = p->large ? (double)p->large : 1;
	struct welch w;

	if (a.n == USUAL_RUNS + 1 || b.n == USUAL_RUNS + 1)
		return fabs(b.mean - a.mean) >= single_points;
	w = stats_welch(&a, &b, 1 - (1 - CHANGE_LEVEL) / rows);
	return w.low > 0 || w.high < 0;
}
