#ifndef BOT_RUN_JOBS_H
#define BOT_RUN_JOBS_H

#include "bot/bot.h"

struct err;

/*
 * The stage that has jobs measured: tells the runner of cancelled ones, looks
 * after those that run, submits what waits as long as there is room, and
 * writes the results' mails (results.h).  Returns how much it did, 0 when
 * there is nothing to do now, or -1 with "err" when the store fails.
 *
 * A job that fails stops no other: what went wrong stands in its row.
 */
int run_jobs(const struct bot *bot, struct err *err);

#endif
