#include "cli/cli.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>

#include "base/err.h"
#include "base/log.h"
#include "config.h"

int cmd_fail(const struct err *err)
{
	log_error("%s", err->text);
	return err_exit(err);
}

int cmd_help(const char *usage, const char *help)
{
	printf("usage: perfpost %s\n%s", usage, help);
	return fflush(stdout) ? EX_IOERR : EX_OK;
}

int cmd_bad_usage(const char *command)
{
	fprintf(stderr, "perfpost: see 'perfpost %s%s--help'\n", command,
		*command ? " " : "");
	return EX_USAGE;
}

int cmd_print(const char *text, size_t len)
{
	if (fwrite(text, 1, len, stdout) == len && fflush(stdout) == 0)
		return EX_OK;
	if (errno == EPIPE)
		return EX_OK;
	log_error("cannot write to standard output: %s", strerror(errno));
	return EX_IOERR;
}

static int help(void)
{
	printf("usage: perfpost COMMAND [OPTION]... [ARGUMENT]...\n\n");
	for (const struct command *c = commands; c->name; c++)
		printf("  %-13s %s\n", c->name, c->summary);
	printf("\n'perfpost COMMAND --help' tells a command's options, "
	       "perfpost(1) all.\n");
	return fflush(stdout) ? EX_IOERR : EX_OK;
}

int cmd_dispatch(const char *program, int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	signal(SIGPIPE, SIG_IGN);
	if (!strcmp(name, "--version")) {
		printf("%s %s\n", program, PACKAGE_VERSION);
		return fflush(stdout) ? EX_IOERR : EX_OK;
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
