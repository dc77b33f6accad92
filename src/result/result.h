#ifndef RESULT_RESULT_H
#define RESULT_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/strmap.h"
#include "data/cells.h"
#include "data/json.h"

struct err;

/*
 * Benchmark results: what was measured, nothing computed from it.
 *
 * A result is what the runs of one commit on one set of axes (testcase, box,
 * kconfig, ...) gave: series of one value a run.  Formats differ in what they
 * call absent; here absent is absent (CELL_NONE, or n < runs), never 0.
 */

/* Stands in for values where only a summary is at hand. */
struct summary {
	double mean;
	double stddev;		/* as "sample" says; NaN when not known */
	bool sample;		/* divided by n - 1, not by n */
	size_t runs;		/* 0 when not known */
	bool is_failure;	/* then "fails" of "runs" failed */
	double fails;
};

/* One stat: its values in order of the runs. */
struct series {
	const char *name;	/* the same pointer for all results of a set */
	const union cell *cell;
	const uint8_t *types;	/* one enum cell_type a cell, if CELL_MIXED */
	const struct summary *summary;	/* NULL when there are values */
	uint32_t n;		/* may be less than the result's runs, or 0: the
				 * rest is absent */
	uint32_t id;		/* of the name: its place in results.names */
	enum cell_type type;	/* of all cells */
	bool in_process;	/* repetitions inside one process, no reruns */
	bool bad;		/* a value in it is no number; a warning was
				 * given.  The row is left out on all sides */
};

static inline enum cell_type series_type(const struct series *s, size_t i)
{
	return s->type == CELL_MIXED ? (enum cell_type)s->types[i] : s->type;
}

/* The value as a double; meaningless for CELL_NONE and CELL_TEXT. */
static inline double series_value(const struct series *s, size_t i)
{
	return series_type(s, i) == CELL_INT ? (double)s->cell[i].i
					     : s->cell[i].f;
}

struct axis {
	const char *key, *value;
};

struct result {
	struct axis *axis;	/* in the order given */
	size_t naxis;
	const char *source;	/* the path it was read from, for messages */
	size_t runs;		/* entries of stats_source; without it the longer
				 * of the first and the last series */
	bool has_source;	/* there was a stats_source */
	struct series *series;	/* in the order of the file */
	size_t nseries;
	const struct strmap *names;	/* results.names */
	uint32_t *by_id;	/* results.names' place -> index + 1 in
				 * "series", 0: none; nby_id long */
	size_t nby_id;
	json_t *job;		/* the job.yaml of it or of its first run, NULL */
	json_t **run_job;	/* one a run when each has its own, else NULL */
};

/* The value of axis "key", or NULL. */
const char *result_axis(const struct result *r, const char *key);

const struct series *result_series(const struct result *r, const char *name);

/* The same by series.id, without a look-up. */
const struct series *result_series_id(const struct result *r, uint32_t id);

/* Everything given on one command line. */
struct results {
	struct arena arena;	/* owns all of it but the json_t's */
	struct result **result;	/* in the order given */
	size_t n, cap;
	struct strmap names;	/* every stat of every result, once, in order of
				 * appearance; the values are not for you */
	json_t *facts;		/* members of perfpost-results/1 other than
				 * "format" and "results", merged in the order
				 * read (later wins); an object, never NULL */
};

void results_init(struct results *r);
void results_release(struct results *r);

/*
 * Read what stands at "path" and append it: an LKP result directory (with
 * matrix.json[.gz|.xz], or run folders 0/ 1/ ... with stats.json), a matrix
 * file, a perfpost-results/1 file with any number of results, or another
 * tool's file (result-*.c: one format each).  The format is recognised by
 * content.  A row that is bad costs that row and a log_warn(); returns 0, or -1
 * with "err" naming file, line where there is one, and reason.
 */
int results_read(struct results *r, const char *path, struct err *err);

/* Merge a facts file (YAML or JSON, --facts) into r->facts. */
int results_read_facts(struct results *r, const char *path, struct err *err);

#endif
