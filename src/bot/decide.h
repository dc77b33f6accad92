#ifndef BOT_DECIDE_H
#define BOT_DECIDE_H

#include "bot/bot.h"
#include "store/mails.h"

struct err;

/*
 * The stage that says what mails come to.
 *
 * decide_next() takes the oldest mail that waits: 1 done, 0 none waits, -1
 * with "err" when the store fails.  A mail that cannot be decided now is put
 * off, and given up after some tries: it goes to the quarantine.
 */
int decide_next(const struct bot *bot, struct err *err);

/* Decide this one, whatever its state: what decide_next() does.  -1 with
 * "err": it cannot be done now. */
int decide_mail(const struct bot *bot, struct stored_mail *mail,
		struct err *err);

/* An operator approves a request that is held, or says no to it (who asked is
 * not told).  -1 with "err". */
int decide_approve(const struct bot *bot, int64_t request, struct err *err);
int decide_reject(const struct bot *bot, int64_t request, struct err *err);

#endif
