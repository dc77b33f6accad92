#ifndef BOT_LINK_H
#define BOT_LINK_H

#include <stddef.h>

#include "base/arena.h"
#include "bot/bot.h"
#include "store/reports.h"

struct err;

/*
 * Does a line of a patch's or commit's message say that it fixes a report of
 * ours: "Fixes: HASH" (8 digits or more, of either case), "Closes: URL" or
 * "Link: URL" with the Message-ID of a mail of its thread, "Reported-by:" with
 * our address and its token, or "This reverts commit HASH"?
 *
 * 1: "found" is the report; 2: it names a mail of ours that we do not know of;
 * 0: no; -1 with "err".
 */
int link_line(const struct bot *bot, const char *line, size_t len,
	      struct stored_report *found, struct arena *a, struct err *err);

#endif
