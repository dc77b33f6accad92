#ifndef COMPARE_COMPARISON_JSON_H
#define COMPARE_COMPARISON_JSON_H

#include "compare/comparison.h"
#include "data/json.h"

/*
 * A comparison as JSON, described in perfpost(1): every number unrounded,
 * integers as integers, null for what does not exist.  All return a new
 * reference.
 */
json_t *comparison_to_json(const struct comparison *c);
json_t *group_to_json(const struct comparison *c, const struct group *g);
json_t *row_to_json(const struct group *g, const struct row *row);

#endif
