#ifndef RESULT_BUILD_H
#define RESULT_BUILD_H

#include "result/result.h"

/* How the readers of this room put a result together. */

/* A result without axes and series, appended to "rs". "source" is copied. */
struct result *result_new(struct results *rs, const char *source);

/* Take back all but the first "n" results. */
void results_cut(struct results *rs, size_t n);

/* Set an axis; one that is there already is replaced.  Both are copied. */
void result_set_axis(struct results *rs, struct result *r, const char *key,
		     const char *value);

/* The host it ran on, where "key" of "info" says so.  Copied. */
void result_set_box(struct results *rs, struct result *r, const json_t *info,
		    const char *key);

/* By their names, as tables show them. */
void result_sort_axes(struct result *r);

/* Do they have the same axes with the same values, "except" (or NULL) aside? */
bool result_same_axes(const struct result *a, const struct result *b,
		      const char *except);

/* A new empty series, or NULL when the name is there already.  The pointer is
 * good until the next call. */
struct series *result_add(struct results *rs, struct result *r,
			  const char *name, size_t len);

/* The same, but what is there already is returned. */
struct series *result_at(struct results *rs, struct result *r,
			 const char *name);

/* Does the name end so, with something before it? */
bool name_ends(const char *name, const char *end);

/* r->runs: as many as the longest series has values. */
void result_count_runs(struct result *r);

enum direction { NO_DIRECTION, HIGHER_BETTER, LOWER_BETTER };

/* What a format knows of a stat goes to the facts' "metrics", where they do
 * not say otherwise already.  "unit" and "meaning" may be NULL. */
void suggest_metric(struct results *rs, const char *name, const char *unit,
		    enum direction better, const char *meaning, bool kpi);

#endif
