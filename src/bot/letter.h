#ifndef BOT_LETTER_H
#define BOT_LETTER_H

#include <stdint.h>

#include "base/arena.h"
#include "bot/bot.h"
#include "data/json.h"
#include "mail/message.h"
#include "mail/write.h"
#include "store/outbox.h"

/*
 * A mail of ours, made of a template and of the mail that it answers: the
 * headers that keep a thread together and two robots apart.  It is read back
 * before it is kept (compose/lint.h); one that is not fit is parked.
 */

struct reply {
	const char *kind;	/* "acknowledgement", "error", "result", ... */
	const char *template;	/* "reply", "result", "notice" */
	json_t *data;		/* of the template; robot is added */
	const struct message *to;	/* that it answers; NULL: to the operator */
	const char *token;	/* behind the + of our address, or NULL */
	const char *revision;	/* of the report, "0" without one */
	const char *identity;	/* of the report, hex; NULL: none */
	const char *request;	/* what it answers: part of the Message-ID */
	bool quiet;		/* only to whom it answers, no Cc */
	bool by_hand;		/* a person wrote it: no automatic mail */
	const struct address *asker;	/* who asked, where the From does not
					 * say; or NULL */
	const struct strings *copy;	/* addresses that get one, too; or NULL */
	const char *verdict;	/* for the X- field, or NULL */
	const char *error;	/* its name, likewise */
	const struct attachment *attachment;
	size_t nattachment;
	int64_t report, mail, row;	/* rows: report, mail, request */
};

/*
 * Compose it and put it into "o" (all but id), everything in "a".  -1 with
 * "err": the template is broken, or nobody is left to send it to.
 */
int letter_make(struct outgoing *o, const struct bot *bot,
		const struct reply *r, struct arena *a, struct err *err);

/* "text" for a mail: control characters shown, no character that a reader
 * cannot decode, at most "max" bytes. */
const char *letter_safe(const char *text, size_t max, struct arena *a);

/* "03 Mar 2026"; INT64_MIN is an unknown date. */
const char *letter_date(int64_t date, struct arena *a);

/* A sentence may be long: the same in lines of at most 72 columns. */
const char *letter_fold(const char *text, struct arena *a);

/* " I have told the people who operate me.", or "" (and a message to the log)
 * where bot.notify names nobody who would hear of it. */
const char *letter_told(const struct bot *bot);

/* [{"line": ...}] of the lines of a text, at most "max" of them. */
json_t *letter_lines(const char *text, size_t max, struct arena *a);

/* {"who", "date", "lines"}: what a mail says at "line" (0: its beginning),
 * for the quotation above an answer; null when it says nothing. */
json_t *letter_quote(const struct message *m, const char *evidence,
		     struct arena *a);

#endif
