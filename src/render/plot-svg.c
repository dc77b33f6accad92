#include "render/plot-svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/utf8.h"
#include "render/markup.h"
#include "render/plot.h"

enum {
	WIDTH = 500,
	HEIGHT = 348,
	LEFT = 84,	/* of the grid, in the drawing's units */
	RIGHT = WIDTH - 16,
	TOP = 58,
	BOTTOM = 232,
	FAILED = BOTTOM + 14,	/* where runs that failed are marked */
	CAPTION = BOTTOM + 38,	/* the first line of the captions */
	LINE = 16,
	NOTE = CAPTION + PLOT_CAPTIONS * LINE,
	ROWS = 11,
	LETTER = 7,	/* the width of one, more or less */
	LEAST_CAPTION = 11 * LETTER,
	SMALL_CAPTION = 14 * LETTER,	/* below it letters are smaller */
	TOO_MANY_RUNS = 1000,	/* in a block: one mark a spot of SPOT x SPOT */
	SPOT = 3,
	SLANTED = 22,	/* between labels that do not touch ... */
	LABEL = 16 * LETTER,	/* ... and how long they may be */
};

const char plot_svg_style[] =
".plot{--ink:#1b1f24;--soft:#59636e;--line:#d5dae0;--good:#0b62c4;"
"--bad:#c4410c;--paper:#fff;font:13px system-ui,sans-serif;max-width:100%;"
"height:auto}\n"
".plot text{fill:var(--ink)}.plot .soft{fill:var(--soft)}"
".plot .small{font-size:11px}"
".plot .name{font-weight:600;font-size:15px}\n"
".plot .grid{stroke:var(--line)}.plot .frame{stroke:var(--soft)}"
".plot .median{stroke-width:2}.plot .reach{stroke-dasharray:2 5}\n"
".plot .good{stroke:var(--good)}.plot .bad{stroke:var(--bad)}"
".plot circle.good{fill:var(--good)}.plot rect.bad{fill:var(--bad)}"
".plot .mark{fill-opacity:.55}\n"
".plot .odd{fill:none;stroke-width:2}"
".plot .mark:hover,.plot .odd:hover{stroke-width:5;fill-opacity:1}\n"
"@media(prefers-color-scheme:dark){.plot{--ink:#e6e9ed;--soft:#9aa4af;"
"--line:#3a4149;--good:#6cb2ff;--bad:#ff9a66;--paper:#14171a}}\n";

struct drawing {
	struct buf *out;
	const struct plot *p;
	struct plot_axis axis;
	double low, high;	/* values at the bottom and the top */
	size_t id;
};

static double y_of(const struct drawing *d, double value)
{
	double part = (value - d->low) / (d->high - d->low);

	return BOTTOM - part * (BOTTOM - TOP);
}

static double block_left(const struct drawing *d, size_t block)
{
	return LEFT + (double)(RIGHT - LEFT) * (double)block /
		      (double)d->p->nblock;
}

static double block_width(const struct drawing *d)
{
	return (double)(RIGHT - LEFT) / (double)d->p->nblock;
}

static double x_of(const struct drawing *d, size_t block, size_t run)
{
	double n = (double)d->p->block[block].nrun;

	return block_left(d, block) +
	       block_width(d) * ((double)run + .5) / n;
}

/* How many letters of 13 units' height fit, more or less. */
static size_t letters(double width)
{
	return (size_t)(width / 6.4);
}

static void line(const struct drawing *d, double x1, double y1, double x2,
		 double y2, const char *class)
{
	buf_addf(d->out, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" "
		 "x2=\"%.1f\" y2=\"%.1f\"/>\n", class, x1, y1, x2, y2);
}

/* Text that is ours or harmless after escaping, cut to "width" units. */
static void text(const struct drawing *d, double x, double y,
		 const char *attributes, const char *s, double width)
{
	struct buf inert = BUF_INIT(1 << 20), cut = BUF_INIT(WIDTH * 4);

	utf8_inert(&inert, s, strlen(s), false);
	utf8_middle(&cut, inert.s, inert.len, letters(width));
	buf_addf(d->out, "<text x=\"%.1f\" y=\"%.1f\"%s>", x, y, attributes);
	markup_text(d->out, cut.s, cut.len);
	buf_addstr(d->out, "</text>\n");
	buf_release(&inert);
	buf_release(&cut);
}

static const char *side_class(const struct plot_block *b)
{
	return b->bad ? "bad" : "good";
}

static void draw_axis(const struct drawing *d)
{
	struct buf label = BUF_INIT(400);

	for (size_t row = 0; row < d->axis.rows; row++) {
		double y = y_of(d, plot_axis_value(&d->axis, row));

		if (!plot_axis_has_label(&d->axis, row))
			continue;
		buf_reset(&label);
		plot_axis_label(&label, &d->axis, row);
		line(d, LEFT, y, RIGHT, y, "grid");
		text(d, LEFT - 8, y + 4, " class=\"soft\" text-anchor=\"end\"",
		     label.s, LEFT);
	}
	buf_release(&label);
	line(d, LEFT, TOP - 8, LEFT, BOTTOM + 8, "frame");
	line(d, LEFT, BOTTOM + 8, RIGHT, BOTTOM + 8, "frame");
	for (size_t b = 1; b < d->p->nblock && d->p->nblock <= 60; b++)
		line(d, block_left(d, b), TOP - 8, block_left(d, b), BOTTOM + 8,
		     "grid");
}

static void draw_medians(const struct drawing *d)
{
	const struct plot *p = d->p;
	char class[40];

	for (size_t b = 0; b < p->nblock; b++) {
		double median = p->block[b].median, y = y_of(d, median);

		if (isnan(median) || median < p->low || median > p->high)
			continue;
		if (b == p->base)
			line(d, LEFT, y, RIGHT, y, "median reach good");
		snprintf(class, sizeof(class), "median %s",
			 side_class(&p->block[b]));
		line(d, block_left(d, b) + 2, y,
		     block_left(d, b) + block_width(d) - 2, y, class);
	}
}

static void run_title(const struct drawing *d, const struct plot_block *b,
		      const struct plot_run *r)
{
	buf_addstr(d->out, "<title>");
	if (b->role)
		buf_addf(d->out, "%s ", b->role);
	markup_str(d->out, b->name);
	buf_addf(d->out, ", run %zu: ", r->number);
	if (isnan(r->value))
		buf_addstr(d->out, "no data");
	else
		buf_addf(d->out, "%.10g", r->value);
	if (d->p->unit && !isnan(r->value)) {
		buf_addch(d->out, ' ');
		markup_str(d->out, d->p->unit);
	}
	if (r->state == RUN_FAILED)
		buf_addstr(d->out, " (failed)");
	buf_addstr(d->out, "</title>");
}

/* Circles are good and squares are bad, so that colour is never alone. */
static void draw_mark(const struct drawing *d, const struct plot_block *b,
		      const struct plot_run *r, double x)
{
	double apart = block_width(d) / (double)b->nrun;
	double y = y_of(d, r->value), size = fmin(4, fmax(2, apart / 2));

	if (b->bad)
		buf_addf(d->out, "<rect class=\"mark bad\" x=\"%.1f\" "
			 "y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">",
			 x - size, y - size, 2 * size, 2 * size);
	else
		buf_addf(d->out, "<circle class=\"mark good\" cx=\"%.1f\" "
			 "cy=\"%.1f\" r=\"%.1f\">", x, y, size);
	run_title(d, b, r);
	buf_addf(d->out, "</%s>\n", b->bad ? "rect" : "circle");
}

/* A cross for what failed, an arrow head for what is off the scale. */
static void draw_odd(const struct drawing *d, const struct plot_block *b,
		     const struct plot_run *r, double x)
{
	double y = r->state == RUN_FAILED ? FAILED + 6
		   : r->state == RUN_HIGH ? TOP - 14 : BOTTOM + 6;

	buf_addf(d->out, "<path class=\"odd %s\" d=\"", side_class(b));
	if (r->state == RUN_FAILED)
		buf_addf(d->out, "M%.1f %.1fm-4-4l8 8m0-8l-8 8", x, y);
	else if (r->state == RUN_HIGH)
		buf_addf(d->out, "M%.1f %.1fm-5 8l5-8l5 8", x, y);
	else
		buf_addf(d->out, "M%.1f %.1fm-5-8l5 8l5-8", x, y);
	buf_addstr(d->out, "\">");
	run_title(d, b, r);
	buf_addstr(d->out, "</path>\n");
}

/* Has a mark been drawn on this spot?  Remembers that one has now. */
static bool is_taken(unsigned char *spots, double x, double y)
{
	size_t at = (size_t)(y / SPOT) * WIDTH + (size_t)(x / SPOT);
	bool taken = spots[at];

	spots[at] = 1;
	return taken;
}

static void draw_runs(const struct drawing *d, size_t block)
{
	const struct plot_block *b = &d->p->block[block];
	unsigned char *spots = calloc(WIDTH, HEIGHT);

	if (!spots)
		die_no_memory();
	for (size_t i = 0; i < b->nrun; i++) {
		const struct plot_run *r = &b->run[i];
		double x = x_of(d, block, i);
		double y = r->state == RUN_COMPLETED ? y_of(d, r->value)
						     : (double)r->state;

		if (b->nrun > TOO_MANY_RUNS && is_taken(spots, x, y))
			continue;
		if (r->state == RUN_COMPLETED)
			draw_mark(d, b, r, x);
		else
			draw_odd(d, b, r, x);
	}
	free(spots);
}

static void draw_captions(const struct drawing *d)
{
	struct buf caption = BUF_INIT(1 << 16);
	double width = block_width(d);
	const char *attributes = width < SMALL_CAPTION
		? " class=\"small\" text-anchor=\"middle\""
		: " text-anchor=\"middle\"";

	for (size_t b = 0; b < d->p->nblock; b++)
		for (size_t i = 0; i < PLOT_CAPTIONS; i++) {
			buf_reset(&caption);
			plot_caption(&caption, d->p, &d->axis, &d->p->block[b],
				     i, letters(width));
			if (caption.len)
				text(d, block_left(d, b) + width / 2,
				     CAPTION + (double)i * LINE, attributes,
				     caption.s, width);
		}
	buf_release(&caption);
}

/* The labels of many commits, slanted; as many as do not touch. */
static void draw_labels(const struct drawing *d)
{
	struct buf label = BUF_INIT(1 << 20);
	size_t n = d->p->nblock, step;
	char attributes[80];

	step = (size_t)ceil(SLANTED / block_width(d));
	for (size_t b = 0; b < n; b++) {
		double x = block_left(d, b) + block_width(d) / 2;

		if (b % step && b + 1 < n)
			continue;
		if (b + 1 < n && b + step >= n)
			continue;	/* would touch the last one */
		snprintf(attributes, sizeof(attributes), " text-anchor=\"end\" "
			 "transform=\"rotate(-40 %.1f %d)\"", x, CAPTION - 8);
		buf_reset(&label);
		plot_label(&label, &d->p->block[b]);
		text(d, x, CAPTION - 8, attributes, label.s, LABEL);
	}
	buf_release(&label);
}

static void draw_notes(const struct drawing *d)
{
	struct buf note = BUF_INIT(1 << 16), all = BUF_INIT(1 << 16);

	for (size_t i = 0; i < PLOT_NOTES; i++) {
		buf_reset(&note);
		plot_note(&note, d->p, i);
		buf_addstr(&all, all.len && note.len ? " - " : "");
		buf_add(&all, note.s, note.len);
	}
	if (all.len)
		text(d, LEFT, NOTE, " class=\"soft\"", all.s, RIGHT - LEFT);
	buf_release(&note);
	buf_release(&all);
}

/* What a reader who does not see the drawing hears. */
static void describe(const struct drawing *d, const struct buf *subtitle)
{
	struct buf line = BUF_INIT(1 << 16);

	buf_addf(d->out, "<title id=\"plot-%zu-title\">", d->id);
	markup_str(d->out, d->p->title);
	buf_addf(d->out, "</title>\n<desc id=\"plot-%zu-desc\">", d->id);
	markup_text(d->out, subtitle->s, subtitle->len);
	for (size_t b = 0; b < d->p->nblock && b < 12; b++) {
		buf_addstr(d->out, subtitle->len || b ? ". " : "");
		for (size_t i = 0; i < PLOT_CAPTIONS; i++) {
			buf_reset(&line);
			plot_caption(&line, d->p, &d->axis, &d->p->block[b], i,
				     LEAST_CAPTION);
			buf_addstr(d->out, i && line.len ? ", " : "");
			markup_text(d->out, line.s, line.len);
		}
	}
	for (size_t i = 0; i < PLOT_NOTES; i++) {
		buf_reset(&line);
		plot_note(&line, d->p, i);
		buf_addstr(d->out, line.len ? ". " : "");
		markup_text(d->out, line.s, line.len);
	}
	buf_addstr(d->out, "</desc>\n");
	buf_release(&line);
}

static void draw_head(const struct drawing *d)
{
	struct buf subtitle = BUF_INIT(1 << 16);

	plot_subtitle(&subtitle, d->p, &d->axis);
	describe(d, &subtitle);
	text(d, LEFT, 18, " class=\"name\"", d->p->title,
	     (RIGHT - LEFT) * 7 / 10);
	text(d, LEFT, 36, " class=\"soft\"", subtitle.s, RIGHT - LEFT);
	buf_release(&subtitle);
}

static void draw_all(struct drawing *d)
{
	const struct plot *p = d->p;

	plot_axis_fit(&d->axis, p, ROWS);
	d->low = fmin(plot_axis_value(&d->axis, 0), p->low);
	d->high = fmax(plot_axis_value(&d->axis, d->axis.rows - 1), p->high);
	draw_head(d);
	if (isnan(p->low)) {
		text(d, LEFT, TOP + 30, "", "no run has a value", WIDTH);
		return;
	}
	draw_axis(d);
	draw_medians(d);
	for (size_t b = 0; b < p->nblock; b++)
		draw_runs(d, b);
	if (block_width(d) >= LEAST_CAPTION)
		draw_captions(d);
	else
		draw_labels(d);
	draw_notes(d);
}

static void open_svg(struct buf *out, size_t id, size_t y)
{
	buf_addf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" "
		 "role=\"img\" aria-labelledby=\"plot-%zu-title plot-%zu-desc\""
		 " viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
		 "y=\"%zu\">\n", id, id, WIDTH, HEIGHT, WIDTH, HEIGHT, y);
}

void plot_svg(struct buf *out, const struct plot *p, size_t id)
{
	struct drawing d = { .out = out, .p = p, .id = id };

	open_svg(out, id, 0);
	draw_all(&d);
	buf_addstr(out, "</svg>\n");
}

void plot_svg_file(struct buf *out, const struct plot *p, size_t n)
{
	buf_addf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
		 "height=\"%zu\" viewBox=\"0 0 %d %zu\">\n<style>\n%s"
		 "</style>\n", WIDTH, n * HEIGHT, WIDTH, n * HEIGHT,
		 plot_svg_style);
	buf_addstr(out, "<rect class=\"plot\" width=\"100%\" height=\"100%\" "
			"style=\"fill:var(--paper)\"/>\n");
	for (size_t i = 0; i < n; i++) {
		struct drawing d = { .out = out, .p = &p[i], .id = i };

		open_svg(out, i, i * HEIGHT);
		draw_all(&d);
		buf_addstr(out, "</svg>\n");
	}
	buf_addstr(out, "</svg>\n");
}
