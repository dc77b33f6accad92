#ifndef CLI_STATUS_HTML_H
#define CLI_STATUS_HTML_H

#include "data/json.h"

struct err;
struct store;

/*
 * Write the pages of "perfpost status --html" into "folder", which is made:
 * index.html (the state), queue.html, reports.html and report-ID.html, a
 * thread each.  They load nothing.  "state" is overview_read()'s and the
 * budget.  Returns 0, or -1 with "err".
 */
int status_html(struct store *s, json_t *state, const char *folder,
		struct err *err);

#endif
