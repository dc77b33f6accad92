#ifndef COMPARE_RULES_INT_H
#define COMPARE_RULES_INT_H

#include "base/arena.h"
#include "base/strmap.h"
#include "compare/pattern.h"
#include "compare/rules.h"

/* A floor: the larger value must be at least "max", the difference "delta". */
struct floor {
	struct number max, delta;
	bool has_delta;
};

/* Filled by rules-own.c or rules-lkp.c. */
struct rules {
	struct arena arena;
	struct pattern_list failure, pass;
	struct pattern_list noise, keep;	/* in noise, unless in keep */
	struct pattern_list sensitive, sensitive_start;
	struct pattern_list floor_name;
	struct floor *floor;			/* one a pattern of floor_name */
	size_t floor_cap;
	bool lkp;				/* as the reference decides */
	struct strmap test, functional;		/* value: anything not NULL */
	struct strmap never_kpi;
	struct pattern_list directed, strict;	/* lkp's index files */
	enum better *better;			/* one a pattern of directed */
	size_t better_cap;
	struct pattern_list metric_name;	/* perfpost's own table */
	struct metric *metric;
	struct strmap learnt;			/* name -> struct metric */
};

/* Read perfpost's own table (metrics.txt), or the rule files of the lkp-tests
 * in "lkp_src".  0, or -1 with "err" ("FILE:LINE: reason"). */
int rules_read_own(struct rules *r, struct err *err);
int rules_read_lkp(struct rules *r, const char *lkp_src, struct err *err);

/* "f" belongs to the pattern that was added to floor_name last. */
void rules_add_floor(struct rules *r, struct floor f);
void rules_add_test(struct strmap *m, const char *name, size_t len);

#endif
