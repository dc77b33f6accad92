#include "cli/cli.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>

#include "base/err.h"
#include "base/log.h"
#include "config.h"

static bool output_failed;	/* ... and that was said */

int cmd_fail(const struct err *err)
{
	log_error("%s", err->text);
	return err_exit(err);
}

int cmd_help(const char *usage, const char *help)
{
	printf("usage: perfpost %s\n%s", usage, help);
	return EX_OK;
}

int cmd_bad_usage(const char *command)
{
	fprintf(stderr, "perfpost: see 'perfpost %s%s--help'\n", command,
		*command ? " " : "");
	return EX_USAGE;
}

/* Standard output takes no more: an exit code. */
static int unwritten(void)
{
	int why = errno;

	clearerr(stdout);
	if (why == EPIPE)
		return EX_OK;
	if (!output_failed)
		log_error("cannot write to standard output: %s",
			  strerror(why ? why : EIO));
	output_failed = true;
	return EX_IOERR;
}

int cmd_print(const char *text, size_t len)
{
	if (fwrite(text, 1, len, stdout) == len && fflush(stdout) == 0)
		return EX_OK;
	return unwritten();
}

static int help(void)
{
	printf("usage: perfpost COMMAND [OPTION]... [ARGUMENT]...\n\n");
	for (const struct command *c = commands; c->name; c++)
		printf("  %-13s %s\n", c->name, c->summary);
	printf("\n'perfpost COMMAND --help' tells a command's options, "
	       "perfpost(1) all.\n");
	return EX_OK;
}

static int run(const char *program, int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	if (!strcmp(name, "--version")) {
		printf("%s %s\n", program, PACKAGE_VERSION);
		return EX_OK;
	}
	if (!strcmp(name, "--help") || !strcmp(name, "-h") ||
	    !strcmp(name, "help"))
		return help();
	for (const struct command *c = commands; c->name; c++)
		if (!strcmp(name, c->name))
			return c->run(argc - 1, argv + 1);
	if (*name)
		fprintf(stderr, "perfpost: no command '%s'\n", name);
	else
		fprintf(stderr, "perfpost: no command given\n");
	return cmd_bad_usage("");
}

int cmd_dispatch(const char *program, int argc, char **argv)
{
	int rc;

	signal(SIGPIPE, SIG_IGN);
	rc = run(program, argc, argv);
	errno = 0;
	if (fflush(stdout) || ferror(stdout))
		unwritten();
	return rc == EX_OK && output_failed ? EX_IOERR : rc;
}
