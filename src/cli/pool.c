#include "cli/pool.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/log.h"
#include "cli/cli.h"

struct worker {
	pid_t pid;
	int fd;			/* its results, -1: it has ended */
};

struct pool {
	unsigned int jobs, self;
	size_t items;		/* seen so far */
	int fd;			/* to the parent, -1: there is none */
	int rc;
};

/* What stands before each result in the pipe. */
struct record {
	size_t len;
	bool failed;
	struct err err;
};

bool pool_mine(struct pool *p)
{
	return p->items++ % p->jobs == p->self;
}

static bool print(struct pool *p, const char *text, size_t len,
		  const struct err *err)
{
	int rc = EX_OK;

	if (err)
		rc = cmd_fail(err);
	if (len)
		rc = cmd_print(text, len);
	if (p->rc == EX_OK)
		p->rc = rc;
	return !ferror(stdout);
}

static bool write_all(int fd, const void *data, size_t len)
{
	const char *s = data;
	ssize_t n;

	while (len) {
		n = write(fd, s, len);
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1)
			return false;
		s += n;
		len -= (size_t)n;
	}
	return true;
}

bool pool_put(struct pool *p, const struct buf *out, const struct err *err)
{
	struct record r;

	if (p->fd == -1)
		return print(p, out ? out->s : "", out ? out->len : 0, err);
	memset(&r, 0, sizeof(r));
	r.len = out ? out->len : 0;
	r.failed = err != NULL;
	if (err)
		r.err = *err;
	return write_all(p->fd, &r, sizeof(r)) &&
	       (!out || write_all(p->fd, out->s, out->len));
}

/* All of "len" bytes. False at the end, which may come too early. */
static bool read_all(int fd, void *data, size_t len)
{
	char *s = data;
	ssize_t n;

	while (len) {
		n = read(fd, s, len);
		if (n == -1 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		s += n;
		len -= (size_t)n;
	}
	return true;
}

static void end_worker(struct pool *p, struct worker *w)
{
	int status = 0;

	close(w->fd);
	w->fd = -1;
	while (waitpid(w->pid, &status, 0) == -1 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == EX_OK)
		return;
	log_error("a process died with %s %d; what it worked on is missing",
		  WIFSIGNALED(status) ? "signal" : "status",
		  WIFSIGNALED(status) ? WTERMSIG(status) :
					WEXITSTATUS(status));
	if (p->rc == EX_OK)
		p->rc = EX_SOFTWARE;
}

/* Take one result; false when nobody reads on. */
static bool take(struct pool *p, struct worker *w, struct buf *text)
{
	struct record r;
	char chunk[65536];

	if (!read_all(w->fd, &r, sizeof(r))) {
		end_worker(p, w);
		return true;
	}
	buf_reset(text);
	for (size_t left = r.len, n; left; left -= n) {
		n = left < sizeof(chunk) ? left : sizeof(chunk);
		if (!read_all(w->fd, chunk, n)) {
			end_worker(p, w);
			return true;
		}
		buf_add(text, chunk, n);
	}
	return print(p, text->s, text->len, r.failed ? &r.err : NULL);
}

static int start(struct worker *v, struct pool *p, unsigned int k,
		 void (*work)(struct pool *p, void *arg), void *arg)
{
	int fd[2];

	if (pipe(fd) == -1)
		return -1;
	v[k].pid = fork();
	if (v[k].pid == 0) {
		for (unsigned int i = 0; i < k; i++)
			close(v[i].fd);
		close(fd[0]);
		p->self = k;
		p->fd = fd[1];
		work(p, arg);
		_exit(EX_OK);
	}
	close(fd[1]);
	if (v[k].pid == -1) {
		close(fd[0]);
		return -1;
	}
	v[k].fd = fd[0];
	return 0;
}

static void collect(struct pool *p, struct worker *v, unsigned int n)
{
	struct buf text = BUF_INIT(SIZE_MAX / 2);
	unsigned int running = n;
	bool on = true;

	while (running && on) {
		running = 0;
		for (unsigned int k = 0; k < n && on; k++) {
			if (v[k].fd == -1)
				continue;
			on = take(p, &v[k], &text);
			running++;
		}
	}
	for (unsigned int k = 0; k < n; k++)
		if (v[k].fd != -1)
			end_worker(p, &v[k]);
	buf_release(&text);
}

int pool_run(unsigned int jobs, void (*work)(struct pool *p, void *arg),
	     void *arg)
{
	struct pool p = { .jobs = jobs, .fd = -1, .rc = EX_OK };
	struct worker v[POOL_MAX];
	unsigned int n = 0;

	if (jobs <= 1) {
		p.jobs = 1;
		work(&p, arg);
		return p.rc;
	}
	while (n < jobs && start(v, &p, n, work, arg) == 0)
		n++;
	if (n == jobs) {
		collect(&p, v, n);
		return p.rc;
	}
	log_error("cannot start %u processes: %s", jobs, strerror(errno));
	for (unsigned int k = 0; k < n; k++)
		end_worker(&p, &v[k]);
	return EX_OSERR;
}
