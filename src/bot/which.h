#ifndef BOT_WHICH_H
#define BOT_WHICH_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "bot/bot.h"
#include "mail/message.h"
#include "store/reports.h"

/* Which report is a mail about? */

#define WHICH_MAX 10	/* reports of one mail */

enum which_how {
	WHICH_NONE,		/* we do not know any */
	WHICH_TOKEN,		/* our address with its token in To or Cc */
	WHICH_THREAD,		/* In-Reply-To, References */
	WHICH_LINK,		/* an archive's link to a mail of the thread */
	WHICH_SUBJECT,
	WHICH_ANSWER,		/* to our question */
	WHICH_AMBIGUOUS,	/* several have the subject: ask */
};

struct which {
	enum which_how how;
	struct stored_report report[WHICH_MAX];
	size_t n;
	bool to_us;		/* we are among To and Cc */
};

/* Which reports is the mail about?  0 with "w" filled, strings in "a"; or -1:
 * the store failed. */
int which_report(struct which *w, const struct bot *bot,
		 const struct message *m, struct arena *a, struct err *err);

/* The report that a word names: its token or our address with it, the <id> of
 * a mail in its thread, an archive's link to one.  1, 0 or -1. */
int which_named(const struct bot *bot, const char *word,
		struct stored_report *r, struct arena *a, struct err *err);

/* The Message-ID that a word is or, an archive's link, holds; or NULL. */
const char *which_msgid(const char *word, struct arena *a);

/* "token", "thread", ...: "found by" of perfpost why. */
const char *which_name(enum which_how how);

#endif
