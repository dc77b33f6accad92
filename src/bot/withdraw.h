#ifndef BOT_WITHDRAW_H
#define BOT_WITHDRAW_H

#include "bot/plan.h"

/*
 * "Never mind" alone asks nobody for anything; in answer to our own
 * acknowledgement it takes back what was acknowledged.  So does "wrong patch",
 * which elsewhere says that a report is not valid.
 *
 * Where the mail is such an answer, of whoever asked, p->requests becomes that
 * one wish.  0, or -1 with "err": the store failed.
 */
int withdraw_read(struct plan *p, struct err *err);

/* Does the text begin with such words? */
bool withdraw_says(const char *text);

#endif
