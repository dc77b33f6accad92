#ifndef RESULT_BUILD_H
#define RESULT_BUILD_H

#include "result/result.h"

/* How the readers of this room (result-*.c) put a result together. */

struct yaml;

/* A result without axes and series, appended to "rs". "source" is copied. */
struct result *result_new(struct results *rs, const char *source);

/* Set an axis; one that is there already is replaced. Both are copied. */
void result_set_axis(struct results *rs, struct result *r, const char *key,
		     const char *value);

/* A new empty series, or NULL when the name is there already.  The pointer is
 * good until the next call. */
struct series *result_add(struct results *rs, struct result *r,
			  const char *name, size_t len);

/* Make the values its own: a copy in the arena of "rs". */
void series_set(struct results *rs, struct series *s, const struct cells *c);

/* For a row of only one cell. */
void series_set_float(struct results *rs, struct series *s, double f);

void series_set_summary(struct results *rs, struct series *s,
			const struct summary *summary);

/* r->runs by the rule of result.h, for want of a stats_source. */
void result_count_runs(struct result *r);

#endif
