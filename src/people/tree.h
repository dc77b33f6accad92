#ifndef PEOPLE_TREE_H
#define PEOPLE_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

struct conf;
struct err;

/*
 * Who hears of a tree's commits.  Profiles stand in the configuration
 * ("trees.NAME"); a few trees that are public beyond doubt are known without.
 * Of any other tree only the author hears: nobody wants to find an unfinished
 * branch on a public list.
 */

enum tree_mail {
	TREE_NOBODY,
	TREE_AUTHOR,	/* of the commit, and whom the profile adds */
	TREE_PEOPLE,	/* committer and those the message names, too */
	TREE_LISTS,	/* MAINTAINERS' lists and the operator's, too */
};

struct tree {
	const char *name;	/* short, for subjects; NULL: not configured */
	const char *url;	/* the first one configured, or NULL */
	enum tree_mail mail;
	const char *const *to, *const *cc;	/* added; NULL-terminated */
	const char *const *leave_out;	/* patterns of addresses, likewise */
	const char *const *allow, *const *deny;	/* patterns of branches */
	bool maintainers;	/* MAINTAINERS' M: and R: hear of it, too */
};

/*
 * The profile for "url" (or the short name itself); NULL gives that for unknown
 * trees.  Two ways to write one URL are the same: scheme, user, ".git" and
 * kernel.org's /cgit and /pub/scm do not matter.  Its strings live as long as
 * "conf".
 */
struct tree tree_find(const struct conf *conf, const char *url);

/*
 * May a report on this branch (NULL: not known) go out at all?  Returns 0, or
 * -1 with "err" (ERR_DENIED) naming the pattern.
 */
int tree_check(const struct tree *t, const char *branch, struct err *err);

/* Do both URLs name one tree?  What does not matter: as above. */
bool tree_is_same_url(const char *a, const char *b);

/* A short name from a URL, "linux-next" from ".../next/linux-next.git" and
 * "tip" from ".../tip/tip.git"; where the last part says nothing ("linux"), the
 * owner's, "linus" for torvalds/linux. NULL when there is none. */
const char *tree_guess_name(struct arena *a, const char *url);

/* "author", "people", "lists", "nobody" */
const char *tree_mail_name(enum tree_mail mail);

#endif
