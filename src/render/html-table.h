#ifndef RENDER_HTML_TABLE_H
#define RENDER_HTML_TABLE_H

#include "data/json.h"
#include "report/report.h"

/* What the page calls a row: an id for links. */
json_t *html_row_id(const struct report *r, const struct row *row);

/* A name made inert and, beyond "columns", shortened in the middle; "*full"
 * (may be NULL) is then all of it, else null.  New references. */
enum { HTML_NAME = 120, HTML_LINK = 72 };
json_t *html_name(const char *name, size_t columns, json_t **full);

/* The tables of all groups, the headline's first, every row of them; "count"
 * becomes their number. */
json_t *html_groups(const struct report *r, size_t *count);

#endif
