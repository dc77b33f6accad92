#include "render/plot.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "report/words.h"

enum {
	WIDE = 28,	/* columns that a caption in words needs */
	NAMED_RUNS = 8,	/* more are only counted */
};

static void add_part(struct buf *out, const char *separator, const char *text)
{
	if (out->len)
		buf_addstr(out, separator);
	buf_addstr(out, text);
}

void plot_subtitle(struct buf *out, const struct plot *p,
		   const struct plot_axis *a)
{
	double bottom = plot_axis_value(a, 0);
	double top = plot_axis_value(a, a->rows - 1);

	if (p->where)
		add_part(out, "", p->where);
	if (p->unit)
		add_part(out, ": ", p->unit);
	if (p->direction)
		add_part(out, ", ", p->direction);
	if (a->exponent) {
		add_part(out, ", ", "");
		buf_addf(out, "x 1e%+03d", a->exponent);
	}
	if (bottom <= 0 && top >= 0)
		return;
	add_part(out, "; ", "the axis does not ");
	buf_addstr(out, bottom > 0 ? "start at 0" : "end at 0");
}

void plot_label(struct buf *out, const struct plot_block *b)
{
	if (b->role)
		buf_addf(out, "%s ", b->role);
	buf_addstr(out, b->name);
}

static void add_runs(struct buf *out, const struct plot_block *b)
{
	const char *what = b->in_process ? "repetition" : "run";

	if (b->only_mean && b->completed) {
		buf_addf(out, "mean of %zu %s%s", b->completed, what,
			 b->completed == 1 ? "" : "s");
		return;
	}
	if (b->only_mean) {
		buf_addstr(out, "only a mean");
		return;
	}
	if (!b->nrun) {
		buf_addstr(out, "no data");
		return;
	}
	if (b->completed < b->nrun)
		buf_addf(out, "%zu of ", b->completed);
	buf_addf(out, "%zu %s%s", b->nrun, what, b->nrun == 1 ? "" : "s");
}

static void add_change(struct buf *out, const struct plot *p,
		       const struct plot_block *b)
{
	if (!isfinite(b->change))
		return;
	if (!p->points) {
		words_narrow(out, b->change, p->block[p->base].mean);
		return;
	}
	if (b->change != 0 && (fabs(b->change) < .05 || fabs(b->change) >= 1e4))
		buf_addf(out, "%+.2g", b->change);
	else
		buf_addf(out, "%+.1f", b->change);
	buf_addstr(out, "pp");
}

/* "base v4.20-rc7"; without the role where that does not fit. */
static void add_name(struct buf *out, const struct plot_block *b, size_t width)
{
	if (b->role && strlen(b->role) + 1 + strlen(b->name) <= width)
		buf_addf(out, "%s ", b->role);
	buf_addstr(out, b->name);
}

static void narrow_caption(struct buf *out, const struct plot *p,
			   const struct plot_axis *a,
			   const struct plot_block *b, size_t i, size_t width)
{
	if (i == 0)
		add_name(out, b, width);
	else if (i == 1)
		add_runs(out, b);
	else if (i == 2 && isfinite(b->median))
		plot_axis_number(out, a, b->median);
	else if (i == 3)
		add_change(out, p, b);
}

void plot_caption(struct buf *out, const struct plot *p,
		  const struct plot_axis *a, const struct plot_block *b,
		  size_t i, size_t width)
{
	if (width < WIDE) {
		narrow_caption(out, p, a, b, i, width);
	} else if (i == 0) {
		plot_label(out, b);
		buf_addstr(out, ", ");
		add_runs(out, b);
	} else if (i == 1 && isfinite(b->median) && !b->only_mean) {
		buf_addstr(out, "median ");
		plot_axis_number(out, a, b->median);
	} else if (i == 2 && isfinite(b->mean)) {
		buf_addstr(out, "mean ");
		plot_axis_number(out, a, b->mean);
		if (isfinite(b->spread))
			buf_addf(out, " +-%.*f%%", b->spread < 10, b->spread);
		if (isfinite(b->change))
			buf_addstr(out, ", ");
		add_change(out, p, b);
	}
}

static void add_run_value(struct buf *out, double value)
{
	if (isnan(value))
		buf_addstr(out, "no data");
	else
		buf_addf(out, "%.*g", value == floor(value) ? 10 : 6, value);
}

static bool same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

/* How many runs from "first" on are in "state" one after the other and say
 * the same. */
static size_t same_runs(const struct plot_block *b, size_t first,
			enum run_state state)
{
	size_t i = first + 1;

	while (i < b->nrun && b->run[i].state == state &&
	       same(b->run[i].value, b->run[first].value))
		i++;
	return i - first;
}

static void add_block_runs(struct buf *out, const struct plot_block *b,
			   enum run_state state, size_t *named, size_t *more)
{
	const char *before = *named ? "; " : "";
	size_t n;

	for (size_t i = 0; i < b->nrun; i += n) {
		n = 1;
		if (b->run[i].state != state)
			continue;
		n = same_runs(b, i, state);
		if (*named == NAMED_RUNS) {
			*more += n;
			continue;
		}
		++*named;
		buf_addf(out, "%s%s", before,
			 *before == ',' ? "" : b->role ? b->role : b->name);
		buf_addf(out, n > 1 ? " runs %zu-%zu: " : " run %zu: ",
			 b->run[i].number, b->run[i + n - 1].number);
		add_run_value(out, b->run[i].value);
		before = ",";
	}
}

/* "tested run 9: 0, runs 12-14: no data; base run 3: 0" */
static void runs_in_state(struct buf *out, const struct plot *p,
			  enum run_state state)
{
	size_t named = 0, more = 0;

	for (size_t i = 0; i < p->nblock; i++)
		add_block_runs(out, &p->block[i], state, &named, &more);
	if (more)
		buf_addf(out, ", and %zu more", more);
}

void plot_note(struct buf *out, const struct plot *p, size_t i)
{
	static const struct {
		enum run_state state;
		const char *what;
	} notes[PLOT_NOTES] = {
		{ RUN_FAILED, "failed: " },
		{ RUN_HIGH, "above the scale: " },
		{ RUN_LOW, "below the scale: " },
	};
	struct buf runs = BUF_INIT(1 << 20);

	runs_in_state(&runs, p, notes[i].state);
	if (runs.len)
		buf_addf(out, "%s%s", notes[i].what, runs.s);
	buf_release(&runs);
}
