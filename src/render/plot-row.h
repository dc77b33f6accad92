#ifndef RENDER_PLOT_ROW_H
#define RENDER_PLOT_ROW_H

#include "render/plot.h"
#include "report/report.h"

/*
 * Fill "p" from a row of "g", measured: a block for each side, "head" being
 * the one reported on.  Where "facts" hold a trend of the stat ("trend":
 * [{"stat", "points": [{"label", "values"}]}]) its commits are the blocks, in
 * history order; a point whose label is a side's label or the beginning of
 * its hash is that side.
 *
 * The head of two is bad; of more sides those whose median left the base's
 * range; of a history the commits nearer to the head than to the base.
 * What "p" points to lives in "a", "row" and "facts".
 */
void plot_of_row(struct plot *p, struct arena *a, const struct group *g,
		 const struct row *row, size_t head, const json_t *facts);

#endif
