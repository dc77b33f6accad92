#include "cli/cli.h"

#include <stddef.h>

#include "cli/commands.h"

/* perfpost-net: what needs the network or the database. */
const struct command commands[] = {
	{ "queue", "look into and steer the queue of jobs", cmd_queue },
	{ "replay", "say what the bot would do with the mails of a mailbox",
	  cmd_replay },
	{ "send", "send a report or another finished mail", cmd_send },
	{ NULL, NULL, NULL },
};

int main(int argc, char **argv)
{
	return cmd_dispatch("perfpost-net", argc, argv);
}
