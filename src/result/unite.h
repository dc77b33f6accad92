#ifndef RESULT_UNITE_H
#define RESULT_UNITE_H

#include "base/strmap.h"
#include "result/result.h"

struct err;

/*
 * A matrix put together from runs, column by column: each stat of a run goes
 * behind those of the runs before.  A run without a stat leaves a hole in its
 * row, which is CELL_NONE here (LKP writes 0).
 */
struct unite {
	struct arena arena;
	struct strmap rows;	/* name -> struct cells * */
	size_t columns;		/* so far */
	size_t longest;		/* row, with those of this run */
};

void unite_init(struct unite *u);
void unite_release(struct unite *u);

/* A value of the run at hand; several of the same name follow each other. */
void unite_add(struct unite *u, const char *name, size_t len,
	       enum cell_type type, union cell cell);

/* The same with a name put together and a value of JSON: what is neither a
 * number nor null is CELL_TEXT. */
void unite_addf(struct unite *u, const json_t *v, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Has the run at hand a value of that name already? */
bool unite_has(const struct unite *u, const char *name);

/* What is added from now on is of the next run. */
void unite_end_run(struct unite *u);

/* Append every series of "r": those of one run or more. */
void unite_add_result(struct unite *u, const struct result *r);

/* Make all rows series of "r". */
void unite_finish(struct unite *u, struct results *rs, struct result *r);

/* Does LKP drop such a row: one of a CPU's sched_debug, or only integer 0? */
bool unite_is_dropped(const char *name, const struct cells *c);

#endif
