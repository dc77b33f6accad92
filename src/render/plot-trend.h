#ifndef RENDER_PLOT_TREND_H
#define RENDER_PLOT_TREND_H

struct buf;
struct plot;

/*
 * Append the plot in plain ASCII: at most 80 columns and 20 lines, no blanks
 * at their ends.  "p" has been measured.
 *
 * Every run that completed is a mark in its commit's block, '*' (bisect-good)
 * or 'O' (bisect-bad); where there are more runs than columns, a digit counts
 * those that share a cell.  Each block's median is a line of '-', continued
 * by '.' through the others for the base's.
 */
void plot_trend(struct buf *out, const struct plot *p);

#endif
