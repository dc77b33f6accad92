#include "run/orphans.h"

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"

#define ENVIRONMENT_MAX ((size_t)4 << 20)	/* more than execve(2) takes */

/* Has the process the mark?  Another user's cannot be read: it has none. */
static bool is_marked(const char *pid, const struct buf *mark,
		      struct buf *environment)
{
	struct buf path = BUF_INIT(64);
	bool found = false;

	buf_addf(&path, "/proc/%.20s/environ", pid);
	buf_reset(environment);
	if (file_read(path.s, environment, NULL) == 0)
		for (const char *p = environment->s, *end = p +
		     environment->len; p < end && !found; p += strlen(p) + 1)
			found = !strcmp(p, mark->s);
	buf_release(&path);
	return found;
}

/* One that ended but that nobody has reaped has no environment any more. */
static bool end_one(const char *name, const struct buf *mark,
		    struct buf *environment)
{
	pid_t pid = (pid_t)strtol(name, NULL, 10);
	int fd;
	bool marked;

	if (pid == getpid())
		return false;
	/* First the process, then the look at it: numbers are used again. */
	fd = pidfd_open(pid, 0);
	if (fd == -1)
		return false;
	marked = is_marked(name, mark, environment);
	if (marked)
		pidfd_send_signal(fd, SIGKILL, NULL, 0);
	close(fd);
	return marked;
}

/* SIGKILL to each.  How many there were. */
static size_t end_all(const struct buf *mark, struct buf *environment)
{
	DIR *proc = opendir("/proc");
	struct dirent *e;
	size_t n = 0;

	while (proc && (e = readdir(proc)))
		if (strspn(e->d_name, "0123456789") == strlen(e->d_name))
			n += end_one(e->d_name, mark, environment);
	if (proc)
		closedir(proc);
	return n;
}

void orphans_end(const char *folder, int seconds)
{
	const struct timespec rest = { .tv_nsec = 2000000 };
	struct buf mark = BUF_INIT(8192), environment =
		BUF_INIT(ENVIRONMENT_MAX);
	time_t end = time(NULL) + seconds;

	buf_addf(&mark, ORPHANS_MARK "=%s", folder);
	while (!buf_over(&mark) && end_all(&mark, &environment) &&
	       time(NULL) <= end)
		nanosleep(&rest, NULL);
	buf_release(&mark);
	buf_release(&environment);
}
