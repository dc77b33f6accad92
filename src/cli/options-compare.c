#include "cli/options-compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/log.h"
#include "compare/pattern.h"

const char compare_options_help[] =
"Which rows:\n"
"  --all                 every stat, changed or not\n"
"  --more                also stats that differ between any two boots\n"
"  --kpi                 only what the tests themselves report\n"
"  --kpi-strict          only what the tests are run for\n"
"  --stat NAME           this stat (may be repeated)\n"
"  --include RE          also stats that match (may be repeated)\n"
"  --all-failures        every failure, also those on both sides\n"
"  --force NAME          compare this stat whatever the rules say\n"
"  --gap N               changed only if the gap between the ranges of both\n"
"                        sides exceeds N times the distance of the medians\n"
"  --perf-profile-threshold N\n"
"                        all profile rows of more than N percent\n"
"Which sides:\n"
"  --axis KEY[,KEY]      compare along these axes (default: commit)\n"
"  --different-roots     compare all, whatever else differs\n"
"  --label COMMIT=NAME   call a side so (may be repeated)\n"
"What it looks like:\n"
"  --style default|lkp   lkp: to the byte as lkp-tests prints it\n"
"  --era YEAR            with --style lkp: as it printed in that year\n"
"  --by-stat             a block for each stat, a line for each group\n"
"  --sort-groups         the group with the largest change first\n"
"  --compact             without titles\n"
"  --show-empty          also groups in which nothing changed\n"
"What is known:\n"
"  --lkp-src DIR         rules of an lkp-tests checkout (default: $LKP_SRC,\n"
"                        else perfpost's own)\n"
"  --facts FILE          what the results do not say: commits, metrics, ...\n";

void text_list_add(struct compare_input *in, struct text_list *l,
		   const char *text)
{
	l->text = arena_grow(&in->arena, l->text, &l->cap, l->n + 2,
			     sizeof(*l->text));
	l->text[l->n++] = text;
}

void compare_input_init(struct compare_input *in)
{
	const char *src = getenv("LKP_SRC");

	*in = (struct compare_input){ .lkp_src = src && *src ? src : NULL };
	compare_options_init(&in->options);
	results_init(&in->results);
}

void compare_input_release(struct compare_input *in)
{
	comparison_release(&in->comparison);
	results_release(&in->results);
	rules_free(in->rules);
	arena_release(&in->arena);
}

static int take_number(double *to, const char *option, const char *arg,
		       struct err *err)
{
	char *end;

	*to = strtod(arg, &end);
	if (end == arg || *end || !isfinite(*to))
		return err_set(err, ERR_USAGE, "--%s: '%s' is no number",
			       option, arg);
	return 0;
}

static int take_gap(double *to, const char *arg, struct err *err)
{
	if (take_number(to, "gap", arg, err) == -1)
		return -1;
	if (*to < 0)
		return err_set(err, ERR_USAGE, "--gap: '%s' is below 0", arg);
	return 0;
}

static int take_style(struct compare_input *in, const char *arg,
		      struct err *err)
{
	if (!strcmp(arg, "default"))
		in->options.style = COMPARE_DEFAULT;
	else if (!strcmp(arg, "lkp"))
		in->options.style = COMPARE_LKP;
	else
		return err_set(err, ERR_USAGE,
			       "--style: '%s' is neither default nor lkp", arg);
	return 0;
}

static int take_era(struct compare_input *in, const char *arg, struct err *err)
{
	size_t digits = strspn(arg, "0123456789");

	if (digits != 4 || arg[digits])
		return err_set(err, ERR_USAGE, "--era: '%s' is no year", arg);
	in->options.era = atoi(arg);
	return 0;
}

static int take_axes(struct compare_input *in, const char *arg, struct err *err)
{
	for (const char *p = arg;; p++) {
		size_t len = strcspn(p, ",");

		if (!len)
			return err_set(err, ERR_USAGE,
				       "--axis: '%s' names an empty axis", arg);
		text_list_add(in, &in->axis, arena_strndup(&in->arena, p, len));
		p += len;
		if (!*p)
			return 0;
	}
}

static int take_label(struct compare_input *in, const char *arg,
		      struct err *err)
{
	const char *equals = strchr(arg, '=');

	if (!equals || equals == arg || !equals[1])
		return err_set(err, ERR_USAGE,
			       "--label: '%s' is not COMMIT=NAME", arg);
	text_list_add(in, &in->label, arg);
	return 0;
}

static int take_include(struct compare_input *in, const char *arg,
			struct err *err)
{
	if (pattern_check(arg, err) == -1)
		return err_in(err, "--include");
	text_list_add(in, &in->include, arg);
	return 0;
}

int compare_option(struct compare_input *in, int opt, const char *arg,
		   struct err *err)
{
	struct compare_options *o = &in->options;

	switch (opt) {
	case OPTION_STYLE:
		return take_style(in, arg, err);
	case OPTION_GAP:
		return take_gap(&o->gap, arg, err);
	case OPTION_PROFILE_THRESHOLD:
		return take_number(&o->profile_threshold,
				   "perf-profile-threshold", arg, err);
	case OPTION_AXIS:
		return take_axes(in, arg, err);
	case OPTION_LABEL:
		return take_label(in, arg, err);
	case OPTION_ERA:
		return take_era(in, arg, err);
	case OPTION_ALL:
		o->select = SELECT_ALL;
		break;
	case OPTION_MORE:
		if (o->select != SELECT_ALL)
			o->select = SELECT_MORE;
		break;
	case OPTION_STAT:
		text_list_add(in, &in->stat, arg);
		break;
	case OPTION_INCLUDE:
		return take_include(in, arg, err);
	case OPTION_FACTS:
		text_list_add(in, &in->facts, arg);
		break;
	case OPTION_FORCE:
		o->force = arg;
		break;
	case OPTION_LKP_SRC:
		in->lkp_src = arg;
		break;
	case OPTION_KPI:
		o->kpi = true;
		break;
	case OPTION_KPI_STRICT:
		o->kpi_strict = true;
		break;
	case OPTION_ALL_FAILURES:
		o->all_failures = true;
		break;
	case OPTION_DIFFERENT_ROOTS:
		o->different_roots = true;
		break;
	case OPTION_BY_STAT:
		o->by_stat = true;
		break;
	case OPTION_SORT_GROUPS:
		o->sort_groups = true;
		break;
	case OPTION_COMPACT:
		o->compact = true;
		break;
	case OPTION_SHOW_EMPTY:
		o->show_empty = true;
		break;
	}
	return 0;
}

int compare_input_read(struct compare_input *in, int npaths, char **path,
		       struct err *err)
{
	if (!npaths)
		return err_set(err, ERR_USAGE, "no results named");
	if (in->options.era && in->options.style != COMPARE_LKP)
		return err_set(err, ERR_USAGE, "--era needs --style lkp");
	in->results.takes_infinity |= in->options.style == COMPARE_LKP;
	for (int i = 0; i < npaths; i++)
		if (results_read(&in->results, path[i], err) == -1)
			return -1;
	for (size_t i = 0; i < in->facts.n; i++)
		if (results_read_facts(&in->results, in->facts.text[i], err) ==
		    -1)
			return -1;
	return 0;
}

int compare_input_compare(struct compare_input *in, struct err *err)
{
	struct compare_options *o = &in->options;

	o->stat = in->stat.text;
	o->include = in->include.text;
	o->axis = in->axis.text;
	o->label = in->label.text;
	in->rules = rules_new(in->lkp_src, err);
	if (!in->rules)
		return -1;
	o->rules = in->rules;
	return compare(&in->comparison, &in->results, o, err);
}

int compare_input_run(struct compare_input *in, int npaths, char **path,
		      struct err *err)
{
	if (compare_input_read(in, npaths, path, err) == -1)
		return -1;
	return compare_input_compare(in, err);
}

/* Is there a side that got the name of --label "COMMIT=NAME"? */
static bool is_used(const struct comparison *c, const char *label)
{
	const char *name = strchr(label, '=') + 1;

	for (size_t i = 0; i < c->ngroup; i++)
		for (size_t j = 0; j < c->group[i].nside; j++)
			if (c->group[i].side[j].label == name)
				return true;
	return false;
}

static bool is_stat(const struct results *rs, const char *name)
{
	for (size_t i = 0; i < rs->n; i++)
		if (result_series(rs->result[i], name))
			return true;
	return false;
}

void compare_input_say_unknown(const struct compare_input *in)
{
	const struct comparison *c = &in->comparison;

	for (size_t i = 0; c->ngroup && i < in->label.n; i++)
		if (!is_used(c, in->label.text[i]))
			log_warn("--label: no side is named by '%s'",
				 in->label.text[i]);
	for (size_t i = 0; i < in->stat.n; i++)
		if (!is_stat(&in->results, in->stat.text[i]))
			log_warn("--stat: no result has '%s'",
				 in->stat.text[i]);
}
