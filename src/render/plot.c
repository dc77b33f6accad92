#include "render/plot.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "stats/stats.h"

/* Beyond these a difference or a quotient of values is no number any more. */
static const double huge = DBL_MAX / 4, tiny = DBL_MIN * 1e15;

/* The values of the block's runs in "state", sorted; the caller frees. */
static double *sorted(const struct plot_block *b, enum run_state state,
		      size_t *n)
{
	double *v = malloc((b->nrun + 1) * sizeof(*v));

	if (!v)
		die_no_memory();
	*n = 0;
	for (size_t i = 0; i < b->nrun; i++)
		if (b->run[i].state == state)
			v[(*n)++] = b->run[i].value;
	stats_sort(v, *n);
	return v;
}

static bool is_completed(const struct plot_run *r)
{
	return r->state == RUN_COMPLETED;
}

/* Values that no scale can hold count as none. */
static void fail_runs_without_value(struct plot_block *b)
{
	for (size_t i = 0; i < b->nrun; i++) {
		if (!(fabs(b->run[i].value) < huge))
			b->run[i].state = RUN_FAILED;
		else if (fabs(b->run[i].value) < tiny)
			b->run[i].value = 0;
	}
}

/* A benchmark that died reports 0: where most other runs lie close together
 * and far from it, that is no measurement. */
static void fail_zeros(struct plot_block *b)
{
	size_t n, others = 0;
	double *v = sorted(b, RUN_COMPLETED, &n);

	for (size_t i = 0; i < n; i++)
		if (v[i] != 0)
			v[others++] = v[i];
	if (others < n && others > n - others && stats_far_from_zero(v, others))
		for (size_t k = 0; k < b->nrun; k++)
			if (b->run[k].value == 0)
				b->run[k].state = RUN_FAILED;
	free(v);
}

static void describe(struct plot_block *b)
{
	double *v = sorted(b, RUN_COMPLETED, &b->completed);
	size_t n = b->completed;

	b->median = stats_median(v, n);
	b->mean = stats_mean(v, n);
	b->spread = NAN;
	if (n > 1 && b->mean != 0)
		b->spread = 100 * stats_deviation(v, n, b->mean) /
			    fabs(b->mean);
	free(v);
}

static double change(const struct plot *p, const struct plot_block *b)
{
	double base = p->base < p->nblock ? p->block[p->base].mean : NAN;

	if (b == p->block + p->base)
		return NAN;
	if (p->points)
		return b->mean - base;
	return base != 0 ? 100 * (b->mean - base) / fabs(base) : NAN;
}

struct range {
	double low, high;
};

static void widen(struct range *r, double value)
{
	r->low = fmin(r->low, value);
	r->high = fmax(r->high, value);
}

static void widen_by_mean(struct range *r, const struct plot_block *b)
{
	if (b->only_mean && fabs(b->mean) < huge)
		widen(r, b->mean);
}

/* Of few runs one moves the quartiles as well: it is far out when all others
 * together take a tenth of its distance from them. */
static void fence_off_one(const double *v, size_t n, struct range *f)
{
	if (n < 4)
		return;
	if (v[n - 1] - v[n - 2] > 10 * (v[n - 2] - v[0]))
		f->high = fmin(f->high, v[n - 2]);
	if (v[1] - v[0] > 10 * (v[n - 1] - v[1]))
		f->low = fmax(f->low, v[1]);
}

/* Tukey's outer fences: what lies beyond is far out. */
static struct range fences(const struct plot_block *b)
{
	size_t n;
	double *v = sorted(b, RUN_COMPLETED, &n);
	double q1 = n ? stats_quantile(v, n, .25) : 0;
	double q3 = n ? stats_quantile(v, n, .75) : 0;
	struct range f = { q1 - 3 * (q3 - q1), q3 + 3 * (q3 - q1) };

	fence_off_one(v, n, &f);
	free(v);
	return f;
}

static struct range all_runs(const struct plot *p)
{
	struct range r = { INFINITY, -INFINITY };

	for (size_t i = 0; i < p->nblock; i++) {
		widen_by_mean(&r, &p->block[i]);
		for (size_t k = 0; k < p->block[i].nrun; k++)
			if (is_completed(&p->block[i].run[k]))
				widen(&r, p->block[i].run[k].value);
	}
	return r;
}

static struct range ordinary_runs(const struct plot *p)
{
	struct range r = { INFINITY, -INFINITY };

	for (size_t i = 0; i < p->nblock; i++) {
		struct range f = fences(&p->block[i]);

		widen_by_mean(&r, &p->block[i]);
		for (size_t k = 0; k < p->block[i].nrun; k++) {
			const struct plot_run *run = &p->block[i].run[k];

			if (is_completed(run) && run->value >= f.low &&
			    run->value <= f.high)
				widen(&r, run->value);
		}
	}
	return r;
}

/* Far-out runs leave the scale when the rest would be squashed for them. */
static void leave_out(struct plot *p)
{
	struct range all = all_runs(p), most = ordinary_runs(p);
	double length = most.high - most.low;

	p->low = p->high = NAN;
	if (all.low > all.high)
		return;
	if (!(length > 0) || all.high - all.low < 4 * length)
		most = all;
	for (size_t i = 0; i < p->nblock; i++)
		for (size_t k = 0; k < p->block[i].nrun; k++) {
			struct plot_run *r = &p->block[i].run[k];

			if (!is_completed(r))
				continue;
			if (r->value > most.high)
				r->state = RUN_HIGH;
			else if (r->value < most.low)
				r->state = RUN_LOW;
		}
	p->low = most.low;
	p->high = most.high;
}

static void count_states(struct plot *p)
{
	p->failed = p->off_scale = 0;
	p->whole = true;
	for (size_t i = 0; i < p->nblock; i++) {
		const struct plot_block *b = &p->block[i];

		if (b->only_mean && b->mean != floor(b->mean))
			p->whole = false;
		for (size_t k = 0; k < b->nrun; k++) {
			const struct plot_run *r = &b->run[k];

			p->failed += r->state == RUN_FAILED;
			p->off_scale += r->state == RUN_HIGH ||
					r->state == RUN_LOW;
			if (is_completed(r) && r->value != floor(r->value))
				p->whole = false;
		}
	}
}

void plot_measure(struct plot *p)
{
	for (size_t i = 0; i < p->nblock; i++)
		fail_runs_without_value(&p->block[i]);
	for (size_t i = 0; i < p->nblock; i++) {
		if (p->block[i].only_mean)
			continue;
		fail_zeros(&p->block[i]);
		describe(&p->block[i]);
	}
	for (size_t i = 0; i < p->nblock; i++)
		p->block[i].change = change(p, &p->block[i]);
	leave_out(p);
	count_states(p);
}
