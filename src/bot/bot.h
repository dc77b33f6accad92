#ifndef BOT_BOT_H
#define BOT_BOT_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/settings.h"
#include "store/store.h"

struct buf;
struct err;

/*
 * The mail bot: four stages that run independently and meet in the store
 * alone.
 *
 *	receive	brings mails in
 *	decide	says what each comes to, and writes it down in one stroke
 *	run	has jobs measured and writes the results' mails
 *	send	hands mails to the server
 */

/* What a replay does otherwise than the bot that runs: the outside world. */
struct outside {
	/* Fetch "url" into "out".  NULL: nothing is fetched, and what would
	 * have to be counts as fetched well. */
	int (*fetch)(const struct settings *s, const char *url,
		     struct buf *out, struct err *err);
};

struct bot {
	const struct settings *settings;
	struct store *store;
	struct grammar *grammar;
	const struct outside *outside;
	const char *owner;	/* of leases: host and process */
};

#endif
