#ifndef CLI_SEND_H
#define CLI_SEND_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "bot/deliver.h"
#include "bot/lease.h"
#include "cli/net.h"
#include "data/conf.h"
#include "store/store.h"

/* What the files of "perfpost send" share: options, what is open, and how it
 * went so far. */

enum { BCC_MAX = 50, RESULTS_MAX = 100 };

struct send_run {
	struct net_options net;
	bool dry_run, queued;
	const char *bcc[BCC_MAX + 1];
	size_t nbcc;
	const char *only_to;	/* gets it alone, and no store hears of it;
				 * NULL: as usual */
	const char *results[RESULTS_MAX + 1];	/* --results, or the file */
	size_t nresults;
	char path[PATH_MAX];	/* of a results file, absolute */
	struct conf conf;
	struct store *store;	/* NULL: a dry run of mails, or "only_to" */
	struct sender *sender;	/* NULL: a dry run */
	char owner[OWNER_MAX];	/* of leases */
	size_t done, all;	/* mails, for the progress */
	int64_t started;	/* monotonic ms */
	int rc;			/* the worst exit code so far */
};

/* One mail ended with exit code "code". */
void send_worsen(struct send_run *r, int code);

/* One mail more is done: said on a terminal, when it takes a while. */
void send_progress(struct send_run *r);

/*
 * The mail that "path" holds or stands for: a mail, a report as JSON, or
 * results, of which the report is made.  What was reported before becomes an
 * answer in the thread of the first report; where nothing is new that is said,
 * and "mail" is empty.  0, or -1 with "err".
 */
int send_load(struct send_run *r, const char *path, struct buf *mail,
	      struct err *err);

/* The emergency stop: nothing leaves, what is queued stays so; that is said. */
bool send_is_held_back(struct send_run *r, const char *name);

/* One attempt at mail "id" of the outbox; "name" is how it is called in what is
 * said of it.  -1 with "err": the store failed. */
int send_one(struct send_run *r, const char *name, int64_t id,
	     struct err *err);

/* Everything in the outbox that is due, each once; a dry run says what. */
void send_queued(struct send_run *r);

#endif
