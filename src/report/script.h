#ifndef REPORT_SCRIPT_H
#define REPORT_SCRIPT_H

#include "data/json.h"

struct buf;
struct report;

/*
 * How to run the headline's test by hand: the commands of the facts, else the
 * script that LKP left in the result folder (reproduce.sh).
 */

/* As a script, whole; nothing when there is none. */
void script_whole(const struct report *r, struct buf *out);

/*
 * [{line, first, last}] for the text: the facts' commands as they are; of a
 * script what is no comment, plainly quoted words without their quotation
 * marks.  Empty when there is none, or a script too long to stand in a mail.
 * A new reference.
 */
json_t *script_lines(const struct report *r);

#endif
