#ifndef POLICY_PATCH_H
#define POLICY_PATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/*
 * Is a patch fit to be applied to a checkout?  Asked before any machine is
 * used and before git sees it: a patch is code from a stranger.
 */

struct patch_rules {
	size_t max_size;	/* bytes */
	size_t max_files;
	bool binary;		/* binary hunks are accepted */
	const char *const *host_files;	/* patterns (glob, "*" crosses "/") of
					 * paths that run on the build host */
};

enum patch_flaw {
	FLAW_NONE,
	FLAW_EMPTY,		/* no diff in it */
	FLAW_SIZE, FLAW_FILES,
	FLAW_NUL, FLAW_CR,	/* NUL bytes; CR inside header lines */
	FLAW_BINARY,		/* a binary hunk, and those are refused */
	FLAW_NO_DATA,		/* "Binary files differ": there is nothing in it */
	FLAW_PATH,		/* "..", absolute, control characters, too long */
	FLAW_GIT,		/* inside of .git */
	FLAW_SYMLINK, FLAW_MODE,
	FLAW_SYNTAX,		/* counts that do not fit, a file without name */
	NFLAWS,
};

struct patch_finding {
	enum patch_flaw flaw;
	size_t line;		/* of the patch, from 1; 0: the whole */
	const char *reason;	/* for a person */
	const char **file;	/* touched, each once, "a/" and "b/" taken off */
	size_t nfile;
	const char **host_file;	/* those of them that run on the build host */
	size_t nhost_file;
};

/* The default patterns: scripts, tools, Makefiles, Kconfig and the like. */
extern const char *const patch_host_files[];

/* Looks at all "len" bytes; stops at the first flaw.  Never fails. */
void patch_check(struct patch_finding *f, const char *text, size_t len,
		 const struct patch_rules *rules, struct arena *a);

/* "binary-patch-not-accepted" and the like: for answers and logs. */
const char *patch_flaw_name(enum patch_flaw flaw);

#endif
