#ifndef REPORT_FAILURE_H
#define REPORT_FAILURE_H

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct group;
struct report;
struct row;

/*
 * Failures that one side has and the other has not, or far less often: what a
 * broken kernel says (dmesg, kmsg) and tests that fail.  What a harness says of
 * its own state (last_state, stderr) only explains others.
 */
struct failure {
	const struct row *row;
	size_t base, head;	/* runs with it */
	size_t died;		/* of those of the side that has it more often,
				 * how many did not complete */
	int weight;		/* the larger, the more it says: a panic's cause
				 * before the panic, both before a warning */
};

enum failure_change {
	FAILURE_NEW,		/* no run of the base has it */
	FAILURE_MORE,		/* more often than chance would have it ... */
	FAILURE_LESS,		/* ... or less often */
	FAILURE_GONE,		/* only runs of the base have it */
};

/*
 * The failures of "g" that changed so on "side"; by weight, then by runs.  Fills
 * up to "max" and returns how many there are.
 *
 * More and less often is what Fisher's exact test, to one side, says at one in a
 * hundred shared out among the failures that both sides have: 1 of 10 runs and 8
 * of 10, but not 1 of 6 and 3 of 6.
 */
size_t failures_of(const struct group *g, size_t side,
		   enum failure_change change, struct failure *list,
		   size_t max);

/* Did more than half of the runs of "side" die of something new? */
bool failure_decides(const struct group *g, size_t side,
		     const struct failure *f);

/* "BUG: soft lockup", "xfstests.generic.475.fail": as a kernel prints it. */
void failure_name(struct buf *out, const char *stat);

#endif
