#include "bot/run-jobs.h"

#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "bot/pulse.h"
#include "bot/results.h"
#include "data/json.h"
#include "run/folder.h"
#include "store/audit.h"
#include "store/jobs.h"
#include "store/requests.h"

#define LEASE 300		/* seconds that one look at a job may take */
#define POLL 2			/* seconds between looks at it */
#define POLL_LONG 30		/* ... once it has run for a while */
#define TRIES_MAX 3		/* submissions of a job that gets lost */
#define PATIENCE 86400		/* seconds that a job waits for its machine */
#define NOT_READY 300		/* seconds until the machine is asked again */
#define ERROR_MAX 4000		/* bytes of a build error that are kept */

/* Exit statuses of a runner, perfpost-runner(7). */
enum { RUNNER_WELL = 0, RUNNER_CANNOT = 65, RUNNER_LATER = 75 };

struct look {
	const struct bot *bot;
	struct arena arena;
	struct job j;
	int64_t now;
};

static int save(struct look *l, const char *what, struct err *err)
{
	struct store *s = l->bot->store;
	int rc;

	l->j.lease = 0;
	if (store_begin(s, err) == -1)
		return -1;
	rc = job_save(s, &l->j, l->bot->owner, err);
	if (rc == 1 && l->j.ended)
		rc = spend_correct(s, l->j.id, l->j.used, err) == -1 ? -1 : 1;
	if (rc == 1 && what && audit_add(s, l->now, "bot", what, "job",
					 l->j.id, l->j.error, err) == -1)
		rc = -1;
	if (rc != 1) {
		store_rollback(s);	/* 0: it is not ours any more */
		return rc;
	}
	return store_commit(s, err);
}

static void end(struct look *l, enum job_state state, const char *cause,
		const char *error)
{
	struct buf text = BUF_INIT(1 << 20);
	json_t *outcome = json_pack("{s:s,s:s}", "cause", cause, "error",
				    error);

	json_write(&text, outcome, 0);
	json_decref(outcome);
	l->j.outcome = arena_strndup(&l->arena, text.s, text.len);
	buf_release(&text);
	l->j.state = state;
	l->j.error = arena_strndup(&l->arena, error, strcspn(error, "\n"));
	l->j.ended = l->now;
	log_info("job %lld: %s (%s)", (long long)l->j.id,
		 job_state_name(state), cause);
}

static void queue_again(struct look *l, int64_t delay, const char *why)
{
	l->j.state = JOB_QUEUED;
	l->j.folder = l->j.remote = "";
	l->j.error = why;
	l->j.due = l->now + delay;
}

/* What should not happen: a few times, each in a folder of its own. */
static void try_again(struct look *l, int64_t delay, const char *why)
{
	l->j.tries++;
	if (l->j.tries >= TRIES_MAX)
		end(l, JOB_FAILED, "runner", why);
	else
		queue_again(l, delay, why);
}

/* What time will heal: a machine that is busy, a scheduler that is away. */
static void wait_for_it(struct look *l, const char *why)
{
	if (l->now - l->j.created > PATIENCE)
		end(l, JOB_FAILED, "runner", why);
	else
		queue_again(l, NOT_READY, why);
}

/* It ended well: are there results? */
static void take_results(struct look *l)
{
	const struct settings *s = l->bot->settings;
	struct err err = ERR_INIT;
	const char **path;
	int n;

	if (s->driver->fetch(&s->run, l->j.folder, l->j.remote, &err) == -1 ||
	    (n = folder_results(l->j.folder, &l->arena, &path, &err)) == -1) {
		if (err.code == ERR_TEMP) {
			l->j.due = l->now + POLL_LONG;
			return;
		}
		end(l, JOB_FAILED, "runner",
		    arena_strdup(&l->arena, err.text));
	} else if (!n) {
		end(l, JOB_FAILED, "runner", "the runner left no results");
	} else {
		end(l, JOB_DONE, "well", "");
	}
}

static void ended(struct look *l, const struct run_status *status)
{
	const char *said;

	l->j.used = (double)(status->ended - status->started) / 60;
	if (status->started)
		l->j.started = status->started;
	if (status->cancelled) {
		end(l, JOB_CANCELLED, "cancelled", "it was cancelled");
	} else if (status->deadline) {
		end(l, JOB_FAILED, "deadline", "it took longer than a job may");
	} else if (status->signal) {
		end(l, JOB_FAILED, "runner", arena_printf(&l->arena, "the "
		    "runner was ended by signal %d", status->signal));
	} else if (status->code == RUNNER_WELL) {
		take_results(l);
	} else if (status->code == RUNNER_CANNOT) {
		said = folder_error(l->j.folder, ERROR_MAX, &l->arena);
		end(l, JOB_FAILED, "input", *said ? said : "the runner does "
		    "not say why");
	} else if (status->code == RUNNER_LATER) {
		l->j.tries++;
		wait_for_it(l, "the machine is not ready");
	} else {
		end(l, JOB_FAILED, "runner", arena_printf(&l->arena, "the "
		    "runner ended with %d", status->code));
	}
}

static int look_after(struct look *l, struct err *err)
{
	const struct settings *s = l->bot->settings;
	struct run_status status;
	struct err why = ERR_INIT;

	if (s->driver->poll(&s->run, l->j.folder, l->j.remote, &status,
			    &why) == -1) {
		log_warn("job %lld: %s", (long long)l->j.id, why.text);
		l->j.due = l->now + POLL_LONG;
		l->j.error = arena_strdup(&l->arena, why.text);
		return save(l, NULL, err);
	}
	switch (status.state) {
	case RUN_RUNNING:
		l->j.due = l->now + (l->now - l->j.started > 600 ? POLL_LONG
								 : POLL);
		return save(l, NULL, err);
	case RUN_LOST:
		try_again(l, 0, "it got lost");
		return save(l, "lost", err);
	case RUN_ENDED:
		break;
	}
	ended(l, &status);
	return save(l, l->j.ended ? job_state_name(l->j.state) : "waits",
		    err);
}

static int submit(struct look *l, struct err *err)
{
	const struct settings *s = l->bot->settings;
	struct buf remote = BUF_INIT(1000);
	struct err why = ERR_INIT;
	const char *name = arena_printf(&l->arena, "%lld.%d",
					(long long)l->j.id, l->j.tries);
	json_t *spec = json_read_text(l->j.spec, strlen(l->j.spec), "spec",
				      &why);
	int rc = spec ? folder_make(s->run_folder, name, spec, &why) : -1;

	json_decref(spec);
	l->j.folder = arena_printf(&l->arena, "%s/%s", s->run_folder, name);
	if (rc == 0)
		rc = s->driver->submit(&s->run, l->j.folder, &remote, &why);
	if (rc == 0) {
		l->j.state = JOB_SUBMITTED;
		l->j.remote = arena_strndup(&l->arena, remote.s, remote.len);
		l->j.started = l->now;
		l->j.due = l->now;
		l->j.error = "";
	} else {
		log_warn("job %lld: %s", (long long)l->j.id, why.text);
		if (why.code == ERR_INPUT)	/* no time heals that */
			end(l, JOB_FAILED, "runner",
			    arena_strdup(&l->arena, why.text));
		/* A full disk is of this kind, too. */
		else if (why.code == ERR_TEMP || why.code == ERR_SYSTEM)
			wait_for_it(l, arena_strdup(&l->arena, why.text));
		else
			try_again(l, NOT_READY,
				  arena_strdup(&l->arena, why.text));
	}
	buf_release(&remote);
	return save(l, rc == 0 ? "submitted" : l->j.ended ? "failed" : "waits",
		    err);
}

static int tell_cancelled(struct look *l, struct err *err)
{
	const struct settings *s = l->bot->settings;
	struct err why = ERR_INIT;

	if (s->driver->cancel(&s->run, l->j.folder, l->j.remote, &why) == -1)
		log_warn("job %lld: %s", (long long)l->j.id, why.text);
	return job_forget(l->bot->store, l->j.id, err);
}

/* Do "what" with the next job in "state".  1, 0 (none) or -1. */
static int next(const struct bot *bot, enum job_state state,
		int (*what)(struct look *, struct err *), struct err *err)
{
	struct look l = { .bot = bot, .arena = ARENA_INIT,
			  .now = clock_now() };
	int rc;

	if (state == JOB_CANCELLED)
		rc = job_next_cancelled(bot->store, &l.arena, &l.j, err);
	else if (state == JOB_QUEUED)
		rc = job_take_queued(bot->store, bot->settings->parallel,
				     bot->owner, l.now, LEASE, &l.arena, &l.j,
				     err);
	else
		rc = job_take(bot->store, state, bot->owner, l.now, LEASE,
			      &l.arena, &l.j, err);
	if (rc == 1)
		rc = what(&l, err) == -1 ? -1 : 1;
	arena_release(&l.arena);
	return rc;
}

static int all(const struct bot *bot, enum job_state state,
	       int (*what)(struct look *, struct err *), struct err *err)
{
	int did = 0, rc = 0;

	while (!pulse() && (rc = next(bot, state, what, err)) == 1)
		did++;
	return rc == -1 ? -1 : did;
}

int run_jobs(const struct bot *bot, struct err *err)
{
	int cancelled = all(bot, JOB_CANCELLED, tell_cancelled, err), looked,
	    submitted, mails = 0, rc = 0;

	if (cancelled == -1)
		return -1;
	looked = all(bot, JOB_SUBMITTED, look_after, err);
	if (looked == -1)
		return -1;
	submitted = all(bot, JOB_QUEUED, submit, err);
	if (submitted == -1)
		return -1;
	while (!pulse() && (rc = results_next(bot, err)) == 1)
		mails++;
	return rc == -1 ? -1 : cancelled + looked + submitted + mails;
}
