#ifndef PEOPLE_GIT_H
#define PEOPLE_GIT_H

#include <stddef.h>

struct buf;
struct err;

/*
 * The git command, on a repository that may be a stranger's: run by argv, with
 * nothing of our environment's GIT_*, no hooks, no file system monitor, no
 * external diff, no signature checks, no network.  Read-only commands.
 */

enum { GIT_ARGS_MAX = 24, GIT_TIMEOUT_MS = 60000 };

struct git {
	const char *dir;	/* a work tree or a bare repository */
	const char *index;	/* a file that stands in for its index, or NULL */
};

/*
 * Run "git ARGS..." (NULL-terminated, GIT_ARGS_MAX at most) with "input" on its
 * standard input (NULL: none), append what it prints to "out".  Returns 0, or
 * -1 with "err": ERR_INPUT when git says no (its own first line as the reason)
 * or prints more than "out" may hold, then with the beginning in "out".
 */
int git_run(const struct git *g, const char *const *args, const char *input,
	    struct buf *out, struct err *err);

/*
 * The full hash of the commit that "rev" names (a hash, a tag, a branch,
 * HEAD~2).  What looks like an option, or is longer or stranger than a
 * revision needs, is refused before git sees it.
 */
int git_commit_hash(const struct git *g, const char *rev, char hash[65],
		    struct err *err);

/*
 * Does the branch, ours or a remote's, hold the commit?  1: one of that name
 * does; 0: none does; -1: there is none of that name, or git fails.
 */
int git_branch_holds(const struct git *g, const char *branch,
		     const char *hash);

#endif
