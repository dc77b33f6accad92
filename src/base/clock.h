#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

/*
 * The only clock of the program, so that a replay or a test can set it.
 * Seconds since 1970 UTC.  $SOURCE_DATE_EPOCH (reproducible-builds.org) or
 * clock_set() fix it.
 */
int64_t clock_now(void);
void clock_set(int64_t seconds);

/* Milliseconds that only grow, for deadlines; never fixed. */
int64_t clock_monotonic_ms(void);

#endif
