#include "report/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

enum { RUNS_SHOWN = 12 };

/* Percent from which on a rise is told as so many times. */
#define LEAST_TIMES 1000

/* Below a thousand, where all styles print two digits behind the point. */
static void add_two_digits(struct buf *out, double value)
{
	buf_addf(out, "%.2f", fabs(value) < 0.005 ? 0 : value);
}

void words_value(struct buf *out, double value)
{
	double size = fabs(value);

	if (isnan(value))
		buf_addstr(out, "no data");
	else if (value != 0 && size < 0.0995)
		buf_addf(out, "%.3g", value);
	else if (size < 999.995)
		add_two_digits(out, value);
	else if (size > 1e8)
		buf_addf(out, "%.4g", value);
	else
		buf_addf(out, "%.0f", value);
}

/* lkp-style.md 1.6: cut off, not rounded. */
static void add_lkp_value(struct buf *out, double value)
{
	if (fabs(value) < 1000)
		buf_addf(out, "%.2f", value);
	else if (fabs(value) > 1e8)
		buf_addf(out, "%.4g", value);
	else
		buf_addf(out, "%.0f", trunc(value));
}

void words_mean(struct buf *out, const struct row *row, size_t side)
{
	const struct figure *f = &row->figure[side];

	if (!f->n)
		buf_addstr(out, "no data");
	else if (row->lkp)
		add_lkp_value(out, row->lkp[side].mean);
	else if (row->points && fabs(f->mean) < 999.995)
		add_two_digits(out, f->mean);
	else
		words_value(out, f->mean);
}

/* What stands in where the values are not known. */
static void add_number_of_runs(struct buf *out, const struct figure *f)
{
	if (!f->n)
		buf_addstr(out, "no data");
	else if (!f->value && f->n > 1)
		buf_addf(out, "%zu, of which only %s known", f->n,
			 isnan(f->stddev) ? "the mean is"
					  : "mean and deviation are");
	else if (!f->value)
		buf_addstr(out, "only a mean is known");
}

/* A digit more than of a mean: they would look the same. */
static void add_run(struct buf *out, double value)
{
	if (value != 0 && fabs(value) < 0.0995)
		buf_addf(out, "%.4g", value);
	else
		words_value(out, value);
}

void words_runs(struct buf *out, const struct row *row, size_t side)
{
	const struct figure *f = &row->figure[side];
	size_t n = f->value ? f->n : 0;
	size_t shown = n > RUNS_SHOWN ? RUNS_SHOWN : n;

	for (size_t i = 0; i < shown; i++) {
		buf_addstr(out, i ? " " : "");
		add_run(out, f->value[i]);
	}
	if (n > shown)
		buf_addf(out, " and %zu more", n - shown);
	add_number_of_runs(out, f);
	if (f->in_process && f->n > 1)
		buf_addstr(out, " (in one process)");
}

/* Behind the point: as the reference has it (lkp-style.md 1.6); one; two where
 * one would be 0. */
enum digits { DIGITS_LKP, DIGITS_ONE, DIGITS_TWO };

/* The number in the digits of the row's table, and the sign that "sign" wants
 * in front of it. */
static void add_signed(struct buf *out, double x, enum digits n,
		       enum words_sign sign)
{
	bool small = n == DIGITS_TWO && fabs(x) < 0.05;
	char text[64];
	const char *digits = text + 1;

	if (fabs(x) >= (n == DIGITS_LKP ? 100000 : 99999.95))
		snprintf(text, sizeof(text), "%+.2g", x);
	else
		snprintf(text, sizeof(text), "%+.*f", small ? 2 : 1, x);
	if (strtod(digits, NULL) == 0)
		buf_addstr(out, digits);
	else if (sign == WORDS_SIZE || (sign == WORDS_MINUS && *text == '+'))
		buf_addstr(out, digits);
	else
		buf_addstr(out, text);
}

static void add_percent(struct buf *out, double percent, enum digits n,
			enum words_sign sign)
{
	if (n == DIGITS_TWO && fabs(percent) < 0.005)
		buf_addstr(out, sign == WORDS_SIGNED ? "+0.0" : "0.0");
	else
		add_signed(out, percent, n, sign);
	buf_addch(out, '%');
}

void words_percent(struct buf *out, double percent, enum words_sign sign)
{
	add_percent(out, percent, DIGITS_TWO, sign);
}

void words_narrow(struct buf *out, double percent, double base)
{
	if (percent >= 99999.95 && base > 0)
		buf_addf(out, "x%.4g", 1 + percent / 100);
	else
		words_percent(out, percent, WORDS_SIGNED);
}

bool words_times(struct buf *out, const struct row *row, size_t side)
{
	const struct change *c = &row->figure[side].change;

	if (row->lkp || row->points || row->figure[0].mean <= 0 ||
	    !(c->percent >= LEAST_TIMES))
		return false;
	buf_addf(out, c->percent < 1e10 ? "%.0f" : "%.3g",
		 1 + c->percent / 100);
	buf_addstr(out, " times as high");
	return true;
}

void words_change(struct buf *out, const struct row *row, size_t side,
		  enum words_sign sign)
{
	const struct change *c = &row->figure[side].change;
	double change = row->lkp    ? row->lkp[side].change :
			row->points ? c->absolute :
				      c->percent;

	if (!isfinite(change)) {
		add_signed(out, c->absolute, row->lkp ? DIGITS_LKP : DIGITS_ONE,
			   sign);
		return;
	}
	if (!row->points) {
		add_percent(out, change, row->lkp ? DIGITS_LKP : DIGITS_TWO,
			    sign);
		return;
	}
	add_signed(out, change, row->lkp ? DIGITS_LKP : DIGITS_TWO, sign);
	buf_addstr(out, "pp");
}

const char *words_article(const char *next)
{
	size_t digits = strspn(next, "0123456789");

	if (*next && strchr("8aeio", *next))
		return "an";
	/* "11", "11000", but "one thousand one hundred" */
	return digits % 3 == 2 && *next == '1' &&
	       (next[1] == '1' || next[1] == '8') ? "an" : "a";
}

bool words_no_change(const struct row *row, size_t side)
{
	struct buf b = BUF_INIT(100);
	bool none;

	words_change(&b, row, side, WORDS_SIZE);
	none = strtod(b.s, NULL) == 0;
	buf_release(&b);
	return none;
}

const char *verdict_word(enum verdict v)
{
	if (v == VERDICT_REGRESSION || v == VERDICT_IMPROVEMENT)
		return verdict_name(v);
	return "change";
}

void words_judged(struct buf *out, const struct row *row, size_t side)
{
	const char *word = verdict_word(row->figure[side].change.verdict);

	if (words_times(out, row, side)) {
		buf_addf(out, " (%s)", word);
		return;
	}
	words_change(out, row, side,
		     strcmp(word, "change") ? WORDS_MINUS : WORDS_SIGNED);
	buf_addf(out, " %s", word);
}
