#ifndef RUN_KEEPER_H
#define RUN_KEEPER_H

#include <sys/types.h>

#include "run/run.h"

/*
 * A process that outlives us and stays with one command: it holds a lock on
 * the job folder as long as the command runs, ends it at its deadline, and
 * writes status.json.  So whoever comes back after a crash can tell a job
 * that runs (the lock is held) from one that ended (status.json) and from one
 * that is lost (neither).
 *
 * When the keeper itself is killed its command dies with it, and the process
 * above it, which does nothing else, ends what the command started.  Should
 * both be killed, that is done by whoever comes back.
 */

/* Start it.  It is no error when another keeper holds the folder. */
int keeper_start(const struct run_settings *s, const char *folder,
		 struct err *err);

/* End what is left of a job whose keeper is gone. */
void keeper_clean(const char *folder);

/* The process that holds the folder, 0 when none does, -1 with "err". */
pid_t keeper_find(const char *folder, struct err *err);

#endif
