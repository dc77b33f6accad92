#ifndef BOT_STAGE_H
#define BOT_STAGE_H

#include <stdbool.h>

#include "bot/bot.h"
#include "bot/lease.h"

struct conf;
struct err;

/* The stages as loops. */

enum stage { STAGE_RECEIVE, STAGE_DECIDE, STAGE_RUN, STAGE_SEND, NSTAGES };

/* "receive", "decide", "run", "send" */
const char *stage_name(enum stage stage);
int stage_parse(const char *name);	/* -1: there is none */

/* The bot with all it needs, for one stage or for the command line. */
struct stage_bot {
	struct bot bot;
	struct settings settings;
	char owner[OWNER_MAX];
	int64_t signed_at[NSTAGES];	/* its last sign of life in the store, ms */
	struct intake *intake;	/* of the stage that receives; NULL at first */
};
/* "store" is its path, NULL: the configuration's.  It is made where there is
 * none.  0, or -1 with "err"; close it either way. */
int stage_open(struct stage_bot *b, const struct conf *conf,
	       const char *store, struct err *err);
void stage_close(struct stage_bot *b);

/* Do what there is to do now.  How much that was, or -1 with "err". */
int stage_once(struct stage_bot *b, enum stage stage, struct err *err);

/*
 * Go on until SIGTERM or SIGINT, which is heeded between two pieces of work
 * (0), or SIGHUP (1: the caller reads the configuration again and goes on).
 * The service manager is told.  Errors that time may heal are logged and
 * waited out.  -1 with "err": the others.
 */
int stage_loop(struct stage_bot *b, enum stage stage, struct err *err);

#endif
