#include "run/descendants.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"

/* "4711 (a name) S 4710 ...": the parent of a process, 0: not known. */
static pid_t parent_of(const char *pid)
{
	struct buf path = BUF_INIT(64);
	char text[512];
	const char *end;
	ssize_t n = -1;
	int fd;

	buf_addf(&path, "/proc/%.20s/stat", pid);
	fd = open(path.s, O_RDONLY | O_CLOEXEC);
	buf_release(&path);
	if (fd != -1) {
		n = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	if (n <= 0)
		return 0;
	text[n] = '\0';
	end = strrchr(text, ')');
	return end && end[1] && end[2] ? (pid_t)strtol(end + 3, NULL, 10) : 0;
}

/* SIGKILL to each child of ours; theirs become ours when they are gone. */
static void kill_children(void)
{
	DIR *proc = opendir("/proc");
	pid_t self = getpid();
	struct dirent *e;

	while (proc && (e = readdir(proc)))
		if (strspn(e->d_name, "0123456789") == strlen(e->d_name) &&
		    parent_of(e->d_name) == self)
			kill((pid_t)strtol(e->d_name, NULL, 10), SIGKILL);
	if (proc)
		closedir(proc);
}

/* Reap those that ended.  Are there others? */
static bool some_are_left(void)
{
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
		continue;
	return pid == 0;
}

void descendants_end(int seconds)
{
	const struct timespec rest = { .tv_nsec = 2000000 };
	time_t end = time(NULL) + seconds;

	while (some_are_left() && time(NULL) <= end) {
		kill_children();
		nanosleep(&rest, NULL);
	}
}
