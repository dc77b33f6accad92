#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/log.h"
#include "base/place.h"
#include "cli/commands.h"

/*
 * The commands that need the network or the database live in a program of
 * their own, so that this one starts fast and has no socket code in it.
 */
static int run_net(int argc, char **argv)
{
	struct buf path = BUF_INIT(8192);
	char **args = calloc((size_t)argc + 2, sizeof(*args));

	if (!args)
		die_no_memory();
	place_libexec(&path, "perfpost-net");
	args[0] = path.s;
	memcpy(args + 1, argv, (size_t)argc * sizeof(*args));
	execv(path.s, args);
	log_error("cannot start '%s': %s", path.s, strerror(errno));
	free(args);
	buf_release(&path);
	/* A mail that is handed over must not bounce for it. */
	return strcmp(argv[0], "receive") ? EX_UNAVAILABLE : EX_TEMPFAIL;
}

const struct command commands[] = {
	{ "answer", "answer a mail with a comparison of your own", run_net },
	{ "bot", "run the mail bot", run_net },
	{ "check-config", "is the configuration good?", run_net },
	{ "compare", "the comparison table of two or more commits",
	  cmd_compare },
	{ "lint", "would we send this mail?", cmd_lint },
	{ "outbox", "look into and steer the mails on their way out", run_net },
	{ "parse", "say what perfpost reads in a message", cmd_parse },
	{ "thread", "show the threads of a mailbox", cmd_thread },
	{ "plot", "draw the runs of both commits", cmd_plot },
	{ "preview", "show the report in the terminal", cmd_preview },
	{ "queue", "look into and steer the queue of jobs", run_net },
	{ "receive", "take in a mail from standard input", run_net },
	{ "replay", "say what the bot would do with the mails of a mailbox",
	  run_net },
	{ "report", "write the report on a commit", cmd_report },
	{ "reports", "look into the reports that were sent", run_net },
	{ "send", "send a report or another finished mail", run_net },
	{ "status", "say how the bot is", run_net },
	{ "store", "save, check or bring back the bot's state", run_net },
	{ "why", "say what was decided about a mail, and why", run_net },
	{ NULL, NULL, NULL },
};

int main(int argc, char **argv)
{
	return cmd_dispatch("perfpost", argc, argv);
}
