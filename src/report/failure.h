#ifndef REPORT_FAILURE_H
#define REPORT_FAILURE_H

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct group;
struct report;
struct row;

/*
 * Failures that one side has and the other has not: what a broken kernel says
 * (dmesg, kmsg) and tests that fail.  What a harness says of its own state
 * (last_state, stderr) only explains others.
 */
struct failure {
	const struct row *row;
	size_t base, head;	/* runs with it */
	size_t died;		/* of those of the side that has it, how many did
				 * not complete */
	int weight;		/* the larger, the more it says: a panic's cause
				 * before the panic, both before a warning */
};

/*
 * The failures of "g" that are new on "side", or with "gone" those that only
 * the base has; by weight, then by runs.  Fills up to "max" and returns how
 * many there are.
 */
size_t failures_of(const struct group *g, size_t side, bool gone,
		   struct failure *list, size_t max);

/* Did more than half of the runs of "side" die of something new? */
bool failure_decides(const struct group *g, size_t side,
		     const struct failure *f);

/* "BUG: soft lockup", "xfstests.generic.475.fail": as a kernel prints it. */
void failure_name(struct buf *out, const char *stat);

#endif
