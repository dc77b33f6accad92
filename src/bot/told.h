#ifndef BOT_TOLD_H
#define BOT_TOLD_H

#include <stdint.h>

#include "bot/plan.h"
#include "data/json.h"
#include "store/jobs.h"

/* What templates see, and what is told to operators, of a plan. */

/* What became of an item when it was carried out. */
struct done {
	int64_t request;	/* its row, 0: none */
	struct job job;		/* its job; id 0: none */
	bool known;		/* it was measured before */
	bool merged;		/* it waits or runs already */
	int64_t ahead;		/* jobs before it */
	double wait;		/* their minutes */
	int64_t until;		/* held: until then */
};

/* One of reply.mustache's items. */
json_t *told_item(struct plan *p, const struct item *i, const struct done *d);

/* The report, as templates name it. */
json_t *told_report(const struct stored_report *r, struct arena *a);

/* What people are told a side of a job is: "base", "tested", "patched". */
const char *told_side(const char *name);

/* Of a job's spec: sides, runs, parameters, and its patch (null: none). */
json_t *told_spec(const struct bot *bot, const json_t *spec,
		  const struct stored_report *r, struct arena *a);
json_t *told_patch(const json_t *spec, struct arena *a);

/* What the mail comes to, and why: "perfpost why", replay. */
json_t *told_plan(const struct plan *p);

/* A commit for people: 12 digits of a hash, else as it was named. */
const char *told_commit(const char *commit, struct arena *a);

/* "about 25 minutes", "about 3 hours" */
const char *told_minutes(double minutes, struct arena *a);

#endif
