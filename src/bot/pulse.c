#include "bot/pulse.h"

#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

#include "base/clock.h"
#include "base/notify.h"

#define REST_MAX 1000	/* ms between two looks at the watchdog */

static volatile sig_atomic_t ends, reloads;
static volatile int64_t *shared;
static int64_t told;	/* the watchdog, then */

static void on_signal(int sig)
{
	if (sig == SIGHUP)
		reloads = 1;
	else
		ends = 1;
}

void pulse_begin(void)
{
	struct sigaction act = { .sa_handler = on_signal };

	sigaction(SIGTERM, &act, NULL);
	sigaction(SIGINT, &act, NULL);
	sigaction(SIGHUP, &act, NULL);
}

static void tell(void)
{
	int64_t now = clock_monotonic_ms(), every = notify_watchdog_ms();

	if (shared)
		*shared = now;
	if (!every || (told && now - told < every / 2))
		return;
	told = now;
	notify("WATCHDOG=1");
}

bool pulse(void)
{
	tell();
	return ends || reloads;
}

bool pulse_ends(void)
{
	return ends;
}

bool pulse_reloads(void)
{
	bool did = reloads;

	reloads = 0;
	return did;
}

/* The signals are blocked but while it sleeps: none comes between the look
 * and the sleep. */
static void nap(int64_t ms)
{
	struct timespec t = { .tv_sec = (time_t)(ms / 1000),
			      .tv_nsec = (long)(ms % 1000) * 1000000 };
	sigset_t ours, was;

	sigemptyset(&ours);
	sigaddset(&ours, SIGTERM);
	sigaddset(&ours, SIGINT);
	sigaddset(&ours, SIGHUP);
	sigprocmask(SIG_BLOCK, &ours, &was);
	if (!ends && !reloads)
		ppoll(NULL, 0, &t, &was);
	sigprocmask(SIG_SETMASK, &was, NULL);
}

void pulse_rest(int64_t ms)
{
	int64_t until = clock_monotonic_ms() + ms, left;

	while (!pulse() && (left = until - clock_monotonic_ms()) > 0)
		nap(left < REST_MAX ? left : REST_MAX);
}

void pulse_share(volatile int64_t *at)
{
	shared = at;
}
