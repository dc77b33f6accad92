#ifndef COMPARE_NUMBER_H
#define COMPARE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A number that remembers whether it was written as an integer: the reference
 * computes exactly with those, and its rules ask which of both it is.
 */
struct number {
	bool is_int;
	union {
		int64_t i;
		double f;
	};
};

static inline struct number number_int(int64_t i)
{
	return (struct number){ .is_int = true, .i = i };
}

static inline struct number number_float(double f)
{
	return (struct number){ .is_int = false, .f = f };
}

static inline double number_value(struct number n)
{
	return n.is_int ? (double)n.i : n.f;
}

/* Below 0, 0, above 0 as "a" is less than, equal to, more than "b"; exact. */
int number_compare(struct number a, struct number b);

/* a - b: exact while both are integers (and it fits), else in double. */
struct number number_minus(struct number a, struct number b);

#endif
