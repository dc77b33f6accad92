#ifndef REPORT_SETUP_H
#define REPORT_SETUP_H

#include "data/json.h"

struct buf;
struct report;

/*
 * Where and how the headline's test ran, from the job files of all runs, else
 * the axes and the facts' parameters.  New references.
 */

/* [{key, value, first, last}]: disk, file system, scheduler, governor,
 * microcode, virtual or not ...; what is not known, or named as a parameter of
 * the test already, is left out. */
json_t *setup_list(const struct report *r);

/* "box, microcode, kernel config": what is known to be the same on both
 * sides; null. */
json_t *setup_same(const struct report *r);

/* Append "box, microcode and disk": what is known to differ between the sides,
 * so that the commit need not be the cause.  Returns how many they are. */
size_t setup_differs(const struct report *r, struct buf *out);

/* [{line}]: what differs between the sides beside the commit, and kernel options
 * that make numbers of a production kernel unlikely. */
json_t *setup_warnings(const struct report *r);

#endif
