#ifndef RENDER_PLOT_CHOOSE_H
#define RENDER_PLOT_CHOOSE_H

#include "report/report.h"

struct buf;

/* The rows that are drawn, each once. */
struct plot_rows {
	const struct row **row;
	size_t n, cap;
};

/*
 * For `perfpost plot`, from one group: the stats of "stat" (NULL-terminated)
 * that it has, else those of the facts' "plots", else its KPIs.
 */
void plot_rows_asked(struct plot_rows *p, struct arena *a, struct comparison *c,
		     struct group *g, const json_t *facts,
		     const char *const *stat);

/* What tells "g" from the other groups: the values of axes that differ;
 * NULL where it is the only one. */
const char *plot_where(struct arena *a, const struct comparison *c,
		       const struct group *g);

/* For a report: its headline, and what its options, those of the comparison
 * or else the facts ask for, at most "max". */
void plot_rows_report(struct plot_rows *p, struct arena *a,
		      const struct report *r, size_t max);

/* Append the classic plot of a row. */
void plot_row_classic(struct buf *out, struct arena *a, const struct row *row,
		      size_t head);

#endif
