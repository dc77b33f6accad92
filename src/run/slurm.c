#include "run/run.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/child.h"
#include "base/err.h"
#include "base/file.h"
#include "run/status.h"

/*
 * The command runs where Slurm puts it; the job folder lies on a file system
 * that its nodes share.  Files of ours in the folder:
 *
 *	ticket		the job's name with Slurm, written before it is
 *			submitted, so that a job whose number we never heard is
 *			found again by name
 *	slurm.sh	what sbatch is given
 *	slurm.exit	"CODE STARTED ENDED", written by slurm.sh: Slurm itself
 *			forgets a job minutes after its end
 */

#define PATIENCE_MS 60000	/* for one call of Slurm's programs */
#define ANSWER_MAX ((size_t)1 << 20)

/* Run one of Slurm's programs; returns as child_run(). */
static int ask(const char *const *argv, const char *dir, struct buf *answer,
	       struct buf *complaint, struct err *err)
{
	static const char *const env[] = { "SLURM_TIME_FORMAT=%s", "LC_ALL=C",
					   NULL };
	struct child_spec spec = {
		.argv = argv, .dir = dir, .env = env, .out = answer,
		.errout = complaint, .timeout_ms = PATIENCE_MS,
	};

	return child_run(&spec, err);
}

static bool says(const struct buf *complaint, const char *what)
{
	return strcasestr(complaint->s, what) != NULL;
}

/* Slurm said no: is it away for now, or is it what we asked for? */
static int refused(const char *program, struct buf *complaint,
		   struct err *err)
{
	static const char *const passing[] = {
		"unable to contact", "timed out", "temporarily", "refused",
		"communication", "job submission is disabled",
		"slurm backup controller", NULL,
	};
	enum err_code code = ERR_CONFIG;

	for (const char *const *p = passing; *p; p++)
		if (says(complaint, *p))
			code = ERR_TEMP;
	while (complaint->len && isspace((unsigned char)
					 complaint->s[complaint->len - 1]))
		complaint->s[--complaint->len] = '\0';
	return err_set(err, code, "%s: %s", program,
		       complaint->len ? complaint->s : "failed silently");
}

/* The job's name: read from the folder, or made and written there first. */
static int ticket(const char *folder, bool make, struct buf *name,
		  struct err *err)
{
	struct buf path = BUF_INIT(8192);
	uint64_t noise;
	int rc = 0;

	buf_addf(&path, "%s/ticket", folder);
	if (file_exists(path.s)) {
		rc = file_read(path.s, name, err);
	} else if (make) {
		if (getrandom(&noise, sizeof(noise), 0) != sizeof(noise))
			rc = err_sys(err, "no random number");
		buf_addf(name, "perfpost-%016llx", (unsigned long long)noise);
		if (rc == 0)
			rc = file_write(path.s, name->s, name->len, err);
	}
	buf_release(&path);
	return rc;
}

enum slurm_state { SLURM_UNKNOWN, SLURM_LIVE, SLURM_ENDED, SLURM_GONE };

/* squeue(1), "JOB STATE CODES". */
static enum slurm_state state_of(const char *word, size_t len)
{
	static const char *const ended[] = {
		"COMPLETED", "FAILED", "TIMEOUT", "CANCELLED", "DEADLINE",
		"OUT_OF_MEMORY", NULL,
	};
	static const char *const gone[] = {
		"NODE_FAIL", "BOOT_FAIL", "PREEMPTED", "REVOKED", NULL,
	};

	for (const char *const *s = ended; *s; s++)
		if (strlen(*s) == len && !memcmp(*s, word, len))
			return SLURM_ENDED;
	for (const char *const *s = gone; *s; s++)
		if (strlen(*s) == len && !memcmp(*s, word, len))
			return SLURM_GONE;
	return len ? SLURM_LIVE : SLURM_UNKNOWN;
}

/* Of lines "ID STATE", the highest number that is live or ended well enough
 * to be believed; 0 when there is none. */
static unsigned long newest(const char *lines)
{
	unsigned long id, best = 0;
	const char *word;
	char *end;

	for (const char *p = lines; *p; p += strcspn(p, "\n"), p += *p == '\n') {
		id = strtoul(p, &end, 10);
		word = end + strspn(end, " |");
		if (end == p || id <= best)
			continue;
		switch (state_of(word, strcspn(word, " |\n"))) {
		case SLURM_LIVE:
		case SLURM_ENDED:
			best = id;
			break;
		case SLURM_UNKNOWN:
		case SLURM_GONE:
			break;
		}
	}
	return best;
}

/* Look for a job of that name: "remote" stays empty when there is none. */
static int find_by_name(const char *name, struct buf *remote,
			struct err *err)
{
	struct buf answer = BUF_INIT(ANSWER_MAX), bad = BUF_INIT(ANSWER_MAX);
	const char *argv[] = { "squeue", "--noheader", "--states=all", "--name",
			       name, "--format=%A %T", NULL };
	unsigned long id;
	int rc = ask(argv, NULL, &answer, &bad, err);

	if (rc > 0)
		rc = refused("squeue", &bad, err);
	id = rc == 0 ? newest(answer.s) : 0;
	if (id)
		buf_addf(remote, "%lu", id);
	buf_release(&answer);
	buf_release(&bad);
	return rc;
}

static void add_limit(struct buf *script, char flag, int64_t value,
		      int64_t unit)
{
	if (value)
		buf_addf(script, "ulimit -%c %lld || exit 75\n", flag,
			 (long long)((value + unit - 1) / unit));
}

/* The words of the command come to it as arguments: no shell reads them. */
static int write_script(const struct run_settings *s, const char *path,
			struct err *err)
{
	struct buf script = BUF_INIT(8192);
	int rc;

	buf_addstr(&script, "#!/bin/sh\n"
		   "# Slurm runs this in the job folder; its arguments are the "
		   "runner's command.\n"
		   "# Slurm may start a job again that had ended well, when its "
		   "controller dies.\n"
		   "[ ! -e slurm.exit ] || exit \"$(cut -d' ' -f1 slurm.exit)\"\n"
		   "# A second start, after a node failed: no half of the "
		   "first.\n"
		   "[ \"${SLURM_RESTART_COUNT:-0}\" = 0 ] || rm -rf results/*\n"
		   "started=$(date +%s)\n(\nulimit -c 0\n");
	add_limit(&script, 'v', s->memory, 1024);
	add_limit(&script, 't', s->cpu, 1);
	add_limit(&script, 'f', s->file_size, 512);
	buf_addstr(&script, "exec \"$@\" </dev/null\n)\ncode=$?\n"
		   "echo \"$code $started $(date +%s)\" >slurm.exit.new &&\n"
		   "mv slurm.exit.new slurm.exit\nexit $code\n");
	rc = file_write(path, script.s, script.len, err);
	buf_release(&script);
	return rc;
}

/* Append sbatch's arguments to "argv"; returns -1 when they are too many. */
static int add_arguments(const struct run_settings *s, const char *folder,
			 const char *script, const char **argv, size_t max,
			 struct err *err)
{
	size_t n = 0;

	while (argv[n])
		n++;
	for (size_t i = 0; s->submit_options && s->submit_options[i]; i++) {
		if (n + 4 + RUN_COMMAND_MAX >= max)
			return err_set(err, ERR_CONFIG,
				       "too many submit options");
		argv[n++] = s->submit_options[i];
	}
	argv[n++] = script;
	for (size_t i = 0; s->command && s->command[i]; i++) {
		if (i >= RUN_COMMAND_MAX)
			return err_set(err, ERR_CONFIG, "the runner's command "
				       "has too many words");
		argv[n++] = s->command[i];
	}
	argv[n++] = folder;
	argv[n] = NULL;
	return 0;
}

static int submit_new(const struct run_settings *s, const char *folder,
		      const char *name, struct buf *remote, struct err *err)
{
	struct buf answer = BUF_INIT(ANSWER_MAX), bad = BUF_INIT(ANSWER_MAX);
	struct arena a = ARENA_INIT;
	const char *script = arena_printf(&a, "%s/slurm.sh", folder);
	/* One minute is Slurm's smallest unit; round up. */
	const char *argv[128] = {
		"sbatch", "--parsable", "--requeue", "--job-name", name,
		"--chdir", folder, "--output", "log", "--open-mode=append",
		"--export=PATH,HOME,LANG,USER",
		s->deadline ? arena_printf(&a, "--time=%lld", (long long)
					   (s->deadline + 59) / 60) : NULL,
	};
	int rc = write_script(s, script, err);

	if (rc == 0)
		rc = add_arguments(s, folder, script, argv, 128, err);
	if (rc == 0)
		rc = ask(argv, folder, &answer, &bad, err);
	if (rc > 0)
		rc = refused("sbatch", &bad, err);
	if (rc == 0 && !isdigit((unsigned char)*answer.s))
		rc = err_set(err, ERR_TEMP, "sbatch answers '%.60s'",
			     answer.s);
	if (rc == 0)	/* "123" or "123;cluster" */
		buf_add(remote, answer.s, strspn(answer.s, "0123456789"));
	arena_release(&a);
	buf_release(&answer);
	buf_release(&bad);
	return rc;
}

static int slurm_submit(const struct run_settings *s, const char *folder,
			struct buf *remote, struct err *err)
{
	struct buf name = BUF_INIT(64);
	struct run_status status;
	int rc;

	if (!s->command || !*s->command)
		return err_set(err, ERR_CONFIG, "the runner has no command");
	rc = status_read(folder, &status, err);
	if (rc)
		return rc == 1 ? 0 : -1;
	rc = ticket(folder, true, &name, err);
	if (rc == 0)
		rc = find_by_name(name.s, remote, err);
	if (rc == 0 && !remote->len)
		rc = submit_new(s, folder, name.s, remote, err);
	buf_release(&name);
	return rc;
}

/* What slurm.sh left: 1 and "status" filled, 0 when it did not end. */
static int read_exit(const char *folder, struct run_status *status)
{
	struct buf path = BUF_INIT(8192), text = BUF_INIT(200);
	long long started, ended;
	int code, rc = 0;

	buf_addf(&path, "%s/slurm.exit", folder);
	if (file_exists(path.s) && file_read(path.s, &text, NULL) == 0 &&
	    sscanf(text.s, "%d %lld %lld", &code, &started, &ended) == 3) {
		*status = (struct run_status){
			.state = RUN_ENDED, .code = code,
			.started = started, .ended = ended,
		};
		if (code > 128 && code < 128 + 65) {	/* sh(1) */
			status->signal = code - 128;
			status->code = 0;
		}
		rc = 1;
	}
	buf_release(&path);
	buf_release(&text);
	return rc;
}

/* The word behind "KEY=" in one line of scontrol's, "" when there is none. */
static const char *value_of(const char *line, const char *key, size_t *len)
{
	size_t n = strlen(key);

	for (const char *p = line; (p = strstr(p, key)); p += n) {
		if ((p == line || isspace((unsigned char)p[-1])) &&
		    p[n] == '=') {
			*len = strcspn(p + n + 1, " \n");
			return p + n + 1;
		}
	}
	*len = 0;
	return "";
}

static void fill_status(const char *line, struct run_status *status)
{
	size_t len;
	const char *state = value_of(line, "JobState", &len);
	int code = 0, sig = 0;

	*status = (struct run_status){ .state = RUN_RUNNING };
	switch (state_of(state, len)) {
	case SLURM_LIVE:
		return;
	case SLURM_GONE:
	case SLURM_UNKNOWN:
		status->state = RUN_LOST;
		return;
	case SLURM_ENDED:
		status->state = RUN_ENDED;
		break;
	}
	status->deadline = !strncmp(state, "TIMEOUT", len) ||
			   !strncmp(state, "DEADLINE", len);
	status->cancelled = !strncmp(state, "CANCELLED", len);
	if (sscanf(value_of(line, "ExitCode", &len), "%d:%d", &code,
		   &sig) == 2) {
		status->code = code;
		status->signal = sig;
	}
	status->started = atoll(value_of(line, "StartTime", &len));
	status->ended = atoll(value_of(line, "EndTime", &len));
}

/* Slurm's word on the job: RUN_LOST when it has forgotten it. */
static int show_job(const char *remote, struct run_status *status,
		    struct err *err)
{
	struct buf answer = BUF_INIT(ANSWER_MAX), bad = BUF_INIT(ANSWER_MAX);
	const char *argv[] = { "scontrol", "--oneliner", "show", "job",
			       remote, NULL };
	int rc = ask(argv, NULL, &answer, &bad, err);

	if (rc > 0 && says(&bad, "invalid job id")) {
		*status = (struct run_status){ .state = RUN_LOST };
		rc = 0;
	} else if (rc > 0) {
		rc = refused("scontrol", &bad, err);
	} else if (rc == 0) {
		fill_status(answer.s, status);
	}
	buf_release(&answer);
	buf_release(&bad);
	return rc;
}

/* Whoever died before it heard the number finds the job by its name. */
static int number_of(const char *folder, const char *remote,
		     struct buf *number, struct err *err)
{
	struct buf name = BUF_INIT(64);
	int rc = 0;

	if (*remote) {
		buf_add(number, remote, strspn(remote, "0123456789"));
	} else {
		rc = ticket(folder, false, &name, err);
		if (rc == 0 && name.len)
			rc = find_by_name(name.s, number, err);
	}
	buf_release(&name);
	return rc;
}

static int slurm_poll(const struct run_settings *s, const char *folder,
		      const char *remote, struct run_status *status,
		      struct err *err)
{
	struct buf number = BUF_INIT(64);
	int rc = status_read(folder, status, err);

	(void)s;
	if (rc)
		return rc == 1 ? 0 : -1;
	*status = (struct run_status){ .state = RUN_LOST };
	if (!read_exit(folder, status)) {
		rc = number_of(folder, remote, &number, err);
		if (rc == 0 && number.len)
			rc = show_job(number.s, status, err);
		/* It may have ended between the two looks. */
		if (rc == 0 && status->state != RUN_RUNNING)
			read_exit(folder, status);
	}
	if (rc == 0 && status->state == RUN_ENDED)
		rc = status_write(folder, status, err);
	buf_release(&number);
	return rc;
}

static int slurm_fetch(const struct run_settings *s, const char *folder,
		       const char *remote, struct err *err)
{
	(void)s;
	(void)folder;
	(void)remote;
	(void)err;
	return 0;	/* the folder is shared with the nodes */
}

static int slurm_cancel(const struct run_settings *s, const char *folder,
			const char *remote, struct err *err)
{
	struct buf number = BUF_INIT(64), bad = BUF_INIT(ANSWER_MAX);
	const char *argv[] = { "scancel", NULL, NULL };
	int rc = number_of(folder, remote, &number, err);

	(void)s;
	argv[1] = number.s;
	if (rc == 0 && number.len)
		rc = ask(argv, NULL, NULL, &bad, err);
	if (rc > 0)
		rc = says(&bad, "invalid job id") ? 0 :
		     refused("scancel", &bad, err);
	buf_release(&number);
	buf_release(&bad);
	return rc;
}

const struct run_driver run_slurm = {
	.name = "slurm", .submit = slurm_submit, .poll = slurm_poll,
	.fetch = slurm_fetch, .cancel = slurm_cancel,
};
