#ifndef MAIL_PATCH_INT_H
#define MAIL_PATCH_INT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "mail/patch.h"
#include "mail/text.h"

/*
 * How patch.c and its neighbours walk a diff: patch-header.c what stands above
 * the hunks of a file, patch-hunk.c the hunks, patch-merge.c those of merges,
 * patch-context.c those of "diff -c".
 */

/* A diff while it is walked. */
struct walk {
	const struct line *v;
	size_t n, at;
	struct slice indent;	/* blanks before every line of it */
	struct patch *p;
	struct arena *a;
	size_t files_cap;
	struct buf text;
	struct buf normal;	/* what makes it this patch */
	unsigned long tabs, spaces;	/* lines indented by either */
	size_t spaces_line;
};

/* Line "i" without the indentation; "" where the text ends, and for one that
 * lacks it: that is no part of the diff. */
struct slice walk_line(const struct walk *w, size_t i);

/* Is line "i" out of the text, or not indented as the diff is? */
bool walk_is_out(const struct walk *w, size_t i);

/* The damage found first is what a person wants to see: others change nothing. */
void walk_verdict(struct walk *w, enum patch_verdict v, size_t line);

/* A line that makes it this patch; trailing blanks do not. */
void walk_note(struct walk *w, struct slice s);

/* The current line goes into the text, and with the second one is noted. */
void walk_take(struct walk *w);
void walk_take_noted(struct walk *w);

/* Does the header of one file's diff start at line "i"? A "---", "+++" pair? */
bool diff_is_file(const struct walk *w, size_t i);
bool diff_is_pair(const struct walk *w, size_t i);
bool diff_is_binary_notice(struct slice s);

/* What stands before the hunks of one file. */
void diff_take_header(struct walk *w);

/*
 * The two lines with its names, of a context diff, too.  Names that are the
 * same and begin with no "a/" were written by "svn diff", "git diff
 * --no-prefix" and the like: they get "a/" and "b/", which git wants.
 */
void diff_take_pair(struct walk *w);

/* What svn says of a file's properties below its hunks. */
void diff_take_properties(struct walk *w);

bool diff_is_hunk(struct slice s);
/* "-- " and a version number: git's end of a patch mail. */
bool diff_is_git_end(const struct walk *w, size_t i);
/* One hunk. False when the diff ends in the middle of it. */
bool diff_take_hunk(struct walk *w);

/* The hunks of a merge, "@@@ -1,2 -1,2 +1,3 @@@", have a column for each parent:
 * how many, 0 when it begins none. */
size_t diff_parents(struct slice s);
/* One of them: it shows how a merge was done and cannot be applied. */
void diff_take_merge(struct walk *w);

/* "*** old", "--- new" and the first hunk of a context diff at line "i"? */
bool diff_is_context(const struct walk *w, size_t i);
/* All of one file, as "diff -u" would have it. False: the patch ends here. */
bool diff_take_context(struct walk *w);

#endif
