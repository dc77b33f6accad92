#ifndef BOT_GIVEN_H
#define BOT_GIVEN_H

#include "bot/bot.h"
#include "data/json.h"
#include "mail/message.h"

struct err;

/*
 * Reports that a store does not know of its own: those of a replay, and those
 * that were sent before perfpost was there.
 */

/*
 * Put the reports of a file (YAML or JSON) into the store: an object with
 * "reports", a list of objects.  Each has "key" or "token" and may have
 * message_id, subject, commit, title, base, stat, tree, branch, machine,
 * public (true), to (addresses), sent (ids of further mails of ours in its
 * thread), people ([{address, role}]), axes, results (paths).
 */
int given_read(const struct bot *bot, const char *path, struct err *err);

/*
 * Is the mail a report of ours that the store does not know?  Then put it
 * there.  1, 0 (it is none, or known) or -1.
 */
int given_learn(const struct bot *bot, const struct message *m,
		struct err *err);

#endif
