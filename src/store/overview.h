#ifndef STORE_OVERVIEW_H
#define STORE_OVERVIEW_H

#include <stdint.h>

#include "data/json.h"
#include "store/store.h"

/* The state as an operator looks at it, and the stages' signs of life. */

/* Stage "name" of process "owner" was here; with what went wrong, or NULL. */
int overview_note(struct store *s, const char *name, const char *owner,
		  int64_t now, const char *error, struct err *err);

/*
 * A new reference, or NULL with "err":
 *	time, stages [{name, owner, seen, ago, error, error_at}],
 *	lag {mail, job, outbox: seconds that the oldest has waited},
 *	mails, jobs, outbox, requests, reports {STATE: count},
 *	queue [{id, state, minutes, report, created, tries, error}],
 *	spent: machine-minutes in the last day,
 *	errors [{at, object, text}], the newest first.
 * Texts are inert: nothing in them steers a terminal.
 */
json_t *overview_read(struct store *s, int64_t now, struct err *err);

/*
 * The newest reports: [{id, token, state, subject, message_id, created}].
 */
json_t *overview_reports(struct store *s, int64_t max, struct err *err);

/* The mails of a report, in and out: [{at, way: "in" or "out", who, subject,
 * state, detail}], oldest first. */
json_t *overview_thread(struct store *s, int64_t report, struct err *err);

#endif
