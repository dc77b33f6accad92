#ifndef RENDER_BOX_H
#define RENDER_BOX_H

#include "data/json.h"

struct buf;

/*
 * Append the box of the other tests that the commit had an impact on, from
 * the report's "impacts" as templates see them: two columns, as wide as their
 * widest cells, a rule above, between and below the tests.  Nothing when there
 * are none.
 */
void box_text(struct buf *out, const json_t *impacts);

#endif
