#ifndef CLI_SUPERVISE_H
#define CLI_SUPERVISE_H

#include "bot/stage.h"

/*
 * A process for each stage of the bot, until SIGTERM or SIGINT, which they are
 * told of and waited for.  One that ends is started again, one that gives no
 * sign of life for half an hour is killed; SIGHUP has the configuration read
 * again, here and, when it was good, in each stage.
 */
struct supervised {
	int (*run)(void *arg, enum stage stage);	/* in the new process:
							 * its exit status */
	int (*reload)(void *arg);	/* -1: refused, the old one stays */
	void *arg;
};

/* Returns the exit code of the program. */
int supervise(const struct supervised *s);

#endif
