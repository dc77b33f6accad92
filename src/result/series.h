#ifndef RESULT_SERIES_H
#define RESULT_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "data/cells.h"

struct arena;

/* Stands in for values where only a summary is at hand. */
struct summary {
	double mean;
	double stddev;		/* as "sample" says; NaN when not known */
	bool sample;		/* divided by n - 1, not by n */
	size_t runs;		/* 0 when not known */
	bool is_failure;	/* then "fails" of "runs" failed */
	double fails;
};

/* The population's deviation, NaN when it is not known: a sample's over an
 * unknown number of runs cannot be turned into one. */
double summary_deviation(const struct summary *s);

/* More values of one stat than that are refused (see series_set()). */
#define SERIES_MAX ((1u << 21) - 1)

/*
 * One stat: its values in order of the runs, or a summary of them.
 *
 * There may be a hundred thousand of them, of four values each, so all is kept
 * small: the values in as many bytes as they need, and no byte is lost in
 * that.  A float like 0.44 is the integer 44 and two decimals, as dividing by
 * a power of ten rounds correctly; what does not come out the same to the bit
 * is kept as it is.  Only the functions below look into it.
 */
struct __attribute__((packed, aligned(4))) series {
	union {
		const void *data;	/* the values, or a struct summary */
		char small[8];		/* values that need no more than that */
	};
	uint32_t n : 21;	/* may be less than the result's runs, or 0 (the
				 * rest is absent), or more */
	uint32_t type : 3;	/* enum cell_type of all cells; the types of
				 * CELL_MIXED stand behind the cells */
	uint32_t width : 2;	/* a value has 1 << width bytes; 8: as it is */
	uint32_t decimals : 3;
	uint32_t is_summary : 1;
	uint32_t in_process : 1;	/* repetitions inside one process, no
					 * reruns */
	uint32_t bad : 1;	/* a value in it is no number; a warning was
				 * given.  The row is left out on all sides */
};

/* Make the values its own: a copy in "a".  Past SERIES_MAX it is bad. */
void series_set(struct arena *a, struct series *s, const struct cells *c);

/* Likewise a summary. */
void series_set_summary(struct arena *a, struct series *s,
			const struct summary *summary);

/* NULL when there are values. */
static inline const struct summary *series_summary(const struct series *s)
{
	return s->is_summary ? s->data : NULL;
}

/* Of value "i". */
static inline enum cell_type series_type(const struct series *s, size_t i)
{
	const uint8_t *types;

	if (s->type != CELL_MIXED)
		return (enum cell_type)s->type;	/* text is not kept at all */
	types = (const uint8_t *)s->data + s->n * sizeof(union cell);
	return (enum cell_type)types[i];
}

/* Value "i" as it is kept; not of CELL_TEXT. */
union cell series_cell(const struct series *s, size_t i);

/* It as a double; meaningless for CELL_NONE and CELL_TEXT. */
static inline double series_value(const struct series *s, size_t i)
{
	union cell cell = series_cell(s, i);

	return series_type(s, i) == CELL_INT ? (double)cell.i : cell.f;
}

/* All of them, of a type that is CELL_INT or CELL_FLOAT. */
void series_values(const struct series *s, double *to);

#endif
