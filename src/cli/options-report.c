#include "cli/options-report.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/log.h"
#include "people/commit.h"

enum { ROWS_DEFAULT = 60, PLOTS_DEFAULT = 4, NOTE_MAX = 1 << 16 };

const char report_options_help[] =
"What it says:\n"
"  --headline STAT       what it is about (default: the facts', else the KPI\n"
"                        with the largest change against its spread)\n"
"  --side COMMIT         the commit reported on (default: the last)\n"
"  --git DIR             a checkout to take subjects and authors from\n"
"  --note FILE           the operator's own words\n"
"  --regzbot             ask regzbot to track it\n"
"How it is laid out:\n"
"  -t, --template NAME   classic, modern, or a folder of templates\n"
"  -O, --option KEY=VALUE  an option of the set (may be repeated)\n"
"  --rows N              rows of a table at most (default 60; 0: all)\n"
"  --plots N             plots at most (default 4)\n"
"  --plot-style classic|trend\n"
"  --ascii               nothing beyond ASCII\n"
"  --config FILE         the operator's configuration\n";

void report_input_init(struct report_input *in)
{
	*in = (struct report_input){
		.options = { .rows = ROWS_DEFAULT },
		.text_options = { .plots = PLOTS_DEFAULT },
		.note_text = BUF_INIT(NOTE_MAX),
	};
	compare_input_init(&in->in);
}

void report_input_release(struct report_input *in)
{
	text_release(&in->text);
	report_release(&in->report);
	compare_input_release(&in->in);
	buf_release(&in->note_text);
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
		in->git = arg;
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

/* What the checkout knows of the commits, the last first: where the facts say
 * nothing of it, the subsystem is that of the commit reported on. */
static void read_commits(struct report_input *in)
{
	struct results *r = &in->in.results;
	struct git git = { .dir = in->git };

	for (size_t i = r->n; in->git && i-- > 0;) {
		const char *rev = result_axis(r->result[i], "commit");
		struct commit c = COMMIT_INIT;
		struct err why = ERR_INIT;

		if (rev && commit_read(&c, &git, rev, &why) == -1)
			log_warn("%s", why.text);
		else if (rev)
			commit_facts(&c, r->facts);
		commit_release(&c);
	}
}

static int compare_all(struct report_input *in, int npaths, char **path,
		       struct err *err)
{
	if (compare_input_read(&in->in, npaths, path, err) == -1)
		return -1;
	read_commits(in);
	if (compare_input_compare(&in->in, err) == -1)
		return -1;
	if (in->in.options.select == SELECT_ALL && !in->rows_given)
		in->options.rows = 0;
	return report_build(&in->report, &in->in.comparison, &in->in.results,
			    &in->options, err);
}

int report_input_run(struct report_input *in, int npaths, char **path,
		     struct err *err)
{
	struct text_options *o = &in->text_options;

	if (conf_load(&in->conf, in->config, err) == -1 ||
	    read_note(in, err) == -1 ||
	    compare_all(in, npaths, path, err) == -1)
		return -1;
	if (!o->template)
		o->template = conf_text(&in->conf, "template");
	o->era = in->in.options.era;
	o->set = in->set.text;
	o->conf = &in->conf;
	return text_open(&in->text, &in->report, o, err);
}
