#include "base/confined.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/callfilter.h"
#include "base/clock.h"
#include "base/err.h"

#define FILES_MAX 32	/* iconv(3) loads its tables */

/* All that the first version of landlock knows, and what came later. */
#define ACCESS_FIRST ((LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1)
#define ACCESS_REFER (1ULL << 13)	/* from version 2 on */
#define ACCESS_TRUNCATE (1ULL << 14)	/* 3 */
#define ACCESS_READ (LANDLOCK_ACCESS_FS_READ_FILE | \
		     LANDLOCK_ACCESS_FS_READ_DIR)

/* An address sanitizer maps terabytes. */
#if defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SPACE_IS_LIMITED false
#else
#define ADDRESS_SPACE_IS_LIMITED true
#endif

static long landlock_version(void)
{
	return syscall(SYS_landlock_create_ruleset, NULL, 0,
		       LANDLOCK_CREATE_RULESET_VERSION);
}

const char *confined_lacks(void)
{
	bool landlock = landlock_version() >= 1;
	bool seccomp = callfilter_is_known();

	return landlock ? (seccomp ? NULL : "seccomp")
			: seccomp ? "landlock" : "landlock and seccomp";
}

/* 0, or -1: not limited.  What is limited more than that stays so. */
static int limit(int what, rlim_t max)
{
	struct rlimit r;

	if (getrlimit(what, &r))
		return -1;
	if (r.rlim_max > max)
		r.rlim_max = max;
	r.rlim_cur = r.rlim_max;
	return setrlimit(what, &r);
}

static int set_limits(const struct confined_spec *spec)
{
	if (ADDRESS_SPACE_IS_LIMITED && limit(RLIMIT_AS, spec->memory_max))
		return -1;
	if (limit(RLIMIT_CPU, spec->cpu_max) || limit(RLIMIT_CORE, 0) ||
	    limit(RLIMIT_FSIZE, 0))
		return -1;
	return limit(RLIMIT_NOFILE, FILES_MAX);
}

/* landlock(7): nothing of the file system but what lies below /usr.
 * 0 also where the kernel has no landlock, which confined_lacks() says. */
static int close_files(void)
{
	long version = landlock_version();
	struct landlock_ruleset_attr all = { .handled_access_fs =
		ACCESS_FIRST | (version >= 2 ? ACCESS_REFER : 0) |
		(version >= 3 ? ACCESS_TRUNCATE : 0) };
	struct landlock_path_beneath_attr usr = {
		.allowed_access = ACCESS_READ };
	int rules, bad;

	if (version < 1)
		return 0;
	rules = (int)syscall(SYS_landlock_create_ruleset, &all,
			     sizeof(all.handled_access_fs), 0);
	usr.parent_fd = open("/usr", O_PATH | O_CLOEXEC);
	bad = rules == -1 || usr.parent_fd == -1 ||
	      syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH,
		      &usr, 0) ||
	      syscall(SYS_landlock_restrict_self, rules, 0);
	close(usr.parent_fd);
	close(rules);
	return bad ? -1 : 0;
}

/* Our service's signals are not for the reader: it ends what it does. */
static void set_signals(void)
{
	sigset_t none;

	signal(SIGTERM, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void send_all(int fd, const struct buf *out)
{
	size_t done = 0;
	ssize_t n;

	while (done < out->len) {
		n = write(fd, out->s + done, out->len - done);
		if (n == -1 && errno != EINTR)
			_exit(1);
		if (n > 0)
			done += (size_t)n;
	}
}

static void __attribute__((noreturn))
become(const struct confined_spec *spec, int pipe_end, size_t max,
       pid_t parent)
{
	struct buf out = BUF_INIT(max);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	prctl(PR_SET_NAME, "perfpost-read");
	set_signals();
	if (pipe_end != 3)
		dup2(pipe_end, 3);
	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	closefrom(4);		/* 2 stays: why it died is worth reading */
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || set_limits(spec) ||
	    close_files() ||
	    (callfilter_install() && !spec->without_filter) ||
	    write(3, "", 1) != 1)	/* confined, from here on */
		_exit(1);
	spec->work(spec->arg, &out);
	if (buf_over(&out))
		_exit(1);
	send_all(3, &out);
	_exit(0);
}

struct heard {
	struct buf *out;
	bool confined;	/* it said so, before it read anything */
};

static void hear(struct heard *h, const char *chunk, size_t n)
{
	if (n && !h->confined) {
		h->confined = true;
		chunk++;
		n--;
	}
	buf_add(h->out, chunk, n);
}

/* Take what it says until it closes the pipe.  -1: too late or too much. */
static int listen_to(int fd, int64_t deadline, struct heard *h,
		     struct err *err)
{
	struct pollfd p = { fd, POLLIN, 0 };
	char chunk[65536];
	int64_t left;
	ssize_t n = 1;

	while (n > 0) {
		left = deadline - clock_monotonic_ms();
		if (left <= 0)
			return err_set(err, ERR_INPUT, "it took too long");
		if (poll(&p, 1, (int)left) <= 0)
			continue;
		n = read(fd, chunk, sizeof(chunk));
		if (n > 0)
			hear(h, chunk, (size_t)n);
		if (buf_over(h->out))
			return err_set(err, ERR_INPUT, "it says too much");
	}
	return 0;
}

static int judge(int status, bool confined, struct err *err)
{
	if (WIFSIGNALED(status))
		return err_set(err, ERR_INPUT, "it was ended by signal %d",
			       WTERMSIG(status));
	if (!confined)
		return err_set(err, ERR_CONFIG, "it cannot be confined%s",
			       callfilter_is_known() ? ""
			       : ": this kernel has no seccomp");
	if (WEXITSTATUS(status))
		return err_set(err, ERR_INPUT, "it gave up");
	return 0;
}

int confined_run(const struct confined_spec *spec, struct buf *out,
		 struct err *err)
{
	int64_t deadline = clock_monotonic_ms() + spec->timeout_ms;
	struct heard h = { .out = out };
	pid_t parent = getpid(), pid;
	int ends[2], status = 0, rc;

	if (pipe2(ends, O_CLOEXEC))
		return err_sys(err, "cannot make a pipe");
	pid = fork();
	if (pid == 0)
		become(spec, ends[1], out->max, parent);
	close(ends[1]);
	if (pid == -1) {
		close(ends[0]);
		return err_sys(err, "cannot start a process");
	}
	rc = listen_to(ends[0], deadline, &h, err);
	if (rc == -1)
		kill(pid, SIGKILL);
	close(ends[0]);
	while (waitpid(pid, &status, 0) == -1 && errno == EINTR)
		continue;
	return rc == -1 ? -1 : judge(status, h.confined, err);
}
