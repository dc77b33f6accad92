#ifndef RUN_JOBLOG_H
#define RUN_JOBLOG_H

#include <stdbool.h>
#include <stdint.h>

/* What a job prints: a pipe on its side, the file "log" on ours, which does
 * not grow beyond a size; what comes after that is read and dropped. */

struct joblog {
	int file;
	int from, to;	/* of the pipe: the keeper reads, the job writes */
	int64_t left;	/* bytes that may be written, < 0: any number */
};

/* In the folder "folder"; "max" 0: no limit.  0 or -1 (errno). */
int joblog_open(struct joblog *l, const char *folder, int64_t max);

/* Move what was printed by now, without waiting for more, 1 MiB at most at a
 * time.  False: nothing will come any more. */
bool joblog_move(struct joblog *l);

#endif
