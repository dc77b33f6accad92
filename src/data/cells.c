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

void cells_grow(struct cells *c)
{
	c->cap = c->cap ? 2 * c->cap : 64;
	c->cell = reallocarray(c->cell, c->cap, sizeof(*c->cell));
	c->type = reallocarray(c->type, c->cap, sizeof(*c->type));
	if (!c->cell || !c->type)
		die_no_memory();
}

enum cell_type cells_type(const struct cells *c)
{
	for (unsigned int t = CELL_NONE; t < CELL_MIXED; t++)
		if (c->seen == 1u << t)
			return (enum cell_type)t;
	return c->seen ? CELL_MIXED : CELL_NONE;
}
