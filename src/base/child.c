#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"

struct pipes {
	int in, out[2], err[2], failed[2];	/* "in": a file */
};

static void shut(int *fd)
{
	if (*fd != -1)
		close(*fd);
	*fd = -1;
}

static void pipes_close(struct pipes *p)
{
	shut(&p->in);
	for (int i = 0; i < 2; i++) {
		shut(&p->out[i]);
		shut(&p->err[i]);
		shut(&p->failed[i]);
	}
}

/*
 * The input as a file in memory: the child has all of it, whatever becomes of
 * us meanwhile.  Down a pipe it would take half a mail for a whole one.
 */
static int make_input(const struct child_spec *spec, struct err *err)
{
	int fd = memfd_create("input", MFD_CLOEXEC);

	if (fd == -1)
		return err_sys(err, "cannot make a file in memory");
	if (file_write_fd(fd, "input", spec->input, spec->input_len,
			  err) == -1 || lseek(fd, 0, SEEK_SET) == -1) {
		close(fd);
		return -1;
	}
	return fd;
}

static int pipes_open(struct pipes *p, const struct child_spec *spec,
		      struct err *err)
{
	*p = (struct pipes){ -1, { -1, -1 }, { -1, -1 }, { -1, -1 } };
	if (spec->input && spec->input_len) {
		p->in = make_input(spec, err);
		if (p->in == -1)
			return -1;
	}
	if ((spec->out && pipe2(p->out, O_CLOEXEC)) ||
	    (spec->errout && pipe2(p->err, O_CLOEXEC)) ||
	    pipe2(p->failed, O_CLOEXEC)) {
		err_sys(err, "cannot make a pipe");
		pipes_close(p);
		return -1;
	}
	return 0;
}

static void __attribute__((noreturn)) become(const struct child_spec *spec,
					     struct pipes *p)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), why;
	sigset_t none;

	setpgid(0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	dup2(p->in != -1 ? p->in : null, STDIN_FILENO);
	dup2(spec->out ? p->out[1] : null, STDOUT_FILENO);
	if (spec->errout)
		dup2(p->err[1], STDERR_FILENO);
	dup2(p->failed[1], 3);
	fcntl(3, F_SETFD, FD_CLOEXEC);
	closefrom(4);
	if (spec->memory_max)
		setrlimit(RLIMIT_AS, &(struct rlimit){ spec->memory_max,
						       spec->memory_max });
	for (const char *const *e = spec->env; e && *e; e++)
		if (!strchr(*e, '='))
			unsetenv(*e);
		else
			putenv((char *)(uintptr_t)*e);
	if (!spec->dir || chdir(spec->dir) == 0)
		execvp(spec->argv[0],
		       (char *const *)(uintptr_t)spec->argv);
	why = errno;
	if (write(3, &why, sizeof(why)) == -1)
		_exit(126);
	_exit(127);
}

/* Take what there is; false at the end of the stream. */
static bool drain(int *fd, struct buf *to)
{
	char chunk[65536];
	ssize_t n = read(*fd, chunk, sizeof(chunk));

	if (n == -1 && (errno == EINTR || errno == EAGAIN))
		return true;
	if (n <= 0) {
		shut(fd);
		return false;
	}
	buf_add(to, chunk, (size_t)n);
	return true;
}

static int wait_ms(int64_t deadline)
{
	int64_t left;

	if (!deadline)
		return -1;
	left = deadline - clock_monotonic_ms();
	return left < 0 ? 0 : left > 1000000 ? 1000000 : (int)left;
}

static int converse(const struct child_spec *spec, struct pipes *p,
		    int64_t deadline, struct err *err)
{
	while (p->out[0] != -1 || p->err[0] != -1) {
		struct pollfd f[2] = {
			{ p->out[0], POLLIN, 0 }, { p->err[0], POLLIN, 0 },
		};
		int n = poll(f, 2, wait_ms(deadline));

		if (n == -1 && errno != EINTR)
			return err_sys(err, "cannot wait for '%s'",
				       spec->argv[0]);
		if (n == 0)
			return err_set(err, ERR_TEMP, "'%s' took longer than "
				       "%lld ms", spec->argv[0],
				       (long long)spec->timeout_ms);
		if (n == -1)
			continue;
		if (f[0].revents)
			drain(&p->out[0], spec->out);
		if (f[1].revents)
			drain(&p->err[0], spec->errout);
		if (spec->out && buf_over(spec->out))
			return err_set(err, ERR_INPUT, "'%s' prints more than "
				       "%zu bytes", spec->argv[0],
				       spec->out->max);
	}
	return 0;
}

/* Wait for the child's end until "deadline"; -1 when it lives on. */
static int reap(pid_t pid, int64_t deadline, int *status)
{
	pid_t got;

	for (;;) {
		got = waitpid(pid, status, deadline ? WNOHANG : 0);
		if (got == pid)
			return 0;
		if (got == -1 && errno != EINTR)
			return 0;
		if (deadline && clock_monotonic_ms() >= deadline)
			return -1;
		if (got == 0)
			poll(NULL, 0, 5);
	}
}

static void end_group(pid_t pid, int *status)
{
	kill(-pid, SIGTERM);
	if (reap(pid, clock_monotonic_ms() + 1000, status) == -1) {
		kill(-pid, SIGKILL);
		reap(pid, 0, status);
	}
	kill(-pid, SIGKILL);	/* grandchildren that ignored the first */
}

int child_run(const struct child_spec *spec, struct err *err)
{
	int64_t deadline = spec->timeout_ms ?
		clock_monotonic_ms() + spec->timeout_ms : 0;
	int status = 0, why = 0, rc;
	struct pipes p;
	pid_t pid;

	if (pipes_open(&p, spec, err) == -1)
		return -1;
	pid = fork();
	if (pid == 0)
		become(spec, &p);
	if (pid == -1) {
		err_sys(err, "cannot start '%s'", spec->argv[0]);
		pipes_close(&p);
		return -1;
	}
	setpgid(pid, pid);
	shut(&p.in);
	shut(&p.out[1]);
	shut(&p.err[1]);
	shut(&p.failed[1]);
	if (read(p.failed[0], &why, sizeof(why)) == sizeof(why)) {
		reap(pid, 0, &status);
		errno = why;
		rc = err_sys(err, "cannot start '%s'", spec->argv[0]);
	} else {
		rc = converse(spec, &p, deadline, err);
		if (rc == 0 && reap(pid, deadline, &status) == -1)
			rc = err_set(err, ERR_TEMP, "'%s' took longer than "
				     "%lld ms", spec->argv[0],
				     (long long)spec->timeout_ms);
		if (rc == -1)
			end_group(pid, &status);
	}
	pipes_close(&p);
	if (rc == -1)
		return -1;
	if (WIFSIGNALED(status))
		return err_set(err, ERR_PERM, "'%s' was ended by signal %d",
			       spec->argv[0], WTERMSIG(status));
	return WEXITSTATUS(status);
}
