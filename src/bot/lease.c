#include "bot/lease.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "store/leases.h"

/* Field 22 of /proc/PID/stat: a process number is used again, this is not.
 * "" when there is no such process. */
static void started(long pid, char text[32])
{
	struct buf path = BUF_INIT(64), stat = BUF_INIT(4096);
	const char *p;

	*text = '\0';
	buf_addf(&path, "/proc/%ld/stat", pid);
	if (file_exists(path.s) && file_read(path.s, &stat, NULL) == 0 &&
	    (p = strrchr(stat.s, ')'))) {
		for (int field = 2; field < 22 && *p; p++)
			field += *p == ' ';
		snprintf(text, 32, "%.*s", (int)strcspn(p, " \n"), p);
	}
	buf_release(&path);
	buf_release(&stat);
}

/* "host.4026531836" */
static void machine(char text[100])
{
	char host[64] = "";
	struct stat st = { .st_ino = 0 };

	gethostname(host, sizeof(host) - 1);
	stat("/proc/self/ns/pid", &st);
	snprintf(text, 100, "%s.%llu", host, (unsigned long long)st.st_ino);
}

void lease_owner(char owner[OWNER_MAX])
{
	char here[100], since[32];

	machine(here);
	started((long)getpid(), since);
	snprintf(owner, OWNER_MAX, "%s %ld %s", here, (long)getpid(), since);
}

bool lease_is_dead(const char *owner)
{
	char here[100], since[32];
	size_t len;
	char *end;
	long pid;

	machine(here);
	len = strlen(here);
	if (strncmp(owner, here, len) || owner[len] != ' ')
		return false;
	pid = strtol(owner + len + 1, &end, 10);
	if (pid <= 0 || *end != ' ')
		return false;
	started(pid, since);
	return strcmp(end + 1, since) != 0;
}

int lease_take_back(struct store *s, struct err *err)
{
	struct arena a = ARENA_INIT;
	const char **owner;
	size_t n;
	int rc = lease_owners(s, clock_now(), &a, &owner, &n, err);

	for (size_t i = 0; rc == 0 && i < n; i++)
		if (lease_is_dead(owner[i]))
			rc = lease_end(s, owner[i], err);
	arena_release(&a);
	return rc;
}
