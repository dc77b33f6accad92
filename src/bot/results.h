#ifndef BOT_RESULTS_H
#define BOT_RESULTS_H

#include "bot/bot.h"

struct err;

/*
 * The mail that brings a result: for the oldest request whose job has ended,
 * together with all others that wait for the same job.  The verdict in words,
 * the table, the values of each run, how it was measured, and all of it again
 * as JSON for programs.
 *
 * 1 one was written, 0 there is none, -1 with "err".
 */
int results_next(const struct bot *bot, struct err *err);

#endif
