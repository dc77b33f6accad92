#ifndef COMPARE_COMPARISON_JSON_H
#define COMPARE_COMPARISON_JSON_H

#include "compare/comparison.h"
#include "data/json.h"

struct buf;

/*
 * A comparison as JSON, described in perfpost(1), a line for each row: every
 * number unrounded, integers as integers, null for what does not exist.
 */
void comparison_json(struct buf *out, const struct comparison *c);

/* A group, and a row of it, of the same: new references. */
json_t *group_to_json(const struct group *g);
json_t *row_to_json(const struct group *g, const struct row *row);

#endif
