#ifndef BOT_PLAN_H
#define BOT_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "bot/bot.h"
#include "bot/inquiry.h"
#include "bot/reader.h"
#include "bot/source.h"
#include "bot/spec.h"
#include "bot/which.h"
#include "data/json.h"
#include "mail/message.h"
#include "policy/evidence.h"
#include "policy/policy.h"
#include "request/request.h"
#include "store/mails.h"
#include "store/reports.h"

/*
 * What one mail comes to.  Making a plan reads the store, clones and, where a
 * patch has to be fetched, the network; it changes nothing.  apply.h carries it
 * out in one transaction.
 */

enum outcome {
	OUTCOME_NONE,		/* nothing asked, or only written down */
	OUTCOME_LINK,		/* a patch says that it fixes a report */
	OUTCOME_STATE,		/* the report's state changes */
	OUTCOME_STOP,
	OUTCOME_CANCEL,
	OUTCOME_ANSWER,		/* from what we know */
	OUTCOME_DENY,
	OUTCOME_ERROR,		/* it cannot be done as it was asked */
	OUTCOME_ASK,		/* one question back */
	OUTCOME_OPERATOR,	/* an operator must approve */
	OUTCOME_HOLD,		/* "reply to run" */
	OUTCOME_QUEUE,
};

/* One request for one report. */
struct item {
	const struct request *request;	/* NULL: found otherwise (LINK) */
	const struct stored_report *report;	/* NULL: none is known */
	int nth;		/* in the mail */
	enum outcome outcome;
	const char *error;	/* its name: "no-patch-found", ... or NULL */
	const char *reason;	/* for a person */
	bool silent;		/* no answer */
	bool acknowledges;	/* NONE: the report's state changes all the
				 * same */
	bool anew;		/* what is known of it already is no answer */
	bool unsure;		/* HOLD: because of what we understood */
	const char *checked;	/* commit that the patch was seen to apply to */
	enum role role;
	struct source source;
	struct spec spec;	/* QUEUE, HOLD, OPERATOR */
	enum report_state state;	/* STATE */
	const char *note;
	json_t *told;		/* what templates see beside the above, object */
};

/* What is known beyond the mail itself. */
struct plan_options {
	bool confirmed;		/* the "reply to run" came back */
	bool stale;		/* it came back too late */
	bool approved;		/* an operator said yes */
	bool last_try;		/* what cannot be fetched now is given up */
	const struct choice *choice;	/* what our question was answered, or
					 * NULL */
};

struct plan {
	struct arena arena;
	const struct bot *bot;
	const struct message *m;
	struct address author;	/* a list that put itself into the From seen
				 * through: who is answered, never a proof */
	struct plan_options options;
	const struct requests *requests;
	struct evidence evidence;
	struct which which;
	struct opened opened;
	struct item *item;
	size_t nitem, item_cap;
	enum outcome outcome;	/* the weightiest of the items' */
	const char *decision;	/* its name, as "perfpost why" tells it */
	const char *reason;
	struct bounces bounced;
	char content[DIGEST_HEX];	/* of what the author wrote */
};

/*
 * Make the plan for a mail, which must outlive it.  -1 with "err": ERR_TEMP try it again later, the
 * store failed.  Release it either way.
 */
int plan_make(struct plan *p, const struct bot *bot, const struct reading *r,
	      const struct plan_options *options, struct err *err);
void plan_release(struct plan *p);

/* Of what the author wrote: a copy through a list has the same. */
void plan_content(const struct message *m, char hex[DIGEST_HEX]);

/* "queue", "none", "reply-error", ... */
const char *outcome_name(enum outcome outcome);

/* For those who make items (item-*.c). */

/* A new item, OUTCOME_NONE; good until the next one is added. */
struct item *plan_add(struct plan *p, const struct request *r,
		      const struct stored_report *report);
/* It cannot be done as asked: "error" is the name that the answer's
 * X-Perfpost-Error has, "reason" for a person.  Returns 0, for "return". */
int item_fail(struct item *i, const char *error, const char *reason);

/* Each fills in what the item comes to: 0, or -1 with "err" (the store failed,
 * or ERR_TEMP).  item_run() is for what costs machine time. */
int item_run(struct plan *p, struct item *i, struct err *err);
int item_answer(struct plan *p, struct item *i, struct err *err);
int item_cancel(struct plan *p, struct item *i, struct err *err);
int item_stop(struct plan *p, struct item *i, struct err *err);
/* invalid, dup, fixed, expected */
int item_close(struct plan *p, struct item *i, struct err *err);
/* The values of each run of the report's stat, for templates; false when they
 * are not here. */
bool item_tell_values(struct plan *p, struct item *i);
/* The same in a line: "10 of 10 runs beyond the base's, +335.0%". */
void item_tell_record(struct plan *p, struct item *i);
/* Of several states that a mail gives to a report one counts. */
void plan_settle_states(struct plan *p);
/* Items for reports that a patch in the mail says it fixes.  0 or -1. */
int plan_link(struct plan *p, struct err *err);
/* Somebody of the report's people says that he takes it on, or that it is to
 * be opened again. */
void plan_acknowledge(struct plan *p);

#endif
