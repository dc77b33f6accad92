#ifndef MAIL_MSGID_H
#define MAIL_MSGID_H

struct buf;

/* Longer ones exist only to break us; RFC 5322 lines end at 998. */
#define MSGID_MAX 900

/* Ids taken from one header; References of long threads are cut by mailers
 * far below this. */
#define MSGIDS_MAX 500

/*
 * Find the next Message-ID in the body of References, In-Reply-To and the like.
 *
 * "*pos" walks over the NUL-terminated body, from its start until the
 * function returns 0.  The ID goes to "id" (which is emptied first) without
 * angle brackets and without the blanks that bad folding leaves inside.
 * Whatever stands between IDs does not count: words, as in "Ann's mail of
 * Monday <a@b>", quoted strings, and comments even when they hold one,
 * "(<no@id>)".
 *
 * Returns 1 as long as there is an ID, then 0.
 */
int msgid_next(const char **pos, struct buf *id);

/*
 * As msgid_next() for bodies without a single <ID>: words that look like
 * "left@right" are ids then.
 */
int msgid_next_bare(const char **pos, struct buf *id);

#endif
