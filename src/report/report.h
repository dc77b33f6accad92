#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "compare/comparison.h"
#include "data/json.h"

struct err;

/*
 * What a report says: the comparison, the facts around it, and what follows
 * from both (headline, verdict, findings).  No layout, no recipients.
 */

enum finding_kind {	/* what the modern report says in short */
	FINDING_REAL,		/* 1. runs, spread, interval, runs needed */
	FINDING_DIRECTION,	/* 2. word, sign, both values */
	FINDING_FIXED_TIME,	/* 3. counters that moved with the work done */
	FINDING_ONE_SIDED,	/* 4. a monitor on one side only */
	FINDING_ODD_RUN,	/* 5. one run of n, failed, incomplete */
	FINDING_HOT_PATH,	/* 6. call chains whose share moved most */
	FINDING_CLUSTERS,	/* 7. two clusters of values */
	FINDING_SAME_ROWS,	/* 8. rows that say the same twice */
	FINDING_FAILURE,	/* what runs of one side died of or warn of alone,
				 * or far more often */
	FINDING_CAVEAT,		/* why the commit may not be the cause */
	FINDING_TRADE,		/* other KPIs of the test: better, worse */
	FINDING_ALSO,		/* other tests */
	FINDING_NEXT,		/* what to do, from all of that */
};

struct finding {
	enum finding_kind kind;
	const char *text;		/* one to three lines, plain ASCII */
	const char *const *stat;	/* rows it speaks of, NULL-terminated */
	json_t *numbers;		/* object with what it is based on */
	bool aside;			/* about the table's rows: stands below it */
};

struct report_options {
	const char *headline;	/* --headline, or NULL */
	const char *side;	/* the commit reported on (its label or the
				 * beginning of its hash), NULL: the last */
	const char *note;	/* the operator's own words, or NULL */
	size_t rows;		/* rows of a table at most; 0: all */
	const char *const *plots;	/* --stat of plots, or NULL: facts', else KPIs */
	bool regzbot;		/* ask regzbot to track it, if it can */
};

/*
 * What subject and first sentence say where "S -8.7% regression" would not be
 * the truth or not the news; see news.h.
 */
enum news_kind {
	NEWS_CHANGE,		/* the headline's change */
	NEWS_FAILURE,		/* runs fail with the commit */
	NEWS_MISSING,		/* one side has no value of the headline */
	NEWS_ZERO,		/* 0 in all runs: the test itself failed */
	NEWS_NOT_COMPARABLE,	/* the sides differ in more than the commit */
	NEWS_TIMES,		/* so large that percent are no help */
	NEWS_FROM_ZERO,		/* there are no percent of 0 */
	NEWS_UNDECIDED,
	NEWS_NO_CHANGE,
};

struct news {
	enum news_kind kind;
	const char *subject;	/* behind the hash; NULL: the change */
	const char *sentence;	/* what was noticed; NULL likewise */
	const char *badge;	/* "-8.7% regression", "not decided" */
	bool blames;		/* the commit broke something: ask for tags */
};

/* Another group whose KPI changed: a cell of the box "significant impact". */
struct impact {
	const struct group *group;
	const struct row *row;
	size_t side;
};

/* The rows of one group that go into the mail, in the table's order. */
struct body {
	const struct group *group;
	const struct row **row;
	size_t n;
};

struct report {
	struct arena arena;
	struct comparison *comparison;	/* not owned */
	const struct results *results;	/* not owned: facts */
	struct report_options options;
	struct group *group;		/* the headline's */
	const struct row *headline;	/* never NULL */
	size_t side;			/* the side reported on (1 in a two-way) */
	const struct change *change;	/* of the headline, that side */
	enum verdict verdict;		/* not the change's where sides are not
					 * comparable or the test failed */
	struct news news;
	struct finding *finding;
	size_t nfinding, cfinding;
	const struct row **shown;	/* for each row of "group": itself, one
					 * that says it in its place, or NULL
					 * where a finding says it all */
	struct impact *impact;
	size_t nimpact;
	struct body *body;		/* the headline's group first */
	size_t nbody;
};

/*
 * Choose the headline (options', else the facts', else the KPI whose change
 * stands out most from its spread), take the verdict from its interval and
 * direction, find what else changed and which rows carry the story.  Keeps
 * pointers into all of its arguments, which must outlive the report.  Where no
 * KPI has data on both sides the headline is the one that a side lacks, else
 * what fails on one side only or far more often.  Returns 0, or -1 with "err": no side has the
 * headline, no such side, nothing to tell.
 */
int report_build(struct report *r, struct comparison *c,
		 const struct results *results,
		 const struct report_options *options, struct err *err);
void report_release(struct report *r);

/* What goes with the report as files of their own: its job, the commands that
 * run the test, the whole table where the text has only a part of it. */
enum { ATTACHED_JOB = 1, ATTACHED_SCRIPT = 2, ATTACHED_TABLE = 4 };
unsigned report_attached(const struct report *r);

/*
 * The report as JSON: what -f json prints, what doc/report.schema.json
 * describes, and what templates see (perfpost-templates(7)).  A new reference.
 */
json_t *report_json(const struct report *r);

#endif
