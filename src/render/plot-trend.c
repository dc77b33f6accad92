#include "render/plot-trend.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/utf8.h"
#include "render/plot.h"

enum {
	WIDTH = 80,
	HEIGHT = 20,
	ROWS_MAX = 13,	/* of the grid: more would be empty lines */
	ROWS_MIN = 5,
	LABEL_ROWS = 3,	/* of commit labels that go out of each other's way */
	LEAST_CAPTION = 10,
	NAME_MAX = 24,
};

/* What has been drawn, and so stands in the legend. */
struct drawn {
	bool good, bad, median, base_median, counts, many, failed, high, low;
};

struct sheet {
	const struct plot *p;
	struct plot_axis axis;
	size_t left;		/* the column of the first cell */
	size_t width;		/* cells in a row */
	char *cell;		/* axis.rows * width, bottom row first */
	struct drawn drawn;
};

/* A line of the page; what would stand beyond it is cut. */
struct line {
	char s[WIDTH + 1];
};

static void line_clear(struct line *l)
{
	memset(l->s, ' ', WIDTH);
	l->s[WIDTH] = '\0';
}

static void line_put(struct line *l, size_t at, const char *s)
{
	size_t n = strlen(s);

	if (at >= WIDTH)
		return;
	memcpy(l->s + at, s, n < WIDTH - at ? n : WIDTH - at);
}

static void line_add(struct buf *out, const struct line *l)
{
	size_t n = WIDTH;

	while (n && l->s[n - 1] == ' ')
		n--;
	buf_add(out, l->s, n);
	buf_addch(out, '\n');
}

/* Middle "text" over "width" columns from "at" on, shortened to fit. */
static void line_centre(struct line *l, size_t at, size_t width,
			const char *text)
{
	struct buf ascii = BUF_INIT(1 << 20), cut = BUF_INIT(WIDTH);

	utf8_ascii(&ascii, text, strlen(text));
	utf8_middle(&cut, ascii.s, ascii.len, width);
	line_put(l, at + (width - cut.len) / 2, cut.s);
	buf_release(&ascii);
	buf_release(&cut);
}

/* The cells of a block, from "*from" to before the value returned. */
static size_t block_cells(const struct sheet *s, size_t block, size_t *from)
{
	size_t n = s->p->nblock, to;

	*from = block * (s->width + 1) / n;
	to = (block + 1) * (s->width + 1) / n;
	/* A column between blocks where there is room for it. */
	if (to - *from > 2 || block + 1 == n)
		to--;
	return to > *from ? to : *from + 1;
}

static size_t run_cell(const struct sheet *s, size_t block, size_t run)
{
	size_t from, to = block_cells(s, block, &from);
	size_t n = s->p->block[block].nrun, at;

	at = from + (2 * run + 1) * (to - from) / (2 * n);
	return at < s->width ? at : s->width - 1;
}

static char *cell(const struct sheet *s, size_t row, size_t column)
{
	return &s->cell[row * s->width + column];
}

static void draw_median(struct sheet *s, size_t block, size_t of, char mark)
{
	size_t from, to = block_cells(s, block, &from), row;

	if (isnan(s->p->block[of].median))
		return;
	if (s->p->block[of].median < s->p->low ||
	    s->p->block[of].median > s->p->high)
		return;
	row = plot_axis_row(&s->axis, s->p->block[of].median);
	for (size_t i = from; i < to && i < s->width; i++) {
		if (*cell(s, row, i) != ' ' || (mark == '.' && i % 2))
			continue;
		*cell(s, row, i) = mark;
		*(mark == '-' ? &s->drawn.median : &s->drawn.base_median) = true;
	}
}

/* One more run in a cell: a mark, then a count, then only "many". */
static void draw_mark(struct sheet *s, char *c, bool bad)
{
	if (*c == '#' || *c == '9') {
		*c = '#';
		s->drawn.many = true;
	} else if (*c >= '2' && *c <= '8') {
		++*c;
	} else if (*c == '*' || *c == 'O') {
		*c = '2';
		s->drawn.counts = true;
	} else {
		*c = bad ? 'O' : '*';
	}
}

static void draw_run(struct sheet *s, size_t block, size_t i)
{
	const struct plot_block *b = &s->p->block[block];
	const struct plot_run *r = &b->run[i];
	size_t column = run_cell(s, block, i);

	if (r->state == RUN_COMPLETED) {
		*(b->bad ? &s->drawn.bad : &s->drawn.good) = true;
		draw_mark(s, cell(s, plot_axis_row(&s->axis, r->value), column),
			  b->bad);
	} else if (r->state == RUN_HIGH) {
		*cell(s, s->axis.rows - 1, column) = '^';
		s->drawn.high = true;
	} else if (r->state == RUN_LOW) {
		*cell(s, 0, column) = 'v';
		s->drawn.low = true;
	}
}

static void draw_cells(struct sheet *s)
{
	const struct plot *p = s->p;

	for (size_t b = 0; b < p->nblock; b++)
		for (size_t i = 0; i < p->block[b].nrun; i++)
			draw_run(s, b, i);
	for (size_t b = 0; b < p->nblock; b++)
		draw_median(s, b, b, '-');
	for (size_t b = 0; b < p->nblock && p->base < p->nblock; b++)
		draw_median(s, b, p->base, '.');
}

static size_t longest_label(const struct sheet *s)
{
	struct buf label = BUF_INIT(WIDTH);
	size_t longest = s->p->failed ? strlen("failed") : 0;

	for (size_t i = 0; i < s->axis.rows; i++) {
		buf_reset(&label);
		if (plot_axis_has_label(&s->axis, i))
			plot_axis_label(&label, &s->axis, i);
		if (label.len > longest)
			longest = label.len;
	}
	buf_release(&label);
	return longest;
}

static void add_rows(struct buf *out, const struct sheet *s)
{
	struct buf label = BUF_INIT(WIDTH);
	struct line l;

	for (size_t row = s->axis.rows; row-- > 0;) {
		line_clear(&l);
		buf_reset(&label);
		if (plot_axis_has_label(&s->axis, row))
			plot_axis_label(&label, &s->axis, row);
		line_put(&l, s->left - 2 - label.len, label.s);
		l.s[s->left - 1] = l.s[s->left + s->width] = '|';
		memcpy(l.s + s->left, cell(s, row, 0), s->width);
		line_add(out, &l);
	}
	buf_release(&label);
}

/* The line below the grid with a '+' before each block, or where "ticks" has
 * one. */
static void add_frame(struct buf *out, const struct sheet *s,
		      const struct line *ticks)
{
	struct line l;
	size_t from;

	line_clear(&l);
	memset(l.s + s->left, '-', s->width);
	l.s[s->left - 1] = l.s[s->left + s->width] = '+';
	for (size_t b = 0; b < s->p->nblock && !ticks; b++) {
		block_cells(s, b, &from);
		l.s[s->left + from - 1] = '+';
	}
	for (size_t i = 0; i < WIDTH && ticks; i++)
		if (ticks->s[i] == '+')
			l.s[i] = '+';
	line_add(out, &l);
}

/* An 'x' below the place of every failed run, its number behind it where
 * that is free. */
static void add_failed(struct buf *out, struct sheet *s)
{
	const struct plot *p = s->p;
	struct line l;
	char text[24];

	if (!p->failed)
		return;
	line_clear(&l);
	line_put(&l, s->left - 2 - strlen("failed"), "failed");
	for (size_t b = p->nblock; b-- > 0;)
		for (size_t i = p->block[b].nrun; i-- > 0;) {
			size_t at = s->left + run_cell(s, b, i);

			if (p->block[b].run[i].state != RUN_FAILED)
				continue;
			snprintf(text, sizeof(text), "x%zu",
				 p->block[b].run[i].number);
			if (strspn(l.s + at, " ") <= strlen(text))
				text[1] = '\0';
			line_put(&l, at, text);
		}
	s->drawn.failed = true;
	line_add(out, &l);
}

static size_t narrowest_block(const struct sheet *s)
{
	size_t least = WIDTH, from;

	for (size_t b = 0; b < s->p->nblock; b++) {
		size_t to = block_cells(s, b, &from);

		least = to - from < least ? to - from : least;
	}
	return least;
}

static void add_captions(struct buf *out, const struct sheet *s)
{
	struct buf text = BUF_INIT(1 << 20);
	struct line l;
	size_t from;

	for (size_t i = 0; i < PLOT_CAPTIONS; i++) {
		line_clear(&l);
		for (size_t b = 0; b < s->p->nblock; b++) {
			size_t to = block_cells(s, b, &from);

			buf_reset(&text);
			plot_caption(&text, s->p, &s->axis, &s->p->block[b], i,
				     to - from);
			line_centre(&l, s->left + from, to - from, text.s);
		}
		if (strspn(l.s, " ") < WIDTH)
			line_add(out, &l);
	}
	buf_release(&text);
}

/* The commit labels of a long history, and a '+' over each. */
struct labels {
	struct line ticks, line[LABEL_ROWS];
	size_t end[LABEL_ROWS];	/* of what stands in the line */
	size_t kept;		/* the first line from here on is the last's */
};

static void label_text(struct buf *cut, const struct plot_block *b)
{
	struct buf label = BUF_INIT(1 << 20), ascii = BUF_INIT(1 << 20);

	buf_reset(cut);
	plot_label(&label, b);
	utf8_ascii(&ascii, label.s, label.len);
	utf8_middle(cut, ascii.s, ascii.len, NAME_MAX);
	buf_release(&label);
	buf_release(&ascii);
}

/* Put a label under column "at" of line "row", if there is room. */
static bool label_put(struct labels *l, size_t row, size_t at,
		      const struct buf *text)
{
	size_t start = at;

	if (start + text->len > WIDTH)
		start = WIDTH - text->len;
	if (start < l->end[row] ||
	    (row == 0 && start + text->len >= l->kept))
		return false;
	line_put(&l->line[row], start, text->s);
	l->ticks.s[at] = '+';
	l->end[row] = start + text->len + 1;
	return true;
}

/* Try every "step"th label, in turn on a few lines, each under the first
 * column of its commit; the last has its place in the first line.  Is there
 * room for all of them? */
static bool try_labels(struct labels *l, const struct sheet *s, size_t step)
{
	size_t n = s->p->nblock, row = 0, from;
	struct buf text = BUF_INIT(WIDTH);
	bool fits = true;

	line_clear(&l->ticks);
	for (size_t i = 0; i < LABEL_ROWS; i++) {
		line_clear(&l->line[i]);
		l->end[i] = 0;
	}
	label_text(&text, &s->p->block[n - 1]);
	block_cells(s, n - 1, &from);
	l->kept = s->left + from;
	if (l->kept + text.len > WIDTH)
		l->kept = WIDTH - text.len;
	for (size_t b = 0; b + 1 < n && fits; b += step) {
		block_cells(s, b, &from);
		label_text(&text, &s->p->block[b]);
		/* The last but one may give way to the last. */
		fits = label_put(l, row, s->left + from, &text) ||
		       b + step >= n - 1;
		row = (row + 1) % LABEL_ROWS;
	}
	block_cells(s, n - 1, &from);
	label_text(&text, &s->p->block[n - 1]);
	l->kept = WIDTH + 1;
	label_put(l, 0, s->left + from, &text);
	buf_release(&text);
	return fits;
}

static void lay_labels(struct labels *l, const struct sheet *s)
{
	size_t step = 1 + s->p->nblock / (LABEL_ROWS * s->width);

	while (!try_labels(l, s, step) && step < s->p->nblock)
		step++;
}

static void add_labels(struct buf *out, const struct labels *l)
{
	for (size_t i = 0; i < LABEL_ROWS; i++)
		if (strspn(l->line[i].s, " ") < WIDTH)
			line_add(out, &l->line[i]);
}

static void add_centred(struct buf *out, const char *text)
{
	struct line l;

	line_clear(&l);
	line_centre(&l, 0, WIDTH, text);
	line_add(out, &l);
}

/* Which runs are not on the scale; in one line if they fit. */
static void add_notes(struct buf *out, const struct plot *p)
{
	struct buf line = BUF_INIT(1 << 20), note = BUF_INIT(1 << 20);

	for (size_t i = 0; i < PLOT_NOTES; i++) {
		buf_reset(&note);
		plot_note(&note, p, i);
		if (line.len && note.len && line.len + note.len + 3 > WIDTH) {
			add_centred(out, line.s);
			buf_reset(&line);
		}
		buf_addstr(&line, line.len && note.len ? " - " : "");
		buf_add(&line, note.s, note.len);
	}
	if (line.len)
		add_centred(out, line.s);
	buf_release(&line);
	buf_release(&note);
}

static void add_legend(struct buf *out, const struct drawn *d)
{
	const struct {
		bool drawn;
		const char *text;
	} entry[] = {
		{ d->good, "[*] bisect-good sample" },
		{ d->bad, "[O] bisect-bad sample" },
		{ d->median, "[-] median" },
		{ d->base_median, "[.] base's median" },
		{ d->many, "[2-9] that many, [#] 10 or more" },
		{ d->counts && !d->many, "[2-9] that many samples" },
		{ d->failed, "[x] failed run" },
		{ d->high, "[^] above the scale" },
		{ d->low, "[v] below the scale" },
	};
	size_t width = 0;

	for (size_t i = 0; i < sizeof(entry) / sizeof(*entry); i++) {
		size_t len = strlen(entry[i].text);

		if (!entry[i].drawn)
			continue;
		if (width && width + 2 + len > WIDTH) {
			buf_addch(out, '\n');
			width = 0;
		}
		buf_addf(out, "%s%s", width ? "  " : "", entry[i].text);
		width += len + (width ? 2 : 0);
	}
	if (width)
		buf_addch(out, '\n');
}

/* What is below the grid, so that all of it fits in HEIGHT. */
static void add_foot(struct buf *out, struct sheet *s)
{
	struct labels l;

	if (narrowest_block(s) >= LEAST_CAPTION) {
		add_frame(out, s, NULL);
		add_failed(out, s);
		add_captions(out, s);
	} else {
		lay_labels(&l, s);
		add_frame(out, s, &l.ticks);
		add_failed(out, s);
		add_labels(out, &l);
	}
	add_notes(out, s->p);
	add_legend(out, &s->drawn);
}

static void add_head(struct buf *out, const struct sheet *s)
{
	struct buf text = BUF_INIT(1 << 20);

	add_centred(out, s->p->title);
	plot_subtitle(&text, s->p, &s->axis);
	if (text.len)
		add_centred(out, text.s);
	buf_release(&text);
}

static size_t count_lines(const struct buf *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->len; i++)
		n += b->s[i] == '\n';
	return n;
}

static void sheet_draw(struct sheet *s, const struct plot *p, size_t rows)
{
	*s = (struct sheet){ .p = p };
	plot_axis_fit(&s->axis, p, rows);
	s->left = longest_label(s) + 3;
	s->width = WIDTH - s->left - 1;
	s->cell = malloc(s->axis.rows * s->width);
	if (!s->cell)
		die_no_memory();
	memset(s->cell, ' ', s->axis.rows * s->width);
	draw_cells(s);
}

void plot_trend(struct buf *out, const struct plot *p)
{
	struct buf foot = BUF_INIT(1 << 16);
	size_t rows = ROWS_MAX;
	struct sheet s;

	if (isnan(p->low)) {
		add_centred(out, p->title);
		add_centred(out, "no run has a value");
		add_notes(out, p);
		return;
	}
	for (;;) {
		sheet_draw(&s, p, rows);
		add_foot(&foot, &s);
		if (2 + s.axis.rows + count_lines(&foot) <= HEIGHT ||
		    rows == ROWS_MIN)
			break;
		rows--;
		free(s.cell);
		buf_reset(&foot);
	}
	add_head(out, &s);
	add_rows(out, &s);
	buf_add(out, foot.s, foot.len);
	buf_release(&foot);
	free(s.cell);
}
