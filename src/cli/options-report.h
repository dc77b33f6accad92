#ifndef CLI_OPTIONS_REPORT_H
#define CLI_OPTIONS_REPORT_H

#include "base/buf.h"
#include "cli/options-compare.h"
#include "compose/compose.h"
#include "data/conf.h"
#include "people/people.h"
#include "render/text.h"
#include "report/report.h"

struct err;

/*
 * The options of every command that makes a report, beside those of a
 * comparison, and the way from them to the report and its text.  Used as
 * options-compare.h is; an "opt" from REPORT_OPTION on is one of these.
 */
enum {
	REPORT_OPTION = 2000,
	OPTION_HEADLINE = REPORT_OPTION,
	OPTION_SIDE,
	OPTION_GIT,
	OPTION_NOTE,
	OPTION_ROWS,
	OPTION_PLOTS,
	OPTION_PLOT_STYLE,
	OPTION_REPORT_ASCII,
	OPTION_REGZBOT,
	OPTION_CONFIG,
	OPTION_TO,
	OPTION_CC,
	OPTION_IN_REPLY_TO,
	OPTION_TREE,
	OPTION_BRANCH,
	OPTION_SUBJECT,
	OPTION_AUTHOR,
	OPTION_TEMPLATE = 't',
	OPTION_SET = 'O',
};

#define REPORT_LONG_OPTIONS \
	COMPARE_LONG_OPTIONS, \
	{ "template", required_argument, NULL, OPTION_TEMPLATE }, \
	{ "option", required_argument, NULL, OPTION_SET }, \
	{ "headline", required_argument, NULL, OPTION_HEADLINE }, \
	{ "side", required_argument, NULL, OPTION_SIDE }, \
	{ "git", required_argument, NULL, OPTION_GIT }, \
	{ "note", required_argument, NULL, OPTION_NOTE }, \
	{ "rows", required_argument, NULL, OPTION_ROWS }, \
	{ "plots", required_argument, NULL, OPTION_PLOTS }, \
	{ "plot-style", required_argument, NULL, OPTION_PLOT_STYLE }, \
	{ "ascii", no_argument, NULL, OPTION_REPORT_ASCII }, \
	{ "regzbot", no_argument, NULL, OPTION_REGZBOT }, \
	{ "config", required_argument, NULL, OPTION_CONFIG }, \
	{ "to", required_argument, NULL, OPTION_TO }, \
	{ "cc", required_argument, NULL, OPTION_CC }, \
	{ "in-reply-to", required_argument, NULL, OPTION_IN_REPLY_TO }, \
	{ "tree", required_argument, NULL, OPTION_TREE }, \
	{ "branch", required_argument, NULL, OPTION_BRANCH }, \
	{ "subject", required_argument, NULL, OPTION_SUBJECT }, \
	{ "author", required_argument, NULL, OPTION_AUTHOR }

#define REPORT_SHORT_OPTIONS "t:O:"

extern const char report_options_help[];	/* for --help */

struct report_input {
	struct compare_input in;
	struct report_options options;
	struct text_options text_options;
	struct people_options people_options;
	struct text_list set, to, cc;	/* -O, --to, --cc */
	const char *config, *note;	/* paths, or NULL */
	const char *in_reply_to;	/* --in-reply-to, or NULL */
	const char *tree, *branch;	/* --tree, --branch, or NULL */
	const char *subject, *author;	/* of the commit, likewise */
	bool rows_given;
	struct conf conf;
	struct buf note_text, message_id;
	struct people people;
	struct report report;
	struct text text;
	struct compose_options mail;	/* as compose_report() wants it, but
					 * for the subject */
};

void report_input_init(struct report_input *in);
void report_input_release(struct report_input *in);

/* Is it an option of a report or of its comparison? */
bool is_report_option(int opt);

/* Take it; "arg" must outlive "in".  -1: "err" (ERR_USAGE). */
int report_option(struct report_input *in, int opt, const char *arg,
		  struct err *err);

/* Read the configuration and what stands at the paths, compare, build the
 * report, open its templates.  Returns 0, or -1 with "err"; a release is due
 * in both cases. */
int report_input_run(struct report_input *in, int npaths, char **path,
		     struct err *err);

/* What comes of it.  Each appends to "out" and returns 0, or -1 with "err". */

/* The subject, in one line without its end. */
int report_subject(const struct report_input *in, struct buf *out,
		   struct err *err);

/* The text of the mail, in ASCII where asked for. */
int report_text(const struct report_input *in, struct buf *out,
		struct err *err);

/* The mail, to whom options, commit and configuration name. */
int report_mail(struct report_input *in, struct buf *out, struct err *err);

/* Print "usage: perfpost USAGE", "help", and all options; an exit code. */
int report_help(const char *usage, const char *help);

#endif
