#ifndef RUN_RUN_H
#define RUN_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct buf;
struct err;

/*
 * Where measurements happen.  A driver knows three verbs and one to take them
 * back; a job is a folder (run/folder.h, perfpost-runner(7)).  Every verb can
 * be asked again after a crash at any moment: what happened is read off the
 * folder and the scheduler, not remembered.
 */

#define RUN_COMMAND_MAX 60	/* words */

struct run_settings {
	const char *const *command;	/* the site's program, NULL-terminated;
					 * it gets the job folder as its last
					 * argument and as working folder */
	int64_t deadline;	/* seconds a job may take, 0: for ever */
	int64_t memory;		/* bytes of address space a process, 0: any */
	int64_t cpu;		/* seconds of processor time a process, 0: any */
	int64_t file_size;	/* bytes a file may grow to, 0: any */
	int64_t log_size;	/* bytes of what it prints are kept, 0: all */
	const char *const *submit_options;	/* of the scheduler, or NULL */
};

enum run_state {
	RUN_RUNNING,	/* waits in the scheduler or runs */
	RUN_ENDED,	/* well or not: see the status */
	RUN_LOST,	/* nobody knows of it: submit it again */
};

struct run_status {
	enum run_state state;
	int code;		/* exit status of the command */
	int signal;		/* that ended it, 0: none */
	bool deadline;		/* it took too long and was ended */
	bool cancelled;
	int64_t started, ended;	/* seconds since 1970 */
};

struct run_driver {
	const char *name;

	/*
	 * Start the job in "folder".  Its name with the scheduler is put into
	 * "remote".  A job that was started before is not started twice.
	 */
	int (*submit)(const struct run_settings *s, const char *folder,
		      struct buf *remote, struct err *err);

	/* How does it stand?  "remote" is what submit gave. */
	int (*poll)(const struct run_settings *s, const char *folder,
		    const char *remote, struct run_status *status,
		    struct err *err);

	/* Bring its results into "folder"/results. */
	int (*fetch)(const struct run_settings *s, const char *folder,
		     const char *remote, struct err *err);

	/* End it if it runs; it is no error when it does not. */
	int (*cancel)(const struct run_settings *s, const char *folder,
		      const char *remote, struct err *err);
};

extern const struct run_driver run_exec;	/* on this machine */
extern const struct run_driver run_slurm;	/* where sbatch(1) puts it */

/* NULL when there is none of that name. */
const struct run_driver *run_driver_find(const char *name);

#endif
