#ifndef BOT_POST_H
#define BOT_POST_H

#include <stddef.h>
#include <stdint.h>

#include "data/json.h"

struct conf;
struct err;
struct message;
struct store;
struct arena;
struct stored_report;

/*
 * Put a finished mail that came from a file into the outbox: the envelope from
 * its To and Cc (and "bcc", addresses that stand in no header; NULL-terminated
 * or NULL), the report that its X-Perfpost- headers describe into the reports,
 * so that answers to it are known, all in one stroke.  "results" are the paths
 * that it was made of (NULL-terminated, or NULL), for what people ask later.
 * What comes into a thread that was stopped is parked.
 *
 * Returns 1 (*id is new), 0 (that Message-ID is there already), or -1.
 */
int post_mail(struct store *s, const struct conf *conf,
	      const struct message *m, const void *bytes, size_t len,
	      const char *const *bcc, const char *const *results, int64_t *id,
	      struct err *err);

/*
 * Was what this mail reports (its X-Perfpost- headers) reported before: the
 * same commit and stat, by another mail?  1 with "first" filled from the
 * arena, 0 (no, or it is no report) or -1.
 */
int post_earlier(struct store *s, const struct message *m, struct arena *a,
		 struct stored_report *first, struct err *err);

/* X-Perfpost-Test, "testcase=unixbench; nr_task=1", as an object; the caller's
 * reference. */
json_t *post_axes(const char *text);

/* The envelope's sender: "send.sender", "operator.address", or the From. */
const char *post_sender(const struct conf *conf, const struct message *m);

#endif
