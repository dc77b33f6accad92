#ifndef PEOPLE_MAINTAINERS_H
#define PEOPLE_MAINTAINERS_H

#include <stddef.h>

#include "mail/message.h"
#include "people/git.h"

struct err;

/*
 * A MAINTAINERS file as Linux has it: who looks after which paths.  Anything
 * can be parsed; what is no entry is a title.
 */
struct maintainers;

struct section {
	const char *title;	/* "MEMORY MANAGEMENT" */
	const char *status;	/* S: "Supported", "Orphan", ...; "" */
	struct addresses people;	/* M: */
	struct addresses reviewers;	/* R: */
	struct addresses lists;	/* L: without those for subscribers only */
	struct addresses closed;	/* L: those */
	struct strings trees;	/* T: "git git://..." */
	struct strings files;	/* F: */
	struct strings excludes;	/* X: */
	struct section_pattern *name;	/* N: on paths */
	size_t nname;
	struct section_pattern *content;	/* K: on what changed */
	size_t ncontent;
};

/* The text of a MAINTAINERS file, which is copied.  Never fails: lines that
 * make no sense are passed over.  The caller frees it. */
struct maintainers *maintainers_parse(const char *text, size_t len);
void maintainers_free(struct maintainers *m);	/* NULL: nothing */

/*
 * The file as it stands in a commit.  Returns 0 with "*m" NULL when the commit
 * has none, -1 with "err" when git fails.
 */
int maintainers_read(struct maintainers **m, const struct git *g,
		     const char *hash, struct err *err);

/*
 * The sections that look after any of "files" (F: and N:, unless X: takes the
 * file out), or, by K:, after "changes" (lines, as commit_changes() gives them;
 * NULL: not looked at).  In the order of the file, each once; "*n" of them.
 * The array lives until the next call.
 */
const struct section *const *maintainers_match(struct maintainers *m,
					       const struct strings *files,
					       const char *changes, size_t *n);

/* All sections. */
const struct section *maintainers_sections(const struct maintainers *m,
					   size_t *n);

#endif
