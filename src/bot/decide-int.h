#ifndef BOT_DECIDE_INT_H
#define BOT_DECIDE_INT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "bot/bot.h"
#include "bot/inquiry.h"
#include "bot/plan.h"
#include "bot/reader.h"
#include "policy/token.h"
#include "store/mails.h"

struct err;

/*
 * What the files of the stage "decide" share: each kind of mail that does not
 * simply ask for something has one of its own.  Unless it says otherwise all
 * return 0, or -1 with "err".
 */

/* ----------------------------------------------------------- decide-plan.c */

/* Read a mail; one without a Message-ID gets one of its bytes.  Release the
 * reading either way. */
int decide_read(struct reading *r, const struct bot *bot,
		const struct stored_mail *mail, struct err *err);

/* Plan the mail and carry the plan out.  "keep": it was decided before, and
 * what that wrote down about it stays.  "options" may be NULL. */
int decide_plan(const struct bot *bot, const struct reading *r,
		struct stored_mail *mail, bool keep,
		const struct plan_options *options, struct err *err);

/* Plan mail "id", which was decided before, once more, now that "options"
 * allow or tell what was missing. */
int decide_again(const struct bot *bot, int64_t id,
		 const struct plan_options *options, struct err *err);

/* Write down a mail that has no effect of its own. */
int decide_settle(const struct bot *bot, struct stored_mail *mail,
		  const struct message *m, enum mail_state state,
		  const char *decision, const char *reason, struct err *err);

/* -------------------------------------------------------- decide-confirm.c */

/* "No." and the like at the beginning, the robot's "prefix" passed over.  "No
 * problem, go ahead" is none. */
bool decide_says_no(const char *text, const char *prefix);

/* The word of a "reply to run" in To or Cc, as "token"; false: none is. */
bool decide_confirming_word(const struct bot *bot, const struct message *m,
			    char token[TOKEN_MAX]);

/* The mail has the word for the held "request": that is run, or called off
 * when the mail says no. */
int decide_confirm(const struct bot *bot, struct stored_mail *mail,
		   const struct message *m, int64_t request, struct err *err);

/* --------------------------------------------------------- decide-choice.c */

/*
 * Is it the answer to our question which report is meant?  1: it is, and is
 * settled.  0: go on with the mail as with any other, maybe with the reports
 * that it names in "options", which then points to "c".  -1.
 */
int decide_choice(const struct bot *bot, struct stored_mail *mail,
		  const struct reading *r, struct choice *c,
		  struct plan_options *options, struct arena *a,
		  struct err *err);

#endif
