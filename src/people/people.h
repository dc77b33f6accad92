#ifndef PEOPLE_PEOPLE_H
#define PEOPLE_PEOPLE_H

#include "data/json.h"
#include "people/commit.h"
#include "people/recipients.h"
#include "people/tree.h"

struct buf;
struct conf;
struct section;
struct maintainers;
struct err;

/*
 * Everybody around a commit: read from a checkout, from the facts or from
 * options, whatever there is, and who of them hears of it.
 */

struct people_options {
	const char *git;	/* --git DIR, or NULL */
	const char *commit;	/* the commit reported on, or NULL */
	const char *const *to, *const *cc;	/* --to, --cc; NULL-terminated
						 * or NULL */
	const struct conf *conf;
};

struct people {
	struct commit commit;	/* all "" and NULL when nothing is known */
	struct tree tree;
	struct recipients who;
	struct recipients left_out;	/* with why_not */
	struct maintainers *maintainers;	/* of the commit, or NULL */
	const struct section *const *section;	/* those that look after it */
	size_t nsection;
	const char *gone;	/* why its branch's lists hear nothing, NULL */
	const char *in_reply_to;	/* Message-ID of the patch mail, or NULL */
};
#define PEOPLE_INIT { .commit = COMMIT_INIT, .who = RECIPIENTS_INIT, \
		      .left_out = RECIPIENTS_INIT }

/*
 * Read the commit and complete "facts" with what it says (subject, author,
 * subsystem, fixes; of a mailed patch version, number and total; the tree's
 * short name).  A commit that the checkout does not have is an error, or where
 * the facts have its subject a warning.
 *
 * The facts that count: tree, branch; commits.HASH.{subject, author, committer,
 * message, message_id}; patch.{subject, author, message, message_id, link}.  A
 * patch's link and base are completed from its Message-ID and the tree, its
 * "trees" from MAINTAINERS.
 */
int people_read(struct people *p, const struct people_options *o,
		json_t *facts, struct err *err);

/*
 * Fill p->who and p->left_out by the tree's profile, after people_read().
 * Returns 0, or -1 with "err": ERR_DENIED when the branch gets no reports (then
 * all are left out), ERR_INPUT for an address in the options or the
 * configuration that is none.
 *
 * When the checkout has the branch, and it does not hold the commit any more,
 * the author alone is told, with a warning.
 *
 * To: the author, else --to, else the operator (somebody has to read it).
 */
int people_choose(struct people *p, const struct people_options *o,
		  const json_t *facts, struct err *err);

/* The facts' object of a commit, made when there is none; NULL when they are
 * malformed.  Borrowed. */
json_t *people_facts_of(json_t *facts, const char *commit);

void people_release(struct people *p);

/* For --why-recipients, whatever people_choose() said: a line each, those left
 * out behind "--:". */
void people_explain(const struct people *p, struct buf *out);

#endif
