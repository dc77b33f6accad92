#ifndef RUN_STATUS_H
#define RUN_STATUS_H

#include "run/run.h"

/*
 * status.json of a job folder: how the command ended.  Whoever ran it writes
 * it once, in one stroke; from then on the job has ended.  0, or -1 with "err".
 */

int status_write(const char *folder, const struct run_status *status,
		 struct err *err);

/* 1 and "status" filled, 0 when there is none yet, -1 with "err". */
int status_read(const char *folder, struct run_status *status,
		struct err *err);

#endif
