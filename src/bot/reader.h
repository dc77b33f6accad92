#ifndef BOT_READER_H
#define BOT_READER_H

#include <stddef.h>

#include "bot/bot.h"
#include "bot/screen.h"
#include "mail/message.h"
#include "request/request.h"

struct err;

/*
 * Every mail that came in is read in a process of its own, which has no
 * network, no database, no files and little time and memory (confined.h).
 * What it says is checked before it is believed; nothing else here touches a
 * stranger's bytes.
 */
struct reading {
	struct message message;
	struct requests requests;	/* none, without a grammar */
	struct bounces bounced;
};

/*
 * Returns 0, or -1 with "err": ERR_INPUT the reader died, took too long or
 * too much memory, or made no sense; ERR_CONFIG it could not be confined
 * (bot.without_seccomp); ERR_SYSTEM it could not be started.
 * Release it either way.
 */
int reader_read(struct reading *r, const struct bot *bot, const void *bytes,
		size_t len, struct err *err);

/* The message alone. */
int reader_message(struct message *m, const struct bot *bot,
		   const void *bytes, size_t len, struct err *err);
void reader_release(struct reading *r);

#endif
