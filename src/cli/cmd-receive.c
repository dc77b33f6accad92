#include "cli/commands.h"

#include <getopt.h>
#include <string.h>
#include <sysexits.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "cli/cli.h"
#include "cli/net.h"
#include "mail/id.h"
#include "mail/message.h"
#include "store/mails.h"

static const char usage[] = "receive [OPTION]... < MAIL";
static const char help_text[] =
"Take in one mail from standard input, for the bot to decide on: what a mail\n"
"server, procmail or sieve calls.  Exit status 75 asks it to try again later.\n"
"\n"
"  --config FILE  the configuration\n"
"  --store FILE   the state, instead of the configuration's\n";

/* The mail without the line that mbox files put before it. */
static const char *without_from(const struct buf *text, size_t *len)
{
	const char *end = text->len > 5 && !memcmp(text->s, "From ", 5) ?
		memchr(text->s, '\n', text->len) : NULL;
	const char *mail = end ? end + 1 : text->s;

	*len = text->len - (size_t)(mail - text->s);
	return mail;
}

static int put_in(struct store *s, const struct buf *text, struct err *err)
{
	char hash[DIGEST_HEX];
	struct stored_mail m = { .hash = hash, .source = "standard input",
				 .received = clock_now() };

	m.bytes = without_from(text, &m.len);
	digest_bytes(m.bytes, m.len, hash);
	return mail_add(s, &m, err) == -1 ? -1 : 0;
}

/* Whatever keeps us from storing it may be mended: the mail must not bounce. */
static int later(const struct err *err)
{
	cmd_fail(err);
	return EX_TEMPFAIL;
}

static int take(const struct net_options *o, const struct buf *text)
{
	struct err err = ERR_INIT;
	struct store *s = net_store(o, true, &err);
	int rc = s ? put_in(s, text, &err) : -1;

	store_close(s);
	return rc == -1 ? later(&err) : EX_OK;
}

int cmd_receive(int argc, char **argv)
{
	struct net_options o = { .config = NULL };
	struct buf text = BUF_INIT(MAIL_MAX);
	struct err err = ERR_INIT;
	int rc = net_take_options(&o, usage, help_text, argc, argv);

	if (rc != NET_GO_ON)
		return rc;
	if (optind < argc)
		return cmd_bad_usage("receive");
	rc = file_read("-", &text, &err);
	if (rc == 0 && !text.len)
		rc = err_set(&err, ERR_INPUT, "standard input: no mail");
	if (rc == 0)
		rc = take(&o, &text);
	else
		rc = err.code == ERR_INPUT ? cmd_fail(&err) : later(&err);
	buf_release(&text);
	return rc;
}
