#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stdbool.h>
#include <stdint.h>

struct err;
struct store;

/*
 * The state of perfpost, one SQLite file: mails, reports, threads, requests,
 * jobs, outbox, audit.  The stages of the bot meet only here.
 *
 * Each table has its header (mails.h, reports.h, requests.h, jobs.h, outbox.h,
 * audit.h); what is written by several calls between store_begin() and
 * store_commit() happens wholly or not at all, whatever moment the process or
 * the machine dies.
 *
 * Errors: ERR_TEMP when the file is locked by others for longer than
 * STORE_BUSY_MS or the disk is full (nothing was changed: try again later),
 * ERR_INPUT when it is no store of ours or of a newer perfpost, ERR_SYSTEM
 * for all else.
 */

#define STORE_BUSY_MS 10000

/*
 * Open the store at "path"; make it, and bring an older schema to ours, when
 * "create": it and what SQLite puts beside it (-wal, -shm) are for its owner
 * alone (mode 0600), who is the folder's when root makes it.  Rights that
 * others have in a store that stands there are taken away, with a warning, by
 * its owner and by root.  Returns NULL with "err" filled.  The caller calls store_close().
 */
struct store *store_open(const char *path, bool create, struct err *err);
void store_close(struct store *s);

/* A transaction that may write.  They do not nest. */
int store_begin(struct store *s, struct err *err);
int store_commit(struct store *s, struct err *err);
void store_rollback(struct store *s);	/* does nothing outside of one */

/* Copy the whole store, while others use it, to a new file "path" (mode 0600
 * and owner as above), which is there whole or not at all. */
int store_backup(struct store *s, const char *path, struct err *err);

/* Is every page and every reference well?  -1: "err" names the first flaw. */
int store_check(struct store *s, struct err *err);

/* Wait at most "ms" for a lock instead of STORE_BUSY_MS. */
void store_set_patience(struct store *s, int ms);

/* Let the file grow by at most "bytes" (to a page) from now on: beyond it the
 * disk counts as full.  0: no limit. */
void store_limit(struct store *s, int64_t bytes);

#endif
