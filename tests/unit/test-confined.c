#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
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

#ifndef __SANITIZE_ADDRESS__
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
	assert_int_equal(run(devours, NULL, said, &err), 0);
	assert_string_equal(said, "no memory");
}
#endif

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
	if (!confined_lacks()) {
		if (open("/etc/passwd", O_RDONLY) != -1)
			buf_addstr(out, "read ");
		if (open("confined-test", O_WRONLY | O_CREAT, 0600) != -1)
			buf_addstr(out, "write ");
	}
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_it_says_comes_back),
		cmocka_unit_test(its_death_is_an_error),
#ifndef __SANITIZE_ADDRESS__
		cmocka_unit_test(memory_has_an_end),
#endif
		cmocka_unit_test(it_can_do_nothing_else),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
