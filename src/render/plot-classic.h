#ifndef RENDER_PLOT_CLASSIC_H
#define RENDER_PLOT_CLASSIC_H

#include <stddef.h>

struct buf;

/* Values in order of the runs; NaN where a run has none. */
struct plot_values {
	const double *value;
	size_t n;
};

/*
 * Append the plot that the mails of 2018 and 2019 showed: gnuplot 5.0's dumb
 * terminal of 80x20, "base" as a dotted line with a '+' a run, "head" as 'O'.
 * 20 lines of exactly 80 columns, a newline after each.  Nothing, as there,
 * when no run of either side has a value.
 *
 * What is odd about it is so on purpose: a title that does not fit is left
 * out, the frame hides the base's first and last run, an 'O' hides a '+'.
 */
void plot_classic(struct buf *out, const char *title, struct plot_values base,
		  struct plot_values head);

#endif
