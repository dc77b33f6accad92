#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/confined.h"
#include "base/err.h"

static int run(void (*work)(void *, struct buf *), void *arg, char said[100],
	       struct err *err)
{
	const struct confined_spec spec = {
		.work = work, .arg = arg, .timeout_ms = 3000,
		.memory_max = (size_t)512 << 20, .cpu_max = 2,
	};
	struct buf out = BUF_INIT(99);
	int rc;

	*err = (struct err)ERR_INIT;
	rc = confined_run(&spec, &out, err);
	strcpy(said, out.s);
	buf_release(&out);
	return rc;
}

static void says(void *arg, struct buf *out)
{
	buf_addstr(out, arg);
}

static void what_it_says_comes_back(void **state)
{
	char said[100], word[] = "hello";
	struct err err;

	(void)state;
	assert_int_equal(run(says, word, said, &err), 0);
	assert_string_equal(said, "hello");
}

static void aborts(void *arg, struct buf *out)
{
	(void)arg;
	buf_addstr(out, "half");
	signal(SIGABRT, SIG_DFL);
	abort();
}

static void sleeps(void *arg, struct buf *out)
{
	(void)arg;
	(void)out;
	sleep(60);
}

static void spins(void *arg, struct buf *out)
{
	volatile int go = 1;

	(void)arg;
	(void)out;
	while (go)
		continue;
}

static void babbles(void *arg, struct buf *out)
{
	(void)arg;
	for (int i = 0; i < 1000; i++)
		buf_addstr(out, "more");
}

static void exits(void *arg, struct buf *out)
{
	(void)arg;
	(void)out;
	_exit(0);	/* well, as it seems, but nothing was said */
}

static void its_death_is_an_error(void **state)
{
	void (*const work[])(void *, struct buf *) = {
		aborts, sleeps, spins, babbles,
	};
	char said[100];
	struct err err;

	(void)state;
	for (size_t i = 0; i < sizeof(work) / sizeof(*work); i++) {
		assert_int_equal(run(work[i], NULL, said, &err), -1);
		assert_int_equal(err.code, ERR_INPUT);
	}
	assert_int_equal(run(exits, NULL, said, &err), 0);
	assert_string_equal(said, "");
}

static void devours(void *arg, struct buf *out)
{
	(void)arg;
	if (!malloc((size_t)600 << 20))
		buf_addstr(out, "no memory");
}

static void memory_has_an_end(void **state)
{
	char said[100];
	struct err err;

	(void)state;
#ifdef __SANITIZE_ADDRESS__
	print_message("the address sanitizer needs all of the memory\n");
	skip();
#endif
	assert_int_equal(run(devours, NULL, said, &err), 0);
	assert_string_equal(said, "no memory");
}

/* Each letter is something that it can do. */
static void tries(void *arg, struct buf *out)
{
	const int *ours = arg;
	int fd;

	if (socket(AF_INET, SOCK_STREAM, 0) != -1)
		buf_addstr(out, "inet ");
	if (socket(AF_UNIX, SOCK_DGRAM, 0) != -1)
		buf_addstr(out, "unix ");
	if (fcntl(*ours, F_GETFD) != -1)
		buf_addstr(out, "descriptor ");
	execl("/bin/true", "true", NULL);
	if (errno != EPERM && errno != EACCES)
		buf_addstr(out, "exec ");
	if (kill(getppid(), 0) == 0)
		buf_addstr(out, "kill ");
	fd = open("/usr/lib", O_RDONLY | O_DIRECTORY);
	buf_addstr(out, fd == -1 ? "" : "lib ");
	if (fork() != -1)
		buf_addstr(out, "fork ");
	if (open("confined-test", O_WRONLY | O_CREAT, 0600) != -1 ||
	    creat("confined-test", 0600) != -1)
		buf_addstr(out, "write ");
	if (chmod("/usr/lib", 0755) != -1 || unlink("nothing") != -1 ||
	    errno == ENOENT)
		buf_addstr(out, "change ");
	if (!confined_lacks() && open("/etc/passwd", O_RDONLY) != -1)
		buf_addstr(out, "read ");
}

static void it_can_do_nothing_else(void **state)
{
	int ours = open("/", O_RDONLY | O_DIRECTORY);
	char said[100];
	struct err err;

	(void)state;
	assert_int_not_equal(ours, -1);
	ours = fcntl(ours, F_DUPFD, 10);
	assert_int_equal(run(tries, &ours, said, &err), 0);
	assert_string_equal(said, "lib ");
	assert_int_equal(access("confined-test", F_OK), -1);
	close(ours);
}

/* From here on the kernel knows no seccomp, as far as we can tell. */
static void lose_seccomp(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_SECCOMP, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(*filter),
				      filter };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		_exit(3);
}

/* In a process of its own: what was lost does not come back. */
static int without_seccomp(bool go_on)
{
	struct confined_spec spec = {
		.work = says, .arg = (void *)(uintptr_t)"hello",
		.timeout_ms = 3000, .memory_max = (size_t)512 << 20,
		.cpu_max = 2, .without_filter = go_on,
	};
	struct buf out = BUF_INIT(99);
	struct err err = ERR_INIT;
	pid_t pid = fork();
	int status = -1;

	if (!pid) {
		lose_seccomp();
		if (confined_run(&spec, &out, &err) == -1)
			_exit(err.code == ERR_CONFIG && !out.len ? 1 : 2);
		_exit(strcmp(out.s, "hello") ? 2 : 0);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void nothing_is_read_without_seccomp(void **state)
{
	(void)state;
	assert_int_equal(without_seccomp(false), 1);
	assert_int_equal(without_seccomp(true), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_it_says_comes_back),
		cmocka_unit_test(its_death_is_an_error),
		cmocka_unit_test(memory_has_an_end),
		cmocka_unit_test(it_can_do_nothing_else),
		cmocka_unit_test(nothing_is_read_without_seccomp),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
