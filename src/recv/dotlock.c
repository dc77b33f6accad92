#include "recv/dotlock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { WHO_SIZE = 300 };

static void who_are_we(char who[WHO_SIZE])
{
	char host[256] = "";

	gethostname(host, sizeof(host) - 1);
	snprintf(who, WHO_SIZE, "%ld:%s", (long)getpid(), host);
}

/* Is it the lock of a process of this machine that is no more? */
static bool is_of_the_dead(const char *text)
{
	char us[WHO_SIZE], *end;
	long pid = strtol(text, &end, 10);

	who_are_we(us);
	if (pid <= 0 || pid > INT32_MAX ||
	    (*end == ':' && strcmp(end, strchr(us, ':'))))
		return false;
	/* Whoever had our number before: we hold none. */
	return pid == getpid() || (kill((pid_t)pid, 0) == -1 &&
				   errno == ESRCH);
}

static bool is_stale(int fd)
{
	char text[WHO_SIZE] = "";
	struct stat st;
	ssize_t n = read(fd, text, sizeof(text) - 1);

	while (n > 0 && (text[n - 1] == '\n' || text[n - 1] == ' '))
		text[--n] = '\0';
	if (n > 0 && is_of_the_dead(text))
		return true;
	return fstat(fd, &st) == 0 && time(NULL) - st.st_mtime > DOTLOCK_STALE;
}

static bool is_still(const char *path, int fd)
{
	struct stat now, then;

	return stat(path, &now) == 0 && fstat(fd, &then) == 0 &&
	       now.st_ino == then.st_ino && now.st_dev == then.st_dev;
}

/* Two of us may find the same one: who comes second must not break the new
 * lock of who came first. */
static void break_if_stale(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd == -1)
		return;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0 && is_stale(fd) &&
	    is_still(path, fd))
		unlink(path);
	close(fd);
}

int dotlock_try(const char *path)
{
	char who[WHO_SIZE];
	int fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0444);

	if (fd != -1) {
		who_are_we(who);
		/* Without it the lock is one that tells no holder. */
		if (write(fd, who, strlen(who)) == -1)
			errno = 0;
		close(fd);
		return 1;
	}
	if (errno != EEXIST)
		return -1;
	break_if_stale(path);
	return 0;
}

void dotlock_drop(const char *path)
{
	unlink(path);
}
