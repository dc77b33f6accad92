#ifndef PEOPLE_PATTERN_H
#define PEOPLE_PATTERN_H

#include <stdbool.h>

/*
 * A pattern of MAINTAINERS (N: and K:), in Perl's syntax with blanks that
 * count for nothing, as get_maintainer.pl reads it.  It is searched line by
 * line.  Whoever wrote it, it keeps us busy for a bounded time: a line on which
 * it needs more is passed over.
 */
struct pattern;

/* "perl" must outlive it.  NULL: malformed, or longer than anybody needs. */
struct pattern *pattern_new(const char *perl);
void pattern_free(struct pattern *p);

/* Does one of the lines of "text" hold it? */
bool pattern_finds(struct pattern *p, const char *text);

#endif
