#ifndef TESTS_UNIT_SIMULATE_H
#define TESTS_UNIT_SIMULATE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Pairs of sides that differ by nothing, or by a known change: how often does
 * the verdict cry wolf, how often does it miss one?  Same numbers every time.
 */

enum shape { NORMAL, LOG_NORMAL, TWO_CLUSTERS };

static inline double random_unit(uint64_t *state)
{
	uint64_t x = *state;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	*state = x;
	return ((double)(x >> 11) + 0.5) / 0x1p53;
}

static inline double random_normal(uint64_t *state)
{
	double r = sqrt(-2 * log(random_unit(state)));

	return r * cos(2 * 3.14159265358979323846 * random_unit(state));
}

/* Around "mean", with a relative noise; the clusters lie 10% apart. */
static inline double random_value(uint64_t *state, enum shape shape,
				  double mean, double noise)
{
	double z = random_normal(state);

	if (shape == LOG_NORMAL)
		return mean * exp(5 * noise * z);
	if (shape == TWO_CLUSTERS && random_unit(state) < 0.5)
		mean *= 1.1;
	return mean * (1 + noise * z);
}

#endif
