/*
 * used TIMES COMMAND [ARGUMENT]...
 *
 * Run a command so often, its output thrown away, and print the least
 * processor time of a run in milliseconds and the most memory in KB.
 *
 * A program of its own, and a small one: of a child's peak the kernel counts
 * in what its parent had when it was started (exec(2) carries it over), which
 * for a script in Python is more than perfpost ever needs.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char **environ;

static double milliseconds(const struct timeval *t)
{
	return (double)t->tv_sec * 1000 + (double)t->tv_usec / 1000;
}

/* Returns 0, or what the command ended with. */
static int run(char **argv, const posix_spawn_file_actions_t *quiet,
	       struct rusage *used)
{
	int status = 0;
	pid_t pid;

	errno = posix_spawnp(&pid, argv[0], quiet, NULL, argv, environ);
	if (errno) {
		fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
		return 127;
	}
	while (wait4(pid, &status, 0, used) == -1 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

int main(int argc, char **argv)
{
	int times = argc > 2 ? atoi(argv[1]) : 0;
	posix_spawn_file_actions_t quiet;
	double least = 1e99;
	long most = 0;

	if (times < 1) {
		fprintf(stderr, "usage: used TIMES COMMAND [ARGUMENT]...\n");
		return 2;
	}
	posix_spawn_file_actions_init(&quiet);
	for (int fd = 1; fd <= 2; fd++)
		posix_spawn_file_actions_addopen(&quiet, fd, "/dev/null",
						 O_WRONLY, 0);
	while (times--) {
		struct rusage used = { .ru_maxrss = 0 };
		int status = run(argv + 2, &quiet, &used);
		double took = milliseconds(&used.ru_utime) +
			      milliseconds(&used.ru_stime);

		if (status) {
			fprintf(stderr, "%s: status %d\n", argv[2], status);
			return 1;
		}
		least = took < least ? took : least;
		most = used.ru_maxrss > most ? used.ru_maxrss : most;
	}
	posix_spawn_file_actions_destroy(&quiet);
	printf("%.2f %ld\n", least, most);
	return 0;
}
