#ifndef BOT_RECEIVE_H
#define BOT_RECEIVE_H

#include "bot/bot.h"

struct err;

/*
 * The stage that brings mails in, from all sources that are configured: each
 * into the store first, in one stroke with the source's cursor, then taken
 * from where it came from, so that dying in between brings it once more, and
 * the store knows it by its bytes.
 */
struct intake;

/* NULL with "err": the configuration is wrong. */
struct intake *intake_open(const struct bot *bot, struct err *err);
void intake_close(struct intake *in);	/* NULL: nothing */

/*
 * Take in what is there now, some of it when it is much.  A source that cannot
 * be reached is said and left for later; it does not stop the others.  Returns
 * how many mails there were, 0 when there are none now, or -1 with "err": the store failed.
 */
int intake_take(struct intake *in, struct err *err);

#endif
