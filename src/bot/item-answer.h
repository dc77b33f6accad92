#ifndef BOT_ITEM_ANSWER_H
#define BOT_ITEM_ANSWER_H

#include "bot/plan.h"

/*
 * Answers to single questions, as members of i->told for answer.mustache, and
 * why, as i->reason.  -1: the store failed.
 */

/* "Is it reproducible?": every measurement of the report's two commits. */
int answer_repeat(struct plan *p, struct item *i, struct err *err);

/* "Was it ever fixed?" */
int answer_status(struct plan *p, struct item *i, struct err *err);

/* "What does this metric mean, and how do I run it?", or what we understand. */
int answer_help(struct plan *p, struct item *i, struct err *err);

/* We do not have "what"; the operators are told. */
void answer_missing(struct plan *p, struct item *i, const char *what);

/* The commands that run the test by hand; false: nobody told us. */
bool answer_by_hand(struct plan *p, struct item *i);

#endif
