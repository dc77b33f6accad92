#ifndef COMPARE_COMPARE_INT_H
#define COMPARE_COMPARE_INT_H

#include <stdint.h>

#include "compare/comparison.h"
#include "compare/number.h"
#include "compare/rules.h"
#include "compare/trim.h"

/* What the files of this room share, as long as the comparison lives. */
struct work {
	struct comparison *c;
	struct arena *arena;	/* of the figures of rows: the comparison's, or
				 * the next */
	struct arena row_arena;	/* "by_row": of the row in hand ... */
	struct row row;		/* ... which comparison_row() gave */
	const struct results *results;
	const struct compare_options *options;
	struct rules *rules;
	uint8_t *judged;	/* what is known of a name, one an id */
	double *scratch[2];	/* the values of one row of two sides ... */
	size_t scratch_cap[2];	/* ... and room for how many */
	struct numbers numbers[2];
};

static inline const char *stat_name(const struct work *w, uint32_t id)
{
	return strset_text(&w->results->names, id);
}

/* The rules' judgement of a name, asked for once. */
bool is_failure(struct work *w, uint32_t id);
bool is_noise(struct work *w, uint32_t id);

/* Names in the order in which they came, each once. */
struct selection {
	struct arena *arena;
	const struct strset *names;	/* results.names */
	const char **name;
	size_t n, cap;
	uint8_t *have;		/* one an id */
};

/* Add one; a name that is there already is not added again. */
void selection_add(struct selection *sel, uint32_t id);

/* What stands for the deviation of a summary's values where rows are selected:
 * a sample's is a little more than the population's, one run has none.  NaN
 * when not known: then nothing can be said. */
double summary_spread(const struct summary *s);

/* The kind of a row by its name alone, and by the era asked for. */
enum row_kind row_kind(struct work *w, const char *name);

/* Room for "n" values of side 0 or 1 of a row in hand. */
double *scratch(struct work *w, int side, size_t n);

/* group.c: results that differ in the compared axes only, side by side. */
int make_groups(struct work *w, struct err *err);

/* select-lkp.c: the names that changed by the rules of lkp-style.md 1.5. */
void select_lkp(struct work *w, const struct group *g, struct selection *sel);

/* select.c: the names that changed, over the values that exist; fills
 * g->one_sided. */
void select_changed(struct work *w, struct group *g, struct selection *sel);

/* Columns of the runs that "last_state.is_incomplete_run" marks; NULL when
 * there are none.  "runs" long. */
const bool *incomplete_runs(struct arena *a, const struct result *r,
			    size_t *count);

/*
 * failed.c: to these the runs whose test reported 0 for everything, while most
 * others measured about the same.  Only for COMPARE_DEFAULT.
 */
const bool *failed_runs(struct arena *a, const struct result *r,
			const bool *incomplete, size_t *count);

/* figure.c, lkp-figure.c: the numbers of a row of group "g". */
void fill_figures(struct work *w, const struct group *g, struct row *row);
void fill_lkp_figures(struct work *w, const struct group *g, struct row *row);

/* order.c: rows in the order of the table. */
void order_rows(struct work *w, struct group *g);

#endif
