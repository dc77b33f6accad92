#ifndef STORE_REQUESTS_H
#define STORE_REQUESTS_H

#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

struct arena;

/* What was asked of us, what it became, and what it cost. */

enum asked_state {
	ASKED_HELD,		/* waits for "reply to run" or an operator */
	ASKED_UNCLEAR,		/* we asked one question back */
	ASKED_QUEUED,		/* has a job */
	ASKED_ANSWERED, ASKED_DENIED, ASKED_CANCELLED,
	ASKED_NOTED,		/* recorded, nothing to answer */
};

struct asked {
	int64_t id, mail;
	int64_t report;		/* 0: none */
	int nth;		/* in its mail, from 0 */
	const char *kind;	/* as request_kind_name() */
	const char *fields;	/* JSON object: what the mail states of it */
	const char *person;	/* address of who asked */
	enum asked_state state;
	int64_t job;		/* 0: none; equal requests share one */
	int64_t expires;	/* while held */
	int64_t created, changed;
};

/* Add: all but id and changed is read.  1 (q->id is new), 0 (this mail's
 * request is here: q->id of it) or -1. */
int asked_add(struct store *s, struct asked *q, struct err *err);

/* 1 and "q" filled from the arena, 0 (none) or -1. */
int asked_get(struct store *s, int64_t id, struct arena *a, struct asked *q,
	      struct err *err);

/* Write back state, job and expires, stamped "now". */
int asked_save(struct store *s, const struct asked *q, int64_t now,
	       struct err *err);

/* Those of a mail, of a report, of a job (0: whichever). */
int asked_list(struct store *s, int64_t mail, int64_t report, int64_t job,
	       struct arena *a, struct asked **v, size_t *n, struct err *err);

/* Those in a state, oldest first. */
int asked_list_state(struct store *s, enum asked_state state, struct arena *a,
		     struct asked **v, size_t *n, struct err *err);

/* The oldest that is queued and whose job has ended.  1, 0 or -1. */
int asked_next_ended(struct store *s, struct arena *a, struct asked *q,
		     struct err *err);

/* Those that were held too long are cancelled.  How many, or -1. */
int asked_expire(struct store *s, int64_t now, struct err *err);

/* Did we ever do something for this person?  1, 0 or -1. */
int asked_before(struct store *s, const char *person, struct err *err);

/* Charge a job's machine-minutes to a request, once. */
int spend(struct store *s, const struct asked *q, double minutes, int64_t now,
	  struct err *err);

/* What was charged since: NULL, NULL, 0: whomever, wherever, all reports. */
int spent(struct store *s, const char *person, const char *domain,
	  int64_t report, int64_t since, double *minutes, struct err *err);

/* A job ended after other minutes than expected, or was cancelled: 0. */
int spend_correct(struct store *s, int64_t job, double minutes,
		  struct err *err);

const char *asked_state_name(enum asked_state state);

#endif
