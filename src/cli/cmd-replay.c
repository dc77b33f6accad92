#include "cli/commands.h"

#include <getopt.h>
#include <string.h>
#include <sysexits.h>

#include "base/buf.h"
#include "base/err.h"
#include "bot/given.h"
#include "bot/replay.h"
#include "cli/cli.h"
#include "cli/net.h"
#include "mail/mailbox.h"
#include "mail/message.h"

static const char usage[] = "replay [OPTION]... [MAILBOX]...";
static const char help_text[] =
"Say what the bot would do with the mails of a mailbox: one JSON object a line\n"
"for each mail (\"type\": \"mail\") and for each mail it would send (\"send\").\n"
"Nothing is fetched, run or sent, and no state is touched.\n"
"\n"
"  --config FILE  the configuration, whose policy is asked\n"
"  --given FILE   reports that are known (may be given more than once);\n"
"                 those in the mailbox are learned\n";

struct options {
	const char *config;
	const char *given[20];
	size_t ngiven;
};

static int feed(struct replay *r, struct mailbox *box)
{
	struct buf bytes = BUF_INIT(MAIL_MAX);
	struct err err = ERR_INIT;
	json_t *told, *sends;
	int got, rc = EX_OK;

	while ((got = mailbox_next(box, &bytes, &err)) != 0) {
		if (got == -1 || replay_mail(r, bytes.s, bytes.len,
					     mailbox_place(box), &told, &sends,
					     &err) == -1)
			rc = cmd_fail(&err);
		else if (net_print_lines(told, sends) != EX_OK) {
			rc = EX_IOERR;
			break;
		}
	}
	buf_release(&bytes);
	return rc;
}

static int replay(struct replay *r, const struct options *o, char **path)
{
	struct err err = ERR_INIT;
	int rc = EX_OK, one;

	for (size_t i = 0; i < o->ngiven; i++)
		if (given_read(&r->bot, o->given[i], &err) == -1)
			return cmd_fail(&err);
	for (; *path && rc != EX_IOERR; path++) {
		struct mailbox *box = mailbox_open(*path, &err);

		one = box ? feed(r, box) : cmd_fail(&err);
		if (box)
			mailbox_close(box);
		if (one != EX_OK)
			rc = one;
	}
	return rc;
}

static int set_up(const struct options *o, char **path)
{
	struct settings settings = { .arena = ARENA_INIT };
	struct err err = ERR_INIT;
	struct replay r = { .last_job = 0 };
	struct conf conf;
	int rc;

	if (conf_load(&conf, o->config, &err) == -1 ||
	    settings_read(&settings, &conf, &err) == -1 ||
	    replay_open(&r, &settings, &err) == -1)
		rc = cmd_fail(&err);
	else
		rc = replay(&r, o, path);
	replay_close(&r);
	settings_release(&settings);
	conf_release(&conf);
	return rc;
}

int cmd_replay(int argc, char **argv)
{
	static const struct option options[] = {
		{ "config", required_argument, NULL, 'c' },
		{ "given", required_argument, NULL, 'g' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	char *standard_input[] = { (char[]){ "-" }, NULL };
	struct options o = { .config = NULL };
	int c;

	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (c == 'c')
			o.config = optarg;
		else if (c == 'g' && o.ngiven < 20)
			o.given[o.ngiven++] = optarg;
		else if (c == 'h')
			return cmd_help(usage, help_text);
		else
			return cmd_bad_usage("replay");
	}
	return set_up(&o, optind < argc ? argv + optind : standard_input);
}
