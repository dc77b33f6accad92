#include "cli/commands.h"

#include <string.h>
#include <sysexits.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/log.h"
#include "cli/cli.h"
#include "cli/options-report.h"
#include "cli/report-html.h"
#include "data/conf.h"
#include "mail/address.h"
#include "report/news.h"

static const char usage[] = "report [OPTION]... BASE HEAD...";
static const char help[] =
"\nWrite the report on HEAD: a message ready to send, or one of its other forms.\n"
"BASE and HEAD are as in 'perfpost compare'.\n\n"
"  -f, --format eml|text|html|json\n"
"  --why-recipients      only say who gets it, and why\n";

enum { OUTPUT_MAX = 1 << 28, OPTION_WHY = 1 };

struct command_line {
	struct report_input in;
	enum form { FORM_EML, FORM_TEXT, FORM_HTML, FORM_JSON,
		    FORM_WHY } form;
};

static int take_form(struct command_line *c, const char *arg, struct err *err)
{
	static const char *const names[] = { [FORM_EML] = "eml",
		[FORM_TEXT] = "text", [FORM_HTML] = "html",
		[FORM_JSON] = "json" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(arg, names[i])) {
			c->form = (enum form)i;
			return 0;
		}
	return err_set(err, ERR_USAGE, "--format: '%s' is not eml, text, html "
		       "or json", arg);
}

/* Returns 0, -1 with "err", 1 for --help and 2 for what getopt refused. */
static int take_options(struct command_line *c, int argc, char **argv,
			struct err *err)
{
	static const struct option options[] = {
		REPORT_LONG_OPTIONS,
		{ "format", required_argument, NULL, 'f' },
		{ "why-recipients", no_argument, NULL, OPTION_WHY },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int opt, rc = 0;

	while (rc == 0 &&
	       (opt = getopt_long(argc, argv, REPORT_SHORT_OPTIONS "f:h",
				  options, NULL)) != -1) {
		if (opt == 'h' || opt == '?')
			return opt == 'h' ? 1 : 2;
		if (is_report_option(opt))
			rc = report_option(&c->in, opt, optarg, err);
		else if (opt == 'f')
			rc = take_form(c, optarg, err);
		else
			c->form = FORM_WHY;
	}
	return rc;
}

/* What templates see, with the mail itself for "perfpost send"; where there
 * must be none, with the reason. */
static int make_json(struct report_input *in, struct buf *out)
{
	struct buf mail = BUF_INIT(OUTPUT_MAX);
	json_t *v = json_copy(in->text.data);
	struct err why = ERR_INIT;
	int rc = report_mail(in, &mail, &why);

	json_object_set_new(v, "mail", rc == 0 ?
			    json_stringn(mail.s, mail.len) : json_null());
	json_object_set_new(v, "mail_refused",
			    json_text(rc == 0 ? NULL : why.text));
	json_write(out, v, 2);
	buf_addch(out, '\n');
	json_decref(v);
	buf_release(&mail);
	return 0;
}

/* Of a branch that is denied, too, before the error. */
static int explain(struct report_input *in, struct buf *out, struct err *err)
{
	int rc = people_choose(&in->people, &in->people_options,
			       in->in.results.facts, err);

	if (rc == 0 || err->code == ERR_DENIED)
		people_explain(&in->people, out);
	if (rc == -1 && out->len)
		cmd_print(out->s, out->len);
	return rc;
}

/* Does it go to the robot alone, since nobody else is known? */
static bool names_nobody(const struct report_input *in)
{
	const char *own = conf_text(&in->conf, "operator.address");
	const struct recipients *who = &in->people.who;

	for (size_t i = 0; i < who->n; i++)
		if (!own || !address_is_same_untagged(who->v[i].who.address,
						      own))
			return false;
	return true;
}

static int make(struct report_input *in, enum form form, struct buf *out,
		struct err *err)
{
	switch (form) {
	case FORM_JSON:
		return make_json(in, out);
	case FORM_HTML:
		return report_html(in, out, err);
	case FORM_TEXT:
		return report_text(in, out, err);
	case FORM_WHY:
		return explain(in, out, err);
	case FORM_EML:
		break;
	}
	if (report_mail(in, out, err) == -1)
		return -1;
	if (!news_is_settled(&in->report))
		log_warn("the report tells of neither a regression nor an "
			 "improvement");
	if (names_nobody(in))
		log_warn("the mail names nobody to get it: --to, --git or the "
			 "configuration do");
	return 0;
}

static int run(struct command_line *c, int argc, char **argv, struct err *err)
{
	struct buf out = BUF_INIT(OUTPUT_MAX);
	int rc;

	if (report_input_run(&c->in, argc, argv, err) == -1 ||
	    make(&c->in, c->form, &out, err) == -1)
		rc = cmd_fail(err);
	else
		rc = cmd_print(out.s, out.len);
	buf_release(&out);
	return rc;
}

int cmd_report(int argc, char **argv)
{
	struct command_line c = { .form = FORM_EML };
	struct err err = ERR_INIT;
	int rc, todo;

	report_input_init(&c.in);
	todo = take_options(&c, argc, argv, &err);
	if (todo == 1)
		rc = report_help(usage, help);
	else if (todo == 2)
		rc = cmd_bad_usage("report");
	else if (todo == -1)
		rc = cmd_fail(&err);
	else
		rc = run(&c, argc - optind, argv + optind, &err);
	report_input_release(&c.in);
	return rc;
}
