#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct buf;
struct err;

/*
 * Another program, run by argv and never by a shell, in a process group of
 * its own, with all other descriptors closed.
 */
struct child_spec {
	const char *const *argv;	/* NULL-terminated; [0] is searched in PATH */
	const char *dir;		/* working folder, NULL: ours */
	const char *const *env;		/* "K=V"s added to ours, "K"s taken out of it,
					 * NULL-terminated, or NULL */
	const void *input;		/* is its standard input, all of it even if we
					 * die; else /dev/null */
	size_t input_len;
	struct buf *out;		/* standard output goes here, up to its limit;
					 * NULL: discarded */
	struct buf *errout;		/* standard error likewise; NULL: ours */
	int64_t timeout_ms;		/* 0: none.  Then SIGTERM, and SIGKILL a
					 * second later, to the whole group */
	size_t memory_max;		/* RLIMIT_AS in bytes, 0: none */
};

/*
 * Run it to its end.  Returns its exit status (0..255), or -1 with "err":
 * ERR_SYSTEM cannot start, ERR_TEMP deadline passed, ERR_PERM died by a
 * signal, ERR_INPUT more output than "out" may hold (it is killed then).
 */
int child_run(const struct child_spec *spec, struct err *err);

#endif
