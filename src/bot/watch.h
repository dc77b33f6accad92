#ifndef BOT_WATCH_H
#define BOT_WATCH_H

#include "bot/bot.h"

struct err;

/*
 * Look through what is new in the watched trees (trees.*.watch) for commits
 * that fix a report: by a trailer (link.h), or by the title that somebody said
 * would fix it.  Each tree every ten minutes, from where it was looked
 * through the last time.  How many reports were fixed, or -1 with "err" when
 * the store fails; a tree that cannot be read is logged and passed over.
 */
int watch_trees(const struct bot *bot, struct err *err);

#endif
