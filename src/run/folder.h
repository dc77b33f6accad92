#ifndef RUN_FOLDER_H
#define RUN_FOLDER_H

#include <stddef.h>

#include "base/arena.h"
#include "data/json.h"

struct err;

/*
 * The folder of a job, as perfpost-runner(7) describes it:
 *
 *	job.json	what is to be measured
 *	job.yaml	the job file of the report, where there is one
 *	patches/	SIDE.mbox, for each side that has a patch
 *	results/	the command's: LKP folders or perfpost-results/1 files,
 *			error.txt when there are none
 *	log		what it printed
 *	status.json	how it ended
 */

/*
 * Make the folder ROOT/NAME from "spec", whole or not at all; one that stands
 * already is left as it is.  Each of spec's "sides" may hold a "patch" with
 * its text as "mbox", which becomes a file; "job" (a text) becomes job.yaml.
 */
int folder_make(const char *root, const char *name, const json_t *spec,
		struct err *err);

/*
 * The results in it, in order of their names: regular files and folders (not
 * symbolic links: what ran there was a stranger's code), without error.txt.
 * Returns how many, or -1 with "err".
 */
int folder_results(const char *folder, struct arena *a, const char ***path,
		   struct err *err);

/* The last "max" bytes of results/error.txt, else of the log, made inert for
 * a person's eyes; "" when there is neither. */
const char *folder_error(const char *folder, size_t max, struct arena *a);

/* Remove it with all that is in it.  Symbolic links are not followed. */
int folder_remove(const char *folder, struct err *err);

#endif
