#include "run/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
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

/* In the child: become the command.  Its group is its own. */
static void __attribute__((noreturn))
become(const struct run_settings *s, const char *folder, pid_t keeper)
{
	const char *argv[RUN_COMMAND_MAX + 2];
	size_t n = 0;
	int null, log;
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
	if (chdir(folder) == -1)
		_exit(126);
	null = open("/dev/null", O_RDONLY);
	log = open("log", O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0644);
	if (null == -1 || log == -1)
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

/* Which signal came within "seconds" (< 0: whenever)?  0: none. */
static int wait_signal(const sigset_t *set, int64_t seconds)
{
	struct timespec t = { .tv_sec = (time_t)seconds };
	int sig = seconds < 0 ? sigwaitinfo(set, NULL)
			      : sigtimedwait(set, NULL, &t);

	return sig == -1 ? 0 : sig;
}

/* The command's end, by itself or by us. */
static void stay(pid_t child, int64_t deadline, const sigset_t *set,
		 struct run_status *status)
{
	int64_t end = deadline ? (int64_t)time(NULL) + deadline : 0;
	bool asked = false;
	int code;

	while (waitpid(child, &code, WNOHANG) == 0) {
		int64_t left = end ? end - (int64_t)time(NULL) : -1;
		int sig = wait_signal(set, end && left < 0 ? 0 : left);

		if (sig == SIGTERM)
			status->cancelled = true;
		else if (end && (int64_t)time(NULL) >= end)
			status->deadline = !status->cancelled;
		else
			continue;
		kill(-child, asked ? SIGKILL : SIGTERM);
		asked = true;
		end = (int64_t)time(NULL) + GRACE;
	}
	kill(-child, SIGKILL);	/* what it left behind */
	status->ended = (int64_t)time(NULL);
	status->code = WIFEXITED(code) ? WEXITSTATUS(code) : 0;
	status->signal = WIFSIGNALED(code) ? WTERMSIG(code) : 0;
}

static void __attribute__((noreturn))
keep(const struct run_settings *s, const char *folder, int ready)
{
	struct flock lock = { .l_type = F_WRLCK };
	struct run_status status = { .state = RUN_ENDED };
	pid_t keeper = getpid(), child;
	sigset_t set;
	int fd;

	fd = open_lock(folder, O_RDWR | O_CREAT);
	if (fd == -1 || fcntl(fd, F_SETLK, &lock) == -1)
		_exit(fd == -1);	/* held: somebody else keeps it */
	if (status_read(folder, &status, NULL) == 1)
		_exit(0);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	status = (struct run_status){ .started = (int64_t)time(NULL) };
	child = fork();
	if (child == 0)
		become(s, folder, keeper);
	if (child == -1)
		_exit(1);
	setpgid(child, child);
	if (write(ready, "", 1) == -1)
		_exit(1);
	close(ready);
	stay(child, s->deadline, &set, &status);
	_exit(status_write(folder, &status, NULL) == -1);
}

/* The keeper is init's child, in a session of its own, with no descriptor of
 * ours but the pipe that says it stands. */
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
