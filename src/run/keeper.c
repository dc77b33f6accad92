#include "run/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "run/descendants.h"
#include "run/joblog.h"
#include "run/orphans.h"
#include "run/status.h"

#define GRACE 5		/* seconds between SIGTERM and SIGKILL */

static int open_lock(const char *folder, int flags)
{
	struct buf path = BUF_INIT(8192);
	int fd;

	buf_addf(&path, "%s/lock", folder);
	fd = open(path.s, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
	buf_release(&path);
	return fd;
}

pid_t keeper_find(const char *folder, struct err *err)
{
	struct flock lock = { .l_type = F_WRLCK };
	int fd = open_lock(folder, O_RDWR);

	if (fd == -1)
		return errno == ENOENT ? 0 :
		       err_sys(err, "cannot open the lock of '%s'", folder);
	if (fcntl(fd, F_GETLK, &lock) == -1) {
		close(fd);
		return err_sys(err, "cannot ask for the lock of '%s'", folder);
	}
	close(fd);
	return lock.l_type == F_UNLCK ? 0 : lock.l_pid;
}

void keeper_clean(const char *folder)
{
	char path[PATH_MAX];

	if (realpath(folder, path))
		orphans_end(path, GRACE);
}

/* In the job folder: what is started here is known by it (orphans.h). */
static int mark(void)
{
	char path[PATH_MAX];

	return getcwd(path, sizeof(path)) ? setenv(ORPHANS_MARK, path, 1) : -1;
}

static void limit(__rlimit_resource_t resource, int64_t value)
{
	struct rlimit r = { (rlim_t)value, (rlim_t)value };

	setrlimit(resource, &r);
}

static void set_limits(const struct run_settings *s)
{
	limit(RLIMIT_CORE, 0);
	if (s->memory)
		limit(RLIMIT_AS, s->memory);
	if (s->cpu)
		limit(RLIMIT_CPU, s->cpu);
	if (s->file_size)
		limit(RLIMIT_FSIZE, s->file_size);
}

/* In the child: become the command, which prints to "log".  Its group is its
 * own. */
static void __attribute__((noreturn))
become(const struct run_settings *s, const char *folder, pid_t keeper, int log)
{
	const char *argv[RUN_COMMAND_MAX + 2];
	size_t n = 0;
	int null;
	sigset_t none;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != keeper)
		_exit(127);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	for (; s->command[n] && n < RUN_COMMAND_MAX; n++)
		argv[n] = s->command[n];
	argv[n++] = folder;
	argv[n] = NULL;
	if (chdir(folder) == -1 || mark() == -1)
		_exit(126);
	null = open("/dev/null", O_RDONLY);
	if (null == -1)
		_exit(126);
	dup2(null, STDIN_FILENO);
	dup2(log, STDOUT_FILENO);
	dup2(log, STDERR_FILENO);
	closefrom(3);
	set_limits(s);
	execvp(argv[0], (char *const *)(uintptr_t)argv);
	dprintf(STDERR_FILENO, "cannot start '%s': %s\n", argv[0],
		strerror(errno));
	_exit(127);
}

/* A job that runs. */
struct run {
	pid_t child;
	int signals;		/* signalfd(2) */
	struct joblog log;
	int64_t end;		/* time(2) of the next blow, 0: none */
	bool asked;		/* it was asked to end */
	struct run_status *status;
};

/* Reap whatever ended: the processes that a job leaves become ours.  Is the
 * command itself among them? */
static bool has_ended(struct run *r)
{
	bool ended = false;
	int code;
	pid_t pid;

	while ((pid = waitpid(-1, &code, WNOHANG)) > 0) {
		if (pid != r->child)
			continue;
		ended = true;
		r->status->code = WIFEXITED(code) ? WEXITSTATUS(code) : 0;
		r->status->signal = WIFSIGNALED(code) ? WTERMSIG(code) : 0;
	}
	return ended;
}

/* Until something happens or the time is over.  Was it SIGTERM? */
static bool wait_some(struct run *r)
{
	int64_t left = r->end ? r->end - (int64_t)time(NULL) : -1;
	struct pollfd fd[] = { { r->signals, POLLIN, 0 },
			       { r->log.from, POLLIN, 0 } };
	struct signalfd_siginfo info;

	if (r->end && left < 0)
		left = 0;
	if (poll(fd, 2, left < 0 || left > 86400 ? -1 : (int)left * 1000) <= 0)
		return false;
	if (fd[1].revents && !joblog_move(&r->log)) {
		close(r->log.from);
		r->log.from = -1;
	}
	return fd[0].revents &&
	       read(r->signals, &info, sizeof(info)) == sizeof(info) &&
	       info.ssi_signo == SIGTERM;
}

/* The command's end, by itself or by us. */
static void stay(struct run *r)
{
	while (!has_ended(r)) {
		if (wait_some(r))
			r->status->cancelled = true;
		else if (r->end && (int64_t)time(NULL) >= r->end)
			r->status->deadline = !r->status->cancelled;
		else
			continue;
		kill(-r->child, r->asked ? SIGKILL : SIGTERM);
		r->asked = true;
		r->end = (int64_t)time(NULL) + GRACE;
	}
	kill(-r->child, SIGKILL);	/* what it left behind */
	descendants_end(GRACE);		/* ... in other groups, too */
	if (r->log.from != -1)
		joblog_move(&r->log);
	r->status->ended = (int64_t)time(NULL);
}

/* Start the command and see it through.  -1: it could not be started. */
static int run(const struct run_settings *s, const char *folder, int ready,
	       struct run_status *status)
{
	pid_t keeper = getpid();
	struct run r = { .status = status };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	r.signals = signalfd(-1, &set, SFD_CLOEXEC);
	if (r.signals == -1 || prctl(PR_SET_CHILD_SUBREAPER, 1) == -1 ||
	    joblog_open(&r.log, folder, s->log_size) == -1)
		return -1;
	*status = (struct run_status){ .started = (int64_t)time(NULL) };
	r.end = s->deadline ? status->started + s->deadline : 0;
	r.child = fork();
	if (r.child == 0)
		become(s, folder, keeper, r.log.to);
	if (r.child == -1)
		return -1;
	close(r.log.to);
	setpgid(r.child, r.child);
	if (write(ready, "", 1) == -1)
		return -1;
	close(ready);
	stay(&r);
	return 0;
}

static void __attribute__((noreturn))
keep(const struct run_settings *s, const char *folder, int ready)
{
	struct flock lock = { .l_type = F_WRLCK };
	struct run_status status = { .state = RUN_ENDED };
	int fd;

	fd = open_lock(folder, O_RDWR | O_CREAT);
	if (fd == -1 || fcntl(fd, F_SETLK, &lock) == -1)
		_exit(fd == -1);	/* held: somebody else keeps it */
	if (status_read(folder, &status, NULL) == 1)
		_exit(0);
	keeper_clean(folder);	/* of an earlier keeper's */
	if (run(s, folder, ready, &status) == -1)
		_exit(1);
	_exit(status_write(folder, &status, NULL) == -1);
}

/*
 * Become the keeper's parent: should it be killed, what it leaves behind is
 * ours, and ends.
 */
static void watch_over_keeper(int ready)
{
	pid_t keeper;
	int code;

	if (prctl(PR_SET_CHILD_SUBREAPER, 1) == -1)
		_exit(1);
	keeper = fork();
	if (keeper == 0)
		return;
	close(ready);
	while (keeper != -1 && waitpid(keeper, &code, 0) == -1 &&
	       errno == EINTR)
		continue;
	if (keeper == -1 || !WIFEXITED(code))
		descendants_end(GRACE);
	_exit(keeper == -1);
}

/* The keeper and its parent are in a session of their own, nobody's children,
 * with no descriptor of ours but the pipe that says it stands. */
static void __attribute__((noreturn))
detach(const struct run_settings *s, const char *folder, int ready)
{
	int null = open("/dev/null", O_RDWR);
	pid_t pid;

	setsid();
	pid = fork();
	if (pid)
		_exit(pid == -1);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	if (ready != 3) {
		dup2(ready, 3);
		ready = 3;
	}
	closefrom(4);
	watch_over_keeper(ready);
	keep(s, folder, ready);
}

int keeper_start(const struct run_settings *s, const char *folder,
		 struct err *err)
{
	struct run_status status;
	int pipes[2], code;
	char stands;
	ssize_t n;
	pid_t pid;

	if (pipe2(pipes, O_CLOEXEC) == -1)
		return err_sys(err, "cannot make a pipe");
	pid = fork();
	if (pid == 0) {
		close(pipes[0]);
		detach(s, folder, pipes[1]);
	}
	close(pipes[1]);
	if (pid == -1) {
		close(pipes[0]);
		return err_sys(err, "cannot start a process");
	}
	while (waitpid(pid, &code, 0) == -1 && errno == EINTR)
		continue;
	do
		n = read(pipes[0], &stands, 1);
	while (n == -1 && errno == EINTR);
	close(pipes[0]);
	if (n == 1 || status_read(folder, &status, NULL) == 1 ||
	    keeper_find(folder, NULL) > 0)
		return 0;
	return err_set(err, ERR_TEMP, "cannot start the job in '%s'", folder);
}
