#ifndef BOT_SOURCE_H
#define BOT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "bot/bot.h"
#include "mail/id.h"
#include "mail/message.h"
#include "request/request.h"
#include "store/reports.h"

/*
 * Where a request's patch comes from, and the patch itself, looked at and
 * found fit (policy/patch.h), or the reason why there is none.
 */

struct source {
	const char *kind;	/* "inline", "attachment", "url", "message-id",
				 * "thread", "revert" or "none" */
	const char *id;		/* Message-ID of the mail that holds it, NULL */
	const char *url;	/* NULL unless it was named by one */
	bool pending;		/* a replay: it would be fetched */
	const char *diff;	/* all of it, one diff */
	const char *mbox;	/* for git am */
	const char *subject, *author;	/* of the first patch, or NULL */
	size_t count;		/* of patches */
	char digest[DIGEST_HEX];	/* of the normalised diff */
	const char **file;
	size_t nfile;
	bool host_files;	/* touches what runs on the build host */
	const char *host_file;	/* the first of those */

	/* What is wrong, when nothing can be done with it: a name such as
	 * "no-patch-found", and words for whoever asked. */
	const char *error, *reason;
	const struct message *candidate[8];	/* "which-patch": these */
	size_t ncandidate;
};

/* Mails that were read on the way. */
#define OPENED_MAX 64

struct opened {
	struct message *v[OPENED_MAX];
	size_t n;
	bool last_try;		/* a page that cannot be fetched now is given up */
};
void opened_release(struct opened *o);

/*
 * Find the patch of request "r" in mail "m"; a commit that is to be taken back,
 * in the repository "clone" (NULL: there is none).  Returns 0 (look at src->error),
 * or -1 with "err": the store failed, or (ERR_TEMP) a page cannot be fetched
 * now.  Strings live in "a"; candidates until opened_release().
 */
int source_find(struct source *src, const struct bot *bot,
		const char *clone, const struct message *m,
		const struct request *r, struct opened *o, struct arena *a,
		struct err *err);

#endif
