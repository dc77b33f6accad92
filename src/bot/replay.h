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
};

int replay_open(struct replay *r, struct settings *s, struct err *err);
void replay_close(struct replay *r);

/*
 * Feed one mail.  "told" is what it comes to (a new reference), "sends" a list
 * of the mails that would be sent.  -1 with "err".
 */
int replay_mail(struct replay *r, const void *bytes, size_t len,
		const char *place, json_t **told, json_t **sends,
		struct err *err);

#endif
