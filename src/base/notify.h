#ifndef BASE_NOTIFY_H
#define BASE_NOTIFY_H

#include <stdint.h>

/*
 * Tell the service manager how we are: sd_notify(3), "Notes", says that the
 * protocol is one datagram to the socket named by $NOTIFY_SOCKET.  Without
 * that variable, or when the datagram is not taken, nothing happens.
 *
 * "state" is lines such as "READY=1", "RELOADING=1", "STOPPING=1",
 * "WATCHDOG=1", "STATUS=text".
 */
void notify(const char *state);

/* How often the manager wants to hear "WATCHDOG=1" (half of $WATCHDOG_USEC),
 * in milliseconds; 0: it does not. */
int64_t notify_watchdog_ms(void);

#endif
