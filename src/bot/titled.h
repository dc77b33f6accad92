#ifndef BOT_TITLED_H
#define BOT_TITLED_H

#include "base/arena.h"
#include "bot/bot.h"
#include "store/reports.h"

/*
 * A commit for people: 12 digits of its hash and, where the report or a local
 * clone knows it, its title: 9a8b7c6d5e4f ("mm: a title").  What is no hash
 * stays as it was named.
 */
const char *titled_commit(const struct bot *bot, const struct stored_report *r,
			  const char *commit, struct arena *a);

/* Is one a beginning of the other, of 7 digits at least? */
bool titled_same(const char *a, const char *b);

#endif
