#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include "data/json.h"

struct group;
struct row;

/* One row of "g": its numbers as row_to_json() gives them, and as sentences
 * say them.  A new reference. */
json_t *row_json(const struct group *g, const struct row *row);

#endif
