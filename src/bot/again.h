#ifndef BOT_AGAIN_H
#define BOT_AGAIN_H

#include "base/arena.h"
#include "mail/message.h"
#include "store/reports.h"

struct buf;
struct err;

/* A report on what was reported before: the same commit and metric. */

enum again {
	AGAIN_FAILED = -1,	/* the store did: "err" */
	AGAIN_FIRST,		/* it was not */
	AGAIN_SAME,		/* on the same machine, in the same tree, with the
				 * same outcome: nothing is new */
	AGAIN_NEW,		/* another machine, tree, parameter or outcome */
};

struct earlier {
	struct stored_report report;	/* SAME: that one; NEW: the first */
	const char *where;		/* NEW: "on box2", "in the tree next" */
	const char *also;		/* NEW: "Also"; "But" where the first
					 * told of another outcome */
};

/* By the X-Perfpost- headers of the finished report "m".  "e" is filled from
 * the arena. */
enum again again_find(struct earlier *e, struct store *s,
		      const struct message *m, struct arena *a,
		      struct err *err);

/* Whom the first report went to: "author" in its To, "participant" in its Cc.
 * In the arena. */
struct addresses again_people(const struct earlier *e, const char *role,
			      struct arena *a);

/*
 * The mail that takes the place of the report "m": an answer to the first, "Also
 * on box2: -19.0% regression (801212 to 648946)", to the same people; "But on
 * box2" where the first told of the opposite.  0, or -1 with "err".
 */
int again_write(struct buf *out, const struct earlier *e,
		const struct message *m, struct arena *a, struct err *err);

#endif
