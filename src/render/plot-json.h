#ifndef RENDER_PLOT_JSON_H
#define RENDER_PLOT_JSON_H

#include "data/json.h"

struct report;

/*
 * Set "plots" ([{stat, text, first, last}], at most "max") and "legend" (null,
 * or what the marks of all of them mean) of what templates see.  "style" is
 * "classic", or anything else for the plots of today.
 */
void plot_json(json_t *data, const struct report *r, const char *style,
	       size_t max);

#endif
