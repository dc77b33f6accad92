#ifndef COMPARE_VERDICT_H
#define COMPARE_VERDICT_H

#include "compare/comparison.h"

/*
 * Is a change real, and which way?  The interval of the change and the
 * direction of the stat tell; that a row was selected tells nothing.
 *
 * The interval is Welch's at CHANGE_LEVEL.  It lies to one side of 0: a
 * regression or an improvement (VERDICT_NONE when nobody knows which way is
 * better).  It lies wholly within VERDICT_SMALL of the base's mean around 0:
 * no change.  Anything else is inconclusive, and runs_needed says how many
 * runs a side would decide, if difference and spread stay as they are.
 */
#define VERDICT_SMALL 0.05
#define VERDICT_RUNS_MAX 1000	/* more than that: no telling */

/*
 * The change from "base" to "f".  Without "judge" only absolute and percent;
 * the rest is NaN, 0 and VERDICT_NONE.
 */
void change_between(const struct figure *base, const struct figure *f,
		    enum better better, bool judge, struct change *c);

/*
 * A change of less than "smallest" percent is not worth anybody's time, even
 * where it is beyond doubt: no change.
 */
void change_ignore_small(struct change *c, double smallest);

#endif
