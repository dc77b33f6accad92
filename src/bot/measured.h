#ifndef BOT_MEASURED_H
#define BOT_MEASURED_H

#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "compare/comparison.h"
#include "compare/rules.h"
#include "data/json.h"
#include "result/result.h"

struct err;
struct settings;

/* Results of one report, compared: what answers and results' mails speak of. */

struct measured {
	struct arena arena;
	struct results results;
	struct rules *rules;
	struct comparison comparison;
	struct group *group;	/* that has the stat and the most sides */
	const struct row *row;	/* of the stat, all sides */
};

enum measured_rows {
	MEASURED_KPI,		/* what the benchmark is run for */
	MEASURED_CHANGED,	/* every row that changed */
};

/*
 * Read "n" result paths and compare them for "stat", by the smallest change
 * that "s" says is one.  Returns 0, or -1 with
 * "err" (ERR_INPUT when the stat is in none of them).  Release it either way.
 */
int measured_open(struct measured *m, const struct settings *s,
		  const char *const *path, size_t n, const char *stat,
		  enum measured_rows rows, struct err *err);
void measured_release(struct measured *m);

/* The paths of a report's "results", a JSON list; how many. */
size_t measured_paths(const char *list, struct arena *a, const char ***path);

/* The side whose name is, or begins with, "commit"; -1: none. */
int measured_side(const struct measured *m, const char *commit);

/*
 * For templates: [{"name", "runs", "mean", "spread", "list"}], one a side, in
 * words: the values of each run.  "role" says of each side what it is ("base";
 * NULL: nothing).
 */
json_t *measured_values(const struct measured *m, const char *const *role);

/*
 * The table's rows of which the name begins with "prefix", "max" at most, with
 * the table's head; NULL when there is none.
 */
const char *measured_table(const struct measured *m, const char *prefix,
			   size_t max, struct arena *a);

/*
 * "; the 99.5% interval of WHAT is -8.1% to -4.2%": at the level of all our
 * verdicts.  "" where the two ends are the same in print, or not known.
 */
const char *measured_interval(const char *what, double low, double high,
			      int digits, struct arena *a);

/*
 * A sentence on the change from the first side to side "side": its size, its
 * interval, how many runs would decide; NULL when there is no interval.
 */
const char *measured_change(const struct measured *m, size_t side,
			    struct arena *a);

#endif
