#ifndef REPORT_WEIGHT_H
#define REPORT_WEIGHT_H

#include <stddef.h>

struct row;

/*
 * How much a row's change says: its size against the spread of both sides'
 * runs.  0 where a side has no data.  Only to rank rows; what is real is the
 * verdict's affair.
 */
double row_weight(const struct row *row, size_t side);

#endif
