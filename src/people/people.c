#include "people/people.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/commit-name.h"
#include "base/err.h"
#include "base/log.h"
#include "data/conf.h"
#include "mail/check.h"
#include "people/maintainers.h"
#include "people/text.h"

enum { CHANGES_MAX = 256 << 10, TREES_MAX = 5 };

void people_release(struct people *p)
{
	commit_release(&p->commit);
	recipients_release(&p->who);
	recipients_release(&p->left_out);
	maintainers_free(p->maintainers);
	*p = (struct people)PEOPLE_INIT;
}

/* The facts' entry for the commit, whose key may be part of its hash. */
static json_t *given_for(json_t *facts, const char *hash)
{
	json_t *commits = json_object_get(facts, "commits"), *value;
	const char *key;

	json_object_foreach(commits, key, value)
		if (hash && key_means_commit(key, hash))
			return value;
	return NULL;
}

json_t *people_facts_of(json_t *facts, const char *commit)
{
	json_t *commits = json_object_get(facts, "commits"), *given;

	if (!commits) {
		commits = json_object();
		json_object_set_new(facts, "commits", commits);
	}
	given = given_for(facts, commit);
	if (!given && json_is_object(commits)) {
		given = json_object();
		json_object_set_new(commits, commit, given);
	}
	return json_is_object(given) ? given : NULL;
}

static struct address person(struct arena *a, const json_t *given)
{
	struct address who = { "", "" };
	const char *name = json_member_text(given, "name");
	const char *address = json_member_text(given, "address");
	const char *text = json_string_value(given);

	if (text && !text_mailbox(a, text, strlen(text), &who))
		log_warn("facts: '%s' is no address", text);
	if (address)
		who = text_person(a, name ? name : "", address);
	return who;
}

static const char *text_id(struct arena *a, const char *s)
{
	size_t len = strlen(s);

	if (len > 2 && *s == '<' && s[len - 1] == '>')
		s = arena_strndup(a, s + 1, len - 2);
	if (msgid_check(s, NULL) == 0)
		return arena_strdup(a, s);
	log_warn("facts: '%s' is no Message-ID", s);
	return NULL;
}

/* What the facts say, where no checkout says it. */
static void from_facts(struct commit *c, const json_t *given)
{
	const char *message = json_member_text(given, "message");
	const char *subject = json_member_text(given, "subject");
	const char *id = json_member_text(given, "message_id");
	const char *link = json_member_text(given, "link");
	struct address author = person(&c->arena,
				       json_object_get(given, "author"));
	struct address committer = person(&c->arena,
					  json_object_get(given, "committer"));

	if (*author.address)
		c->author = author;
	if (*committer.address)
		c->committer = committer;
	if (message)
		commit_message(c, message, strlen(message));
	if (subject)
		commit_subject(c, subject, strlen(subject));
	if (link && link_message_id(&c->arena, link))
		c->link_id = link_message_id(&c->arena, link);
	if (id)
		c->link_id = text_id(&c->arena, id);
}

static void fill(json_t *in, const char *key, json_t *value)
{
	if (!json_object_get(in, key))
		json_object_set_new(in, key, value);
	else
		json_decref(value);
}

/* "[PATCH net-next v15 1/3] ..." */
static void patch_numbers(json_t *patch)
{
	const char *s = json_member_text(patch, "subject");
	const char *end = s ? strchr(s, ']') : NULL;

	if (!s || *s != '[' || !end)
		return;
	for (s++; s < end; s += strcspn(s, " ]") + 1) {
		char *slash, *rest;
		long n = strtol(s, &slash, 10);

		if (tolower((unsigned char)*s) == 'v' &&
		    isdigit((unsigned char)s[1]))
			fill(patch, "version",
			     json_stringn(s, strcspn(s, " ]")));
		if (slash == s || *slash != '/')
			continue;
		fill(patch, "number", json_integer(n));
		n = strtol(slash + 1, &rest, 10);
		if (rest != slash + 1)
			fill(patch, "total", json_integer(n));
	}
}

/*
 * A mailed patch goes by the subject it was mailed with: which version was
 * tested is what readers ask first.
 */
static void patch_subject(const json_t *patch, json_t *facts,
			  const char *commit)
{
	const char *subject = json_member_text(patch, "subject");
	json_t *given = subject && commit ? people_facts_of(facts, commit)
					  : NULL;

	if (given)
		json_object_set_new(given, "subject", json_string(subject));
}

/* Where the patch mail can be read: as the configuration has mails fetched,
 * but as a page. */
static void patch_link(json_t *patch, const struct conf *conf, const char *id)
{
	const char *url = conf_text(conf, "fetch.archive");
	const char *place = url ? strstr(url, "%s") : NULL;
	struct buf link = BUF_INIT(4096);

	if (!id || !place)
		return;
	buf_add(&link, url, (size_t)(place - url));
	for (; *id; id++)
		buf_addf(&link, *id == '/' || *id == '%' ? "%%%02X" : "%c", *id);
	buf_addstr(&link, "/");
	fill(patch, "link", json_text(link.s));
	buf_release(&link);
}

/* Without a word of its own a patch was applied to the tree that is named. */
static void patch_base(json_t *patch, const json_t *facts)
{
	const char *tree = json_member_text(facts, "tree");
	const char *branch = json_member_text(facts, "branch");
	struct buf base = BUF_INIT(4096);

	if (!tree)
		return;
	buf_addf(&base, "%s%s%s", tree, branch ? " " : "",
		 branch ? branch : "");
	fill(patch, "base", json_text(base.s));
	buf_release(&base);
}

/* The tree's profile; facts that name it by its short name learn its URL. */
static void read_tree(struct people *p, const struct people_options *o,
		      json_t *facts)
{
	const char *named = json_member_text(facts, "tree");

	p->tree = tree_find(o->conf, named);
	if (!p->tree.name)
		return;
	fill(facts, "tree_name", json_string(p->tree.name));
	if (named && p->tree.url && !strcmp(named, p->tree.name))
		json_object_set_new(facts, "tree", json_string(p->tree.url));
}

/* The sections of the commit's own MAINTAINERS that look after it. */
static int read_sections(struct people *p, const struct git *g,
			 struct err *err)
{
	const struct commit *c = &p->commit;
	struct buf changes = BUF_INIT(CHANGES_MAX);

	if (maintainers_read(&p->maintainers, g, c->hash, err) == -1)
		return -1;
	if (p->maintainers && commit_changes(c, g, &changes, NULL) == 0)
		p->section = maintainers_match(p->maintainers, &c->files,
					       changes.s, &p->nsection);
	buf_release(&changes);
	return 0;
}

/* "THE REST" looks after everything. */
static bool is_the_rest(const struct section *s)
{
	for (size_t i = 0; i < s->files.n; i++)
		if (!strcmp(s->files.v[i], "*/"))
			return true;
	return false;
}

/* "git git://example.org/x.git next", but "quilt https://example.org/x". */
static const char *tree_of(const char *t)
{
	return strncmp(t, "git ", 4) ? t : t + 4 + strspn(t + 4, " \t");
}

static bool is_tested_tree(const char *tree, const char *tested)
{
	struct arena a = ARENA_INIT;
	bool same = tested && tree_is_same_url(
		arena_strndup(&a, tree, strcspn(tree, " \t")),
		arena_strndup(&a, tested, strcspn(tested, " \t")));

	arena_release(&a);
	return same;
}

static bool has_text(const json_t *list, const char *text)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (!strcmp(json_string_value(json_array_get(list, i)), text))
			return true;
	return false;
}

/*
 * The trees that MAINTAINERS has for what the patch touches, those of THE REST
 * only where there are no others; none when it was tested on one of them.
 */
static json_t *trees_of_sections(const struct people *p, const char *tested,
				 bool rest)
{
	json_t *list = json_array();

	for (size_t i = 0; i < p->nsection; i++) {
		const struct section *s = p->section[i];

		for (size_t k = 0; k < s->trees.n; k++) {
			const char *tree = tree_of(s->trees.v[k]);

			if (is_tested_tree(tree, tested)) {
				json_array_clear(list);
				return list;
			}
			if (is_the_rest(s) == rest && !has_text(list, tree) &&
			    json_array_size(list) < TREES_MAX)
				json_array_append_new(list, json_text(tree));
		}
	}
	return list;
}

static void patch_trees(const struct people *p, json_t *patch,
			const json_t *facts)
{
	const char *base = json_member_text(patch, "base");
	const char *tree = json_member_text(facts, "tree");
	const char *tested = base && strstr(base, "://") ? base : tree;
	json_t *list = trees_of_sections(p, tested, false);

	if (!json_array_size(list)) {
		json_decref(list);
		list = trees_of_sections(p, tested, true);
	}
	if (json_array_size(list))
		fill(patch, "trees", list);
	else
		json_decref(list);
}

static bool is_checkout(const struct git *g)
{
	static const char *const args[] = { "rev-parse", "--git-dir", NULL };
	struct buf out = BUF_INIT(8192);
	bool is = git_run(g, args, NULL, &out, NULL) == 0;

	buf_release(&out);
	return is;
}

/* A mailed patch is often applied elsewhere: a checkout that does not have the
 * commit is no error where the facts tell of it. */
static int read_checkout(struct people *p, const struct people_options *o,
			 const json_t *patch, const json_t *given,
			 struct err *err)
{
	const struct git g = { .dir = o->git };
	struct err why = ERR_INIT;

	if (!o->git || !o->commit)
		return 0;
	if (commit_read(&p->commit, &g, o->commit, &why) == 0)
		return read_sections(p, &g, err);
	if ((!json_member_text(patch, "subject") &&
	     !json_member_text(given, "subject")) || !is_checkout(&g))
		return err_set(err, why.code, "%s", why.text);
	log_warn("%s; what is known of it are the facts", why.text);
	commit_release(&p->commit);
	p->commit = (struct commit)COMMIT_INIT;
	return 0;
}

int people_read(struct people *p, const struct people_options *o,
		json_t *facts, struct err *err)
{
	json_t *patch = json_object_get(facts, "patch");
	json_t *given = given_for(facts, o->commit);

	if (read_checkout(p, o, patch, given, err) == -1)
		return -1;
	if (!*p->commit.hash && given)
		from_facts(&p->commit, given);
	if (json_is_object(patch)) {
		from_facts(&p->commit, patch);
		patch_numbers(patch);
		patch_subject(patch, facts, *p->commit.hash ? p->commit.hash
							    : o->commit);
		patch_link(patch, o->conf, p->commit.link_id);
	}
	if (p->commit.subsystem)
		fill(facts, "subsystem", json_text(p->commit.subsystem));
	commit_facts(&p->commit, facts, o->commit);
	given = given_for(facts, o->commit);
	if (!*p->commit.hash && json_is_object(given))
		commit_describe(&p->commit, given);
	p->in_reply_to = p->commit.link_id;
	read_tree(p, o, facts);
	if (json_is_object(patch)) {
		patch_base(patch, facts);
		patch_trees(p, patch, facts);
	}
	return 0;
}
