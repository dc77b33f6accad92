#include "report/facts.h"

#include <string.h>

#include "base/buf.h"
#include "base/commit-name.h"
#include "base/log.h"
#include "base/utf8.h"
#include "people/commit.h"
#include "people/tree.h"
#include "report/report.h"
#include "report/script.h"

#define TEXT_MAX ((size_t)64 * 1024)

/* Axes that say where and how a kernel was built and booted, not what the
 * test was told to do. */
static bool is_setup_axis(const char *key)
{
	static const char *const keys[] = { "commit", "compiler", "kconfig",
		"rootfs", "tbox_group", "testcase", NULL };

	for (size_t i = 0; keys[i]; i++)
		if (!strcmp(key, keys[i]))
			return true;
	return false;
}

/* A scalar as one inert line; null when there is none. */
static json_t *line(const json_t *value)
{
	struct buf raw = BUF_INIT(TEXT_MAX), b = BUF_INIT(TEXT_MAX);
	json_t *v;

	json_scalar(&raw, value);
	utf8_inert(&b, raw.s, raw.len, false);
	v = b.len ? json_stringn(b.s, b.len) : json_null();
	buf_release(&raw);
	buf_release(&b);
	return v;
}

static json_t *fact_line(const json_t *facts, const char *key)
{
	return line(json_object_get(facts, key));
}

static json_t *text_line(const char *text)
{
	json_t *s = json_text(text), *v = line(s);

	json_decref(s);
	return v;
}

void list_add_lines(json_t *list, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");
		struct buf b = BUF_INIT(TEXT_MAX);

		utf8_inert(&b, text, len, true);
		json_array_append_new(list, json_pack("{ss%}", "line", b.s,
						      b.len));
		buf_release(&b);
		text += len + (text[len] == '\n');
	}
}

/* [{key, value, first, last}] */
static void add_pair(json_t *list, const char *key, json_t *value)
{
	json_array_append_new(list, json_pack("{soso}", "key", text_line(key),
					      "value", value));
}

void list_mark_ends(json_t *list)
{
	size_t n = json_array_size(list);

	for (size_t i = 0; i < n; i++) {
		json_t *v = json_array_get(list, i);

		json_object_set_new(v, "first", json_boolean(i == 0));
		json_object_set_new(v, "last", json_boolean(i + 1 == n));
	}
}

json_t *facts_parameters(const struct report *r, const struct group *g)
{
	json_t *given = NULL, *list = json_array(), *value;
	const char *key;

	if (g == r->group)
		given = json_object_get(json_object_get(r->results->facts,
							"test"), "parameters");
	json_object_foreach(given, key, value)
		add_pair(list, key, line(value));
	for (size_t i = 0; i < g->naxis && !given; i++)
		if (!is_setup_axis(g->axis[i].key))
			add_pair(list, g->axis[i].key,
				 text_line(g->axis[i].value));
	list_mark_ends(list);
	return list;
}

static const char *job_text(const struct group *g, const char *key)
{
	const json_t *job = g->side[0].result->job;

	return job ? json_member_text(job, key) : NULL;
}

/* From the members that LKP's host files have: "104 threads 2 sockets
 * Skylake with 192G memory". */
static json_t *machine_of_job(const struct group *g)
{
	const char *cpus = job_text(g, "nr_cpu");
	const char *sockets = job_text(g, "nr_node");
	const char *brand = job_text(g, "brand"), *model = job_text(g, "model");
	const char *memory = job_text(g, "memory");
	struct buf b = BUF_INIT(TEXT_MAX);
	json_t *v;

	if (cpus)
		buf_addf(&b, "%s threads", cpus);
	if (cpus && sockets)
		buf_addf(&b, " %s socket%s", sockets,
			 strcmp(sockets, "1") ? "s" : "");
	if (brand)
		buf_addf(&b, "%s%s", b.len ? " " : "", brand);
	if (model)
		buf_addf(&b, brand ? "%s(%s)" : "%s%s", b.len ? " " : "",
			 model);
	if (b.len && memory)
		buf_addf(&b, " with %s memory", memory);
	v = b.len ? text_line(b.s) : NULL;
	buf_release(&b);
	return v;
}

static const char *group_axis(const struct group *g, const char *key)
{
	for (size_t i = 0; i < g->naxis; i++)
		if (!strcmp(g->axis[i].key, key))
			return g->axis[i].value;
	return NULL;
}

/* "box1: 8 threads with 32G memory", or the box alone. */
static json_t *box_line(const char *box, const json_t *machine)
{
	const char *text = json_string_value(machine);
	struct buf b = BUF_INIT(TEXT_MAX);
	size_t len;
	json_t *v;

	if (!box)
		return json_null();
	len = strlen(box);
	buf_addstr(&b, box);
	if (text && !strncmp(text, box, len) && (!text[len] || text[len] == ':'))
		buf_addstr(&b, text + len);	/* it names the box itself */
	else if (text)
		buf_addf(&b, ": %s", text);
	v = text_line(b.s);
	buf_release(&b);
	return v;
}

json_t *facts_machine(const struct report *r, const struct group *g)
{
	const json_t *facts = r->results->facts, *given = NULL;
	const char *box = group_axis(g, "tbox_group");
	const char *own = group_axis(r->group, "tbox_group");
	json_t *v;

	/* Other tests on the same box, too. */
	if (g == r->group || (box && own && !strcmp(box, own)))
		given = json_object_get(json_object_get(facts, "test"),
					"machine");
	if (!given && box)
		given = json_object_get(json_object_get(facts, "machines"),
					box);
	if (given)
		return line(given);
	v = machine_of_job(g);
	return v ? v : text_line(box);
}

json_t *facts_lines(const json_t *given)
{
	json_t *list = json_array(), *item;
	size_t i;

	json_array_foreach(given, i, item)
		json_array_append_new(list, json_pack("{so}", "line",
						      line(item)));
	if (json_is_string(given))
		list_add_lines(list, json_string_value(given));
	list_mark_ends(list);
	return list;
}

/* The command line: the facts', else what both sides' files say they ran. */
static json_t *command_of(const json_t *given, const struct group *g)
{
	const char *ran = g->side[0].result->ran;

	if (json_object_get(given, "command"))
		return fact_line(given, "command");
	for (size_t i = 1; ran && i < g->nside; i++) {
		const char *other = g->side[i].result->ran;

		if (!other || strcmp(ran, other))
			ran = NULL;
	}
	return text_line(ran);
}

json_t *facts_test(const struct report *r, const struct group *g)
{
	const json_t *given = NULL;
	const char *name = group_axis(g, "testcase");
	json_t *v = json_object();

	if (g == r->group)
		given = json_object_get(r->results->facts, "test");
	json_object_set_new(v, "name", name ? text_line(name)
					    : fact_line(given, "name"));
	json_object_set_new(v, "box", text_line(group_axis(g, "tbox_group")));
	json_object_set_new(v, "kconfig",
			    text_line(group_axis(g, "kconfig")));
	json_object_set_new(v, "compiler",
			    text_line(group_axis(g, "compiler")));
	json_object_set_new(v, "machine", facts_machine(r, g));
	json_object_set_new(v, "box_line", box_line(
		group_axis(g, "tbox_group"), json_object_get(v, "machine")));
	json_object_set_new(v, "parameters", facts_parameters(r, g));
	json_object_set_new(v, "description", fact_line(given, "description"));
	json_object_set_new(v, "url", fact_line(given, "url"));
	json_object_set_new(v, "described", json_boolean(
		json_object_get(given, "description") ||
		json_object_get(given, "url")));
	json_object_set_new(v, "command", command_of(given, g));
	json_object_set_new(v, "fixed_time", json_boolean(
		json_is_true(json_object_get(given, "fixed_time"))));
	json_object_set_new(v, "reproduce", g == r->group ? script_lines(r)
							  : json_array());
	return v;
}

static bool is_hash(const char *name)
{
	size_t n = strspn(name, "0123456789abcdef");

	return n >= 12 && !name[n];
}

/* The facts' entry of a commit, whose key may be a part of its hash. */
static const json_t *given_for(const struct report *r, const char *name)
{
	json_t *commits = json_object_get(r->results->facts, "commits");
	json_t *value;
	const char *key;

	json_object_foreach(commits, key, value)
		if (key_means_commit(key, name))
			return value;
	return NULL;
}

json_t *facts_parents(const struct report *r)
{
	return json_object_get(given_for(r, r->group->side[r->side].name),
			       "parents");
}

/* "Ann <ann@example.org>", from such a text or from {name, address}. */
static json_t *person(const json_t *given)
{
	const char *name = json_member_text(given, "name");
	const char *address = json_member_text(given, "address");
	struct buf b = BUF_INIT(TEXT_MAX);
	json_t *v;

	if (!json_is_object(given))
		return line(given);
	if (name)
		buf_addstr(&b, name);
	if (address && *address)
		buf_addf(&b, "%s<%s>", b.len ? " " : "", address);
	v = text_line(b.len ? b.s : NULL);
	buf_release(&b);
	return v;
}

/* What the commit line calls it: of a mailed patch its own subject, with
 * "[PATCH v15 1/3]". */
static json_t *title(const struct report *r, size_t side, json_t *subject)
{
	const json_t *patch = json_object_get(r->results->facts, "patch");
	const json_t *own = json_object_get(patch, "subject");

	if (side == r->side && json_is_string(own))
		return line(own);
	return json_incref(subject);
}

const char *commit_role(const struct report *r, const struct group *g,
			size_t side)
{
	const char *tested = r->group->side[r->side].name;

	if (side == 0)
		return "base";
	return strcmp(g->side[side].name, tested) ? NULL : "tested";
}

json_t *facts_commit(const struct report *r, const struct group *g,
		     size_t side)
{
	const struct side *s = &g->side[side];
	const json_t *given = given_for(r, s->name);
	const char *full = json_member_text(given, "hash");
	bool hash = is_hash(s->name);
	char cut[11];
	json_t *v = json_object();

	strncat(strcpy(cut, ""), s->name, sizeof(cut) - 1);
	json_object_set_new(v, "name", text_line(s->name));
	if (!full || !is_hash(full))
		full = hash ? s->name : NULL;
	json_object_set_new(v, "hash", text_line(full));
	json_object_set_new(v, "short", text_line(hash ? cut : s->name));
	json_object_set_new(v, "kind", json_string(full ? "commit"
							: side_kind(s)));
	json_object_set_new(v, "is_commit", json_boolean(
		!strcmp(json_member_text(v, "kind"), "commit")));
	json_object_set_new(v, "is_merge", json_boolean(
		json_array_size(json_object_get(given, "parents")) > 1));
	json_object_set_new(v, "label", text_line(s->label));
	json_object_set_new(v, "subject", s->subject
					  ? text_line(s->subject)
					  : fact_line(given, "subject"));
	json_object_set_new(v, "title", title(r, side, json_object_get(
							v, "subject")));
	json_object_set_new(v, "author", person(json_object_get(given,
								"author")));
	json_object_set_new(v, "fixes", facts_lines(json_object_get(given,
								   "fixes")));
	json_object_set_new(v, "runs", json_integer((json_int_t)s->runs));
	json_object_set_new(v, "incomplete",
			    json_integer((json_int_t)s->incomplete));
	json_object_set_new(v, "role", json_text(commit_role(r, g, side)));
	json_object_set_new(v, "is_base", json_boolean(side == 0));
	json_object_set_new(v, "is_head", json_boolean(
		side && commit_role(r, g, side)));
	return v;
}

/* An object with the members named, null where "given" lacks one; null when
 * there is nothing at all. */
static json_t *members(const json_t *given, const char *const *keys)
{
	json_t *v;

	if (!json_is_object(given))
		return json_null();
	v = json_object();
	for (size_t i = 0; keys[i]; i++)
		json_object_set_new(v, keys[i], fact_line(given, keys[i]));
	return v;
}

/* A short name for a tree that nobody gave one, from its URL. */
static json_t *tree_guess(const json_t *facts)
{
	const char *url = json_member_text(facts, "tree");
	struct arena a = ARENA_INIT;
	json_t *v;

	if (!url || json_object_get(facts, "tree_name"))
		return json_null();
	v = text_line(tree_guess_name(&a, url));
	arena_release(&a);
	return v;
}

json_t *facts_tree(const struct report *r)
{
	const json_t *facts = r->results->facts;
	json_t *v = json_object();

	if (!json_object_get(facts, "tree") &&
	    !json_object_get(facts, "branch")) {
		json_decref(v);
		return json_null();
	}
	json_object_set_new(v, "url", fact_line(facts, "tree"));
	json_object_set_new(v, "branch", fact_line(facts, "branch"));
	json_object_set_new(v, "name", fact_line(facts, "tree_name"));
	json_object_set_new(v, "guess", tree_guess(facts));
	return v;
}

/* "v4 3/7", as the patch's own subject has it; null where it has nothing. */
static json_t *patch_tag(const json_t *patch)
{
	struct buf version = BUF_INIT(TEXT_MAX), number = BUF_INIT(TEXT_MAX);
	struct buf total = BUF_INIT(TEXT_MAX), b = BUF_INIT(TEXT_MAX);
	json_t *v;

	json_scalar(&version, json_object_get(patch, "version"));
	json_scalar(&number, json_object_get(patch, "number"));
	json_scalar(&total, json_object_get(patch, "total"));
	if (version.len)
		buf_addf(&b, "%s%s", *version.s == 'v' ? "" : "v", version.s);
	if (number.len && total.len)
		buf_addf(&b, "%s%s/%s", b.len ? " " : "", number.s, total.s);
	v = text_line(b.len ? b.s : NULL);
	buf_release(&version);
	buf_release(&number);
	buf_release(&total);
	buf_release(&b);
	return v;
}

json_t *facts_patch(const struct report *r)
{
	static const char *const keys[] = { "subject", "url", "base", "link",
		"message_id", "version", "number", "total", NULL };
	const json_t *patch = json_object_get(r->results->facts, "patch");
	json_t *v = members(patch, keys);

	if (json_is_object(v)) {
		json_object_set_new(v, "tag", patch_tag(patch));
		json_object_set_new(v, "trees", facts_lines(
			json_object_get(patch, "trees")));
	}
	return v;
}

static const char *state_of(const struct figure *f)
{
	if (!f->n)
		return "test failed";
	if (f->change.verdict == VERDICT_REGRESSION)
		return "still regression";
	if (f->change.verdict == VERDICT_INCONCLUSIVE)
		return "not decided";
	return "no regression";
}

/* What the results say, when the commit is one of the sides. */
static void set_state(const struct report *r, json_t *head)
{
	const char *commit = json_member_text(head, "commit");
	size_t len = commit ? strlen(commit) : 0;

	for (size_t i = 1; len >= 7 && i < r->group->nside; i++) {
		const char *name = r->group->side[i].name;

		if (strncmp(name, commit, len))
			continue;
		json_object_set_new(head, "state", json_string(
			state_of(&r->headline->figure[i])));
		json_object_set_new(head, "commit", text_line(name));
		return;
	}
	log_warn("facts: heads: no state, and no results that say it");
}

/* The state that the facts give, else the results'. */
static void complete_head(const struct report *r, json_t *head)
{
	const char *state = json_member_text(head, "state");
	size_t len = state ? strlen(state) : 0;

	if (!state)
		set_state(r, head);
	else if (len > 3 && !strcmp(state + len - 3, " on"))
		json_object_set_new(head, "state",
				    json_stringn(state, len - 3));
}

json_t *facts_heads(const struct report *r)
{
	static const char *const keys[] = { "state", "branch", "commit", NULL };
	json_t *list = json_array(), *item;
	size_t i;

	json_array_foreach(json_object_get(r->results->facts, "heads"), i,
			   item)
		if (json_is_object(item)) {
			json_t *head = members(item, keys);

			complete_head(r, head);
			if (json_is_string(json_object_get(head, "state")))
				json_array_append(list, head);
			json_decref(head);
		}
	return list;
}

json_t *facts_subsystem(const struct report *r)
{
	const struct side *s = &r->group->side[r->side];
	const json_t *given = given_for(r, s->name);
	json_t *v = fact_line(r->results->facts, "subsystem");
	const char *subject = s->subject;
	struct arena a = ARENA_INIT;

	if (!subject && given)
		subject = json_member_text(given, "subject");
	if (json_is_null(v) && subject) {
		json_decref(v);
		v = text_line(subject_subsystem(&a, subject));
	}
	arena_release(&a);
	return v;
}
