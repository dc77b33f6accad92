#ifndef POLICY_URL_H
#define POLICY_URL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

struct err;

/*
 * URLs that strangers give us: read strictly, and only those of hosts that
 * the configuration names.
 */

struct url {
	const char *scheme;	/* "https" or "git" */
	const char *host;	/* lower case */
	const char *port;	/* "" is the usual one */
	const char *path;	/* from the first "/", with query, no fragment */
};

struct url_rules {
	const char *const *hosts;	/* "lore.kernel.org", "*.kernel.org" */
	bool insecure;		/* http too, ports and address literals too:
				 * for tests on the machine itself */
};

/*
 * Read and judge: https or git, no user or password, no port but the usual,
 * no address literal, no control characters, blanks or backslashes, a host
 * from the list.  0, or -1 with "err": ERR_INPUT it is none, ERR_DENIED it is
 * not for us.
 */
int url_check(struct url *u, const char *text, const struct url_rules *rules,
	      struct arena *a, struct err *err);

/*
 * Where the raw patch of a page is to be had: an archive's message (its
 * "raw"), a patch or series in patchwork (its "mbox"), a commit, comparison,
 * pull or merge request of github and gitlab (".patch"), a commit of cgit
 * ("patch"), and what is raw already.  NULL when it is none of them.
 */
const char *url_of_patch(const struct url *u, struct arena *a);

/* The Message-ID that an archive's address names, its escapes resolved: the
 * first of four elements of the path that msgid_likely().  NULL: none is. */
const char *url_msgid(const struct url *u, struct arena *a);

#endif
