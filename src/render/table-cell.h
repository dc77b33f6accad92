#ifndef RENDER_TABLE_CELL_H
#define RENDER_TABLE_CELL_H

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct row;

/* A row of a table up to the name: 16 columns, and 28 for each further side. */

/* To the byte as the reference prints it (lkp-style.md 1.6). */
void cells_lkp(struct buf *out, const struct row *row, size_t nside, int era,
	       bool ascii);

/* The same columns, and nothing in them that is not so. */
void cells_default(struct buf *out, const struct row *row, size_t nside,
		   bool ascii);

#endif
