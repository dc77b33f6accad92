#include "cli/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/child.h"
#include "base/err.h"
#include "base/file.h"
#include "cli/cli.h"
#include "cli/options-report.h"
#include "cli/pager.h"
#include "cli/report-html.h"
#include "render/terminal.h"

static const char usage[] = "preview [OPTION]... BASE HEAD...";
static const char help[] =
"\nShow the report on HEAD as it would be sent, in the terminal or a browser.\n\n"
"  --html FILE           write one page with mail, findings, plots and table\n"
"  --browser             open that page\n"
"  --width N             columns (default: the terminal's)\n"
"  --color auto|always|never\n";

enum {
	OPTION_WIDTH = 1,
	OPTION_COLOR,
	OPTION_HTML,
	OPTION_BROWSER,
	OUTPUT_MAX = 1 << 28,
};

struct command_line {
	struct report_input in;
	struct terminal_options terminal;
	enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } color;
	const char *html;	/* where the page goes; NULL: to the terminal */
	bool browser;
};

static int take_color(struct command_line *c, const char *arg, struct err *err)
{
	if (!strcmp(arg, "auto"))
		c->color = COLOR_AUTO;
	else if (!strcmp(arg, "always"))
		c->color = COLOR_ALWAYS;
	else if (!strcmp(arg, "never"))
		c->color = COLOR_NEVER;
	else
		return err_set(err, ERR_USAGE, "--color: '%s' is not auto, "
			       "always or never", arg);
	return 0;
}

static int take_width(struct command_line *c, const char *arg, struct err *err)
{
	char *end;
	unsigned long n = strtoul(arg, &end, 10);

	if (*arg < '0' || *arg > '9' || *end || n < 40 || n > 10000)
		return err_set(err, ERR_USAGE, "--width: '%s' is not a number "
			       "from 40 to 10000", arg);
	c->terminal.width = n;
	return 0;
}

/* Returns 0, -1 with "err", 1 for --help and 2 for what getopt refused. */
static int take_options(struct command_line *c, int argc, char **argv,
			struct err *err)
{
	static const struct option options[] = {
		REPORT_LONG_OPTIONS,
		{ "width", required_argument, NULL, OPTION_WIDTH },
		{ "color", required_argument, NULL, OPTION_COLOR },
		{ "html", required_argument, NULL, OPTION_HTML },
		{ "browser", no_argument, NULL, OPTION_BROWSER },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int opt, rc = 0;

	while (rc == 0 &&
	       (opt = getopt_long(argc, argv, REPORT_SHORT_OPTIONS "h",
				  options, NULL)) != -1) {
		if (opt == 'h' || opt == '?')
			return opt == 'h' ? 1 : 2;
		if (is_report_option(opt))
			rc = report_option(&c->in, opt, optarg, err);
		else if (opt == OPTION_WIDTH)
			rc = take_width(c, optarg, err);
		else if (opt == OPTION_HTML)
			c->html = optarg;
		else if (opt == OPTION_BROWSER)
			c->browser = true;
		else
			rc = take_color(c, optarg, err);
	}
	return rc;
}

/* https://no-color.org: set and not empty. */
static bool wants_color(const struct command_line *c)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (c->color != COLOR_AUTO)
		return c->color == COLOR_ALWAYS;
	return isatty(STDOUT_FILENO) && !(no && *no) &&
	       !(term && !strcmp(term, "dumb"));
}

static size_t own_width(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == -1)
		return 0;
	return size.ws_col;
}

static int make(struct command_line *c, struct buf *out, struct err *err)
{
	struct buf text = BUF_INIT(OUTPUT_MAX);
	int rc = 0;

	c->terminal.color = wants_color(c);
	if (!c->terminal.width)
		c->terminal.width = own_width();
	buf_addstr(&text, "Subject: ");
	rc = report_subject(&c->in, &text, err);
	buf_addstr(&text, "\n\n");
	if (rc == 0)
		rc = report_text(&c->in, &text, err);
	if (rc == 0)
		terminal_text(out, &c->in.report, text.s, &c->terminal);
	buf_release(&text);
	return rc;
}

/* $BROWSER, else the desktop's choice, with a page of our own. */
static int open_browser(const char *path, struct err *err)
{
	const char *program = getenv("BROWSER");
	const char *argv[] = { program && *program ? program : "xdg-open",
			       path, NULL };
	const struct child_spec spec = { .argv = argv };

	if (child_run(&spec, err) == 0)
		return 0;
	if (!*err->text)
		return err_set(err, ERR_SYSTEM, "'%s' could not open %s",
			       argv[0], path);
	return err_in(err, "%s is there, but", path);
}

/* Into a file of our own, that only its owner can read. */
static int write_own(struct buf *path, const struct buf *page, struct err *err)
{
	const char *dir = getenv("TMPDIR");
	int fd, rc;

	buf_addf(path, "%s/perfpost-XXXXXX.html", dir && *dir ? dir : "/tmp");
	fd = mkstemps(path->s, (int)strlen(".html"));
	if (fd == -1)
		return err_sys(err, "cannot create '%s'", path->s);
	rc = file_write_fd(fd, path->s, page->s, page->len, err);
	close(fd);
	return rc;
}

static int open_page(const char *path, struct err *err)
{
	printf("%s\n", path);
	fflush(stdout);
	return open_browser(path, err) == -1 ? cmd_fail(err) : EX_OK;
}

/* The page, to where it was wanted.  Returns an exit code. */
static int put_page(struct command_line *c, const struct buf *page,
		    struct err *err)
{
	struct buf path = BUF_INIT(4096);
	int rc = c->html ? file_put(c->html, page->s, page->len, err)
			 : write_own(&path, page, err);

	if (rc == -1) {
		cmd_fail(err);
		rc = EX_IOERR;
	} else if (c->browser) {
		rc = open_page(c->html ? c->html : path.s, err);
	}
	buf_release(&path);
	return rc;
}

static int show_page(struct command_line *c, struct err *err)
{
	struct buf page = BUF_INIT(OUTPUT_MAX);
	int rc;

	if (report_html(&c->in, &page, err) == -1)
		rc = cmd_fail(err);
	else if (c->html && !strcmp(c->html, "-") && !c->browser)
		rc = cmd_print(page.s, page.len);
	else
		rc = put_page(c, &page, err);
	buf_release(&page);
	return rc;
}

static int show_text(struct command_line *c, struct err *err)
{
	struct buf out = BUF_INIT(OUTPUT_MAX);
	int rc;

	if (make(c, &out, err) == -1)
		rc = cmd_fail(err);
	else
		rc = pager_show(out.s, out.len);
	buf_release(&out);
	return rc;
}

static int run(struct command_line *c, int argc, char **argv, struct err *err)
{
	if (report_input_run(&c->in, argc, argv, err) == -1)
		return cmd_fail(err);
	if (!c->html && !c->browser)
		return show_text(c, err);
	return show_page(c, err);
}

int cmd_preview(int argc, char **argv)
{
	struct command_line c = { .color = COLOR_AUTO };
	struct err err = ERR_INIT;
	int rc, todo;

	report_input_init(&c.in);
	todo = take_options(&c, argc, argv, &err);
	if (todo == 1)
		rc = report_help(usage, help);
	else if (todo == 2)
		rc = cmd_bad_usage("preview");
	else if (todo == -1)
		rc = cmd_fail(&err);
	else
		rc = run(&c, argc - optind, argv + optind, &err);
	report_input_release(&c.in);
	return rc;
}
