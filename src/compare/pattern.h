#ifndef COMPARE_PATTERN_H
#define COMPARE_PATTERN_H

#include <stddef.h>

#include "base/arena.h"

/*
 * A list of patterns that is asked for many thousand names: which is the first
 * that matches?  Patterns are POSIX extended regular expressions; (?: and \d
 * are understood, and what does not compile is taken as plain text.
 *
 * Names are not shown to every pattern.  Patterns that begin with plain text
 * stand in the order of that text, so that one search finds those that a name
 * may match; of the others the plain text that each match must hold is looked
 * for first.  An expression is compiled when it is needed, which for most is
 * never.
 */

enum anchor {
	ANCHOR_NONE,	/* may match anywhere */
	ANCHOR_START,	/* must match from the start of the name */
	ANCHOR_FULL,	/* must match the whole name */
};

struct err;
struct pattern;

struct pattern_list {
	enum anchor anchor;
	struct arena *arena;
	struct pattern *pattern;	/* in the order added */
	size_t n;
	int *by_prefix;		/* numbers of those with a prefix, by it */
	size_t nprefix;
	size_t *loose, nloose, loose_cap;	/* those without */
};

/* Texts come from "a"; the rest needs the release. */
void pattern_list_init(struct pattern_list *l, enum anchor anchor,
		       struct arena *a);
void pattern_list_release(struct pattern_list *l);

/* For what a person types, who should hear of it: does it compile?  -1 with
 * "err" (ERR_USAGE) when not. */
int pattern_check(const char *expression, struct err *err);

/* Add an expression (copied); its number is l->n before the call. */
void pattern_add(struct pattern_list *l, const char *expression);

/* Add a whole name in which each * stands for any text, whatever the anchor.
 * It is kept, not copied. */
void pattern_add_wild(struct pattern_list *l, const char *wild);

/* The number of the first pattern that matches, or -1. */
int pattern_first(const struct pattern_list *l, const char *name);

#endif
