#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include "data/json.h"

struct row;

/* One row of a group of "nside" sides: all its numbers, unrounded, and as the
 * text says them.  A new reference. */
json_t *row_json(const struct row *row, size_t nside);

#endif
