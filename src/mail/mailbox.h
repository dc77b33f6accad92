#ifndef MAIL_MAILBOX_H
#define MAIL_MAILBOX_H

#include <stddef.h>
#include <stdint.h>

struct buf;
struct err;
struct mailbox;

/*
 * The messages of a file or folder, one after the other, in constant memory:
 * a file with one message, an mbox (its first line is "From ..."; mboxrd
 * quoting undone), a Maildir (new and cur), a folder of files; "-" is standard
 * input.  Folders are read in the order of their names.
 *
 * Returns NULL with "err" when it cannot be opened.
 */
struct mailbox *mailbox_open(const char *path, struct err *err);

/*
 * A file that is open already, from "offset" on, where a message starts.  The
 * descriptor stays the caller's.
 */
struct mailbox *mailbox_open_at(int fd, const char *name, int64_t offset,
				struct err *err);

/* Of a file: the offset behind the last message. */
int64_t mailbox_offset(const struct mailbox *m);

/*
 * The next message into "bytes" (emptied first; NULL: only pass over it).  Returns 1, 0 at the end, or
 * -1 with "err" ("FILE: reason" or "FILE:LINE: reason") for one message that
 * cannot be had, such as one beyond the limit of "bytes": the next call goes
 * on behind it.
 */
int mailbox_next(struct mailbox *m, struct buf *bytes, struct err *err);

/* Where the last message stands: "FILE", or "FILE:LINE" in an mbox. */
const char *mailbox_place(const struct mailbox *m);

void mailbox_close(struct mailbox *m);

#endif
