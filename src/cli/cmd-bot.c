#include "cli/commands.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "bot/stage.h"
#include "cli/cli.h"
#include "data/conf.h"

static const char usage[] = "bot [OPTION]...";
static const char help_text[] =
"Run the mail bot: four stages, a process each, until it is ended.\n"
"\n"
"  --stage NAME   only this stage, in this process: receive, decide, run, send\n"
"  --once         do what there is to do now, and end\n"
"  --config FILE  the configuration\n"
"  --store FILE   the state, instead of the configuration's\n"
"  --verbose      say what is done\n";

#define RESTART_MS 5000		/* a stage that ended at once waits so long */

struct options {
	const char *config, *store;
	bool once, stage[NSTAGES];
};

/* In a process of its own, or in this one with --stage. */
static int run_stage(const struct options *o, const struct conf *conf,
		     enum stage stage)
{
	struct stage_bot b;
	struct err err = ERR_INIT;
	int rc = EX_OK;

	if (stage_open(&b, conf, o->store, &err) == -1 ||
	    stage_loop(&b, stage, &err) == -1) {
		err_in(&err, "%s", stage_name(stage));
		rc = cmd_fail(&err);
	}
	stage_close(&b);
	return rc;
}

/* All stages in this process, one after the other. */
static int run_once(const struct options *o, const struct conf *conf)
{
	struct stage_bot b;
	struct err err = ERR_INIT;
	int rc = EX_OK;

	if (stage_open(&b, conf, o->store, &err) == -1) {
		rc = cmd_fail(&err);
		stage_close(&b);
		return rc;
	}
	for (int i = 0; i < NSTAGES; i++)
		if (o->stage[i] &&
		    stage_once(&b, (enum stage)i, &err) == -1) {
			err_in(&err, "%s", stage_name((enum stage)i));
			rc = cmd_fail(&err);
		}
	stage_close(&b);
	return rc;
}

struct child {
	pid_t pid;
	int64_t started;	/* monotonic ms */
};

static int start(const struct options *o, const struct conf *conf,
		 enum stage stage, struct child *c)
{
	pid_t parent = getpid();
	sigset_t none;

	c->started = clock_monotonic_ms();
	c->pid = fork();
	if (c->pid)
		return c->pid == -1 ? -1 : 0;
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(EX_OK);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	_exit(run_stage(o, conf, stage));
}

static void reap(struct child *c)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		for (int i = 0; i < NSTAGES; i++)
			if (c[i].pid == pid) {
				c[i].pid = 0;
				log_warn("stage %s ended (%s %d)",
					 stage_name((enum stage)i),
					 WIFSIGNALED(status) ? "signal"
					 : "status", WIFSIGNALED(status) ?
					 WTERMSIG(status) :
					 WEXITSTATUS(status));
			}
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
	for (int i = 0; i < NSTAGES; i++)
		if (c[i].pid > 0)
			kill(c[i].pid, SIGTERM);
	while (any_alive(c)) {
		pid_t pid = waitpid(-1, NULL, 0);

		if (pid == -1 && errno != EINTR)
			break;
		for (int i = 0; i < NSTAGES; i++)
			if (c[i].pid == pid)
				c[i].pid = 0;
	}
}

/* Start what does not run, wait for a signal; a stage that ends is started
 * again, one that ends at once a little later. */
static int supervise(const struct options *o, const struct conf *conf)
{
	struct timespec second = { .tv_sec = 1 };
	struct child c[NSTAGES] = { { 0, 0 } };
	sigset_t set;
	int sig = 0;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	while (sig != SIGTERM && sig != SIGINT) {
		int64_t now = clock_monotonic_ms();

		for (int i = 0; i < NSTAGES; i++)
			if (c[i].pid <= 0 && (!c[i].started ||
					      now - c[i].started > RESTART_MS))
				start(o, conf, (enum stage)i, &c[i]);
		sig = sigtimedwait(&set, NULL, &second);
		reap(c);
	}
	stop_all(c);
	return EX_OK;
}

static int run(const struct options *o, bool chosen)
{
	struct conf conf;
	struct err err = ERR_INIT;
	int rc = EX_OK, stage = 0;

	if (conf_load(&conf, o->config, &err) == -1) {
		rc = cmd_fail(&err);
	} else if (o->once) {
		rc = run_once(o, &conf);
	} else if (chosen) {
		while (!o->stage[stage])
			stage++;
		rc = run_stage(o, &conf, (enum stage)stage);
	} else {
		rc = supervise(o, &conf);
	}
	conf_release(&conf);
	return rc;
}

int cmd_bot(int argc, char **argv)
{
	static const struct option options[] = {
		{ "config", required_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' },
		{ "once", no_argument, NULL, 'o' },
		{ "stage", required_argument, NULL, 's' },
		{ "store", required_argument, NULL, 'S' },
		{ "verbose", no_argument, NULL, 'v' },
		{ NULL, 0, NULL, 0 },
	};
	struct options o = { .config = NULL };
	bool chosen = false;
	int c, stage;

	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (c == 'c') {
			o.config = optarg;
		} else if (c == 'h') {
			return cmd_help(usage, help_text);
		} else if (c == 'o') {
			o.once = true;
		} else if (c == 'S') {
			o.store = optarg;
		} else if (c == 'v') {
			log_set_level(LOG_LEVEL_INFO);
		} else if (c == 's' && !chosen &&
			   (stage = stage_parse(optarg)) >= 0) {
			o.stage[stage] = chosen = true;
		} else {
			return cmd_bad_usage("bot");
		}
	}
	for (int i = 0; i < NSTAGES && !chosen; i++)
		o.stage[i] = true;
	if (optind < argc)
		return cmd_bad_usage("bot");
	return run(&o, chosen);
}
