#ifndef CLI_OPTIONS_COMPARE_H
#define CLI_OPTIONS_COMPARE_H

#include <getopt.h>

#include "compare/comparison.h"
#include "compare/rules.h"
#include "result/result.h"

struct err;

/*
 * The options that every command with BASE and HEAD takes, and the way from
 * them to a comparison:
 *
 *	static const struct option options[] = {
 *		COMPARE_LONG_OPTIONS,
 *		{ "rows", required_argument, NULL, 'r' },
 *		{ NULL, 0, NULL, 0 } };
 *	struct compare_input in;
 *
 *	compare_input_init(&in);
 *	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1)
 *		if (opt >= COMPARE_OPTION) {
 *			if (compare_option(&in, opt, optarg, &err) == -1) ...
 *		} else switch (opt) ...
 *	if (compare_input_run(&in, argc - optind, argv + optind, &err) == -1)
 *		...
 *	... in.comparison, in.results ...
 *	compare_input_release(&in);
 */
enum {
	COMPARE_OPTION = 1000,
	OPTION_STYLE = COMPARE_OPTION,
	OPTION_ALL,
	OPTION_MORE,
	OPTION_KPI,
	OPTION_KPI_STRICT,
	OPTION_STAT,
	OPTION_INCLUDE,
	OPTION_FORCE,
	OPTION_ALL_FAILURES,
	OPTION_GAP,
	OPTION_PROFILE_THRESHOLD,
	OPTION_AXIS,
	OPTION_DIFFERENT_ROOTS,
	OPTION_BY_STAT,
	OPTION_SORT_GROUPS,
	OPTION_COMPACT,
	OPTION_SHOW_EMPTY,
	OPTION_LABEL,
	OPTION_ERA,
	OPTION_LKP_SRC,
	OPTION_FACTS,
};

#define COMPARE_LONG_OPTIONS \
	{ "style", required_argument, NULL, OPTION_STYLE }, \
	{ "all", no_argument, NULL, OPTION_ALL }, \
	{ "more", no_argument, NULL, OPTION_MORE }, \
	{ "kpi", no_argument, NULL, OPTION_KPI }, \
	{ "kpi-strict", no_argument, NULL, OPTION_KPI_STRICT }, \
	{ "stat", required_argument, NULL, OPTION_STAT }, \
	{ "include", required_argument, NULL, OPTION_INCLUDE }, \
	{ "force", required_argument, NULL, OPTION_FORCE }, \
	{ "all-failures", no_argument, NULL, OPTION_ALL_FAILURES }, \
	{ "gap", required_argument, NULL, OPTION_GAP }, \
	{ "perf-profile-threshold", required_argument, NULL, \
	  OPTION_PROFILE_THRESHOLD }, \
	{ "axis", required_argument, NULL, OPTION_AXIS }, \
	{ "different-roots", no_argument, NULL, OPTION_DIFFERENT_ROOTS }, \
	{ "by-stat", no_argument, NULL, OPTION_BY_STAT }, \
	{ "sort-groups", no_argument, NULL, OPTION_SORT_GROUPS }, \
	{ "compact", no_argument, NULL, OPTION_COMPACT }, \
	{ "show-empty", no_argument, NULL, OPTION_SHOW_EMPTY }, \
	{ "label", required_argument, NULL, OPTION_LABEL }, \
	{ "era", required_argument, NULL, OPTION_ERA }, \
	{ "lkp-src", required_argument, NULL, OPTION_LKP_SRC }, \
	{ "facts", required_argument, NULL, OPTION_FACTS }

extern const char compare_options_help[];	/* for --help */

/* A NULL-terminated list of texts that grows. */
struct text_list {
	const char **text;
	size_t n, cap;
};

/* What the options of a comparison say, and what it then came to. */
struct compare_input {
	struct arena arena;
	struct compare_options options;
	struct text_list stat, include, axis, label, facts;
	const char *lkp_src;		/* --lkp-src, $LKP_SRC, or NULL */
	struct rules *rules;
	struct results results;
	struct comparison comparison;
};

/* "text" is not copied; the list lives as long as "in". */
void text_list_add(struct compare_input *in, struct text_list *l,
		   const char *text);

void compare_input_init(struct compare_input *in);
void compare_input_release(struct compare_input *in);

/* Take an option; "arg" must outlive "in".  -1: "err" (ERR_USAGE). */
int compare_option(struct compare_input *in, int opt, const char *arg,
		   struct err *err);

/* Read the rules, the facts and what stands at the paths, and compare.
 * Returns 0, or -1 with "err"; a release is due in both cases. */
int compare_input_run(struct compare_input *in, int npaths, char **path,
		      struct err *err);

/* The two halves of it, for who has facts to add in between. */
int compare_input_read(struct compare_input *in, int npaths, char **path,
		       struct err *err);
int compare_input_compare(struct compare_input *in, struct err *err);

/* Warn of what --label and --stat name and is not there: slips of the pen. */
void compare_input_say_unknown(const struct compare_input *in);

#endif
