#ifndef STORE_OUTBOX_H
#define STORE_OUTBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

struct arena;

/*
 * Mails on their way out: finished bytes, sent as they stand.  Their
 * Message-ID is a function of what they say (kind, report, revision, request),
 * so a mail that is made twice is added once, and one that is sent twice
 * (because we died before we heard that it was taken) is the same mail.
 */

enum outbox_state {
	OUTBOX_REVIEW,		/* waits for "perfpost outbox approve" */
	OUTBOX_READY,
	OUTBOX_SENT,
	OUTBOX_FAILED,		/* too many tries */
	OUTBOX_PARKED,		/* refused for good, or not fit to be sent: an
				 * operator looks */
	OUTBOX_REJECTED,	/* by an operator */
};

enum delivery_state { DELIVERY_READY, DELIVERY_SENT, DELIVERY_REFUSED };

struct delivery {
	const char *address;
	enum delivery_state state;
	const char *reply;	/* of the server */
	bool waits;		/* outbox_take(): an earlier mail of the thread
				 * has yet to reach it; it has its turn later */
};

struct outgoing {
	int64_t id;
	const char *message_id;	/* without brackets */
	const char *kind;	/* "report", "acknowledgement", "result", ... */
	int64_t report, request, mail;	/* that it is about; 0: none */
	const char *person;	/* address that it answers, "" for a report */
	enum outbox_state state;
	const char *sender;	/* of the envelope; "" is the null return path */
	const char *subject;
	struct delivery *delivery;
	size_t ndelivery;
	int64_t lease;		/* the owner's until then */
	int64_t due;		/* not to be tried before */
	int tries;
	const char *error;	/* of the last try, or why it is parked */
	int64_t created, sent;	/* 0: not yet */
	const void *bytes;
	size_t len;
};

/*
 * Add it, in the state given: all but id, lease, due, tries and sent is read.
 * With a report its Message-ID joins the thread (mails.h) in the same stroke.
 * Returns 1 (o->id is new), 0 (that Message-ID stands already: o->id of it),
 * or -1.  Inside a transaction only.
 */
int outbox_add(struct store *s, struct outgoing *o, struct err *err);

/* 1 and "o" filled from the arena, 0 (none) or -1. */
int outbox_get(struct store *s, int64_t id, struct arena *a,
	       struct outgoing *o, struct err *err);
int outbox_find(struct store *s, const char *message_id, struct arena *a,
		struct outgoing *o, struct err *err);

/*
 * Take the lease of the next that is ready and due and that may go to somebody:
 * nobody gets a mail of a thread (the same report, or answers to the same mail)
 * while an earlier one is on its way to them and has not failed for good.
 * 1, 0 or -1.
 */
int outbox_take(struct store *s, const char *owner, int64_t now,
		int64_t seconds, struct arena *a, struct outgoing *o,
		struct err *err);

/* Take the lease of this one, if it is ready, due or not.  1, 0 or -1. */
int outbox_take_one(struct store *s, int64_t id, const char *owner,
		    int64_t now, int64_t seconds, struct arena *a,
		    struct outgoing *o, struct err *err);

/* Write back state, due, tries, error, sent and the recipients' states. */
int outbox_save(struct store *s, const struct outgoing *o, struct err *err);

/* From one state to another by an operator.  1, 0 (not in "from") or -1. */
int outbox_move(struct store *s, int64_t id, enum outbox_state from,
		enum outbox_state to, const char *why, struct err *err);

/* A mail that waits for its next try is due at once.  1, 0 (it does not wait,
 * or somebody has it just now) or -1. */
int outbox_hurry(struct store *s, int64_t id, int64_t now, struct err *err);

/*
 * How many mails that answer somebody were made since "since" (and not days
 * later, by a clock that was wrong): to a person
 * (NULL: all), in the thread of a report (0: all).
 */
int outbox_count(struct store *s, const char *person, int64_t report,
		 int64_t since, int64_t *n, struct err *err);

/* All, or those in "state" (NULL: all), oldest first, without their bytes. */
int outbox_list(struct store *s, const enum outbox_state *state,
		struct arena *a, struct outgoing **v, size_t *n,
		struct err *err);

/* Those that answer a mail, without their bytes. */
int outbox_of_mail(struct store *s, int64_t mail, struct arena *a,
		   struct outgoing **v, size_t *n, struct err *err);

const char *outbox_state_name(enum outbox_state state);
const char *delivery_state_name(enum delivery_state state);

#endif
