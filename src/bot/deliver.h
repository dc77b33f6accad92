#ifndef BOT_DELIVER_H
#define BOT_DELIVER_H

#include <stdint.h>

#include "send/send.h"
#include "store/outbox.h"

struct err;

/*
 * One attempt for one mail of the outbox, whose lease the caller holds (for
 * longer than an attempt may take: DELIVER_LEASE), and what came of it written
 * down: state, due, tries, error, each recipient's answer, the audit row.
 *
 *   OUTBOX_SENT	all were served, or refused for good and some served
 *   OUTBOX_READY	somebody is to be tried again, at o->due, or waits for
 *			an earlier mail of the thread (outbox.h)
 *   OUTBOX_PARKED	refused for good by or for all, or not fit to be sent
 *   OUTBOX_FAILED	"tries" attempts were made
 *
 * Whoever was served is not tried again; whom the server does not know (RFC
 * 3463: 5.1.x) is noted as failing.  Returns 0 with o->state and o->error
 * (in the arena) telling, or -1 when it could not be written down.
 */
int deliver(struct store *s, struct sender *sender, struct outgoing *o,
	    int64_t tries, struct arena *a, struct err *err);

/* Seconds to hold a mail for one attempt. */
int64_t deliver_lease(const struct conf *conf);

/* Seconds until the next attempt after so many: a minute, doubled each time,
 * four hours at most. */
int64_t deliver_delay(int tries);

#endif
