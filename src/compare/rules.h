#ifndef COMPARE_RULES_H
#define COMPARE_RULES_H

#include <stdbool.h>

#include "compare/comparison.h"
#include "compare/number.h"
#include "data/json.h"

struct err;

/*
 * What is known about the names of stats: which count failures, which belong
 * to a test, which are noise, how large a value must be to mean something,
 * which way is better, in what unit, and what it measures.
 */
struct rules;

/*
 * Read the rule files of an lkp-tests checkout, or, for NULL, perfpost's own
 * table (the data file "metrics.txt").  Units and meanings come from the own
 * table in both cases.  Returns NULL with "err".
 */
struct rules *rules_new(const char *lkp_src, struct err *err);
void rules_free(struct rules *r);

/*
 * Learn from the facts of the results: "metrics" is an object of name ->
 * { "better": "higher" | "lower", "unit", "meaning", "kpi" }, any of them
 * missing.  They override.  Returns 0, or -1 with "err" when it is no such
 * object.
 */
int rules_learn(struct rules *r, const json_t *metrics, struct err *err);

struct metric {
	enum better better;
	const char *unit, *meaning;	/* NULL when not known */
	bool kpi;			/* benchmarks are run for it */
};
struct metric rules_metric(const struct rules *r, const char *name);

/* Counts the runs in which something failed (or, .pass, went well); never what
 * the facts call a KPI. */
bool rules_failure(const struct rules *r, const char *name);
/* With --era up to 2021: .error_entry and the like counted too. */
bool rules_failure_2021(const struct rules *r, const char *name);

/* Is "base", the part of a name before its first dot, a test's? */
bool rules_test(const struct rules *r, const char *base, size_t len);

/* What --kpi and --kpi-strict keep. */
bool rules_kpi(const struct rules *r, const char *name);
bool rules_kpi_strict(const struct rules *r, const char *name);

/* Too noisy to be shown without --more. */
bool rules_noise(const struct rules *r, const char *name);

/* A change of 1% counts; for all others 5% is the least. */
bool rules_sensitive(const struct rules *r, const char *name);

/* Are the larger value and the difference large enough to mean something? */
bool rules_reasonable(const struct rules *r, const char *name,
		      struct number delta, struct number max);

/* Is the change of this stat shown in its own unit? */
bool rules_points(const char *name);

#endif
