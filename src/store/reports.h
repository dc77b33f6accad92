#ifndef STORE_REPORTS_H
#define STORE_REPORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

struct arena;

/* What we reported, and what became of it. */

enum report_state {
	REPORT_OPEN,
	REPORT_ACKNOWLEDGED,	/* somebody said "will fix" */
	REPORT_FIXED, REPORT_INVALID, REPORT_DUP, REPORT_EXPECTED,
	REPORT_DISPUTED,	/* one opinion that it is noise */
	REPORT_STOPPED,		/* nothing more is sent into its thread */
};

struct stored_report {
	int64_t id;
	const char *key;	/* hash of (compared commits, axes, headline):
				 * at least 12 hex digits */
	const char *token;	/* of our address perfbot+TOKEN@, "r" + 12 of key */
	int revision;		/* 1, 2, ...: of the facts */
	const char *facts_hash;	/* what the revision stands for */
	enum report_state state;
	const char *state_note;	/* "by commit ...", "of REPORT", ... */
	const char *state_by;	/* who set it */
	const char *message_id;	/* of the mail that brought it */
	const char *subject;
	const char *tested, *title;	/* the commit reported, its subject */
	const char *base;	/* the commit it was compared with */
	const char *stat;	/* the headline */
	const char *tree, *branch, *machine;
	const char *facts;	/* JSON object: "people": [{"address", "role"}],
				 * "axes": {}, "test": {}, "runs": n,
				 * "minutes": of a machine that it took */
	const char *results;	/* JSON array: the result paths it was made of */
	bool public;		/* its thread is on a public list */
	int64_t parent;		/* an earlier report of the same commit and
				 * stat on another tree or machine; 0: none */
	int64_t created, changed;
};

/*
 * Put a report in, or its new facts: all but id, revision, state* and changed
 * is read.  The same key with other facts_hash is the next revision.
 * r->id and r->revision are filled.  Returns 1 (new), 2 (new revision),
 * 0 (nothing new), or -1.  Inside a transaction only.
 */
int report_put(struct store *s, struct stored_report *r, struct err *err);

/* Each: 1 and "r" filled from the arena, 0 (none) or -1. */
int report_get(struct store *s, int64_t id, struct arena *a,
	       struct stored_report *r, struct err *err);
int report_by_token(struct store *s, const char *token, struct arena *a,
		    struct stored_report *r, struct err *err);

/* Those with exactly this subject; a commit of which one of the two is the
 * beginning of the other (8 hex digits at least). */
int report_by_subject(struct store *s, const char *subject, struct arena *a,
		      struct stored_report **v, size_t *n, struct err *err);
int report_by_commit(struct store *s, const char *commit, struct arena *a,
		     struct stored_report **v, size_t *n, struct err *err);

/* All, newest first; at most "max" of them. */
int report_list(struct store *s, int64_t max, struct arena *a,
		struct stored_report **v, size_t *n, struct err *err);

/* "note" says why or as what (a commit, a URL), "by" who said so: an address,
 * "operator" or "tree NAME".  0 or -1; inside a transaction or alone. */
int report_set_state(struct store *s, int64_t id, enum report_state state,
		     const char *note, const char *by, int64_t now,
		     struct err *err);

const char *report_state_name(enum report_state state);

/* -1 when there is no such state. */
int report_state_parse(const char *name);

#endif
