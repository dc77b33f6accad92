#ifndef RENDER_PLOT_CHOOSE_H
#define RENDER_PLOT_CHOOSE_H

#include "report/report.h"

struct buf;
struct err;

enum plot_style { PLOT_TREND, PLOT_CLASSIC };

/* The rows that are drawn, each once. */
struct plot_rows {
	const struct row **row;
	size_t n, cap;
};

/*
 * For `perfpost plot`: the stats of "stat" (NULL-terminated), else those of
 * the facts' "plots", else the KPIs of "g".  Returns 0, or -1 with "err" when
 * no side has one of "stat".
 */
int plot_rows_asked(struct plot_rows *p, struct arena *a, struct comparison *c,
		    struct group *g, const json_t *facts,
		    const char *const *stat, struct err *err);

/* For a report: its headline, and what its options or facts ask for, at most
 * "max". */
void plot_rows_report(struct plot_rows *p, struct arena *a,
		      const struct report *r, size_t max);

/* Append one plot as text. */
void plot_row_text(struct buf *out, struct arena *a, const struct group *g,
		   const struct row *row, size_t head, const json_t *facts,
		   enum plot_style style);

#endif
