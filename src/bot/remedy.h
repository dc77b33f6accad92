#ifndef BOT_REMEDY_H
#define BOT_REMEDY_H

#include "base/arena.h"
#include "bot/bot.h"
#include "request/request.h"
#include "store/reports.h"

/*
 * "Fixed by 0123456789ab": can that be?  The commits that were compared cannot
 * be the remedy, nor one that the reported commit was made upon, as far as a
 * local clone knows.
 *
 * NULL: it may be; else a sentence that says why not, without a full stop.
 */
const char *remedy_refuted(const struct bot *bot,
			   const struct stored_report *r,
			   const struct request *said, struct arena *a);

#endif
