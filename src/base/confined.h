#ifndef BASE_CONFINED_H
#define BASE_CONFINED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct err;

/*
 * Work on what a stranger sent, in a process that can do nothing else: a fork
 * of ours with all descriptors closed, no new privileges, no sockets, no other
 * programs and no writing (seccomp, callfilter.h), no reading of files but the
 * C library's own below /usr (landlock), limits of memory and processor time,
 * and a deadline.  What it appends to "out" comes back over a pipe.
 *
 * It does not begin before it is confined.  Without landlock it does, as older
 * kernels have none; the caller says so (confined_lacks()).
 *
 * It is a copy of us: what we hold in memory it can read, so a secret is best
 * wiped by "work" first.  What comes back may be anything at all.
 */
struct confined_spec {
	void (*work)(void *arg, struct buf *out);
	void *arg;
	int64_t timeout_ms;
	size_t memory_max;	/* of address space, in bytes */
	unsigned int cpu_max;	/* seconds */
	bool without_filter;	/* begin even where there is no seccomp */
};

/*
 * Returns 0 with what it said in "out", whose limit holds; or -1 with "err":
 * ERR_INPUT when it died, ran into a limit or said too much, ERR_CONFIG when
 * it cannot be confined, ERR_SYSTEM when it cannot be started.
 */
int confined_run(const struct confined_spec *spec, struct buf *out,
		 struct err *err);

/* What this kernel cannot do of it, in words ("landlock"), or NULL. */
const char *confined_lacks(void);

#endif
