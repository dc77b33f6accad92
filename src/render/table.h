#ifndef RENDER_TABLE_H
#define RENDER_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct comparison;
struct group;
struct row;
struct side;

/*
 * A comparison as the table that kernel developers know: 16 columns for the
 * base, 28 for each further side, the name of the stat behind them.  Prints
 * what the comparison holds, in its style (COMPARE_LKP: to the byte as the
 * reference, lkp-style.md 1.6 and 1.7).  Names are made inert.
 *
 * With "ascii" the sign before a deviation is "+-", as wide as " ±".
 */

/* All of it: every group, by c->options (by_stat, compact, show_empty). */
void table_comparison(struct buf *out, const struct comparison *c, bool ascii);

/* The same, but given to "print" in pieces of some kilobytes; when it returns
 * anything but 0, then no more.  Returns what it returned last. */
int table_print(const struct comparison *c, bool ascii,
		int (*print)(const char *text, size_t len));

/* The parts, for those who put a report together. */

/*
 * From the line of "=" to the one of "-" below the columns' names.  With
 * "subjects" a commit is named by a short hash and its subject, as mails do,
 * else as the comparison's style has it.  "role" says of each
 * side what it is ("base"; NULL: nothing); it may be NULL.
 */
void table_head(struct buf *out, const struct comparison *c,
		const struct group *g, bool subjects,
		const char *const *role);

/* Rows of "g" (failures first, as they are there), each kind with its two
 * lines of column titles above.  "note", unless NULL, has what stands in
 * brackets behind a row's name, or NULL. */
void table_rows(struct buf *out, const struct comparison *c,
		const struct group *g, const struct row *const *row,
		const char *const *note, size_t n, bool ascii);

/* One row, its newline included; "note" as above, or NULL. */
void table_row(struct buf *out, const struct comparison *c,
	       const struct group *g, const struct row *row, const char *note,
	       bool ascii);

/* A line for each monitor that was left out, and one when rows are repetitions
 * inside one process (not in the style of LKP); often nothing. */
void table_notes(struct buf *out, const struct comparison *c,
		 const struct group *g);

/* A side's short name: its label, ten digits of a hash, or all of it. */
void table_side_name(struct buf *out, const struct side *s);

#endif
