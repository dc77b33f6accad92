#ifndef PEOPLE_COMMIT_H
#define PEOPLE_COMMIT_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "data/json.h"
#include "mail/message.h"
#include "people/git.h"

struct err;

/* A merge of more files than that is a pull of many people's work. */
enum { MERGE_FILES_MAX = 500 };

/*
 * A commit, or a patch from a mail, and the persons it names.  Everything is
 * valid UTF-8 in one line without control characters, whatever the author put
 * there; names and addresses have gone through .mailmap.
 */

struct trailer {
	const char *key;	/* "Reviewed-by", in the spelling usual */
	const char *value;	/* the whole of it */
	struct address who;	/* of a -by or Cc; address "" when it holds
				 * none */
	const char *was;	/* the address as written, where .mailmap says
				 * another; else NULL */
};

struct commit {
	struct arena arena;
	const char *hash;	/* 40 or 64 hex digits; "" for a patch alone */
	struct strings parents;
	const char *subject;
	const char *message;	/* all of it, as the author wrote it; or NULL */
	const char *subsystem;	/* "mm, thp", the subject's prefix; or NULL */
	struct address author, committer;	/* address "" when unfit */
	const char *author_was, *committer_was;	/* as trailer.was */
	int64_t date;		/* of the author */
	struct trailer *trailer;	/* in the order of the message */
	size_t ntrailer;
	struct strings fixes;	/* "9fffc0ffee12 (\"mm: ...\")" */
	const char *link_id;	/* Message-ID of the patch mail, or NULL */
	struct strings files;	/* paths touched; of a merge what it brought to
				 * its first parent */
	size_t merged;		/* how many files a merge brought that is too
				 * large to be for somebody: then "files" is
				 * empty; else 0 */
};
#define COMMIT_INIT { .arena = ARENA_INIT, .hash = "", .subject = "", \
		      .author = { "", "" }, .committer = { "", "" } }

/*
 * Read "rev" from a repository.  Returns 0, or -1 with "err".  A message or a
 * list of files beyond our limits is cut with a warning, no error.
 */
int commit_read(struct commit *c, const struct git *g, const char *rev,
		struct err *err);
void commit_release(struct commit *c);

/*
 * What the K: patterns of MAINTAINERS look at: the message, then the added and
 * removed lines without their sign, up to the limit of "out".
 */
int commit_changes(const struct commit *c, const struct git *g,
		   struct buf *out, struct err *err);

/*
 * Take subject, trailers and the like from a commit message: what
 * commit_read() does with what git prints, without git.  For patches.
 */
void commit_message(struct commit *c, const char *text, size_t len);

/* The subject alone, and what follows from it. */
void commit_subject(struct commit *c, const char *text, size_t len);

/* "mm, thp" of "[PATCH v2 1/3] mm, thp: track ...", or NULL. */
const char *subject_subsystem(struct arena *a, const char *subject);

/*
 * The Message-ID in an archive's URL (lore.kernel.org/r/ID and its kin), or
 * NULL.
 */
const char *link_message_id(struct arena *a, const char *url);

/*
 * Fill in what "facts" does not say yet of one of its commits: its full hash
 * and what commit_describe() fills in.  "name" is what others call it: its
 * hash or the beginning of it, a tag; NULL: its hash.
 */
void commit_facts(const struct commit *c, json_t *facts, const char *name);

/* Fill in what "given", the facts' object of this commit, does not say yet:
 * subject, author, parents, fixes, message_id. */
void commit_describe(const struct commit *c, json_t *given);

#endif
