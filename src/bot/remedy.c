#include "bot/remedy.h"

#include <string.h>

#include "base/buf.h"
#include "bot/roles.h"
#include "bot/spec.h"
#include "bot/titled.h"
#include "people/git.h"

/* What the report's subject says of the change. */
static const char *change_word(const struct stored_report *r)
{
	return strstr(r->subject, " improvement") ? "improvement" :
	       strstr(r->subject, " regression") ? "regression" : "change";
}

/* Does the reported commit hold it already? */
static bool came_before(const struct bot *bot, const struct stored_report *r,
			const char *commit)
{
	struct git g = { .dir = roles_clone(bot, r) };
	char older[65], newer[65];
	const char *const is_ancestor[] = {
		"merge-base", "--is-ancestor", older, newer, NULL
	};
	struct buf none = BUF_INIT(1000);
	bool yes;

	if (!g.dir || !spec_is_ref(commit) ||
	    git_commit_hash(&g, commit, older, NULL) == -1 ||
	    git_commit_hash(&g, r->tested, newer, NULL) == -1)
		return false;
	yes = git_run(&g, is_ancestor, NULL, &none, NULL) == 0;
	buf_release(&none);
	return yes;
}

static const char *of_commit(const struct bot *bot,
			     const struct stored_report *r, const char *commit,
			     struct arena *a)
{
	const char *name, *reported = titled_commit(bot, r, r->tested, a);

	if (titled_same(commit, r->tested))
		return arena_printf(a, "The commit %s is the reported one: the "
				    "%s came with it", reported,
				    change_word(r));
	if (titled_same(commit, r->base))
		return arena_printf(a, "The commit %s is the base, the one that "
				    "we compared with: it came before %s and was "
				    "measured without the %s",
				    titled_commit(bot, r, r->base, a),
				    reported, change_word(r));
	if (!came_before(bot, r, commit))
		return NULL;
	name = titled_commit(bot, r, commit, a);
	return arena_printf(a, "The commit %s came before %s, which was "
			    "measured with the %s and with that commit in it",
			    name, reported, change_word(r));
}

const char *remedy_refuted(const struct bot *bot,
			   const struct stored_report *r,
			   const struct request *said, struct arena *a)
{
	if (said->commit)
		return of_commit(bot, r, said->commit, a);
	if (said->title && *r->title && !strcmp(said->title, r->title))
		return of_commit(bot, r, r->tested, a);
	return NULL;
}
