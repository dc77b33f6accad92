#ifndef REPORT_FINDINGS_H
#define REPORT_FINDINGS_H

#include <stddef.h>

struct report;

/* Columns of a finding's text lines: with "  1. " before them they fit in 72. */
enum { FINDING_COLUMNS = 67 };

/*
 * Find what the report's reader would else have to work out by hand, into
 * r->finding: the headline's change first, then what explains or qualifies
 * it.  Headline, side and verdict have been chosen.
 */
void findings_find(struct report *r);

#endif
