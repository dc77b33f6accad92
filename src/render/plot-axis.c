#include "render/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"

/* Steps that give labels a person can count in, in tenths. */
static const int steps[] = { 10, 15, 20, 25, 30, 40, 50 };
enum { NSTEPS = sizeof(steps) / sizeof(*steps) };

/* What a double holds; finer rows would have labels that read the same. */
static const double finest = 1e-13;

struct range {
	double low, high;
};

static double row_number(double value, double step)
{
	return floor(value / step + .5);
}

static bool fits(const struct range *r, double step, size_t rows)
{
	return row_number(r->high, step) - row_number(r->low, step) <
	       (double)rows;
}

/* Constant data get a little room; data that come near 0 get the 0. */
static struct range to_show(const struct plot *p)
{
	struct range r = { p->low, p->high };

	if (isnan(r.low))
		return (struct range){ 0, 1 };
	if (r.low == 0 && r.high == 0)
		return (struct range){ 0, 1 };
	if (r.low > 0 && r.low < .3 * r.high)
		r.low = 0;
	if (r.high < 0 && r.high > .3 * r.low)
		r.high = 0;
	if (r.high - r.low < finest * fmax(fabs(r.low), fabs(r.high))) {
		double middle = r.low;

		r.low = middle - .01 * fabs(middle);
		r.high = middle + .01 * fabs(middle);
	}
	return r;
}

/* Digits behind the point that a number needs, at most 15. */
static int decimals_of(double x)
{
	int n = 0;

	while (n < 15 && fabs(x - floor(x + .5)) > 1e-6 * fabs(x)) {
		x *= 10;
		n++;
	}
	return n;
}

/* How labels are written: digits that tell rows apart, few zeros. */
static void choose_digits(struct plot_axis *a, const struct range *r)
{
	double most = fmax(fabs(r->low), fabs(r->high));
	double between = a->rows < PLOT_FEW_ROWS ? a->step : 2 * a->step;

	a->exponent = 0;
	a->decimals = decimals_of(between);
	if (most < 1e9 && a->decimals < 7)
		return;
	a->exponent = (int)floor(log10(most));
	a->decimals = decimals_of(between / pow(10, a->exponent));
}

bool plot_axis_has_label(const struct plot_axis *a, size_t row)
{
	return a->rows < PLOT_FEW_ROWS ||
	       fmod(a->first + (double)row, 2) == 0;
}

/* Counts are not split finer than their medians are. */
static double least_step(const struct plot *p)
{
	if (!p->whole || !(p->high > p->low))
		return 0;
	return p->high - p->low < PLOT_FEW_ROWS ? .5 : 1;
}

void plot_axis_fit(struct plot_axis *a, const struct plot *p, size_t rows)
{
	struct range r = to_show(p);
	double most = fmax(fabs(r.low), fabs(r.high));
	double least = fmax((r.high - r.low) / (double)rows, most * finest);
	int power, i = 0;

	least = fmax(least, least_step(p) / 2);
	power = (int)floor(log10(least)) - 1;
	for (;; i = (i + 1) % NSTEPS, power += i == 0) {
		a->step = steps[i] / 10. * pow(10, power);
		if (a->step < least_step(p))
			continue;
		if (a->step >= most * finest && fits(&r, a->step, rows))
			break;
	}
	a->first = row_number(r.low, a->step);
	a->rows = (size_t)(row_number(r.high, a->step) - a->first) + 1;
	choose_digits(a, &r);
}

size_t plot_axis_row(const struct plot_axis *a, double value)
{
	double row = row_number(value, a->step) - a->first;

	if (!(row > 0))
		return 0;
	return row < (double)a->rows ? (size_t)row : a->rows - 1;
}

double plot_axis_value(const struct plot_axis *a, size_t row)
{
	return (a->first + (double)row) * a->step;
}

static double scaled(const struct plot_axis *a, double value)
{
	return a->exponent ? value / pow(10, a->exponent) : value;
}

void plot_axis_label(struct buf *out, const struct plot_axis *a, size_t row)
{
	buf_addf(out, "%.*f", a->decimals,
		 scaled(a, plot_axis_value(a, row)) + 0.);
}

/* The length of a number without zeros at the end of its fraction. */
static size_t trimmed(const char *number)
{
	size_t n = strlen(number);

	while (n && number[n - 1] == '0')
		n--;
	if (n && number[n - 1] == '.')
		n--;
	return n;
}

void plot_axis_number(struct buf *out, const struct plot_axis *a, double value)
{
	int decimals = a->decimals + (a->step != floor(a->step));
	char text[400];

	if (value != floor(value) && fabs(value) < 1000 && decimals < 2)
		decimals = 2;
	if (a->exponent)
		snprintf(text, sizeof(text), "%.*e", a->decimals + 1, value);
	else
		snprintf(text, sizeof(text), "%.*f", decimals, value);
	if (!a->exponent && decimals)
		text[trimmed(text)] = '\0';
	buf_addstr(out, text);
}
