#include "render/plot-classic.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* Rows count from the bottom, as gnuplot counts them. */
enum {
	WIDTH = 80,
	HEIGHT = 20,
	TOP = HEIGHT - 4,
	BOTTOM = 2,
	RIGHT = WIDTH - 4,
	TITLE_ROW = TOP + 2,
	LABEL_MAX = 64,
};

/* A cell is written only by what ranks higher than that which stands in it. */
enum rank { NOTHING, DATA_LINE = 1, FRAME = 2, POINT = 4, TEXT = 5 };

struct range {
	double low, high;
};

struct canvas {
	char cell[HEIGHT][WIDTH];
	unsigned char rank[HEIGHT][WIDTH];
	int left;		/* the column of the frame's left side */
	struct range x, y;
};

/* Cells of a sloped line in the frame and in data. */
struct pen {
	enum rank rank;
	char end, across, up;
};
static const struct pen frame_pen = { FRAME, '+', '-', '|' };
static const struct pen data_pen = { DATA_LINE, '+', '.', ':' };

struct point {
	int col, row;
};

static void put(struct canvas *c, int col, int row, char ch, enum rank rank)
{
	if (col < 0 || col >= WIDTH || row < 0 || row >= HEIGHT)
		return;
	if (c->rank[row][col] >= rank)
		return;
	c->rank[row][col] = (unsigned char)rank;
	c->cell[row][col] = ch;
}

static void put_text(struct canvas *c, int col, int row, const char *s)
{
	for (; *s && col < WIDTH; s++, col++)
		put(c, col, row, *s, TEXT);
}

static int sign(int x)
{
	return (x > 0) - (x < 0);
}

/* How far the short side has come after "k" of "steps"; 5.0 truncates. */
static int share(int distance, int k, int steps)
{
	return (int)((double)(distance * k) / steps + .5);
}

static void line(struct canvas *c, struct point a, struct point b,
		 const struct pen *pen)
{
	int dx = b.col - a.col, dy = b.row - a.row;
	int steps = abs(dx) > abs(dy) ? abs(dx) : abs(dy);
	char between = pen->end;

	if (abs(dx) > abs(dy))
		between = pen->across;
	else if (abs(dy) > abs(dx))
		between = pen->up;
	put(c, a.col, a.row, pen->end, pen->rank);
	for (int k = 1; k < steps; k++) {
		int col = abs(dx) == steps ? k * sign(dx) : share(dx, k, steps);
		int row = abs(dy) == steps ? k * sign(dy) : share(dy, k, steps);

		put(c, a.col + col, a.row + row, between, pen->rank);
	}
	put(c, b.col, b.row, pen->end, pen->rank);
}

/* Beyond half of what a double can hold gnuplot takes a value for none. */
static bool is_defined(double y)
{
	return y > -DBL_MAX / 2 && y < DBL_MAX / 2;
}

static void widen(struct range *r, struct plot_values v)
{
	for (size_t i = 0; i < v.n; i++) {
		if (!is_defined(v.value[i]))
			continue;
		if (v.value[i] < r->low)
			r->low = v.value[i];
		if (v.value[i] > r->high)
			r->high = v.value[i];
	}
}

/* gnuplot does not draw over no range: 1 at 0, else one percent around. */
static void never_empty(struct range *r)
{
	double middle = r->low;

	if (r->low != r->high)
		return;
	r->low = middle == 0 ? -1 : middle - fabs(middle) * .01;
	r->high = middle == 0 ? 1 : middle + fabs(middle) * .01;
}

/* The distance of tics: 20 at most are wanted over the range. */
static double tic_step(struct range y)
{
	double length = fabs(y.high - y.low);
	double power = pow(10, floor(log10(length)));
	double times = length / power;
	double wanted = 20 / times;

	if (wanted > 40)
		return .05 * power;
	if (wanted > 20)
		return .1 * power;
	if (wanted > 10)
		return .2 * power;
	if (wanted > 4)
		return .5 * power;
	if (wanted > 2)
		return power;
	if (wanted > .5)
		return 2 * power;
	return ceil(times) * power;
}

/*
 * Digits behind the point that labels need to differ when the range is tiny;
 * 0: the plain format does.  5.4 gives up at 10.
 */
static int label_digits(struct range y)
{
	double small, digits;

	if (!(y.low * y.high > 0))
		return 0;
	small = fmin(fabs(y.high - y.low), fabs(y.low));
	digits = ceil(-log10(small));
	if (!(digits > 4))
		return 0;
	return digits > 14 ? 14 : (int)digits;
}

/*
 * Tics are stepped through by adding, errors and all.  Each finds the next one
 * within the range from "*t" on, moves "*t" past it and fills "*value".
 */
struct tics {
	double step, end, low, high, next;
	int digits;
};

static void tics_start(struct tics *t, struct range y, double step)
{
	double slack = step < fabs(y.low) + fabs(y.high) ? .01 * step : 0;

	t->step = step;
	t->digits = label_digits(y);
	t->next = step * floor(y.low / step);
	t->end = step * ceil(y.high / step) + .01 * step;
	t->low = y.low - slack;
	t->high = y.high + slack;
}

static bool tics_next(struct tics *t, double *value)
{
	while (t->next <= t->end) {
		double before = t->next;

		*value = fabs(before) < .01 * t->step ? 0 : before;
		t->next += t->step;
		if (t->next == before)	/* too small to move it */
			t->end = -INFINITY;
		if (before >= t->low && before <= t->high)
			return true;
	}
	return false;
}

static size_t label(char *out, const struct tics *t, double value)
{
	int n = t->digits
		? snprintf(out, LABEL_MAX, "%.*f", t->digits, value)
		: snprintf(out, LABEL_MAX, "% g", value);

	return n < LABEL_MAX ? (size_t)n : LABEL_MAX - 1;
}

/* Where a value falls; -1 for what no cell can hold. */
static int cell_of(double value, struct range r, int from, int to)
{
	double per_unit = (to - from) / (r.high - r.low);
	double at = from + (value - r.low) * per_unit + .5;

	return at >= 0 && at < WIDTH ? (int)at : -1;
}

static int row_of(const struct canvas *c, double y)
{
	return cell_of(y, c->y, BOTTOM, TOP);
}

static int column_of(const struct canvas *c, size_t run)
{
	return cell_of((double)run + 1, c->x, c->left, RIGHT);
}

static void draw_tics(struct canvas *c, double step)
{
	struct tics t;
	double value;

	tics_start(&t, c->y, step);
	while (tics_next(&t, &value)) {
		int row = row_of(c, value);
		char text[LABEL_MAX];
		int len = (int)label(text, &t, value);

		if (row == -1)
			continue;
		line(c, (struct point){ c->left, row },
		     (struct point){ c->left + 2, row }, &frame_pen);
		put_text(c, c->left - 1 - len, row, text);
	}
}

static void draw_frame(struct canvas *c)
{
	const struct point corner[] = {
		{ c->left, BOTTOM }, { c->left, TOP }, { RIGHT, TOP },
		{ RIGHT, BOTTOM }, { c->left, BOTTOM },
	};

	for (int i = 0; i < 4; i++)
		line(c, corner[i], corner[i + 1], &frame_pen);
}

static bool may_stand_in_title(unsigned char ch)
{
	return (ch >= '0' && ch <= '9') || (ch >= 'a' && ch <= 'z') ||
	       (ch >= 'A' && ch <= 'Z') || (ch && strchr("_.:+=-", ch));
}

static void draw_title(struct canvas *c, const char *title)
{
	char text[2 * WIDTH];
	int len = 0, col;

	for (; *title; title++) {
		unsigned char ch = (unsigned char)*title;

		if ((ch & 0xc0) == 0x80)	/* inside a UTF-8 character */
			continue;
		if (len == 2 * WIDTH - 1)	/* fits nowhere */
			return;
		text[len++] = may_stand_in_title(ch) ? (char)ch : '_';
	}
	text[len] = '\0';
	col = (c->left + RIGHT) / 2 - len / 2;
	if (col < 0)
		return;
	if (col + len > WIDTH)
		col = len > WIDTH ? 0 : WIDTH - len;
	put_text(c, col, TITLE_ROW, text);
}

static void draw_points(struct canvas *c, struct plot_values v)
{
	for (size_t i = 0; i < v.n; i++)
		if (is_defined(v.value[i]))
			put(c, column_of(c, i), row_of(c, v.value[i]), 'O',
			    POINT);
}

static void draw_line(struct canvas *c, struct plot_values v)
{
	struct point last = { 0, 0 };
	bool connected = false;

	for (size_t i = 0; i < v.n; i++) {
		struct point here = { column_of(c, i), 0 };

		if (!is_defined(v.value[i])) {
			connected = false;
			continue;
		}
		here.row = row_of(c, v.value[i]);
		line(c, connected ? last : here, here, &data_pen);
		last = here;
		connected = true;
	}
}

static void canvas_init(struct canvas *c, struct range y, double step,
			size_t runs)
{
	size_t longest = 0, len;
	char text[LABEL_MAX];
	struct tics t;
	double value;

	memset(c->cell, ' ', sizeof(c->cell));
	memset(c->rank, NOTHING, sizeof(c->rank));
	c->y = y;
	c->x = (struct range){ 1, (double)runs };
	never_empty(&c->x);
	tics_start(&t, y, step);
	while (tics_next(&t, &value)) {
		len = label(text, &t, value);
		longest = len > longest ? len : longest;
	}
	c->left = (int)longest + 2;
}

void plot_classic(struct buf *out, const char *title, struct plot_values base,
		  struct plot_values head)
{
	struct range y = { INFINITY, -INFINITY };
	struct canvas c;
	double step;

	widen(&y, base);
	widen(&y, head);
	if (y.low > y.high)
		return;
	never_empty(&y);
	step = tic_step(y);
	y.low = step * floor(y.low / step);
	y.high = step * ceil(y.high / step);
	canvas_init(&c, y, step, base.n > head.n ? base.n : head.n);
	draw_tics(&c, step);
	draw_frame(&c);
	draw_title(&c, title);
	draw_points(&c, head);
	draw_line(&c, base);
	for (int row = HEIGHT - 1; row >= 0; row--) {
		buf_add(out, c.cell[row], WIDTH);
		buf_addch(out, '\n');
	}
}
