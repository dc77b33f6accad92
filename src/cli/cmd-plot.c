#include "cli/commands.h"

#include <string.h>
#include <sysexits.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/log.h"
#include "cli/cli.h"
#include "cli/options-compare.h"
#include "render/plot-choose.h"
#include "render/plot-row.h"
#include "render/plot-svg.h"

static const char usage[] = "plot [OPTION]... BASE HEAD";
static const char help[] =
"\nDraw the runs of both commits, a plot for each stat.\n\n"
"  -f, --format text|svg\n"
"  --plot-style trend|classic  classic: as the mails up to 2021 had them;\n"
"                              only as text\n"
"  --stat STAT                 what to plot, may be given several times;\n"
"                              default: the facts' plots, else the KPIs\n";

enum { OPTION_PLOT_STYLE = 1, TEXT_MAX = 1 << 28 };

struct how {
	bool svg;
	enum plot_style style;
};

static int take_format(struct how *how, const char *arg, struct err *err)
{
	if (strcmp(arg, "svg") && strcmp(arg, "text"))
		return err_set(err, ERR_USAGE,
			       "--format: '%s' is neither text nor svg", arg);
	how->svg = *arg == 's';
	return 0;
}

static int take_style(struct how *how, const char *arg, struct err *err)
{
	if (strcmp(arg, "classic") && strcmp(arg, "trend"))
		return err_set(err, ERR_USAGE, "--plot-style: '%s' is neither "
			       "trend nor classic", arg);
	how->style = *arg == 'c' ? PLOT_CLASSIC : PLOT_TREND;
	return 0;
}

/* Returns 0, -1 with "err", 1 for --help and 2 for what getopt refused. */
static int take_options(struct compare_input *in, struct how *how, int argc,
			char **argv, struct err *err)
{
	static const struct option options[] = {
		COMPARE_LONG_OPTIONS,
		{ "format", required_argument, NULL, 'f' },
		{ "plot-style", required_argument, NULL, OPTION_PLOT_STYLE },
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
		else if (opt == OPTION_PLOT_STYLE)
			rc = take_style(how, optarg, err);
		else
			return opt == 'h' ? 1 : 2;
	}
	if (rc == 0 && how->svg && how->style == PLOT_CLASSIC)
		return err_set(err, ERR_USAGE,
			       "--plot-style classic: only as text");
	return rc;
}

static void draw_text(struct buf *out, struct arena *a, const struct group *g,
		      const struct plot_rows *rows, const json_t *facts,
		      enum plot_style style)
{
	for (size_t i = 0; i < rows->n; i++) {
		size_t before = out->len;

		plot_row_text(out, a, g, rows->row[i], g->nside - 1, facts,
			      style);
		if (out->len == before)
			log_warn("'%s': no run has a value",
				 rows->row[i]->name);
		else if (i + 1 < rows->n)
			buf_addch(out, '\n');
	}
}

static void draw_svg(struct buf *out, struct arena *a, const struct group *g,
		     const struct plot_rows *rows, const json_t *facts)
{
	struct plot *p = arena_array(a, rows->n, sizeof(*p));

	for (size_t i = 0; i < rows->n; i++)
		plot_of_row(&p[i], a, g, rows->row[i], g->nside - 1, facts);
	plot_svg_file(out, p, rows->n);
}

static int print_plots(struct compare_input *in, const struct how *how,
		       struct err *err)
{
	const json_t *facts = in->results.facts;
	struct buf out = BUF_INIT(TEXT_MAX);
	struct arena a = ARENA_INIT;
	int rc = EX_OK;

	/* Groups are other tests, boxes or configurations: each its plots. */
	for (size_t i = 0; i < in->comparison.ngroup && rc == EX_OK; i++) {
		struct group *g = &in->comparison.group[i];
		struct plot_rows rows;

		if (plot_rows_asked(&rows, &a, &in->comparison, g, facts,
				    in->options.stat, err) == -1)
			rc = cmd_fail(err);
		else if (how->svg)
			draw_svg(&out, &a, g, &rows, facts);
		else
			draw_text(&out, &a, g, &rows, facts, how->style);
	}
	if (rc == EX_OK)
		rc = cmd_print(out.s, out.len);
	buf_release(&out);
	arena_release(&a);
	return rc;
}

int cmd_plot(int argc, char **argv)
{
	struct how how = { .style = PLOT_TREND };
	struct compare_input in;
	struct err err = ERR_INIT;
	int rc, todo;

	compare_input_init(&in);
	in.options.quick = true;
	todo = take_options(&in, &how, argc, argv, &err);
	if (todo == 1)
		rc = cmd_help(usage, help);
	else if (todo == 2)
		rc = cmd_bad_usage("plot");
	else if (todo == -1 ||
		 compare_input_run(&in, argc - optind, argv + optind, &err) ==
			 -1)
		rc = cmd_fail(&err);
	else
		rc = print_plots(&in, &how, &err);
	compare_input_release(&in);
	return rc;
}
