#include "cli/cli.h"

#include <stddef.h>

#include "cli/commands.h"

/* perfpost-net: what needs the network or the database. */
const struct command commands[] = {
	{ "answer", "answer a mail with a comparison of your own", cmd_answer },
	{ "bot", "run the mail bot", cmd_bot },
	{ "check-config", "is the configuration good?", cmd_check_config },
	{ "outbox", "look into and steer the mails on their way out",
	  cmd_outbox },
	{ "queue", "look into and steer the queue of jobs", cmd_queue },
	{ "receive", "take in a mail from standard input", cmd_receive },
	{ "replay", "say what the bot would do with the mails of a mailbox",
	  cmd_replay },
	{ "reports", "look into the reports that were sent", cmd_reports },
	{ "send", "send a report or another finished mail", cmd_send },
	{ "status", "say how the bot is", cmd_status },
	{ "store", "save, check or bring back the bot's state", cmd_store },
	{ "why", "say what was decided about a mail, and why", cmd_why },
	{ NULL, NULL, NULL },
};

int main(int argc, char **argv)
{
	return cmd_dispatch("perfpost-net", argc, argv);
}
