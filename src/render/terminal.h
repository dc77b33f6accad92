#ifndef RENDER_TERMINAL_H
#define RENDER_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

#include "report/report.h"

struct buf;

/*
 * A report's text on a terminal: the text itself, with marks that show where
 * to look.  A table's row whose change is for the better or for the worse says
 * so at its end and is coloured, too, never coloured alone.
 */
struct terminal_options {
	bool color;
	size_t width;	/* columns; longer names of stats are cut in their
			 * middle.  0: as they are */
};

void terminal_text(struct buf *out, const struct report *r, const char *text,
		   const struct terminal_options *options);

#endif
