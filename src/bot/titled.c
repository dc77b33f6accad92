#include "bot/titled.h"

#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "bot/letter.h"
#include "bot/roles.h"
#include "bot/told.h"
#include "people/git.h"

#define HASH_MIN 7
#define TITLE_MAX 100

bool titled_same(const char *a, const char *b)
{
	size_t na = strlen(a), nb = strlen(b), n = na < nb ? na : nb;

	return n >= HASH_MIN && !strncasecmp(a, b, n);
}

static bool is_hash(const char *commit)
{
	size_t len = strlen(commit);

	return len >= HASH_MIN &&
	       strspn(commit, "0123456789abcdefABCDEF") == len;
}

/* NULL: nobody knows it. */
static const char *title_of(const struct bot *bot,
			    const struct stored_report *r, const char *commit,
			    struct arena *a)
{
	struct git g = { .dir = roles_clone(bot, r) };
	const char *const show[] = {
		"show", "--no-patch", "--format=%s", commit, "--", NULL
	};
	struct buf title = BUF_INIT(10000);
	const char *text = NULL;

	if (*r->title && titled_same(commit, r->tested))
		return r->title;
	if (g.dir && git_run(&g, show, NULL, &title, NULL) == 0 && title.len)
		text = arena_strndup(a, title.s, strcspn(title.s, "\n"));
	buf_release(&title);
	return text;
}

const char *titled_commit(const struct bot *bot, const struct stored_report *r,
			  const char *commit, struct arena *a)
{
	const char *name, *title;

	if (!is_hash(commit))
		return told_commit(commit, a);
	name = arena_printf(a, "%.12s", commit);
	title = title_of(bot, r, commit, a);
	return title ? arena_printf(a, "%s (\"%s\")", name,
				    letter_safe(title, TITLE_MAX, a)) : name;
}
