#include "data/number.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * The decimal number m * 10^e becomes a double in one of three ways: by one
 * exact floating-point operation where both parts are exact (Clinger 1990), by
 * a 128-bit product with a power of five (Lemire 2021, "Number parsing at a
 * gigabyte per second"), or, for what is longer or far off, by strtod().
 */

/* Where 5^e, or its reciprocal's divisor, is exact: then 128 bits always
 * decide (Lemire 2021, 8). */
#define EXP_MIN (-27)
#define EXP_MAX 55
#define EXPONENT_CAP 100000

typedef unsigned __int128 u128;

static inline bool is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

/* The value of eight digits, the first in the lowest byte: pairs, fours, all.
 * A byte of zero counts as the digit 0. */
static inline uint64_t eight_digits(uint64_t v)
{
	v = (v & 0x0f0f0f0f0f0f0f0f) * (10 * 256 + 1) >> 8;
	v = (v & 0x00ff00ff00ff00ff) * (100 * 65536 + 1) >> 16;
	return (v & 0x0000ffff0000ffff) * (10000 * (UINT64_C(1) << 32) + 1) >>
		32;
}

/* 0x80 in the first byte that is no digit, and in the one behind that if the
 * first is ASCII; above it carries may tell lies. */
static inline uint64_t no_digits(uint64_t v)
{
	uint64_t x = v ^ 0x3030303030303030;

	return ((x + 0x7676767676767676) | x) & 0x8080808080808080;
}

/*
 * "12.5" or "125" and what ends it, all within eight bytes: the digits in one
 * step.  Returns the place behind them, their number behind the point in
 * "decimals"; NULL when it is anything else.
 */
static inline const char *read_short(const char *p, uint64_t *m, int *decimals)
{
	uint64_t v, others, whole;
	int point, end;

	memcpy(&v, p, 8);
	others = no_digits(v);
	if (!others)
		return NULL;
	point = __builtin_ctzll(others) >> 3;
	if (!point)
		return NULL;
	if ((v >> 8 * point & 0xff) != '.') {
		*m = eight_digits(v << (64 - 8 * point));
		*decimals = 0;
		return p + point;
	}
	others &= others - 1;
	if (!others)
		return NULL;
	end = __builtin_ctzll(others) >> 3;
	if (end == point + 1)
		return NULL;
	whole = (UINT64_C(1) << 8 * point) - 1;
	v = (v & whole) | (v >> 8 & ~whole);	/* without the point */
	*m = eight_digits(v << (72 - 8 * end));
	*decimals = end - point - 1;
	return p + end;
}

/* Add decimal digits to "m"; past 19 of them it is worthless.  Eight at a
 * time, the rest in one step too: a loop's end would be mispredicted. */
static inline const char *read_digits(const char *p, uint64_t *m)
{
	static const uint64_t tens[] = { 1, 10, 100, 1000, 10000, 100000,
					 1000000, 10000000 };

	for (;; p += 8) {
		uint64_t v, others;
		int n;

		memcpy(&v, p, 8);
		others = no_digits(v);
		if (!others) {
			*m = *m * 100000000 + eight_digits(v);
			continue;
		}
		n = __builtin_ctzll(others) >> 3;
		if (n)
			*m = *m * tens[n] + eight_digits(v << (64 - 8 * n));
		return p + n;
	}
}

#else

static inline const char *read_short(const char *p, uint64_t *m, int *decimals)
{
	(void)p;
	(void)m;
	(void)decimals;
	return NULL;
}

static inline const char *read_digits(const char *p, uint64_t *m)
{
	for (; is_digit(*p); p++)
		*m = *m * 10 + (uint64_t)(*p - '0');
	return p;
}

#endif

static const char *read_exponent(const char *p, int *exponent)
{
	bool minus = *p == '-';
	int e = 0;

	p += minus || *p == '+';
	if (!is_digit(*p))
		return NULL;
	for (; is_digit(*p); p++)
		if (e < EXPONENT_CAP)
			e = e * 10 + (*p - '0');
	*exponent += minus ? -e : e;
	return p;
}

/* The upper 128 bits of 5^e, its highest bit set; of negative powers rounded
 * up, as the algorithm wants it. */
struct power {
	uint64_t high, low;
};
static struct power powers[EXP_MAX - EXP_MIN + 1];

static struct power normalised(u128 v)
{
	while (!(v >> 127))
		v <<= 1;
	return (struct power){ (uint64_t)(v >> 64), (uint64_t)v };
}

/* ceil(2^(127 + bits of "five") / five): long division, a bit at a time. */
static struct power reciprocal(uint64_t five)
{
	u128 rest = 0, quotient = 0;
	int bits = 64 - __builtin_clzll(five);

	for (int i = 127 + bits; i >= 0; i--) {
		rest = rest << 1 | (i == 127 + bits);
		quotient <<= 1;
		if (rest >= five) {
			rest -= five;
			quotient |= 1;
		}
	}
	return normalised(quotient + (rest != 0));
}

static void make_powers(void)
{
	u128 five = 1;

	for (int e = 0; e <= EXP_MAX; e++, five *= 5) {
		powers[e - EXP_MIN] = normalised(five);
		if (e && e <= -EXP_MIN)
			powers[-e - EXP_MIN] = reciprocal((uint64_t)five);
	}
}

/* m * 10^e rounded to nearest, ties to even; m > 0, e within the table, so
 * that the result is neither subnormal nor infinite. */
static double product(uint64_t m, int e)
{
	const struct power *p = &powers[e - EXP_MIN];
	int shift = __builtin_clzll(m), upper;
	uint64_t high, low, bits;
	int64_t exponent;
	u128 v;
	double d;

	if (!p->high)
		make_powers();
	m <<= shift;
	v = (u128)m * p->high;
	high = (uint64_t)(v >> 64);
	low = (uint64_t)v;
	if ((high & 0x1ff) == 0x1ff) {
		/* The bits below may carry into those that we keep. */
		uint64_t more = (uint64_t)((u128)m * p->low >> 64);

		low += more;
		high += low < more;
	}
	upper = (int)(high >> 63);
	bits = high >> (upper + 9);
	/* 217706 / 65536 is log2(10) as near as this range needs. */
	exponent = ((217706 * (int64_t)e) >> 16) + 63 + upper - shift + 1023;
	/* Exactly half way, and the even neighbour is below. */
	if (low <= 1 && e >= -4 && e <= 23 && (bits & 3) == 1 &&
	    bits << (upper + 9) == high)
		bits &= ~UINT64_C(1);
	bits = (bits + (bits & 1)) >> 1;
	if (bits >= UINT64_C(1) << 53) {
		bits = UINT64_C(1) << 52;
		exponent++;
	}
	bits = (bits & ~(UINT64_C(1) << 52)) | (uint64_t)exponent << 52;
	memcpy(&d, &bits, sizeof(d));
	return d;
}

/* strtod() of the C locale, whatever locale the program is in. */
static double slow(const char *text)
{
	static locale_t c_locale;

	if (!c_locale)
		c_locale = newlocale(LC_ALL_MASK, "C", NULL);
	return c_locale ? strtod_l(text, NULL, c_locale) : strtod(text, NULL);
}

static const double tens[] = {
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12,
	1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

static double to_double(const char *text, uint64_t m, bool exact, int e)
{
	bool minus = *text == '-';
	double d;

	if (!exact || e < EXP_MIN || e > EXP_MAX)
		return slow(text);
	if (!m)
		d = 0;
	else if (FLT_EVAL_METHOD == 0 && m <= UINT64_C(1) << 53 && e >= -22 &&
		 e <= 22)
		d = e < 0 ? (double)m / tens[-e] : (double)m * tens[e];
	else
		d = product(m, e);
	return minus ? -d : d;
}

/* Do at most 19 digits, which always fit 64 bits, remain of these (a point
 * among them, or not) without the zeros in front? */
static bool fits(const char *p, const char *end)
{
	const char *point;

	if (end - p <= 19)
		return true;
	point = memchr(p, '.', (size_t)(end - p));
	while (p < end && (*p == '0' || *p == '.'))
		p++;
	return end - p - (point && point > p) <= 19;
}

static bool to_int(uint64_t m, bool minus, union cell *out)
{
	if (m > (uint64_t)INT64_MAX + minus)
		return false;
	out->i = (int64_t)(minus ? 0 - m : m);
	return true;
}

static const char *parse_any(const char *text, union cell *out,
			     enum cell_type *type)
{
	bool minus = *text == '-', exact;
	const char *start = text + minus, *p, *digits_end;
	uint64_t m = 0;
	int e = 0;

	p = *start == '0' ? start + 1 : read_digits(start, &m);
	if (p == start || is_digit(*p))
		return NULL;
	if (*p != '.' && (*p | 0x20) != 'e') {
		*type = CELL_INT;
		if (fits(start, p) && to_int(m, minus, out))
			return p;
	}
	if (*p == '.') {
		const char *point = p++;

		p = read_digits(p, &m);
		e = (int)(point + 1 - p);
		if (!e)
			return NULL;
	}
	digits_end = p;
	if ((*p | 0x20) == 'e' && !(p = read_exponent(p + 1, &e)))
		return NULL;
	exact = fits(start, digits_end);
	*type = CELL_FLOAT;
	out->f = to_double(text, m, exact, e);
	return isinf(out->f) ? NULL : p;
}

/* The same of up to 15 digits on both sides of a point, or 16 without one: then
 * "decimals" is 0. */
static inline const char *read_plain(const char *start, uint64_t *m,
				     int *decimals)
{
	const char *point = read_digits(start, m), *p = point;

	if (*p == '.')
		p = read_digits(p + 1, m);
	if (point == start || p - start > 16 || p - point == 1)
		return NULL;
	*decimals = p == point ? 0 : (int)(p - point - 1);
	return p;
}

/* The digits "m", "decimals" of them behind the point, that end at "p". */
static inline const char *plain_number(const char *p, bool minus, uint64_t m,
				       int decimals, union cell *out,
				       enum cell_type *type)
{
	double f;

	if (!decimals) {
		*type = CELL_INT;
		out->i = minus ? -(int64_t)m : (int64_t)m;
		return p;
	}
	f = (double)m / tens[decimals];
	*type = CELL_FLOAT;
	out->f = minus ? -f : f;
	return p;
}

/* Not "007", and no exponent behind it. */
static inline bool is_plain(const char *start, const char *p)
{
	return !((*start == '0' && is_digit(start[1])) ||
		 (*p | 0x20) == 'e' || FLT_EVAL_METHOD);
}

/* Apart from number_parse(), which would save registers for it each time. */
static __attribute__((noinline)) const char *
parse_long(const char *text, union cell *out, enum cell_type *type)
{
	bool minus = *text == '-';
	uint64_t m = 0;
	int decimals;
	const char *p = read_plain(text + minus, &m, &decimals);

	if (!p || !is_plain(text + minus, p))
		return parse_any(text, out, type);
	return plain_number(p, minus, m, decimals, out, type);
}

/* Most numbers have few digits and no exponent: they fit and are exact. */
const char *number_parse(const char *text, union cell *out,
			 enum cell_type *type)
{
	bool minus = *text == '-';
	uint64_t m = 0;
	int decimals;
	const char *p = read_short(text + minus, &m, &decimals);

	if (!p || !is_plain(text + minus, p))
		return parse_long(text, out, type);
	return plain_number(p, minus, m, decimals, out, type);
}
