#ifndef RESULT_RESULT_H
#define RESULT_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/strset.h"
#include "data/json.h"
#include "result/series.h"

struct err;

/*
 * Benchmark results: what was measured, nothing computed from it.
 *
 * A result is what the runs of one commit on one set of axes (testcase, box,
 * kconfig, ...) gave: series of one value a run.  Formats differ in what they
 * call absent; here absent is absent (CELL_NONE, or n < runs), never 0.
 */

struct axis {
	const char *key, *value;
};

struct result {
	struct axis *axis;	/* in the order given */
	size_t naxis;
	const char *source;	/* the path it was read from, for messages */
	size_t runs;		/* as many as stats_source names; without it
				 * the first or the last series tells, whichever
				 * has more values */
	bool has_source;	/* there was a stats_source */
	struct series *series;	/* in the order of the file */
	size_t nseries;
	const struct strset *names;	/* results.names; an "id" is a place there */
	uint32_t *id;		/* of the name of each series; NULL while that
				 * is its index */
	uint32_t *by_id;	/* id -> index + 1 in "series", 0: none; nby_id
				 * long.  NULL as "id" is */
	size_t nby_id;
	json_t *job;		/* the job.yaml of it or of its first run, NULL */
	json_t **run_job;	/* one a run, NULL where there is none; NULL
				 * altogether before results_read_jobs() */

	const char *ran;	/* the command line, where the file says it, NULL */
	const char *box;	/* the host it ran on, likewise; no axis, as hosts of
				 * CI have a name of their own each time */

	/* For the readers alone. */
	const char *name;	/* the last part of its path */
	bool is_sure;		/* file, job or path says which commit it is */
	bool by_path;		/* ... else its commit is named after the path */
	const char *command;	/* one of several in a file that may hold both
				 * sides, NULL */
	const char **run_source;	/* stats_source of an LKP folder */
};

/* The value of axis "key", or NULL. */
const char *result_axis(const struct result *r, const char *key);

/* The id of the name of series "i" of "r". */
static inline uint32_t series_id(const struct result *r, size_t i)
{
	return r->id ? r->id[i] : (uint32_t)i;
}

/* Good until another name is asked for: see base/strset.h. */
static inline const char *series_name(const struct result *r,
				      const struct series *s)
{
	return strset_text(r->names,
			   series_id(r, (size_t)(s - r->series)));
}

/* The series of that name, or NULL. */
const struct series *result_series(const struct result *r, const char *name);

/* The same by the id of the name, without a look-up. */
const struct series *result_series_id(const struct result *r, uint32_t id);

/* Everything given on one command line. */
struct results {
	struct arena arena;	/* owns all of it but the json_t's */
	struct result **result;	/* in the order given */
	size_t n, cap;
	struct strset names;	/* every stat of every result, once, in order of
				 * appearance */
	size_t paths;		/* results_read() so far */
	bool takes_infinity;	/* set before reading: Infinity in a matrix is
				 * a value, and no bad one */
	json_t *facts;		/* members of perfpost-results/1 other than
				 * "format" and "results", merged in the order
				 * read (later wins); an object, never NULL */
};

void results_init(struct results *r);
void results_release(struct results *r);

/*
 * Read what stands at "path" and append it:
 *
 * - an LKP result directory (matrix.json[.gz|.xz], else run folders 0/ 1/ ...
 *   with stats.json, united), or a matrix file;
 * - a perfpost-results/1 file with any number of results;
 * - another tool's file (result-*.c: one format each);
 * - several files, "a,b,c" or a folder full of them: one side, a file a run.
 *
 * The format is recognised by content.  Results that do not say which commit
 * they are get the name of their path as one.  A row that is bad costs that
 * row and a log_warn().  Returns 0, or -1 with "err" naming file, line where
 * there is one, and reason, and nothing appended.
 */
int results_read(struct results *r, const char *path, struct err *err);

/* Fill in run_job of all results: a YAML file a run, which only reports need. */
int results_read_jobs(struct results *r, struct err *err);

/* Merge a facts file (YAML or JSON, --facts) into r->facts. */
int results_read_facts(struct results *r, const char *path, struct err *err);

#endif
