#ifndef BOT_PULSE_H
#define BOT_PULSE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Between two pieces of work a stage asks pulse(): it tells whoever watches
 * that the stage goes on, and hears whether a signal came.  A piece of work is
 * never cut short.
 */

/* SIGTERM and SIGINT from now on mean "end", SIGHUP "read the configuration
 * again", both at the next pulse(). */
void pulse_begin(void);

/* True: leave the work that is left and return.  Always false before
 * pulse_begin(). */
bool pulse(void);

bool pulse_ends(void);		/* SIGTERM or SIGINT came */
bool pulse_reloads(void);	/* SIGHUP came; forgotten by being asked */

/* Sleep, until a signal comes; the watchdog is told. */
void pulse_rest(int64_t ms);

/* Where each pulse() is to leave its time (clock_monotonic_ms), too: shared
 * with a supervisor.  NULL: nowhere. */
void pulse_share(volatile int64_t *at);

#endif
