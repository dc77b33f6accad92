#ifndef STATS_STATS_H
#define STATS_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Statistics of a few numbers: no names, no units, no memory kept.  A result
 * that cannot be had (too few values, no spread) is NaN, never a guess.
 */

/*
 * A sum that loses nothing.  As long as all are integers it is exact; once one
 * is not, it is a double that Kahan's and Babuska's method keeps close
 * (lkp-style.md 1.2).
 * All zero at first.
 */
struct sum {
	__int128 exact;
	double value, lost;
	size_t n, floats;
};

/* Add one; the sum and the mean so far. */
void sum_int(struct sum *s, int64_t i);
void sum_float(struct sum *s, double f);
double sum_total(const struct sum *s);
double sum_mean(const struct sum *s);	/* 0 of nothing */

/* Has it only integers, and does their sum fit?  Then it is "whole". */
bool sum_whole(const struct sum *s, int64_t *whole);

double stats_mean(const double *v, size_t n);	/* NaN of nothing */

/* Population standard deviation (divided by n); NaN below two values. */
double stats_deviation(const double *v, size_t n, double mean);

/* The same of a sample (divided by n - 1). */
double stats_sample_deviation(const double *v, size_t n, double mean);

/* Ascending; no NaN among them. */
void stats_sort(double *v, size_t n);

/*
 * The value below which the part "q" (0 to 1) of the sorted values lies,
 * interpolated between neighbours (what R calls type 7).
 */
double stats_quantile(const double *sorted, size_t n, double q);
double stats_median(const double *sorted, size_t n);

/*
 * Do sorted values, none of them 0, lie so close together and so far from 0
 * that a 0 among them would be no measurement, but what a test reports that
 * died?  Small counts never do.
 */
bool stats_far_from_zero(const double *sorted, size_t n);

/* What Welch's test wants to know of one side. */
struct sample {
	size_t n;
	double mean, deviation;		/* as stats_sample_deviation() */
};

struct welch {
	double low, high;	/* interval of b's mean - a's mean */
	double p;		/* two-sided, of no difference */
};

/*
 * Welch's interval of the change from "a" to "b" at "level" (0.99) and its
 * p-value.  Both sides constant: the interval is the difference itself, p 0 or
 * 1.  A side of less than two values, or of unknown deviation: all NaN.
 */
struct welch stats_welch(const struct sample *a, const struct sample *b,
			 double level);

/*
 * Half the interval at "level" of a sum of "k" independent means: "variance" of
 * each mean as it goes into the sum, "n" values behind it (2 at least).  0 when
 * none varies.
 */
double stats_half_width(const double *variance, const size_t *n, size_t k,
			double level);

/*
 * Two-sided p-value of the Mann-Whitney rank test.  Exact as long as na + nb
 * is at most RANK_EXACT, with ties RANK_EXACT_TIES; beyond that the normal
 * approximation with corrections for ties and continuity.  NaN when a side is
 * empty.
 */
#define RANK_EXACT 80
#define RANK_EXACT_TIES 30
double stats_rank_test(const double *a, size_t na, const double *b, size_t nb);

/* Runs of a side, and in how many of them something happened. */
struct share {
	size_t hits, runs;
};

/*
 * Fisher's exact test, to one side: how likely it is that "b" has so many of
 * the hits of both, or more, when nothing but chance spreads them.  1 where
 * nothing happened, or a side has no run.
 */
double stats_more_often(const struct share *a, const struct share *b);

/*
 * Runs a side with which Welch's interval at "level" would be at most
 * "half_width" to either side, given the two sample deviations; "max" when
 * it takes more than that, and when half_width is not above 0.
 */
size_t stats_runs_needed(double deviation_a, double deviation_b,
			 double half_width, double level, size_t max);

#endif
