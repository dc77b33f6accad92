#ifndef MAIL_MSGID_H
#define MAIL_MSGID_H

struct buf;

/* Longer ones exist only to break us; RFC 5322 lines end at 998. */
#define MSGID_MAX 900

/* Ids taken from one header; References of long threads are cut by mailers
 * far below this. */
#define MSGIDS_MAX 500

/*
 * Take the next Message-ID from a References-like header body.
 *
 * "*pos" walks over the NUL-terminated body, from its start until the
 * function returns 0.  The ID goes to "id" (which is emptied first) without
 * angle brackets and without the blanks that bad folding leaves inside.
 * Comments, quoted strings and text that is no <ID> are skipped: real
 * headers hold "message of Tue <a@b>" and "(<no@id>)".
 *
 * Returns 1 when an ID was found, 0 at the end.
 */
int msgid_next(const char **pos, struct buf *id);

/*
 * As msgid_next() for bodies without a single <ID>: words that look like
 * "left@right" are ids then.
 */
int msgid_next_bare(const char **pos, struct buf *id);

#endif
