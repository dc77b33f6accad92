#ifndef BOT_TRYOUT_H
#define BOT_TRYOUT_H

#include "base/arena.h"

struct err;

/*
 * Would the patch apply?  Asked of git, in a clone of ours, without touching
 * its files or branches.
 */

enum tryout_result {
	TRYOUT_APPLIES,
	TRYOUT_FAILS,
	TRYOUT_NO_BASE,		/* the clone does not have that commit */
};

struct tryout {
	enum tryout_result result;
	char commit[65];	/* that "rev" came to, "" for none */
	const char *reason;	/* git's, one line */
	const char *hunk;	/* of the patch, that fails: some lines, or "" */
};

/*
 * "rev" is a commit, tag or branch.  -1 with "err": git itself did not work.
 */
int tryout_patch(struct tryout *t, const char *clone, const char *rev,
		 const char *diff, struct arena *a, struct err *err);

#endif
