#include "cli/options-report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/utf8.h"

enum {
	ROWS_DEFAULT = 60,
	NOTE_MAX = 1 << 16,
	TEXT_MAX = 1 << 26,
};

const char report_options_help[] =
"What it says:\n"
"  --headline STAT       what it is about (default: the facts', else the KPI\n"
"                        whose change stands out most from its spread)\n"
"  --side COMMIT         the commit reported on (default: the last)\n"
"  --git DIR             a checkout to take subjects and authors from\n"
"  --tree URL, --branch NAME         where the commit is\n"
"  --subject TEXT, --author ADDRESS  of the commit, without a checkout\n"
"  --note FILE           the operator's own words\n"
"  --regzbot             ask regzbot to track it\n"
"How it is laid out:\n"
"  -t, --template NAME   classic, modern, or a folder of templates\n"
"  -O, --option KEY=VALUE  an option of the set (may be repeated)\n"
"  --rows N              rows of a table at most (default 60; 0: all)\n"
"  --plots N             plots at most\n"
"  --plot-style classic|trend\n"
"  --ascii               nothing beyond ASCII\n"
"  --config FILE         the operator's configuration\n"
"Who gets it, beside whom commit and configuration name:\n"
"  --to, --cc ADDRESS    (may be repeated)\n"
"  --in-reply-to ID      the mail that it answers\n";

void report_input_init(struct report_input *in)
{
	*in = (struct report_input){
		.options = { .rows = ROWS_DEFAULT },
		.note_text = BUF_INIT(NOTE_MAX),
		.message_id = BUF_INIT(1000),
		.people = PEOPLE_INIT,
	};
	compare_input_init(&in->in);
}

void report_input_release(struct report_input *in)
{
	text_release(&in->text);
	report_release(&in->report);
	compare_input_release(&in->in);
	buf_release(&in->note_text);
	buf_release(&in->message_id);
	people_release(&in->people);
	conf_release(&in->conf);
}

static int take_count(size_t *to, const char *option, const char *arg,
		      struct err *err)
{
	size_t digits = strspn(arg, "0123456789");

	if (!digits || digits > 9 || arg[digits])
		return err_set(err, ERR_USAGE, "--%s: '%s' is no number",
			       option, arg);
	*to = strtoul(arg, NULL, 10);
	return 0;
}

static int take_plot_style(struct report_input *in, const char *arg,
			   struct err *err)
{
	if (strcmp(arg, "classic") && strcmp(arg, "trend"))
		return err_set(err, ERR_USAGE, "--plot-style: '%s' is neither "
			       "classic nor trend", arg);
	in->text_options.plot_style = arg;
	return 0;
}

bool is_report_option(int opt)
{
	return opt >= COMPARE_OPTION || opt == OPTION_TEMPLATE ||
	       opt == OPTION_SET;
}

int report_option(struct report_input *in, int opt, const char *arg,
		  struct err *err)
{
	switch (opt) {
	case OPTION_ROWS:
		in->rows_given = true;
		return take_count(&in->options.rows, "rows", arg, err);
	case OPTION_PLOTS:
		in->text_options.plots_given = true;
		return take_count(&in->text_options.plots, "plots", arg, err);
	case OPTION_PLOT_STYLE:
		return take_plot_style(in, arg, err);
	case OPTION_TEMPLATE:
		in->text_options.template = arg;
		break;
	case OPTION_SET:
		text_list_add(&in->in, &in->set, arg);
		break;
	case OPTION_HEADLINE:
		in->options.headline = arg;
		break;
	case OPTION_SIDE:
		in->options.side = arg;
		break;
	case OPTION_GIT:
		in->people_options.git = arg;
		break;
	case OPTION_NOTE:
		in->note = arg;
		break;
	case OPTION_REPORT_ASCII:
		in->text_options.ascii = true;
		break;
	case OPTION_REGZBOT:
		in->options.regzbot = true;
		break;
	case OPTION_CONFIG:
		in->config = arg;
		break;
	case OPTION_TO:
		text_list_add(&in->in, &in->to, arg);
		break;
	case OPTION_CC:
		text_list_add(&in->in, &in->cc, arg);
		break;
	case OPTION_IN_REPLY_TO:
		in->in_reply_to = arg;
		break;
	case OPTION_TREE:
		in->tree = arg;
		break;
	case OPTION_BRANCH:
		in->branch = arg;
		break;
	case OPTION_SUBJECT:
		in->subject = arg;
		break;
	case OPTION_AUTHOR:
		in->author = arg;
		break;
	default:
		return compare_option(&in->in, opt, arg, err);
	}
	return 0;
}

/* The operator's words, without the blank lines around them. */
static int read_note(struct report_input *in, struct err *err)
{
	struct buf *b = &in->note_text;
	size_t blank;

	if (!in->note)
		return 0;
	if (file_read(in->note, b, err) == -1)
		return -1;
	while (b->len && strchr(" \t\r\n", b->s[b->len - 1]))
		b->s[--b->len] = '\0';
	blank = strspn(b->s, "\r\n");
	if (strlen(b->s) != b->len)
		return err_set(err, ERR_INPUT, "%s: no text", in->note);
	in->options.note = b->len ? b->s + blank : NULL;
	return 0;
}

/* Subjects of the other commits, where there is a checkout.  What it does not
 * have goes without. */
static void read_subjects(struct report_input *in)
{
	struct results *r = &in->in.results;
	struct git git = { .dir = in->people_options.git };

	for (size_t i = 0; git.dir && i < r->n; i++) {
		const char *rev = result_axis(r->result[i], "commit");
		struct commit c = COMMIT_INIT;

		if (rev && commit_read(&c, &git, rev, NULL) == 0)
			commit_facts(&c, r->facts, rev);
		commit_release(&c);
	}
}

static void set_fact(json_t *in, const char *key, const char *text)
{
	if (text)
		json_object_set_new(in, key, json_text(text));
}

/* What options say counts more than what files do. */
static void take_facts(struct report_input *in, const char *commit)
{
	json_t *facts = in->in.results.facts, *this;

	set_fact(facts, "tree", in->tree);
	set_fact(facts, "branch", in->branch);
	if (!commit || (!in->subject && !in->author))
		return;
	this = people_facts_of(facts, commit);
	if (!this)
		return;
	set_fact(this, "subject", in->subject);
	set_fact(this, "author", in->author);
}

/* The commit reported on: the last, or the side that --side means. */
static const char *reported_commit(const struct report_input *in)
{
	const struct results *r = &in->in.results;
	const char *side = in->options.side, *name = NULL;

	for (size_t i = 0; i < r->n; i++) {
		name = result_axis(r->result[i], "commit");
		if (side && name && !strncmp(name, side, strlen(side)))
			return name;
	}
	return side && in->people_options.git ? side : name;
}

static int read_people(struct report_input *in, struct err *err)
{
	struct results *r = &in->in.results;
	struct people_options *o = &in->people_options;

	o->commit = reported_commit(in);
	take_facts(in, o->commit);
	o->conf = &in->conf;
	o->to = in->to.text;
	o->cc = in->cc.text;
	if (people_read(&in->people, o, r->facts, err) == -1)
		return -1;
	read_subjects(in);
	return 0;
}

static int compare_all(struct report_input *in, int npaths, char **path,
		       struct err *err)
{
	in->in.options.smallest = conf_number(&in->conf, "smallest_change");
	if (compare_input_read(&in->in, npaths, path, err) == -1 ||
	    results_read_jobs(&in->in.results, err) == -1 ||
	    read_people(in, err) == -1 ||
	    compare_input_compare(&in->in, err) == -1)
		return -1;
	if (in->in.options.select == SELECT_ALL && !in->rows_given)
		in->options.rows = 0;
	return report_build(&in->report, &in->in.comparison, &in->in.results,
			    &in->options, err);
}

/* The operator's address; else that of who calls, as mail programs guess it. */
static const char *own_address(struct report_input *in)
{
	const char *address = conf_text(&in->conf, "operator.address");
	const char *user = getenv("LOGNAME");
	char host[256] = "";

	if (address && *address)
		return address;
	address = getenv("EMAIL");
	if (address && strchr(address, '@') && !strpbrk(address, " <>,"))
		return address;
	if (gethostname(host, sizeof(host) - 1) == -1 || !*host)
		strcpy(host, "localhost");
	return arena_printf(&in->in.arena, "%s@%s",
			    user && *user ? user : "perfpost", host);
}

static void address_mail(struct report_input *in)
{
	struct compose_options *o = &in->mail;
	const char *name = conf_text(&in->conf, "operator.name");

	o->from.name = name ? name : "";
	o->from.address = own_address(in);
	o->token = conf_bool(&in->conf, "operator.token");
	o->in_reply_to = in->in_reply_to ? in->in_reply_to
					 : in->people.in_reply_to;
	o->attach = true;
	o->ascii = in->text_options.ascii;
	o->date = clock_now();
	compose_message_id(&in->report, o, &in->message_id);
}

int report_input_run(struct report_input *in, int npaths, char **path,
		     struct err *err)
{
	struct text_options *o = &in->text_options;

	if (conf_load(&in->conf, in->config, err) == -1 ||
	    read_note(in, err) == -1 ||
	    compare_all(in, npaths, path, err) == -1)
		return -1;
	compare_input_say_unknown(&in->in);
	address_mail(in);
	if (!o->template)
		o->template = conf_text(&in->conf, "template");
	o->era = in->in.options.era;
	o->set = in->set.text;
	o->conf = &in->conf;
	o->message_id = in->message_id.s;
	o->address = in->mail.from.address;
	return text_open(&in->text, &in->report, o, err);
}

int report_subject(const struct report_input *in, struct buf *out,
		   struct err *err)
{
	struct buf b = BUF_INIT(TEXT_MAX);
	int rc = text_subject(&in->text, &b, err);
	char *s = b.s;

	/* Templates end in a newline, and may stand on several lines. */
	for (char *p = s; *p; p++)
		if (strchr("\t\r\n", *p))
			*p = ' ';
	s += strspn(s, " ");
	while (b.s + b.len > s && b.s[b.len - 1] == ' ')
		b.s[--b.len] = '\0';
	buf_addstr(out, s);
	buf_release(&b);
	return rc;
}

int report_text(const struct report_input *in, struct buf *out,
		struct err *err)
{
	struct buf b = BUF_INIT(TEXT_MAX);
	int rc = text_body(&in->text, &b, err);

	if (in->text_options.ascii)
		utf8_spell_ascii(out, b.s, b.len);
	else
		buf_add(out, b.s, b.len);
	buf_release(&b);
	return rc;
}

int report_mail(struct report_input *in, struct buf *out, struct err *err)
{
	struct buf subject = BUF_INIT(TEXT_MAX), text = BUF_INIT(TEXT_MAX);
	struct compose_options o = in->mail;
	int rc = -1;

	if (people_choose(&in->people, &in->people_options,
			  in->in.results.facts, err) == -1)
		return -1;
	if (report_subject(in, &subject, err) == 0 &&
	    report_text(in, &text, err) == 0) {
		o.subject = subject.s;
		rc = compose_report(&in->report, text.s, &in->people.who, &o,
				    out, err);
	}
	buf_release(&subject);
	buf_release(&text);
	return rc;
}

int report_help(const char *usage, const char *help)
{
	printf("usage: perfpost %s\n%s%s%s", usage, help,
	       report_options_help, compare_options_help);
	return EX_OK;
}
