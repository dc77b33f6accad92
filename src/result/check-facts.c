#include <string.h>

#include "base/arena.h"
#include "base/log.h"
#include "result/readers.h"

/*
 * Facts of another kind than they are read as, which would be passed over
 * without a word.  What is unknown here may be for somebody else, and null is
 * as good as absent.
 */

enum { WARNINGS_MAX = 10 };

enum kind { TEXT, SCALAR, BOOLEAN, NUMBER, MAP, LIST, TEXT_OR_MAP,
	    TEXT_OR_LIST };

static const char *const kind_names[] = {
	[TEXT] = "text (in YAML, quotes make it one)",
	[SCALAR] = "single value",
	[BOOLEAN] = "true or false",
	[NUMBER] = "number",
	[MAP] = "map",
	[LIST] = "list",
	[TEXT_OR_MAP] = "text or map",
	[TEXT_OR_LIST] = "text or list",
};

/* "*" stands for any name, "#" for any place in a list. */
static const struct fact {
	const char *path;
	enum kind kind;
} known[] = {
	{ "headline", TEXT }, { "tree", TEXT }, { "tree_name", TEXT },
	{ "branch", TEXT }, { "subsystem", TEXT }, { "archive", TEXT },
	{ "closes", TEXT },
	{ "commits", MAP }, { "commits.*", MAP }, { "commits.*.hash", TEXT },
	{ "commits.*.subject", TEXT }, { "commits.*.label", TEXT },
	{ "commits.*.author", TEXT_OR_MAP },
	{ "commits.*.author.name", TEXT }, { "commits.*.author.address", TEXT },
	{ "commits.*.committer", TEXT_OR_MAP },
	{ "commits.*.committer.name", TEXT },
	{ "commits.*.committer.address", TEXT },
	{ "commits.*.message", TEXT }, { "commits.*.message_id", TEXT },
	{ "commits.*.link", TEXT }, { "commits.*.fixes", TEXT_OR_LIST },
	{ "commits.*.fixes.#", TEXT }, { "commits.*.parents", LIST },
	{ "commits.*.parents.#", TEXT },
	{ "patch", MAP }, { "patch.subject", TEXT }, { "patch.url", TEXT },
	{ "patch.base", TEXT }, { "patch.link", TEXT },
	{ "patch.message_id", TEXT }, { "patch.version", SCALAR },
	{ "patch.number", SCALAR }, { "patch.total", SCALAR },
	{ "patch.author", TEXT_OR_MAP }, { "patch.author.name", TEXT },
	{ "patch.author.address", TEXT }, { "patch.trees", LIST },
	{ "patch.trees.#", TEXT },
	{ "heads", LIST }, { "heads.#", MAP }, { "heads.#.state", TEXT },
	{ "heads.#.branch", TEXT }, { "heads.#.commit", TEXT },
	{ "test", MAP }, { "test.name", TEXT }, { "test.machine", TEXT },
	{ "test.description", TEXT }, { "test.url", TEXT },
	{ "test.command", TEXT }, { "test.fixed_time", BOOLEAN },
	{ "test.parameters", MAP }, { "test.parameters.*", SCALAR },
	{ "test.setup", MAP }, { "test.setup.*", SCALAR },
	{ "test.reproduce", TEXT_OR_LIST }, { "test.reproduce.#", TEXT },
	{ "test.kconfig_options", LIST }, { "test.kconfig_options.#", TEXT },
	{ "machines", MAP }, { "machines.*", TEXT },
	{ "metrics", MAP }, { "metrics.*", MAP }, { "metrics.*.better", TEXT },
	{ "metrics.*.unit", TEXT }, { "metrics.*.meaning", TEXT },
	{ "metrics.*.kpi", BOOLEAN },
	{ "plots", LIST }, { "plots.#", TEXT },
	{ "trend", LIST }, { "trend.#", MAP }, { "trend.#.stat", TEXT },
	{ "trend.#.points", LIST }, { "trend.#.points.#", MAP },
	{ "trend.#.points.#.label", TEXT },
	{ "trend.#.points.#.values", LIST },
	{ "trend.#.points.#.values.#", NUMBER },
};

static bool is_scalar(const json_t *v)
{
	return json_is_string(v) || json_is_number(v) || json_is_boolean(v);
}

static bool fits(const json_t *v, enum kind kind)
{
	switch (kind) {
	case TEXT:
		return json_is_string(v);
	case SCALAR:
		return is_scalar(v);
	case BOOLEAN:
		return json_is_boolean(v);
	case NUMBER:
		return json_is_number(v);
	case MAP:
		return json_is_object(v);
	case LIST:
		return json_is_array(v);
	case TEXT_OR_MAP:
		return json_is_string(v) || json_is_object(v);
	case TEXT_OR_LIST:
		return json_is_string(v) || json_is_array(v);
	}
	return false;
}

struct check {
	struct arena arena;
	const char *file;
	size_t bad;
};

static void judge(struct check *c, const json_t *v, const char *path,
		  enum kind kind)
{
	if (json_is_null(v) || fits(v, kind) || c->bad++ >= WARNINGS_MAX)
		return;
	log_warn("%s: '%.200s' is no %s: left aside", c->file, path,
		 kind_names[kind]);
}

/* "path" is how "v" was come by, "rest" what is left of the known path; as deep
 * as that. */
static void walk(struct check *c, json_t *v, const char *path,
		 const char *rest, enum kind kind)
{
	size_t len = strcspn(rest, "."), i;
	const char *more = rest + len + (rest[len] == '.'), *key, *dot;
	json_t *item;

	if (!*rest) {
		judge(c, v, path, kind);
		return;
	}
	dot = *path ? "." : "";
	json_object_foreach(v, key, item)
		if (!strncmp(rest, "*", len) ||
		    (strlen(key) == len && !strncmp(rest, key, len)))
			walk(c, item, arena_printf(&c->arena, "%s%s%.80s", path,
						   dot, key), more, kind);
	json_array_foreach(v, i, item)
		if (!strncmp(rest, "#", len))
			walk(c, item, arena_printf(&c->arena, "%s%s%zu", path,
						   dot, i), more, kind);
}

void check_facts(json_t *facts, const char *file)
{
	struct check c = { .file = file };

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		walk(&c, facts, "", known[i].path, known[i].kind);
	if (c.bad > WARNINGS_MAX)
		log_warn("%s: %zu more facts are left aside", file,
			 c.bad - WARNINGS_MAX);
	arena_release(&c.arena);
}
