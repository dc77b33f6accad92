#include "data/cells.h"

#include <stdlib.h>

#include "base/err.h"

void cells_reset(struct cells *c)
{
	c->n = 0;
	c->seen = 0;
}

void cells_release(struct cells *c)
{
	free(c->cell);
	free(c->type);
	*c = (struct cells){ .cell = NULL };
}

static void grow(struct cells *c)
{
	c->cap = c->cap ? 2 * c->cap : 64;
	c->cell = reallocarray(c->cell, c->cap, sizeof(*c->cell));
	c->type = reallocarray(c->type, c->cap, sizeof(*c->type));
	if (!c->cell || !c->type)
		die_no_memory();
}

static void add(struct cells *c, enum cell_type type, union cell cell)
{
	if (c->n == c->cap)
		grow(c);
	c->cell[c->n] = cell;
	c->type[c->n++] = (uint8_t)type;
	c->seen |= 1u << type;
}

void cells_add_int(struct cells *c, int64_t i)
{
	add(c, CELL_INT, (union cell){ .i = i });
}

void cells_add_float(struct cells *c, double f)
{
	add(c, CELL_FLOAT, (union cell){ .f = f });
}

void cells_add_none(struct cells *c)
{
	add(c, CELL_NONE, (union cell){ .i = 0 });
}

void cells_add_text(struct cells *c)
{
	add(c, CELL_TEXT, (union cell){ .i = 0 });
}

enum cell_type cells_type(const struct cells *c)
{
	for (unsigned int t = CELL_NONE; t < CELL_MIXED; t++)
		if (c->seen == 1u << t)
			return (enum cell_type)t;
	return c->seen ? CELL_MIXED : CELL_NONE;
}
