#ifndef COMPARE_COMPARISON_H
#define COMPARE_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "result/result.h"

struct err;
struct rules;

/*
 * Two or more sides (commits, by default) beside each other: which rows are
 * worth showing, and what each says.  Numbers only; the text is made in
 * render/table.c, the judgement on the whole in report/.
 */

enum compare_style {
	COMPARE_DEFAULT,	/* per stat over the values that exist */
	COMPARE_LKP,		/* lkp-style.md 1, quirks included */
};

enum compare_select {
	SELECT_CHANGED,		/* the default */
	SELECT_MORE,		/* also names that are not bisectable */
	SELECT_ALL,
};

struct compare_options {
	enum compare_style style;
	enum compare_select select;
	bool kpi, kpi_strict, all_failures, different_roots, by_stat;
	bool sort_groups, compact, show_empty;
	const char *const *stat;	/* --stat, NULL-terminated, or NULL */
	const char *const *include;	/* --include patterns, likewise */
	const char *force;		/* --force, or NULL */
	const char *const *axis;	/* compared axes, NULL: { "commit" } */
	const char *const *label;	/* --label "COMMIT=NAME", likewise */
	double gap;			/* NaN: not given */
	double profile_threshold;	/* --perf-profile-threshold; NaN: not given */
	double smallest;		/* percent: a smaller change is none,
					 * however sure it is */
	int era;			/* 0: today; only COMPARE_LKP */
	bool quick;			/* leave "low" to "verdict" of struct change
					 * and "value" of struct figure to KPI
					 * rows: a table does not show them */
	bool by_row;			/* keep no figures: comparison_row() is to
					 * make them when they are printed */
	struct rules *rules;		/* NULL: the built-in ones */
};

/* Percent; see "smallest". */
#define CHANGE_SMALLEST 0.5

/* Nothing asked for: the default style, what changed, the built-in rules. */
void compare_options_init(struct compare_options *o);

/* What the metric table says of a name; see rules.h. */
enum better { BETTER_UNKNOWN, BETTER_HIGHER, BETTER_LOWER };

enum verdict {
	VERDICT_NONE,		/* not judged: no data, or direction unknown */
	VERDICT_NO_CHANGE,
	VERDICT_REGRESSION,
	VERDICT_IMPROVEMENT,
	VERDICT_INCONCLUSIVE,	/* too few runs or too much spread to say */
};

/* "regression", "improvement", "no-change", "inconclusive", "none": for
 * JSON and headers. */
const char *verdict_name(enum verdict v);

const char *better_name(enum better b);	/* "higher", "lower", NULL */

/*
 * The level of intervals.  With 0.99 the verdict would cry wolf in nearly one
 * of a hundred pairs of same sides; with this it does in one of two hundred,
 * and still sees a change of 5% at 1% noise in six runs.
 */
#define CHANGE_LEVEL 0.995

/* One side's change against the first side. */
struct change {
	double absolute;	/* mean - base mean, in the stat's unit */
	double percent;		/* 100 * absolute / |base mean|; NaN at base 0 */
	double low, high;	/* Welch's interval of "absolute" at
				 * CHANGE_LEVEL; NaN if there is none (see
				 * "quick": so it is with all below) */
	double p_welch;		/* NaN if none */
	double p_rank;		/* exact Mann-Whitney, two-sided; NaN if none */
	size_t runs_needed;	/* a side, to decide at this spread; 0: decided,
				 * or no telling */
	enum verdict verdict;	/* from interval and direction alone */
};

/* One side of one row. */
struct figure {
	const struct series *series;	/* as read; NULL: the side has no such name */
	size_t runs;		/* of the side, all */
	size_t left_out;	/* runs that did not complete */
	size_t n;		/* values behind the mean */
	const double *value;	/* they, in order of the runs; NULL: only their
				 * mean is known (or "quick") */
	const size_t *run;	/* see figure_run() */
	bool in_process;	/* repetitions inside one process */
	double mean, median, min, max;
	double stddev;		/* population; NaN below 2 values */
	double fails;		/* failure rows: runs that failed */
	struct change change;	/* zeroed on the first side */
};

/* The run of value "i", from 0.  Most often every run has a value. */
static inline size_t figure_run(const struct figure *f, size_t i)
{
	return f->run ? f->run[i] : i;
}

/* What the reference prints of one side, oddities included: lkp-style.md 1.6. */
struct lkp_figure {
	double mean, stddev;	/* stddev -1: less than two values */
	double fails;		/* failure rows: sum of the counts ... */
	bool is_whole;		/* ... of integers alone: as "whole" too, which
				 * has digits that "fails" rounds off */
	int64_t whole;
	double change;		/* as printed: %, points, or % of runs */
	size_t runs;
};

enum row_kind { ROW_FAILURE, ROW_PERF };

struct row {
	const char *name;
	enum row_kind kind;
	bool points;		/* the change is shown absolute, as pp */
	bool kpi;		/* says what the benchmark is run for */
	bool in_process;	/* a side has repetitions inside one process */
	enum better better;
	const char *unit;	/* NULL when not known */
	const char *meaning;	/* one line, NULL when not known */
	const double *change;	/* one a side, as printed: %, points, ...; what
				 * rows and groups are sorted by */
	struct figure *figure;	/* one a side of the group; NULL if "by_row" */
	struct lkp_figure *lkp;	/* likewise; NULL unless COMPARE_LKP */
};

struct side {
	const char *name;	/* its value on the compared axis: a commit */
	const char *label;	/* --label or facts: "v4.20-rc7", NULL */
	const char *subject;	/* of the commit, NULL */
	const struct result *result;
	size_t runs, incomplete;
	const bool *is_incomplete;	/* one a run of the result; NULL: none */
};

/* What the side's name is: a "commit"; the "command" that was measured; else
 * the "version" that a file is named after. */
const char *side_kind(const struct side *s);

/*
 * A monitor that leaves nothing to compare, as only the base has it, or the
 * base lacks it.  Its rows are not in the table.
 */
struct one_sided {
	const char *monitor;	/* "perf-stat" */
	size_t rows;		/* left out */
	const bool *ran;	/* one a side of the group */
};

/* Sides that agree on every other axis. */
struct group {
	struct axis *axis;	/* the common ones, in the order given */
	size_t naxis;
	struct side *side;
	size_t nside;
	struct row *row;	/* those selected, in order of the table */
	size_t nrow;
	struct one_sided *one_sided;	/* none in COMPARE_LKP and SELECT_ALL */
	size_t none_sided;
};

struct comparison {
	struct arena arena;
	struct compare_options options;
	struct group *group;
	size_t ngroup;
	const struct results *results;	/* not owned */
	struct rules *own_rules;	/* those it had to load itself */
	struct work *work;		/* for the functions below */
};

/*
 * Compare all of "r".  The comparison keeps pointers into "r" and
 * "options->rules", which must outlive it, and into itself: it stays where it
 * is.  Returns 0, or -1 with "err" (no two results to compare, a pattern that
 * does not compile, ...).
 */
int compare(struct comparison *c, const struct results *r,
	    const struct compare_options *options, struct err *err);
void comparison_release(struct comparison *c);

/* A row of "g" with its figures: itself, or with "by_row" a copy that is good
 * until the next call. */
const struct row *comparison_row(const struct comparison *c,
				 const struct group *g, const struct row *row);

/* Every name, selected or not: for --headline, plots and the whole table.
 * Computed on demand into the comparison's arena; NULL when no side has it. */
const struct row *group_row(struct comparison *c, struct group *g,
			    const char *name);

#endif
