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
#include "render/plot-trend.h"

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
	bool svg, classic;
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
	how->classic = *arg == 'c';
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
	if (rc == 0 && how->svg && how->classic)
		return err_set(err, ERR_USAGE,
			       "--plot-style classic: only as text");
	return rc;
}

/* Everything that is drawn, of all groups: other tests, boxes or
 * configurations each have their plots. */
struct drawing {
	const struct how *how;
	struct arena arena;
	struct plot *plot;
	size_t n, cap;
	struct buf text;
};

static void draw_classic(struct drawing *d, const struct row *row, size_t head)
{
	size_t before = d->text.len;

	plot_row_classic(&d->text, &d->arena, row, head);
	if (d->text.len == before)
		log_warn("'%s': no run has a value", row->name);
}

static void take_row(struct drawing *d, struct compare_input *in,
		     const struct group *g, const struct row *row)
{
	/* The facts' history is that of the first group. */
	const json_t *facts = g == in->comparison.group ? in->results.facts
							: NULL;
	struct plot *p;

	d->plot = arena_grow(&d->arena, d->plot, &d->cap, d->n + 1,
			     sizeof(*d->plot));
	p = &d->plot[d->n++];
	p->title = row->name;
	if (d->how->classic) {
		draw_classic(d, row, g->nside - 1);
		return;
	}
	plot_of_row(p, &d->arena, g, row, g->nside - 1, facts);
	p->where = plot_where(&d->arena, &in->comparison, g);
	if (d->how->svg)
		return;
	buf_addstr(&d->text, d->n > 1 ? "\n" : "");
	plot_trend(&d->text, p);
}

static bool is_drawn(const struct drawing *d, const char *stat)
{
	for (size_t i = 0; i < d->n; i++)
		if (!strcmp(d->plot[i].title, stat))
			return true;
	return false;
}

static int check(const struct drawing *d, const char *const *stat,
		 struct err *err)
{
	for (; stat && *stat; stat++)
		if (!is_drawn(d, *stat))
			return err_set(err, ERR_USAGE, "no result has '%s'",
				       *stat);
	if (!d->n)
		return err_set(err, ERR_USAGE, "nothing is known as worth a "
			       "plot; name it by --stat");
	return 0;
}

static int draw(struct drawing *d, struct compare_input *in, struct err *err)
{
	for (size_t i = 0; i < in->comparison.ngroup; i++) {
		struct group *g = &in->comparison.group[i];
		struct plot_rows rows;

		plot_rows_asked(&rows, &d->arena, &in->comparison, g,
				in->results.facts, in->options.stat);
		for (size_t k = 0; k < rows.n; k++)
			take_row(d, in, g, rows.row[k]);
	}
	if (check(d, in->options.stat, err) == -1)
		return -1;
	if (d->how->svg)
		plot_svg_file(&d->text, d->plot, d->n);
	return 0;
}

static int print_plots(struct compare_input *in, const struct how *how,
		       struct err *err)
{
	struct drawing d = { .how = how, .arena = ARENA_INIT,
			     .text = BUF_INIT(TEXT_MAX) };
	int rc;

	if (draw(&d, in, err) == -1)
		rc = cmd_fail(err);
	else
		rc = cmd_print(d.text.s, d.text.len);
	buf_release(&d.text);
	arena_release(&d.arena);
	return rc;
}

int cmd_plot(int argc, char **argv)
{
	struct how how = { .svg = false };
	struct compare_input in;
	struct err err = ERR_INIT;
	int rc, todo;

	compare_input_init(&in);
	in.options.quick = true;
	todo = take_options(&in, &how, argc, argv, &err);
	in.results.takes_infinity = how.classic;	/* a sample not drawn */
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
	if (rc == EX_OK && todo == 0)
		compare_input_say_unknown(&in);
	compare_input_release(&in);
	return rc;
}
