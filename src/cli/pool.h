#ifndef CLI_POOL_H
#define CLI_POOL_H

#include <stdbool.h>

struct buf;
struct err;
struct pool;

#define POOL_MAX 256		/* processes */

/*
 * Work on a sequence of items, spread over "jobs" processes, its results
 * printed in the order of the items.  Every process runs work(pool, arg),
 * which walks over all items in the same order and does those that are its
 * own; memory stays that of one item a process.
 *
 * With one job it all happens in this process.  Returns the exit code: that
 * of the first item that failed, EX_SOFTWARE when a process died.
 */
int pool_run(unsigned int jobs, void (*work)(struct pool *p, void *arg),
	     void *arg);

/* Called once for each item: is it this process's? */
bool pool_mine(struct pool *p);

/*
 * The result of an item that is ours, exactly once: "out" for standard output
 * (or NULL) and "err" when it failed (or NULL).  False: nobody reads on, the
 * rest need not be done.
 */
bool pool_put(struct pool *p, const struct buf *out, const struct err *err);

#endif
