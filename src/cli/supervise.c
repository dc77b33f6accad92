#include "cli/supervise.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/notify.h"
#include "bot/pulse.h"

#define RESTART_MS 5000		/* a stage that ended at once waits so long */
#define STALLED_MS 1800000	/* longer than any piece of work may take */

struct child {
	pid_t pid;
	int64_t started;		/* monotonic ms, 0: never */
	volatile int64_t *pulse;	/* its last, shared with it */
};

static void start(const struct supervised *s, enum stage stage,
		  struct child *c)
{
	pid_t parent = getpid();
	sigset_t none;

	c->started = *c->pulse = clock_monotonic_ms();
	c->pid = fork();
	if (c->pid)
		return;
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(EX_OK);
	unsetenv("NOTIFY_SOCKET");	/* it is our word that counts */
	pulse_share(c->pulse);
	pulse_begin();		/* before the first signal can come through */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	_exit(s->run(s->arg, stage));
}

static void start_missing(const struct supervised *s, struct child *c)
{
	int64_t now = clock_monotonic_ms();

	for (int i = 0; i < NSTAGES; i++)
		if (c[i].pid <= 0 && (!c[i].started ||
				      now - c[i].started > RESTART_MS))
			start(s, (enum stage)i, &c[i]);
}

static void say_end(enum stage stage, int status)
{
	bool by_signal = WIFSIGNALED(status);

	log_warn("stage %s ended (%s %d)", stage_name(stage),
		 by_signal ? "signal" : "status",
		 by_signal ? WTERMSIG(status) : WEXITSTATUS(status));
}

static void reap(struct child *c)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		for (int i = 0; i < NSTAGES; i++)
			if (c[i].pid == pid) {
				c[i].pid = 0;
				say_end((enum stage)i, status);
			}
}

static void kill_stalled(struct child *c)
{
	int64_t now = clock_monotonic_ms();

	for (int i = 0; i < NSTAGES; i++)
		if (c[i].pid > 0 && now - *c[i].pulse > STALLED_MS) {
			log_error("stage %s is stuck: killed",
				  stage_name((enum stage)i));
			kill(c[i].pid, SIGKILL);
			*c[i].pulse = now;
		}
}

static void tell_all(const struct child *c, int sig)
{
	for (int i = 0; i < NSTAGES; i++)
		if (c[i].pid > 0)
			kill(c[i].pid, sig);
}

static bool any_alive(const struct child *c)
{
	for (int i = 0; i < NSTAGES; i++)
		if (c[i].pid > 0)
			return true;
	return false;
}

static void stop_all(struct child *c)
{
	notify("STOPPING=1");
	tell_all(c, SIGTERM);
	while (any_alive(c)) {
		pid_t pid = waitpid(-1, NULL, 0);

		if (pid == -1 && errno != EINTR)
			break;
		for (int i = 0; i < NSTAGES; i++)
			if (c[i].pid == pid)
				c[i].pid = 0;
	}
}

/* From here on signals are taken one at a time, by next_signal(). */
static void block_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGCHLD);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGHUP);
	sigprocmask(SIG_BLOCK, set, NULL);
}

/* -1: none within a second, or within what the watchdog allows. */
static int next_signal(const sigset_t *set)
{
	int64_t watchdog = notify_watchdog_ms();
	struct timespec t = { .tv_sec = 1 };

	if (watchdog && watchdog < 1000)
		t = (struct timespec){ .tv_nsec = (long)watchdog * 1000000 };
	return sigtimedwait(set, NULL, &t);
}

int supervise(const struct supervised *s)
{
	struct child c[NSTAGES] = { { .pid = 0 } };
	int64_t *pulses = mmap(NULL, sizeof(*pulses) * NSTAGES,
			       PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	sigset_t set;
	int sig = 0;

	if (pulses == MAP_FAILED) {
		log_error("no shared memory");
		return EX_OSERR;
	}
	for (int i = 0; i < NSTAGES; i++)
		c[i].pulse = &pulses[i];
	block_signals(&set);
	start_missing(s, c);
	notify("READY=1");
	while (sig != SIGTERM && sig != SIGINT) {
		start_missing(s, c);
		sig = next_signal(&set);
		reap(c);
		kill_stalled(c);
		if (notify_watchdog_ms())
			notify("WATCHDOG=1");
		if (sig == SIGHUP && s->reload(s->arg) == 0)
			tell_all(c, SIGHUP);
	}
	stop_all(c);
	munmap(pulses, sizeof(*pulses) * NSTAGES);
	return EX_OK;
}
