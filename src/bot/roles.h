#ifndef BOT_ROLES_H
#define BOT_ROLES_H

#include "bot/plan.h"

/*
 * What standing the author of a mail has with a report, and what policy says
 * to what he wants.
 */

/* What policy says to item "i", which stands with a report; i->role becomes
 * its author's.  Returns 0, or -1 when the store failed. */
int roles_decide(struct decision *d, struct plan *p, struct item *i,
		 struct err *err);

/* The strongest role of the mail's author in the report; "denied": he is on the
 * deny list. */
enum role roles_find(struct plan *p, const struct stored_report *r,
		     bool *denied);

/* What a request wants.  To take a commit back is no tree of a stranger's. */
enum verb roles_verb(const struct request *r);

/* A local clone in which the report's commit may be found, or NULL. */
const char *roles_clone(const struct bot *bot, const struct stored_report *r);

#endif
