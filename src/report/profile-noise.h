#ifndef REPORT_PROFILE_NOISE_H
#define REPORT_PROFILE_NOISE_H

#include <stdbool.h>

#include "report/chain.h"
#include "report/report.h"

/*
 * A profile has hundreds of rows, of which some stand apart by chance alone.
 * So each is judged at CHANGE_LEVEL shared out among the rows that could have
 * moved; and as few runs tell little of one row's noise, what is usual in the
 * whole profile counts as three runs more.
 */

/* Shares that moved by less, in points, explain nothing. */
#define PROFILE_POINTS 1.0

struct profile_noise {
	size_t large;		/* rows with a share of PROFILE_POINTS or more */
	double usual;		/* the median of their relative deviations */
};

/* From all rows of a kind that both sides have, whatever the comparison
 * selected of them. */
void profile_noise_learn(const struct report *r, enum chain_kind kind,
			 struct profile_noise *p);

/*
 * Did a share move by more than noise moves one row among many?  A side without
 * data is at 0.  Single runs say nothing of noise: five points are asked for.
 */
bool profile_noise_exceeded(const struct profile_noise *p,
			    const struct figure *base,
			    const struct figure *head);

#endif
