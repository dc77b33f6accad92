#ifndef THREAD_THREAD_H
#define THREAD_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "mail/message.h"

/*
 * Which mails belong together.  A pure algorithm: it knows mails by their
 * header alone and asks nobody.
 */

/* What threading needs of a mail; the caller owns it and what it points to. */
struct thread_mail {
	const char *id;			/* "" when it has none */
	struct strings in_reply_to, references;
	const char *subject;
	struct address author;		/* message_author() */
	int64_t date;			/* INT64_MIN: unknown */
};

/*
 * The nearest ancestor of a mail that somebody knows: its References from the
 * newest to the oldest, then its In-Reply-To.  Its own id is none of its
 * ancestors.  Returns an id of the mail's, or NULL when no one is known.
 */
const char *thread_ancestor(const struct thread_mail *m,
			    bool (*known)(void *arg, const char *id),
			    void *arg);

#define THREAD_NONE ((size_t)-1)

enum thread_link {
	THREAD_LINK_NONE,		/* a root */
	THREAD_LINK_REFERENCES,
	THREAD_LINK_IN_REPLY_TO,
	THREAD_LINK_SUBJECT,		/* the last resort */
};

struct thread_node {
	const char *id;
	const struct thread_mail *mail;	/* NULL: a ghost, named but not seen */
	size_t parent, child, next;	/* indexes, THREAD_NONE: none */
	enum thread_link link;		/* how the parent was found */
	unsigned int copies;		/* mails of this id, the first counts */
};

/* A forest over the mails given and the ghosts that join them. */
struct threads {
	struct arena arena;
	struct thread_node *node;	/* [0 .. nmail-1] are the mails */
	size_t n;
	size_t *root;			/* in the order of their dates */
	size_t nroot;
};

/*
 * Each mail becomes a child of the newest of its References (else of its
 * In-Reply-To), loops excepted; one that names nobody takes the place that the
 * References of others give it.  Ghosts stay only where they hold several
 * mails together.  A mail with "Re:" that names no ancestor joins the thread
 * of its subject when there is exactly one.  Siblings and roots stand in the
 * order of their dates.  A second mail of one id adds to "copies" and its
 * node (parent THREAD_NONE) is no root.
 */
void threads_build(struct threads *t, const struct thread_mail *mail,
		   size_t nmail);
void threads_release(struct threads *t);

/*
 * Walk a thread from its root, parents before children.  Start with "i" the
 * root and "*depth" 0; returns the next node or THREAD_NONE.
 */
size_t threads_next(const struct threads *t, size_t i, int *depth);

/* The root above node "i". */
size_t threads_root(const struct threads *t, size_t i);

/* "none", "references", ... */
const char *thread_link_name(enum thread_link l);

#endif
