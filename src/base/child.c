#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"

struct pipes {
	int in[2], out[2], err[2], failed[2];
};

static void shut(int *fd)
{
	if (*fd != -1)
		close(*fd);
	*fd = -1;
}

static void pipes_close(struct pipes *p)
{
	for (int i = 0; i < 2; i++) {
		shut(&p->in[i]);
		shut(&p->out[i]);
		shut(&p->err[i]);
		shut(&p->failed[i]);
	}
}

static int pipes_open(struct pipes *p, const struct child_spec *spec,
		      struct err *err)
{
	*p = (struct pipes){ { -1, -1 }, { -1, -1 }, { -1, -1 }, { -1, -1 } };
	if ((spec->input && pipe2(p->in, O_CLOEXEC)) ||
	    (spec->out && pipe2(p->out, O_CLOEXEC)) ||
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
	dup2(spec->input ? p->in[0] : null, STDIN_FILENO);
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

static void feed(int *fd, const char **data, size_t *left)
{
	ssize_t n = write(*fd, *data, *left);

	if (n == -1 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n == -1) {		/* it does not want to hear more */
		shut(fd);
		return;
	}
	*data += n;
	*left -= (size_t)n;
	if (!*left)
		shut(fd);
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
	const char *input = spec->input;
	size_t left = spec->input_len;

	if (p->in[1] != -1 && !left)
		shut(&p->in[1]);
	while (p->in[1] != -1 || p->out[0] != -1 || p->err[0] != -1) {
		struct pollfd f[3] = {
			{ p->in[1], POLLOUT, 0 }, { p->out[0], POLLIN, 0 },
			{ p->err[0], POLLIN, 0 },
		};
		int n = poll(f, 3, wait_ms(deadline));

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
			feed(&p->in[1], &input, &left);
		if (f[1].revents)
			drain(&p->out[0], spec->out);
		if (f[2].revents)
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
	struct sigaction ignore = { .sa_handler = SIG_IGN }, was;
	struct pipes p;
	pid_t pid;

	if (pipes_open(&p, spec, err) == -1)
		return -1;
	sigaction(SIGPIPE, &ignore, &was);
	pid = fork();
	if (pid == 0)
		become(spec, &p);
	if (pid == -1) {
		err_sys(err, "cannot start '%s'", spec->argv[0]);
		pipes_close(&p);
		sigaction(SIGPIPE, &was, NULL);
		return -1;
	}
	setpgid(pid, pid);
	shut(&p.in[0]);
	shut(&p.out[1]);
	shut(&p.err[1]);
	shut(&p.failed[1]);
	if (p.in[1] != -1)
		fcntl(p.in[1], F_SETFL, O_NONBLOCK);
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
	sigaction(SIGPIPE, &was, NULL);
	if (rc == -1)
		return -1;
	if (WIFSIGNALED(status))
		return err_set(err, ERR_PERM, "'%s' was ended by signal %d",
			       spec->argv[0], WTERMSIG(status));
	return WEXITSTATUS(status);
}
