#include "cli/commands.h"

#include <stdint.h>
#include <string.h>
#include <sysexits.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/log.h"
#include "cli/cli.h"
#include "cli/options-compare.h"
#include "compare/comparison-json.h"
#include "render/table.h"

static const char usage[] = "compare [OPTION]... BASE HEAD...";
static const char help[] =
"\nCompare the results of two or more commits.  BASE and HEAD are LKP result\n"
"folders, matrix files, files of other benchmarks, or one results file that\n"
"holds all.\n\n"
"  -f, --format text|json\n"
"  --ascii               +- before a deviation, not a sign beyond ASCII\n";

enum { OPTION_ASCII = 1, TEXT_MAX = 1 << 30 };

struct how {
	bool json, ascii;
};

static int take_format(struct how *how, const char *arg, struct err *err)
{
	if (strcmp(arg, "json") && strcmp(arg, "text"))
		return err_set(err, ERR_USAGE,
			       "--format: '%s' is neither text nor json", arg);
	how->json = *arg == 'j';
	return 0;
}

/* Returns 0, -1 with "err", or 1 when there is nothing more to do. */
static int take_options(struct compare_input *in, struct how *how, int argc,
			char **argv, struct err *err)
{
	static const struct option options[] = {
		COMPARE_LONG_OPTIONS,
		{ "format", required_argument, NULL, 'f' },
		{ "ascii", no_argument, NULL, OPTION_ASCII },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int opt, rc = 0;

	while (rc == 0 &&
	       (opt = getopt_long(argc, argv, "f:h", options, NULL)) != -1) {
		if (opt >= COMPARE_OPTION)
			rc = compare_option(in, opt, optarg, err);
		else if (opt == 'f')
			rc = take_format(how, optarg, err);
		else if (opt == OPTION_ASCII)
			how->ascii = true;
		else
			return opt == 'h' ? 1 : 2;
	}
	return rc;
}

/* An empty table needs a word, and not on standard output. */
static void say_if_empty(const struct comparison *c)
{
	size_t runs = 0;

	if (!c->ngroup) {
		log_warn("nothing to compare: no two results differ in the "
			 "compared axis alone");
		return;
	}
	for (size_t i = 0; i < c->ngroup; i++) {
		if (c->group[i].nrow)
			return;
		for (size_t j = 0; j < c->group[i].nside; j++)
			if (c->group[i].side[j].runs > runs)
				runs = c->group[i].side[j].runs;
	}
	if (runs < 3)
		log_warn("less than 3 runs a side: no row counts as changed "
			 "(--all prints all)");
	else
		log_warn("nothing changed (--all prints all)");
}

static int print_comparison(const struct compare_input *in,
			    const struct how *how)
{
	struct buf out = BUF_INIT(TEXT_MAX);
	int rc;

	if (how->json) {
		comparison_json(&out, &in->comparison);
		rc = cmd_print(out.s, out.len);
	} else {
		rc = table_print(&in->comparison, how->ascii, cmd_print);
	}
	if (in->options.style == COMPARE_DEFAULT || !in->comparison.ngroup)
		say_if_empty(&in->comparison);
	buf_release(&out);
	return rc;
}

int cmd_compare(int argc, char **argv)
{
	struct compare_input in;
	struct how how = { .json = false };
	struct err err = ERR_INIT;
	int rc, todo;

	compare_input_init(&in);
	todo = take_options(&in, &how, argc, argv, &err);
	in.options.quick = in.options.by_row = !how.json;
	if (todo == 1) {
		rc = cmd_help(usage, help);
		if (rc == EX_OK)
			rc = cmd_print(compare_options_help,
				       strlen(compare_options_help));
	} else if (todo == 2) {
		rc = cmd_bad_usage("compare");
	} else if (todo == -1 ||
		   compare_input_run(&in, argc - optind, argv + optind,
				     &err) == -1) {
		rc = cmd_fail(&err);
	} else {
		compare_input_say_unknown(&in);
		rc = print_comparison(&in, &how);
	}
	compare_input_release(&in);
	return rc;
}
