#include "cli/commands.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "bot/decide.h"
#include "bot/stage.h"
#include "cli/cli.h"
#include "cli/net.h"
#include "store/audit.h"
#include "store/jobs.h"
#include "store/requests.h"

static const char usage[] =
"queue [OPTION]... [list|show|cancel|retry] [JOB]...\n"
"       perfpost queue [OPTION]... approve|reject REQUEST...";
static const char help_text[] =
"Look into and steer the queue of jobs.\n"
"\n"
"  list           all that wait or run, in the order they will run, and the\n"
"                 requests that are held (default)\n"
"  show JOB...    everything known of a job\n"
"  cancel JOB...  end it; whoever asked is not told\n"
"  retry JOB...   a job that failed or was cancelled waits again; one that waits\n"
"                 for its next try has it now\n"
"  approve REQUEST...  one that is held may run\n"
"  reject REQUEST...   it may not; whoever asked is not told\n"
"\n"
"  --all          list: those that ended, too; retry: all that wait for their\n"
"                 next try\n"
"  --json         print JSON\n"
"  --config FILE  the configuration\n"
"  --store FILE   the state to look into, instead of the configuration's\n";

struct queue {
	struct net_options net;
	struct store *store;
	struct arena arena;
};

static json_t *job_json(const struct job *j)
{
	struct err err;
	json_t *spec = json_read_text(j->spec, strlen(j->spec), "spec", &err);
	json_t *outcome = json_read_text(j->outcome, strlen(j->outcome),
					 "outcome", &err);

	return json_pack("{s:I,s:s,s:s,s:I,s:f,s:f,s:s,s:s,s:s,s:I,s:I,s:i,"
			 "s:s,s:I,s:I,s:I,s:o*,s:o*}",
			 "id", (json_int_t)j->id, "key", j->key,
			 "state", job_state_name(j->state),
			 "report", (json_int_t)j->report,
			 "minutes", j->minutes, "used", j->used,
			 "folder", j->folder, "remote", j->remote,
			 "owner", j->owner, "lease", (json_int_t)j->lease,
			 "due", (json_int_t)j->due, "tries", j->tries,
			 "error", j->error, "created", (json_int_t)j->created,
			 "started", (json_int_t)j->started,
			 "ended", (json_int_t)j->ended,
			 "spec", spec, "outcome", outcome);
}

static bool has_ended(const struct job *j)
{
	return j->state != JOB_QUEUED && j->state != JOB_SUBMITTED;
}

static int print_held(struct queue *q, struct err *err)
{
	struct buf out = BUF_INIT((size_t)1 << 30);
	struct asked *v;
	char when[20];
	size_t n;
	int rc = EX_OK;

	if (asked_list_state(q->store, ASKED_HELD, &q->arena, &v, &n,
			     err) == -1)
		return cmd_fail(err);
	if (n)
		buf_addf(&out, "\n%7s  %-16s  %-16s  %s\n", "REQUEST",
			 "ASKED", "FOR", "BY");
	for (size_t i = 0; i < n; i++)
		buf_addf(&out, "%7lld  %-16s  %-16s  %s\n",
			 (long long)v[i].id, net_time(when, v[i].created),
			 v[i].kind, v[i].person);
	if (n)
		rc = cmd_print(out.s, out.len);
	buf_release(&out);
	return rc;
}

static int print_list(struct job *v, size_t n, bool all)
{
	struct buf out = BUF_INIT((size_t)1 << 30);
	char when[20];
	int rc;

	buf_addf(&out, "%6s  %-9s  %-16s  %8s  %6s  %s\n", "JOB", "STATE",
		 "QUEUED", "MINUTES", "REPORT", "ERROR");
	for (size_t i = 0; i < n; i++)
		if (all || !has_ended(&v[i]))
			buf_addf(&out, "%6lld  %-9s  %-16s  %8.1f  %6lld  %s\n",
				 (long long)v[i].id,
				 job_state_name(v[i].state),
				 net_time(when, v[i].created), v[i].minutes,
				 (long long)v[i].report, v[i].error);
	rc = cmd_print(out.s, out.len);
	buf_release(&out);
	return rc;
}

static int list(struct queue *q, struct err *err)
{
	json_t *array;
	struct job *v;
	size_t n;

	if (job_list(q->store, NULL, &q->arena, &v, &n, err) == -1)
		return cmd_fail(err);
	if (!q->net.json) {
		int rc = print_list(v, n, q->net.all);

		return rc == EX_OK ? print_held(q, err) : rc;
	}
	array = json_array();
	for (size_t i = 0; i < n; i++)
		if (q->net.all || !has_ended(&v[i]))
			json_array_append_new(array, job_json(&v[i]));
	return net_print_json(array);
}

static int show(struct queue *q, int64_t id, struct err *err)
{
	struct job j;
	int rc = job_get(q->store, id, &q->arena, &j, err);

	if (rc == -1)
		return -1;
	if (rc == 0)
		return err_set(err, ERR_INPUT, "no job %lld", (long long)id);
	net_print_json(job_json(&j));
	return 0;
}

/* Change one job and write down that we did, or neither. */
static int steer(struct queue *q, const char *verb, int64_t id,
		 struct err *err)
{
	bool cancel = !strcmp(verb, "cancel");
	int64_t now = clock_now();
	int rc;

	if (store_begin(q->store, err) == -1)
		return -1;
	rc = cancel ? job_cancel(q->store, id, "by an operator", now, err)
		    : job_retry(q->store, id, err);
	if (rc == 0 && !cancel)
		rc = job_hurry(q->store, id, now, err);
	if (rc == 1 && audit_add(q->store, now, "operator", verb, "job", id,
				 "", err) == -1)
		rc = -1;
	if (rc == 1)
		return store_commit(q->store, err);
	store_rollback(q->store);
	if (rc == 0)
		err_set(err, ERR_INPUT, cancel ? "no job %lld waits or runs"
			: "no job %lld failed, was cancelled or waits for "
			  "its next try",
			(long long)id);
	return -1;
}

static int each(struct queue *q, const char *verb, char **ids,
		struct err *err)
{
	int worst = EX_OK, rc;
	int64_t id;

	for (; *ids; ids++) {
		id = net_id(*ids);
		if (!id)
			rc = err_set(err, ERR_USAGE, "'%s' is no job", *ids);
		else if (!strcmp(verb, "show"))
			rc = show(q, id, err);
		else
			rc = steer(q, verb, id, err);
		if (rc == -1)
			worst = cmd_fail(err);
	}
	return worst;
}

/* After a runner was away; what failed is for somebody to look at first. */
static int retry_all(struct queue *q, struct err *err)
{
	int64_t now = clock_now();
	size_t n, done = 0;
	struct job *v;

	if (job_list(q->store, NULL, &q->arena, &v, &n, err) == -1)
		return cmd_fail(err);
	for (size_t i = 0; i < n; i++) {
		if (v[i].state != JOB_QUEUED || v[i].due <= now ||
		    v[i].lease > now)
			continue;
		if (steer(q, "retry", v[i].id, err) == -1)
			return cmd_fail(err);
		done++;
	}
	printf("%zu job%s tried again\n", done, done == 1 ? " is" : "s are");
	return EX_OK;
}

/* Whether a request that is held may run: the bot itself goes on with it. */
static int judge(struct queue *q, bool yes, char **ids, struct err *err)
{
	struct stage_bot b = { .bot = { .store = NULL } };
	struct conf conf;
	int rc = EX_OK;
	int64_t id;

	if (conf_load(&conf, q->net.config, err) == -1 ||
	    stage_open(&b, &conf, q->net.store, err) == -1)
		rc = cmd_fail(err);
	for (; rc == EX_OK && *ids; ids++) {
		id = net_id(*ids);
		if (!id)
			err_set(err, ERR_USAGE, "'%s' is no request", *ids);
		if (!id || (yes ? decide_approve : decide_reject)(&b.bot, id,
								  err) == -1)
			rc = cmd_fail(err);
	}
	stage_close(&b);
	conf_release(&conf);
	return rc;
}

static bool is_action(const char *verb)
{
	static const char *const action[] = {
		"list", "show", "cancel", "retry", "approve", "reject", NULL
	};

	for (const char *const *a = action; *a; a++)
		if (!strcmp(*a, verb))
			return true;
	return false;
}

static int dispatch(struct queue *q, int argc, char **argv)
{
	const char *verb = argc ? argv[0] : "list";
	struct err err = ERR_INIT;
	bool all;
	int rc;

	if (!is_action(verb)) {
		log_error("queue: no action '%s'", verb);
		return cmd_bad_usage("queue");
	}
	all = !strcmp(verb, "retry") && q->net.all;
	if (strcmp(verb, "list") && (argc < 2) != all) {
		log_error(all ? "queue %s --all takes no job" :
			  "queue %s: which one?", verb);
		return cmd_bad_usage("queue");
	}
	if (!strcmp(verb, "approve") || !strcmp(verb, "reject"))
		return judge(q, *verb == 'a', argv + 1, &err);
	q->store = net_store(&q->net, false, &err);
	if (!q->store)
		return cmd_fail(&err);
	rc = all ? retry_all(q, &err) : !strcmp(verb, "list") ? list(q, &err)
		 : each(q, verb, argv + 1, &err);
	store_close(q->store);
	return rc;
}

int cmd_queue(int argc, char **argv)
{
	struct queue q = { .arena = ARENA_INIT };
	int rc, todo = net_take_options(&q.net, usage, help_text, argc, argv);

	if (todo != NET_GO_ON)
		return todo;
	rc = dispatch(&q, argc - optind, argv + optind);
	arena_release(&q.arena);
	return rc;
}
