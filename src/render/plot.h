#ifndef RENDER_PLOT_H
#define RENDER_PLOT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * One stat of two or more commits, as a plot shows it, whatever draws it:
 * plot-trend.c in 80 columns of ASCII, plot-svg.c for the web.
 *
 * A commit is a block of columns.  Its runs stand in it in their order, and
 * nothing joins them, since they are independent.  The scale comes from the
 * runs that completed; those that did not are marked beside it.
 */
enum run_state {
	RUN_COMPLETED,
	RUN_FAILED,	/* no value; said so by the caller; or 0 where all
			 * other runs agree on something far from it */
	RUN_HIGH,	/* completed, but so far out that a scale with it */
	RUN_LOW,	/* would squash the rest; drawn at the edge */
};

struct plot_run {
	size_t number;		/* from 1, of the runs of its commit */
	double value;		/* NaN: none */
	enum run_state state;	/* RUN_COMPLETED or RUN_FAILED at first */
};

struct plot_block {
	const char *role;	/* "base", "tested", or NULL */
	const char *name;	/* a short commit id or a tag */
	bool bad;		/* drawn as 'O', else as '*' */
	struct plot_run *run;
	size_t nrun;
	bool in_process;	/* repetitions inside one run */
	bool only_mean;		/* no runs: "completed", "mean", "median" (the
				 * mean, too) and "spread" are given */
	/* Filled by plot_measure(): */
	size_t completed;
	double median, mean;	/* of the completed runs; NaN if none */
	double spread;		/* population deviation in percent of the mean;
				 * NaN: below two runs, or mean 0 */
	double change;		/* of the mean against the base's: percent, or
				 * points; NaN: none */
};

struct plot {
	const char *title;	/* the stat's name, as it came */
	const char *unit;	/* or NULL */
	const char *direction;	/* "higher is better", or NULL */
	const char *where;	/* what tells it from the same stat's other
				 * plots: "lkp-skl-2sp2", or NULL */
	bool points;		/* changes are absolute, not percent */
	bool history;		/* the blocks are a history of commits */
	struct plot_block *block;
	size_t nblock;
	size_t base;		/* the block that others are compared with;
				 * nblock: none */
	/* Filled by plot_measure(): */
	double low, high;	/* of what is on the scale; NaN if nothing is */
	bool whole;		/* only whole numbers on it */
	size_t failed, off_scale;	/* runs */
};

/* Judge the runs and fill what follows from them. */
void plot_measure(struct plot *p);

/*
 * A scale of even rows: row "i" from the bottom stands for (first + i) * step,
 * so that every label is a round number and no two read the same.
 */
struct plot_axis {
	double step;
	double first;		/* a whole number */
	size_t rows;
	int decimals;		/* of a label */
	int exponent;		/* labels are in 10^exponent; 0: plain */
};

/* Fit "p" into "rows" at most (at least 3). */
void plot_axis_fit(struct plot_axis *a, const struct plot *p, size_t rows);

/* The row of a value; the caller asks only for what is on the scale. */
size_t plot_axis_row(const struct plot_axis *a, double value);

double plot_axis_value(const struct plot_axis *a, size_t row);

struct buf;

/* Every other row has one, those that are rounder; each where they are few. */
enum { PLOT_FEW_ROWS = 8 };
bool plot_axis_has_label(const struct plot_axis *a, size_t row);

/* A row's label, and a value with one digit more; both without "10^". */
void plot_axis_label(struct buf *out, const struct plot_axis *a, size_t row);
void plot_axis_number(struct buf *out, const struct plot_axis *a, double value);

/*
 * Texts that both drawings carry: one line each, without the newline.
 */

/* "KB/s, higher is better; the axis starts at 8750, not at 0" */
void plot_subtitle(struct buf *out, const struct plot *p,
		   const struct plot_axis *a);

/* "base v5.9-rc1" */
void plot_label(struct buf *out, const struct plot_block *b);

enum { PLOT_CAPTIONS = 4 };

/* Line "i" of what stands below a block of "width" columns; may be empty.
 * Longer than "width" only where a name is. */
void plot_caption(struct buf *out, const struct plot *p,
		  const struct plot_axis *a, const struct plot_block *b,
		  size_t i, size_t width);

enum { PLOT_NOTES = 3 };

/* "failed: tested run 9: 0, runs 12-14: no data; base run 3: 0", and the like of
 * what is off the scale; the first few where they are many, nothing where
 * there are none. */
void plot_note(struct buf *out, const struct plot *p, size_t i);

#endif
