#ifndef THREAD_SERIES_H
#define THREAD_SERIES_H

#include "thread/thread.h"

/*
 * Patches that were sent as one: "[PATCH v2 net-next 3/7] subject".
 */

/* What a subject says of its place in a series. */
struct patch_tag {
	bool is_patch;		/* "[PATCH ...]", "[RFC 1/2]", and no "Re:" */
	unsigned int version;	/* 1 when it does not say */
	unsigned int number, total;	/* 3/7; 1/1 for a patch alone; 0/n is
					 * the cover letter */
	const char *title;	/* what follows the brackets, within "subject" */
};
void patch_tag_read(struct patch_tag *tag, const char *subject);

#define SERIES_MAX 500		/* patches in one */

struct series {
	unsigned int version, total;
	const char *title;	/* of the cover letter, else of the first */
	struct address author;	/* of the patches, where the cover letter has
				 * another */
	size_t *slot;		/* [0] cover letter, [1..total]: node indexes,
				 * THREAD_NONE where it is missing */
	bool complete;		/* all patches are there, cover or not */
	size_t older;		/* the series of the version before, index */
	size_t start;		/* node of the mail that began it; the list is
				 * in the order in which a walk meets them */
};

struct series_list {
	struct arena arena;
	struct series *v;
	size_t n;
};

/*
 * Find the series among the mails of a forest.  A patch joins the series of
 * its nearest ancestor that has the same sender (sender.h), version and total
 * and its place free; patches that were not sent as a thread join within an
 * hour.  A cover letter that has no patch of its own sender gets those that
 * answer it when all of them are there, of one sender, within an hour, and of
 * nobody else too.  One series is never filled from another.  The order of
 * arrival does not matter.
 */
void series_find(struct series_list *list, const struct threads *t);
void series_release(struct series_list *list);

/* The series that holds the mail of that node, or NULL. */
const struct series *series_of(const struct series_list *list, size_t node);

#endif
