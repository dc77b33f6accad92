#ifndef BOT_INQUIRY_H
#define BOT_INQUIRY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "bot/bot.h"
#include "bot/which.h"
#include "mail/message.h"
#include "policy/evidence.h"
#include "store/mails.h"
#include "store/requests.h"

/*
 * "Which report is meant?" or "Which patch is meant?" was asked back; its answer
 * need not say more than that.  It counts when it stands in the question's thread, comes from whoever
 * asked, and is the first that tells.
 */

enum choice_how {
	CHOICE_SILENT,		/* the mail names none of them */
	CHOICE_UNCLEAR,		/* it tries to */
	CHOICE_CLEAR,
	CHOICE_TAKEN,		/* it did, and was acted upon */
};

struct choice {
	enum choice_how how;
	struct asked asked;	/* the request that waits; id 0: none does any
				 * more */
	const char *question;	/* Message-ID of our mail */
	int64_t answer;		/* the row of the mail that answers */
	const char *answer_id;	/* its Message-ID */
	struct evidence evidence;	/* of the answer */
	struct which which;	/* CLEAR: the reports that it names; UNCLEAR:
				 * those that it may mean */
	const char *patch;	/* CLEAR: Message-ID of the patch that is meant;
				 * NULL: it was asked for a report only */
};

/* Does the mail answer a question of ours to its author?  1 and "c" filled,
 * 0 or -1. */
int inquiry_read(struct choice *c, const struct bot *bot,
		 const struct stored_mail *mail, const struct message *m,
		 struct arena *a, struct err *err);

/* What was chosen for this mail's requests before: 1, 0 or -1. */
int inquiry_recall(struct choice *c, const struct bot *bot, int64_t mail,
		   struct arena *a, struct err *err);

/* The request waits no longer: "c" says for what (n 0: it was called off).
 * Inside a transaction.  1, 0 (somebody else closed it meanwhile) or -1. */
int inquiry_settle(const struct choice *c, const struct bot *bot, bool taken_up,
		   struct arena *a, struct err *err);

#endif
