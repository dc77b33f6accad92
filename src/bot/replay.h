#ifndef BOT_REPLAY_H
#define BOT_REPLAY_H

#include "bot/bot.h"
#include "data/json.h"

struct buf;
struct err;

/*
 * What the bot would do with a mail: the same code, on a store of its own in
 * memory, with the mail's own date as the time, nothing fetched, run or sent.
 */
struct replay {
	struct bot bot;
	int64_t last_job, last_mail;	/* rows that were told */
	char folder[40];	/* of a copy, "" without one */
};

/* "s" must outlive it, and gets the secret of the store in memory.  0, or -1
 * with "err"; close it either way. */
int replay_open(struct replay *r, struct settings *s, struct err *err);
void replay_close(struct replay *r);

/* The same on a copy of the store at "path", for replay_next(). */
int replay_open_copy(struct replay *r, struct settings *s, const char *path,
		     struct err *err);

/* Decide the next mail that waits in the store: 1 and told as below, 0 none
 * waits, -1 with "err". */
int replay_next(struct replay *r, json_t **told, json_t **sends,
		struct err *err);

/*
 * Feed one mail.  "told" is what it comes to (a new reference), "sends" a list
 * of the mails that would be sent.  -1 with "err".
 */
int replay_mail(struct replay *r, const void *bytes, size_t len,
		const char *place, json_t **told, json_t **sends,
		struct err *err);

#endif
