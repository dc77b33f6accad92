#ifndef BOT_NAMING_H
#define BOT_NAMING_H

#include <stddef.h>
#include <stdint.h>

#include "store/reports.h"

/*
 * Which of some reports does a person's text name?  By whatever tells them
 * apart: the commit, the metric or a part of it, the machine or a word of it,
 * tree, branch, title of the commit, "the second one", "both".
 */

enum naming {
	NAMING_NOTHING,
	NAMING_UNCLEAR,		/* it names what several are or what none is,
				 * or it says "not": never a guess */
	NAMING_CLEAR,
};

/* "n" is 32 at most.  When it is clear bit i of "*set" stands for
 * report[i]. */
enum naming naming_find(const char *text, const struct stored_report *report,
			size_t n, uint32_t *set);

#endif
