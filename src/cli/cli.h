#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stddef.h>

struct err;

/*
 * A command of perfpost: one "cmd-NAME.c" each.  "run" gets the arguments
 * from the command's own name on (argv[0] is "compare") and returns the exit
 * code of the program (sysexits).
 */
struct command {
	const char *name;
	const char *summary;	/* one line for --help, lower case */
	int (*run)(int argc, char **argv);
};

/* The commands of this program, in the order of --help; the last has no name. */
extern const struct command commands[];

/* Run the command that argv[1] names, or say which there are.  Returns the exit
 * code; what standard output did not take is EX_IOERR. */
int cmd_dispatch(const char *program, int argc, char **argv);

/* Say "perfpost: TEXT" for "err" and return its exit code. */
int cmd_fail(const struct err *err);

/* Print "usage: perfpost USAGE" and the help text, return EX_OK. */
int cmd_help(const char *usage, const char *help);

/* After getopt said '?': name the man page, return EX_USAGE. */
int cmd_bad_usage(const char *command);

/*
 * Write all of it to standard output, flush; an exit code.  A reader that went
 * away (EPIPE) is no error.  What cannot be written is said once, and the
 * command ends with EX_IOERR, whether its caller asks or not.
 */
int cmd_print(const char *text, size_t len);

#endif
