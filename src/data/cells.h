#ifndef DATA_CELLS_H
#define DATA_CELLS_H

#include <stddef.h>
#include <stdint.h>

/* A list of values as a file gives them: eight bytes a number. */

enum cell_type {
	CELL_NONE,	/* no value (null) */
	CELL_INT,
	CELL_FLOAT,
	CELL_TEXT,	/* no number: a string, true, a list, NaN, 1e999 ... */
	CELL_MIXED,	/* only as the type of many: see "types" there */
};

union cell {
	int64_t i;
	double f;
};

/* To read into, again and again; all zero at first. */
struct cells {
	union cell *cell;
	uint8_t *type;		/* one enum cell_type a cell */
	size_t n, cap;
	unsigned int seen;	/* 1u << enum cell_type of each that is there */
};

void cells_reset(struct cells *c);	/* empty it, keep the memory */
void cells_release(struct cells *c);
void cells_grow(struct cells *c);	/* used by those below */

static inline void cells_add(struct cells *c, enum cell_type type,
			     union cell cell)
{
	if (c->n == c->cap)
		cells_grow(c);
	c->cell[c->n] = cell;
	c->type[c->n++] = (uint8_t)type;
	c->seen |= 1u << type;
}

static inline void cells_add_int(struct cells *c, int64_t i)
{
	cells_add(c, CELL_INT, (union cell){ .i = i });
}

static inline void cells_add_float(struct cells *c, double f)
{
	cells_add(c, CELL_FLOAT, (union cell){ .f = f });
}

/* CELL_NONE or CELL_TEXT (the text itself is not kept). */
static inline void cells_add_other(struct cells *c, enum cell_type type)
{
	cells_add(c, type, (union cell){ .i = 0 });
}

/* The type of all cells, CELL_MIXED when they differ, CELL_NONE of none. */
enum cell_type cells_type(const struct cells *c);

#endif
