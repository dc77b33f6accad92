#include "cli/commands.h"

#include <getopt.h>
#include <sysexits.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/log.h"
#include "cli/cli.h"
#include "compose/lint.h"
#include "mail/message.h"

static const char usage[] = "lint FILE...";
static const char help_text[] =
"Say every reason why we would not send a mail, one a line.\n"
"FILE is a message; \"-\": standard input.  Nothing said: it may go.\n";

/* The exit code for one file: EX_DATAERR when there are reasons. */
static int lint_file(const char *path)
{
	struct buf mail = BUF_INIT(MAIL_MAX), out = BUF_INIT(1 << 20);
	struct lint l = LINT_INIT;
	struct err err = ERR_INIT;
	int rc = EX_OK;

	if (file_read(path, &mail, &err) == -1) {
		rc = cmd_fail(&err);
	} else {
		lint_mail(&l, mail.s, mail.len, NULL);
		lint_print(&l, path, &out);
		if (l.warning)
			log_warn("%s: %s", path, l.warning);
		rc = cmd_print(out.s, out.len);
	}
	if (l.n && rc == EX_OK)
		rc = EX_DATAERR;
	lint_release(&l);
	buf_release(&out);
	buf_release(&mail);
	return rc;
}

int cmd_lint(int argc, char **argv)
{
	static const struct option options[] = {
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c, rc = EX_OK, one;

	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (c == 'h')
			return cmd_help(usage, help_text);
		return cmd_bad_usage("lint");
	}
	if (optind == argc) {
		log_error("lint needs a mail");
		return cmd_bad_usage("lint");
	}
	for (int i = optind; i < argc; i++) {
		one = lint_file(argv[i]);
		if (rc == EX_OK)
			rc = one;
	}
	return rc;
}
