#ifndef RUN_ORPHANS_H
#define RUN_ORPHANS_H

/*
 * What a job starts inherits its mark: the environment variable ORPHANS_MARK
 * with the job folder.  So whoever comes after a keeper that was killed finds
 * what is left of the job, whatever groups, sessions and parents it has.
 */

#define ORPHANS_MARK "PERFPOST_JOB"

/* End every process with the mark of this folder (absolute, as getcwd(3) says
 * it) with SIGKILL, and wait until there is none.  Gives up after "seconds". */
void orphans_end(const char *folder, int seconds);

#endif
