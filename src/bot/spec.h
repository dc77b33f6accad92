#ifndef BOT_SPEC_H
#define BOT_SPEC_H

#include "base/arena.h"
#include "bot/bot.h"
#include "bot/source.h"
#include "data/json.h"
#include "request/request.h"
#include "store/reports.h"

/*
 * What a granted request has measured: the job.json of perfpost-runner(7),
 * with the patch's text in it, and the key by which equal jobs are one.
 */

struct spec {
	json_t *json;		/* the caller's reference */
	const char *key;	/* hex */
	int runs, sides;
	double minutes;		/* of a machine, expected */
	const char *base;	/* what the patch goes onto: a commit */
	const char *base_why;	/* "the commit reported", "as you asked", ... */
	bool reused;		/* base and reported are taken from the report */
};

/* Can it be the name of a commit or branch?  It goes to programs as a word of
 * its own: what looks like an option or a URL is none. */
bool spec_is_ref(const char *name);

/* Is something applied to a commit, or taken back from it? */
bool spec_is_patched(const struct request *r);

/* "onto" is the commit that the patch goes onto, NULL: the reported one. */
void spec_make(struct spec *s, const struct bot *bot,
	       const struct stored_report *report, const struct request *r,
	       const struct source *src, const char *onto, struct arena *a);

/* A further round of the same: a rerun is to measure again. */
const char *spec_again(const struct spec *s, int round, struct arena *a);

#endif
