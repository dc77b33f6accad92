#ifndef BOT_JUDGE_H
#define BOT_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

#include "compare/comparison.h"

/*
 * Did it help?  From the values of three sides: the base, the commit that was
 * reported, and what was asked for.
 *
 * What is judged is the part of the loss that came back: 0 as the reported
 * commit, 1 as the base.  Its interval at CHANGE_LEVEL comes from the spread of all
 * three.
 */

enum outcome_verdict {
	JUDGED_INCONCLUSIVE,
	JUDGED_RECOVERED,	/* nearly as good as the base, or better */
	JUDGED_PARTLY,		/* some of the loss came back */
	JUDGED_NO_CHANGE,	/* as the reported commit */
	JUDGED_WORSE,		/* than the reported commit */
};

struct judgement {
	bool no_change;		/* there was none to be undone */
	enum outcome_verdict verdict;
	double part, low, high;	/* of the loss that came back; NaN: no telling */
	size_t runs_needed;	/* a side, when inconclusive; 0: no telling */
	const char *why;	/* when inconclusive */
};

/* Fill "j" for the figures of one stat.  Never fails: what cannot be told is
 * JUDGED_INCONCLUSIVE, and j->why says why. */
void judge_recovery(struct judgement *j, const struct figure *base,
		    const struct figure *reported, const struct figure *asked);

/* "recovered", "partly recovered", "no change", "worse", "inconclusive" */
const char *judged_name(enum outcome_verdict v);

#endif
