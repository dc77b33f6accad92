#include "cli/pager.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "cli/cli.h"

enum { WORDS_MAX = 16 };

/* The words of $PAGER; [0] NULL: there is nothing to run. */
static void pager_words(struct arena *a, char *word[WORDS_MAX + 1])
{
	const char *set = getenv("PAGER");
	char *s = arena_strdup(a, set ? set : "less -R"), *save = NULL;
	size_t n = 0;

	for (char *w = strtok_r(s, " \t", &save); w && n < WORDS_MAX;
	     w = strtok_r(NULL, " \t", &save))
		word[n++] = w;
	word[n] = NULL;
	if (n && !strcmp(word[0], "cat"))
		word[0] = NULL;
}

static void become_pager(int from, char *const word[])
{
	signal(SIGPIPE, SIG_DFL);
	setenv("LESS", "FRX", 0);	/* one screenful needs no key */
	if (dup2(from, STDIN_FILENO) != -1)
		execvp(word[0], word);
	_exit(127);
}

/* What the pager ended with; 127: it could not be started. */
static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) == -1)
		if (errno != EINTR)
			return 127;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

static int run_pager(const char *text, size_t len, char *const word[])
{
	int pipefd[2];
	pid_t pid;

	if (pipe(pipefd) == -1)
		return 127;
	pid = fork();
	if (pid == 0) {
		close(pipefd[1]);
		become_pager(pipefd[0], word);
	}
	close(pipefd[0]);
	/* Whoever leaves the pager early has seen enough: EPIPE is no error. */
	if (pid != -1)
		(void)file_write_fd(pipefd[1], "pager", text, len, NULL);
	close(pipefd[1]);
	return pid == -1 ? 127 : wait_for(pid);
}

int pager_show(const char *text, size_t len)
{
	struct arena a = ARENA_INIT;
	char *word[WORDS_MAX + 1];
	int rc = 127;

	if (isatty(STDOUT_FILENO)) {
		pager_words(&a, word);
		if (word[0])
			rc = run_pager(text, len, word);
		arena_release(&a);
	}
	if (rc == 127)
		return cmd_print(text, len);
	return EX_OK;
}
