#ifndef STORE_JOBS_H
#define STORE_JOBS_H

#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

struct arena;

/*
 * Measurements that were granted.  A job is submitted to a runner, polled and
 * fetched by whoever holds its lease; when the holder dies, the lease runs out
 * and another goes on from the state that stands here.
 */

enum job_state {
	JOB_QUEUED, JOB_SUBMITTED, JOB_DONE, JOB_FAILED, JOB_CANCELLED,
};

struct job {
	int64_t id;
	const char *key;	/* hash of what is measured: equal jobs are one */
	enum job_state state;
	const char *spec;	/* JSON object: job.json of the job folder */
	int64_t report;		/* 0: none */
	int priority;		/* lower runs first */
	double minutes, used;	/* of a machine: expected, in the end */
	const char *folder;	/* of the job, "" before it is submitted */
	const char *remote;	/* the runner's own name for it */
	const char *owner;	/* who holds the lease */
	int64_t lease;		/* until then */
	int64_t due;		/* not to be looked at before */
	int tries;		/* submissions that got lost */
	const char *error;	/* why it failed or waits */
	const char *outcome;	/* JSON object */
	int64_t created, started, ended;
};

/*
 * Queue it: key, spec, report, priority, minutes and created are read.
 * Returns 1 (j->id is new), 0 (an equal one waits, runs or is done: j->id and
 * j->state of it), or -1.
 */
int job_add(struct store *s, struct job *j, struct err *err);

/* 1 and "j" filled from the arena, 0 (none) or -1. */
int job_get(struct store *s, int64_t id, struct arena *a, struct job *j,
	    struct err *err);

/* The one that waits, runs or is done of those with that key. */
int job_find(struct store *s, const char *key, struct arena *a, struct job *j,
	     struct err *err);

/*
 * Take the lease, until now + seconds, of the next job in "state" that is due
 * and that nobody else holds.  1, 0 (none) or -1.
 */
int job_take(struct store *s, enum job_state state, const char *owner,
	     int64_t now, int64_t seconds, struct arena *a, struct job *j,
	     struct err *err);

/*
 * The same of those that are queued, unless "most" are submitted or about to
 * be: however many bots ask at the same moment, no more are.
 */
int job_take_queued(struct store *s, int64_t most, const char *owner,
		    int64_t now, int64_t seconds, struct arena *a,
		    struct job *j, struct err *err);

/*
 * Write back state, used, folder, remote, lease, due, tries, error, outcome,
 * started and ended, if "owner" still holds the lease.  1, 0 (it does not, or
 * the job was cancelled meanwhile) or -1.
 */
int job_save(struct store *s, const struct job *j, const char *owner,
	     struct err *err);

/* End a job that waits or runs.  1, 0 (it had ended) or -1. */
int job_cancel(struct store *s, int64_t id, const char *why, int64_t now,
	       struct err *err);

/*
 * The next cancelled job that the runner was not told of: 1, 0 or -1.  Who has
 * told it calls job_forget().
 */
int job_next_cancelled(struct store *s, struct arena *a, struct job *j,
		       struct err *err);
int job_forget(struct store *s, int64_t id, struct err *err);

/* A failed or cancelled job waits again.  1, 0 (another state) or -1. */
int job_retry(struct store *s, int64_t id, struct err *err);

/* A job that waits for its next try is due at once.  1, 0 (it does not wait, or
 * somebody has it just now) or -1. */
int job_hurry(struct store *s, int64_t id, int64_t now, struct err *err);

/* How many jobs run before this one, and their minutes. */
int job_place(struct store *s, int64_t id, int64_t *ahead, double *minutes,
	      struct err *err);

/* All, or those in "state" (NULL: all), in the order they will run. */
int job_list(struct store *s, const enum job_state *state, struct arena *a,
	     struct job **v, size_t *n, struct err *err);

const char *job_state_name(enum job_state state);

#endif
