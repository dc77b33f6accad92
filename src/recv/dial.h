#ifndef RECV_DIAL_H
#define RECV_DIAL_H

#include <stdint.h>

struct err;

/*
 * Connect by TCP to a host, trying one of its addresses after the other, for
 * so many seconds in all.  A descriptor to close, or -1 with "err" (ERR_TEMP),
 * which says why: no such name, refused, no answer.
 */
int dial(const char *host, uint16_t port, int64_t seconds, struct err *err);

#endif
