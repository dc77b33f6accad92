#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "run/folder.h"
#include "run/keeper.h"
#include "run/run.h"
#include "run/status.h"

struct place {
	char root[64], folder[80];
	struct arena arena;
	struct buf remote;
	struct run_settings settings;
	const char *command[4];
};

static int set_up(void **state)
{
	static struct place p;
	json_t *spec = json_pack("{s:[{s:s,s:{s:s,s:s}},{s:s}],s:s}", "sides",
				 "name", "patched", "patch", "id", "1",
				 "mbox", "the patch\n", "name", "base",
				 "job", "suite: x\n");
	struct err err = ERR_INIT;
	int rc;

	p = (struct place){ .arena = ARENA_INIT, .remote = BUF_INIT(100) };
	strcpy(p.root, "/tmp/test-run-XXXXXX");
	if (!mkdtemp(p.root))
		return -1;
	snprintf(p.folder, sizeof(p.folder), "%s/7", p.root);
	rc = folder_make(p.root, "7", spec, &err);
	json_decref(spec);
	p.command[0] = "sh";
	p.command[1] = "-c";
	p.settings.command = p.command;
	*state = &p;
	return rc;
}

static int tear_down(void **state)
{
	struct place *p = *state;

	arena_release(&p->arena);
	buf_release(&p->remote);
	return folder_remove(p->root, NULL);
}

static void assert_file(struct place *p, const char *name, const char *holds)
{
	struct buf text = BUF_INIT(10000);
	struct err err = ERR_INIT;

	if (file_read(arena_printf(&p->arena, "%s/%s", p->folder, name), &text,
		      &err) == -1)
		fail_msg("%s", err.text);
	if (!strstr(text.s, holds))
		fail_msg("%s: %s", name, text.s);
	buf_release(&text);
}

static void poll_until(struct place *p, enum run_state not,
		       struct run_status *status)
{
	struct err err = ERR_INIT;

	for (int i = 0; i < 1000; i++) {
		assert_int_equal(run_exec.poll(&p->settings, p->folder, "here",
					       status, &err), 0);
		if (status->state != not)
			return;
		usleep(10000);
	}
	fail_msg("it does not end");
}

static void submit(struct place *p, const char *script)
{
	struct err err = ERR_INIT;

	p->command[2] = script;
	if (run_exec.submit(&p->settings, p->folder, &p->remote, &err) == -1)
		fail_msg("%s", err.text);
}

static void a_folder_holds_the_job(void **state)
{
	struct place *p = *state;
	struct err err = ERR_INIT;
	json_t *bad = json_pack("{s:[{s:s}]}", "sides", "name", "../x");

	assert_file(p, "job.json", "patches/patched.mbox");
	assert_file(p, "patches/patched.mbox", "the patch");
	assert_file(p, "job.yaml", "suite");
	assert_int_equal(folder_make(p->root, "8", bad, &err), -1);
	assert_false(file_exists(arena_printf(&p->arena, "%s/8", p->root)));
	json_decref(bad);
}

static void results_are_files_and_folders(void **state)
{
	struct place *p = *state;
	struct err err = ERR_INIT;
	const char **path;

	p->settings.deadline = 60;
	submit(p, "cd results && ln -s /etc link && mkdir b && echo 1 >a.json "
	       "&& mkfifo f && echo 'it broke\033[1m' >error.txt && pwd");
	poll_until(p, RUN_RUNNING, &(struct run_status){ 0 });
	assert_int_equal(folder_results(p->folder, &p->arena, &path, &err), 2);
	assert_non_null(strstr(path[0], "results/a.json"));
	assert_non_null(strstr(path[1], "results/b"));
	assert_string_equal(folder_error(p->folder, 1000, &p->arena),
			    "it broke\\x1b[1m\n");
	assert_string_equal(folder_error(p->folder, 3, &p->arena), "1m\n");
	assert_file(p, "log", "/7/results");
}

static void a_job_runs_once(void **state)
{
	struct place *p = *state;
	struct run_status status;

	submit(p, "echo started; sleep 0.3; exit 3");
	submit(p, "echo again");
	poll_until(p, RUN_RUNNING, &status);
	assert_int_equal(status.state, RUN_ENDED);
	assert_int_equal(status.code, 3);
	submit(p, "echo again");
	assert_file(p, "log", "started\n");
	assert_int_equal(status_read(p->folder, &status, NULL), 1);
}

static void a_deadline_ends_all_of_it(void **state)
{
	struct place *p = *state;
	struct run_status status;

	p->settings.deadline = 3;
	submit(p, "(sleep 77; echo grandchild) & echo $! >results/pid; wait");
	poll_until(p, RUN_RUNNING, &status);
	assert_true(status.deadline);
	assert_int_equal(status.signal, SIGTERM);
	assert_file(p, "results/pid", "\n");
}

/* The process whose number stands in results/NAME. */
static pid_t noted(struct place *p, const char *name)
{
	struct buf text = BUF_INIT(100);
	struct err err = ERR_INIT;
	pid_t pid;

	if (file_read(arena_printf(&p->arena, "%s/results/%s", p->folder, name),
		      &text, &err) == -1)
		fail_msg("%s", err.text);
	pid = (pid_t)strtol(text.s, NULL, 10);
	buf_release(&text);
	return pid;
}

static void what_leaves_the_group_ends_too(void **state)
{
	struct place *p = *state;
	struct run_status status;

	/* One that outlives its parent, one that ignores what is ignored. */
	p->settings.deadline = 3;
	submit(p, "setsid sh -c 'trap \"\" TERM HUP; echo $$ >results/far; "
	       "sleep 77' & (setsid sh -c 'echo $$ >results/lost; sleep 77 &') "
	       "& wait; sleep 77");
	poll_until(p, RUN_RUNNING, &status);
	assert_true(status.deadline);
	assert_int_equal(kill(noted(p, "far"), 0), -1);
	assert_int_equal(kill(noted(p, "lost"), 0), -1);
}

static void what_a_job_leaves_behind_ends(void **state)
{
	struct place *p = *state;
	struct run_status status;

	submit(p, "setsid sh -c 'echo $$ >results/far; exec sleep 77' & "
	       "while [ ! -s results/far ]; do sleep 0.01; done");
	poll_until(p, RUN_RUNNING, &status);
	assert_int_equal(status.code, 0);
	assert_int_equal(kill(noted(p, "far"), 0), -1);
}

static void a_log_has_an_end(void **state)
{
	struct place *p = *state;
	struct run_status status;

	p->settings.log_size = 100000;
	submit(p, "head -c 300000 /dev/zero | tr '\\0' x; echo at the end; "
	       "stat -c %s log >results/size");
	poll_until(p, RUN_RUNNING, &status);
	assert_int_equal(status.code, 0);
	assert_in_range(noted(p, "size"), 1, 100100);
	assert_string_equal(folder_error(p->folder, 24, &p->arena),
			    "\n[the log was cut here]\n");
}

static void a_job_can_be_cancelled(void **state)
{
	struct place *p = *state;
	struct run_status status;
	struct err err = ERR_INIT;

	submit(p, "sleep 77");
	assert_int_equal(run_exec.cancel(&p->settings, p->folder, "here",
					 &err), 0);
	poll_until(p, RUN_RUNNING, &status);
	assert_true(status.cancelled);
	assert_int_equal(run_exec.cancel(&p->settings, p->folder, "here",
					 &err), 0);
}

static void a_killed_keeper_is_a_lost_job(void **state)
{
	struct place *p = *state;
	struct run_status status;
	struct err err = ERR_INIT;
	pid_t keeper;

	assert_int_equal(run_exec.poll(&p->settings, p->folder, "here", &status,
				       &err), 0);
	assert_int_equal(status.state, RUN_LOST);
	submit(p, "echo one; sleep 77");
	keeper = keeper_find(p->folder, &err);
	assert_true(keeper > 0);
	kill(keeper, SIGKILL);
	poll_until(p, RUN_RUNNING, &status);
	assert_int_equal(status.state, RUN_LOST);
	submit(p, "echo two");
	poll_until(p, RUN_RUNNING, &status);
	assert_int_equal(status.state, RUN_ENDED);
	assert_int_equal(status.code, 0);
	assert_file(p, "log", "two");
}

/* What /proc says behind a process's name ("S 4711 ..."), "" when there is no
 * such process. */
static const char *stat_of(struct place *p, pid_t pid)
{
	struct buf text = BUF_INIT(1000);
	const char *said = "";

	if (file_read(arena_printf(&p->arena, "/proc/%ld/stat", (long)pid),
		      &text, NULL) == 0)
		said = arena_strdup(&p->arena, strrchr(text.s, ')') + 2);
	buf_release(&text);
	return said;
}

static bool is_gone(struct place *p, pid_t pid)
{
	const char *said = stat_of(p, pid);

	for (int i = 0; i < 1000 && *said && *said != 'Z'; i++) {
		poll(NULL, 0, 10);
		said = stat_of(p, pid);
	}
	return !*said || *said == 'Z';	/* this init may not reap */
}

/* A child in a session of its own, without its parent; another as it is; one
 * that has nothing of its parent's environment. */
#define FAMILY "echo $$ >results/self; " \
	"(setsid sh -c 'echo $$ >results/far; exec sleep 77' &); " \
	"sh -c 'echo $$ >results/near; exec sleep 77' & " \
	"env -i setsid sh -c 'echo $$ >results/bare; exec sleep 77' & " \
	"while [ ! -s results/far -o ! -s results/near -o " \
	"! -s results/bare ]; do sleep 0.01; done; echo >results/all; sleep 77"

static pid_t start_family(struct place *p)
{
	const char *all = arena_printf(&p->arena, "%s/results/all", p->folder);
	struct err err = ERR_INIT;

	submit(p, FAMILY);
	while (!file_exists(all))
		poll(NULL, 0, 10);
	return keeper_find(p->folder, &err);
}

/* Nobody looks: what was above the keeper ends them. */
static void a_killed_keeper_leaves_nobody(void **state)
{
	struct place *p = *state;
	pid_t keeper = start_family(p);

	assert_true(keeper > 0);
	kill(keeper, SIGKILL);
	assert_true(is_gone(p, noted(p, "self")));
	assert_true(is_gone(p, noted(p, "near")));
	assert_true(is_gone(p, noted(p, "far")));
	assert_true(is_gone(p, noted(p, "bare")));
}

/* All of ours were killed: the next that looks, or starts it again, ends what
 * goes on. */
static void who_comes_back_ends_the_orphans(void **state)
{
	struct place *p = *state;
	struct run_status status;
	struct err err = ERR_INIT;
	pid_t pid[2], keeper;

	for (int again = 0; again < 3; again++) {
		keeper = start_family(p);
		assert_true(keeper > 0);
		kill((pid_t)strtol(stat_of(p, keeper) + 2, NULL, 10),
		     SIGKILL);
		kill(keeper, SIGKILL);
		pid[0] = noted(p, "near");
		pid[1] = noted(p, "far");
		assert_true(is_gone(p, noted(p, "self")));
		assert_int_equal(kill(pid[0], 0), 0);
		assert_int_equal(kill(pid[1], 0), 0);
		kill(noted(p, "bare"), SIGKILL);
		if (again == 0)
			poll_until(p, RUN_RUNNING, &status);
		else if (again == 1)
			assert_int_equal(run_exec.cancel(&p->settings,
				p->folder, "here", &err), 0);
		else
			submit(p, "true");
		assert_true(is_gone(p, pid[0]));
		assert_true(is_gone(p, pid[1]));
		for (const char *const *f = (const char *const[]){
				"self", "near", "far", "bare", "all", NULL };
		     *f; f++)
			unlink(arena_printf(&p->arena, "%s/results/%s",
					    p->folder, *f));
	}
	poll_until(p, RUN_RUNNING, &status);	/* the last one still writes */
}

static void limits_hold(void **state)
{
	struct place *p = *state;
	struct run_status status;

	p->settings.file_size = 1000;
	submit(p, "head -c 5000 /dev/zero >results/big; ulimit -c; "
	       "stat -c %s results/big");
	poll_until(p, RUN_RUNNING, &status);
	assert_file(p, "log", "0\n1000\n");
}

static void what_cannot_start_says_so(void **state)
{
	static const char *const none[] = { "/nonexistent/program", NULL };
	struct place *p = *state;
	struct run_status status;
	struct err err = ERR_INIT;

	p->settings.command = none;
	assert_int_equal(run_exec.submit(&p->settings, p->folder, &p->remote,
					 &err), 0);
	poll_until(p, RUN_RUNNING, &status);
	assert_int_equal(status.code, 127);
	assert_file(p, "log", "cannot start");
	p->settings.command = NULL;
	assert_int_equal(run_exec.submit(&p->settings, p->folder, &p->remote,
					 &err), -1);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_folder_holds_the_job),
		TEST(results_are_files_and_folders),
		TEST(a_job_runs_once),
		TEST(a_deadline_ends_all_of_it),
		TEST(what_leaves_the_group_ends_too),
		TEST(what_a_job_leaves_behind_ends),
		TEST(a_log_has_an_end),
		TEST(a_job_can_be_cancelled),
		TEST(a_killed_keeper_is_a_lost_job),
		TEST(a_killed_keeper_leaves_nobody),
		TEST(who_comes_back_ends_the_orphans),
		TEST(limits_hold),
		TEST(what_cannot_start_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
