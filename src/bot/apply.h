#ifndef BOT_APPLY_H
#define BOT_APPLY_H

#include "bot/plan.h"
#include "store/mails.h"

/*
 * Carry out a plan: the mail's decision, its requests, their jobs, our answer
 * and the audit, in one transaction.  What stands already (from an earlier
 * try, or while it was held) is taken over, not made twice.
 *
 * "mail" is the row of the mail that asked; it is written back as decided.
 * With "keep" its row is not touched but for its decision: the mail was
 * decided before and is now confirmed or approved.
 */
int plan_apply(struct plan *p, struct stored_mail *mail, bool keep,
	       struct err *err);

#endif
