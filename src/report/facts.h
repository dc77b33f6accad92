#ifndef REPORT_FACTS_H
#define REPORT_FACTS_H

#include "data/json.h"

struct group;
struct report;

/*
 * What is known around the numbers: from the facts (a --facts file or the
 * results' own), else from the job files and the axes.  Each returns a new
 * reference with all of its members, null where nothing is known, so that a
 * strict template can ask for any of them.
 */

/* Append {line} for each line of "text", made inert. */
void list_add_lines(json_t *list, const char *text);

/* [{line, first, last}] of the lines of a text or of a list of texts. */
json_t *facts_lines(const json_t *given);

/* Give each object of a list "first" and "last", for templates. */
void list_mark_ends(json_t *list);

/* "name", "machine", "parameters" [{key, value, first, last}] ... of the test
 * of one group; what the facts say of it counts for the headline's only. */
json_t *facts_test(const struct report *r, const struct group *g);

/* "name", "hash", "short", "kind", "label", "subject", "title", "author", "fixes",
 * "runs" ... of a side. */
json_t *facts_commit(const struct report *r, const struct group *g,
		     size_t side);

/* The list of parents of the commit reported on, NULL when not known.
 * Borrowed. */
json_t *facts_parents(const struct report *r);

/* "base", "tested" for the commit reported on, else NULL. */
const char *commit_role(const struct report *r, const struct group *g,
			size_t side);

/* null, or "url", "branch", "name" and, where there is none, "guess". */
json_t *facts_tree(const struct report *r);

/* null, or "subject", "url", "base", "link", "message_id", "version", "number",
 * "total", "tag" ("v4 3/7"), "trees" (lines; none: the one tested is right, or
 * none is known): a mailed patch. */
json_t *facts_patch(const struct report *r);

/* [{state, branch, commit}]: newer kernels that were looked at, too.  Where the
 * facts give no state the results of that commit do; without those it is left
 * out with a warning. */
json_t *facts_heads(const struct report *r);

/* The facts' subsystem, else the prefix of the commit's subject. */
json_t *facts_subsystem(const struct report *r);

/* The machine of a group: "104 threads Skylake with 192G memory"; null. */
json_t *facts_machine(const struct report *r, const struct group *g);

/* [{key, value, first, last}] of a group. */
json_t *facts_parameters(const struct report *r, const struct group *g);

#endif
