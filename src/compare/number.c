#include "compare/number.h"

#include <math.h>

/* An integer against a double, without rounding the integer. */
static int compare_mixed(int64_t i, double f)
{
	double whole;

	if (f >= 0x1p63)
		return -1;
	if (f < -0x1p63)
		return 1;
	whole = floor(f);
	if (i != (int64_t)whole)
		return i < (int64_t)whole ? -1 : 1;
	return whole < f ? -1 : 0;
}

int number_compare(struct number a, struct number b)
{
	if (a.is_int && b.is_int)
		return (a.i > b.i) - (a.i < b.i);
	if (a.is_int)
		return compare_mixed(a.i, b.f);
	if (b.is_int)
		return -compare_mixed(b.i, a.f);
	return (a.f > b.f) - (a.f < b.f);
}

struct number number_minus(struct number a, struct number b)
{
	int64_t i;

	if (a.is_int && b.is_int && !__builtin_sub_overflow(a.i, b.i, &i))
		return number_int(i);
	return number_float(number_value(a) - number_value(b));
}
