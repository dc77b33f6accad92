#include "mail/patch-int.h"

#include <stdlib.h>
#include <string.h>

#include "mail/text.h"

#define PARENTS_MAX 16		/* of a merge */

size_t diff_parents(struct slice s)
{
	size_t n = 0;

	while (n < s.len && s.s[n] == '@')
		n++;
	return n > 2 && n <= PARENTS_MAX + 1 &&
	       slice_starts((struct slice){ s.s + n, s.len - n }, " -") ?
		n - 1 : 0;
}

static bool is_merge_line(struct slice s, size_t parents)
{
	for (size_t i = 0; i < parents && i < s.len; i++)
		if (!strchr("+- ", s.s[i]))
			return s.s[0] == '\\';
	return s.len > 0;
}

/* Lines of the result that such a hunk has. */
static unsigned long merge_count(struct slice s)
{
	const char *plus = memchr(s.s, '+', s.len), *comma;
	struct slice rest;

	if (!plus)
		return 0;
	rest = (struct slice){ plus, s.len - (size_t)(plus - s.s) };
	comma = memchr(rest.s, ',', rest.len);
	return comma ? strtoul(comma + 1, NULL, 10) : 1;
}

/*
 * One of them, up to the last line of the result and what is removed behind
 * it.  It shows how a merge was done and cannot be applied.
 */
void diff_take_merge(struct walk *w)
{
	size_t parents = diff_parents(walk_line(w, w->at));
	unsigned long left = merge_count(walk_line(w, w->at));
	struct slice s;

	walk_verdict(w, PATCH_COUNTS, w->v[w->at].number);
	walk_take_noted(w);
	while (!walk_is_out(w, w->at) && !diff_is_file(w, w->at)) {
		s = walk_line(w, w->at);
		if (!is_merge_line(s, parents) && !(left && !s.len))
			return;
		if (!memchr(s.s, '-', s.len < parents ? s.len : parents)) {
			if (!left)
				return;
			left--;
		} else if (!left && slice_is(s, "-- ")) {
			return;		/* a signature */
		}
		walk_take_noted(w);
	}
}
