#include "render/table-cell.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "report/words.h"

enum { VALUE = 10, SPREAD = 6, CHANGE = 10, FIRST = VALUE + SPREAD };

static void add_blanks(struct buf *out, int n)
{
	buf_addf(out, "%*s", n, "");
}

static const char *plus_minus(bool ascii)
{
	return ascii ? "+-" : " \xc2\xb1";
}

static void add_spread(struct buf *out, double percent, bool ascii)
{
	buf_addf(out, "%s%3.0f%%", plus_minus(ascii), percent);
}

/* --- As the reference prints. ------------------------------------------------ */

/* Infinities and NaN as Ruby spells them. */
static const char *odd_number(double x, const char *sign)
{
	if (isnan(x))
		return *sign ? "+NaN" : "NaN";
	return x < 0 ? "-Inf" : *sign ? "+Inf" : "Inf";
}

/* "form" with a "sign". */
static void add_number(struct buf *out, const char *sign, int precision,
		       char form, double x)
{
	char format[16];

	if (!isfinite(x)) {
		buf_addf(out, "%*s", VALUE, odd_number(x, sign));
	} else {
		char text[400];

		snprintf(format, sizeof(format), "%%%s%d.%d%c", sign, VALUE,
			 precision, form);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		snprintf(text, sizeof(text), format, x);
#pragma GCC diagnostic pop
		buf_addstr(out, text);
	}
}

/* Toward zero, as %d takes a float; without a sign before 0. */
static double truncated(double x)
{
	x = trunc(x);
	return x == 0 ? 0 : x;
}

static void add_lkp_value(struct buf *out, double x)
{
	if (fabs(x) < 1000)
		add_number(out, "", 2, 'f', x);
	else if (fabs(x) > 100000000)
		add_number(out, "", 4, 'g', x);
	else
		add_number(out, "", 0, 'f', truncated(x));
}

static void add_lkp_spread(struct buf *out, const struct lkp_figure *f,
			   int era, bool ascii)
{
	double spread = f->stddev;

	if (f->mean != 0)
		spread = 100 * spread / f->mean;
	if (!(spread > 2) && !(era && era <= 2017))
		add_blanks(out, SPREAD);
	else if (isfinite(spread))
		add_spread(out, truncated(spread), ascii);
	else
		buf_addf(out, "%s%3s%%", plus_minus(ascii),
			 odd_number(spread, ""));
}

static void add_lkp_change(struct buf *out, const struct row *row,
			   const struct lkp_figure *f)
{
	if (fabs(f->change) < 100000)
		add_number(out, "+", 1, 'f', f->change);
	else
		add_number(out, "+", 2, 'g', f->change);
	buf_addstr(out, row->points ? "  " : "% ");
}

static void add_lkp_fails(struct buf *out, const struct lkp_figure *f)
{
	if (f->fails == 0)
		add_blanks(out, VALUE + 1);
	else if (f->is_whole)
		buf_addf(out, "%*" PRId64, VALUE + 1, f->whole);
	else if (isfinite(f->fails))
		buf_addf(out, "%*.0f", VALUE + 1, truncated(f->fails));
	else
		buf_addf(out, "%*s", VALUE + 1, odd_number(f->fails, ""));
	buf_addf(out, ":%-4zu", f->runs);
}

void cells_lkp(struct buf *out, const struct row *row, size_t nside, int era,
	       bool ascii)
{
	for (size_t i = 0; i < nside; i++) {
		const struct lkp_figure *f = &row->lkp[i];

		if (row->kind == ROW_FAILURE) {
			if (i) {
				add_number(out, "", 0, 'f', f->change);
				buf_addstr(out, "% ");
			}
			add_lkp_fails(out, f);
			continue;
		}
		if (i)
			add_lkp_change(out, row, f);
		add_lkp_value(out, f->mean);
		add_lkp_spread(out, f, era, ascii);
	}
}

/* --- As it is. ---------------------------------------------------------------- */

/* Below a tenth of the last digit shown there is no sign. */
static double without_minus_zero(double x, double least)
{
	return fabs(x) < least ? 0 : x;
}

static void add_mean(struct buf *out, const struct row *row, size_t side)
{
	struct buf b = BUF_INIT(64);

	words_mean(&b, row, side);
	buf_addf(out, "%*s", VALUE, b.s);
	buf_release(&b);
}

/* Against the size of the mean; beyond all bounds around 0. */
static void add_own_spread(struct buf *out, const struct figure *f, bool ascii)
{
	double percent = 100 * f->stddev / fabs(f->mean);

	if (isnan(f->stddev) || f->stddev == 0 || percent <= 2)
		add_blanks(out, SPREAD);
	else if (!(percent < 999.5))
		buf_addf(out, "%s>999%%", ascii ? "~" : "\xc2\xb1");
	else
		add_spread(out, percent, ascii);
}

static void add_words_percent(struct buf *out, double percent, double base)
{
	struct buf b = BUF_INIT(64);

	words_narrow(&b, percent, base);
	buf_addf(out, "%*s ", CHANGE + 1, b.s);
	buf_release(&b);
}

static void add_percent(struct buf *out, const struct change *c, double base)
{
	if (isnan(c->percent) && c->absolute != 0)
		buf_addf(out, "%*s  ", CHANGE, "from 0");
	else if (isnan(c->percent))
		buf_addf(out, "%+*.1f%% ", CHANGE, 0.0);
	else
		add_words_percent(out, c->percent, base);
}

static void add_points(struct buf *out, double points)
{
	if (fabs(points) >= 99999.95)
		buf_addf(out, "%+*.2gpp", CHANGE, points);
	else if (fabs(points) < 0.05)
		buf_addf(out, "%+*.2fpp", CHANGE,
			 without_minus_zero(points, 0.005));
	else
		buf_addf(out, "%+*.1fpp", CHANGE, points);
}

static void add_change(struct buf *out, const struct row *row,
		       const struct change *c)
{
	if (isnan(c->absolute))
		add_blanks(out, CHANGE + 2);
	else if (row->points)
		add_points(out, c->absolute);
	else
		add_percent(out, c, row->figure[0].mean);
}

static void no_data(char *text, size_t size, const struct figure *f)
{
	snprintf(text, size, "no data (0 of %zu run%s)", f->runs,
		 f->runs == 1 ? "" : "s");
}

static void add_base(struct buf *out, const struct row *row, size_t side,
		     bool ascii)
{
	const struct figure *f = &row->figure[side];

	if (row->kind == ROW_FAILURE) {
		if (f->fails > 0)
			buf_addf(out, "%*.0f", VALUE + 1, f->fails);
		else
			add_blanks(out, VALUE + 1);
		buf_addf(out, ":%-4zu", f->runs);
		return;
	}
	add_mean(out, row, side);
	add_own_spread(out, f, ascii);
}

/* The words are wider than a column: they take the room of the change, which
 * without a base there is none.  Returns how much of it they took. */
static int add_no_base(struct buf *out, const struct figure *f)
{
	char text[64];
	int over;

	no_data(text, sizeof(text), f);
	buf_addf(out, "%-*s", FIRST, text);
	over = (int)strlen(text) - FIRST;
	return over > 0 ? over : 0;
}

static void add_head(struct buf *out, const struct row *row, size_t side,
		     int used, bool ascii)
{
	const struct figure *f = &row->figure[side];
	char text[64];

	if (!f->n && row->kind == ROW_PERF) {
		no_data(text, sizeof(text), f);
		buf_addf(out, "%*s", CHANGE + 2 + FIRST - used, text);
		return;
	}
	if (used)
		add_blanks(out, CHANGE + 2 - used);
	else if (row->kind == ROW_PERF)
		add_change(out, row, &f->change);
	else if (isnan(f->change.percent))
		add_blanks(out, CHANGE + 2);
	else
		buf_addf(out, "%*.0f%% ", CHANGE,
			 without_minus_zero(f->change.percent, 0.5));
	add_base(out, row, side, ascii);
}

void cells_default(struct buf *out, const struct row *row, size_t nside,
		   bool ascii)
{
	int used = 0;

	if (!row->figure[0].n && row->kind == ROW_PERF)
		used = add_no_base(out, &row->figure[0]);
	else
		add_base(out, row, 0, ascii);
	for (size_t i = 1; i < nside; i++) {
		add_head(out, row, i, used, ascii);
		used = 0;
	}
}
