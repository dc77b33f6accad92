#include "people/people.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/log.h"
#include "data/conf.h"
#include "mail/address.h"
#include "mail/check.h"
#include "people/glob.h"
#include "people/maintainers.h"
#include "people/text.h"

enum { CHANGES_MAX = 256 << 10, ADDRESS_COLUMNS = 400 };

void people_release(struct people *p)
{
	commit_release(&p->commit);
	recipients_release(&p->who);
	recipients_release(&p->left_out);
	*p = (struct people)PEOPLE_INIT;
}

/* The facts' entry for the commit, whose key may be part of its hash. */
static json_t *given_for(json_t *facts, const char *hash)
{
	json_t *commits = json_object_get(facts, "commits"), *value;
	const char *key;

	json_object_foreach(commits, key, value)
		if (*key && hash && !strncmp(hash, key, strlen(key)))
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

int people_read(struct people *p, const struct people_options *o,
		json_t *facts, struct err *err)
{
	const struct git g = { .dir = o->git };
	json_t *patch = json_object_get(facts, "patch");
	json_t *given = given_for(facts, o->commit);

	if (o->git && o->commit &&
	    commit_read(&p->commit, &g, o->commit, err) == -1)
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
	commit_facts(&p->commit, facts);
	given = given_for(facts, o->commit);
	if (!*p->commit.hash && json_is_object(given))
		commit_describe(&p->commit, given);
	p->in_reply_to = p->commit.link_id;
	read_tree(p, o, facts);
	if (json_is_object(patch))
		patch_base(patch, facts);
	return 0;
}

static void leave_out(struct people *p, const struct address *who,
		      const char *why, const char *why_not)
{
	recipients_add(&p->left_out, who, false, why);
	recipients_find(&p->left_out, who->address)->why_not =
		arena_strdup(&p->left_out.arena, why_not);
}

/* Someone whom only trees of that level tell. */
static void add(struct people *p, const struct address *who, bool to,
		enum tree_mail level, const char *why)
{
	const char *tree = p->tree.name ? p->tree.name : "an unknown tree";
	const char *rule = p->tree.mail < TREE_PEOPLE ? "only the author hears"
						      : "no list hears";

	if (!*who->address)
		return;
	if (p->tree.mail >= level || recipients_find(&p->who, who->address))
		recipients_add(&p->who, who, to, why);
	else
		leave_out(p, who, why, arena_printf(&p->left_out.arena,
						    "of %s %s", tree, rule));
}

/* "Reviewed-by", and what is made of several: "Reported-and-tested-by". */
static bool wants_mail(const char *key)
{
	static const char *const deed[] = {
		"Signed-off", "Reviewed", "Acked", "Reported",
	};
	size_t len = strlen(key);

	if (len < 3 || strcasecmp(key + len - 3, "-by"))
		return false;
	for (size_t i = 0; i < sizeof(deed) / sizeof(*deed); i++)
		if (strcasestr(key, deed[i]))
			return true;
	return false;
}

static void add_named(struct people *p)
{
	for (size_t i = 0; i < p->commit.ntrailer; i++)
		if (wants_mail(p->commit.trailer[i].key))
			add(p, &p->commit.trailer[i].who, false, TREE_PEOPLE,
			    p->commit.trailer[i].key);
}

static void add_section(struct people *p, const struct section *s)
{
	const char *why = arena_printf(&p->who.arena, "list of %s", s->title);

	for (size_t i = 0; i < s->lists.n; i++)
		add(p, &s->lists.v[i], false, TREE_LISTS, why);
}

/* The lists of what the commit touches, by its own MAINTAINERS. */
static int add_maintainers(struct people *p, const struct git *g,
			   struct err *err)
{
	const struct commit *c = &p->commit;
	struct buf changes = BUF_INIT(CHANGES_MAX);
	const struct section *const *found;
	struct maintainers *m;
	size_t n;

	if (maintainers_read(&m, g, c->hash, err) == -1)
		return -1;
	if (m && commit_changes(c, g, &changes, err) == 0) {
		found = maintainers_match(m, &c->files, changes.s, &n);
		for (size_t i = 0; i < n; i++)
			add_section(p, found[i]);
	}
	maintainers_free(m);
	buf_release(&changes);
	return 0;
}

static int add_texts(struct people *p, const char *const *list, bool to,
		     const char *why, struct err *err)
{
	for (; list && *list; list++)
		if (recipients_add_text(&p->who, *list, to, why, err) == -1)
			return err_in(err, "%s", why);
	return 0;
}

static const char *lower(struct arena *a, const char *text)
{
	char *copy = arena_strdup(a, text);

	for (char *s = copy; *s; s++)
		*s = (char)tolower((unsigned char)*s);
	return copy;
}

/* As everywhere with addresses, case does not matter. */
static const char *pattern_for(const char *const *globs, const char *address,
			       struct arena *a)
{
	address = lower(a, address);
	for (; *globs; globs++)
		if (glob_match(lower(a, *globs), address))
			return *globs;
	return NULL;
}

/* Why an address that is on the list must not be, or NULL. */
static const char *why_drop(const struct people *p, const struct conf *conf,
			    const char *address, struct arena *a)
{
	static const char *const deaf[] = {
		"noreply@*", "no-reply@*", "*@users.noreply.*", NULL,
	};
	const char *own = conf_text(conf, "operator.address"), *pattern;

	if (own && address_is_same_untagged(address, own))
		return "it is the operator's";
	pattern = pattern_for(p->tree.leave_out, address, a);
	if (!pattern)
		pattern = pattern_for(conf_list(conf, "leave_out"), address, a);
	if (pattern)
		return arena_printf(a, "leave_out says '%s'", pattern);
	return pattern_for(deaf, address, a) ? "it takes no mail" : NULL;
}

static void drop_some(struct people *p, const struct conf *conf)
{
	for (size_t i = 0; i < p->who.n;) {
		const struct addressee a = p->who.v[i];
		const char *why_not = why_drop(p, conf, a.who.address,
					       &p->who.arena);

		if (!why_not) {
			i++;
			continue;
		}
		leave_out(p, &a.who, a.why, why_not);
		recipients_drop(&p->who, a.who.address);
	}
}

static void add_operator(struct people *p, const struct conf *conf)
{
	const char *address = conf_text(conf, "operator.address");

	for (size_t i = 0; i < p->who.n; i++)
		if (p->who.v[i].to)
			return;
	if (address)
		recipients_add(&p->who, &(struct address){
			conf_text(conf, "operator.name"), address }, true,
			"operator, since nobody else is known");
}

/*
 * A branch that was rebased, or thrown away, does not hold the commit any
 * more: that is for its author to know and for nobody else.
 */
static void check_branch(struct people *p, const struct git *g,
			 const char *branch)
{
	if (!g->dir || !branch || !*p->commit.hash ||
	    git_branch_holds(g, branch, p->commit.hash) != 0)
		return;
	log_warn("branch '%s' does not hold commit %.12s any more: its author "
		 "alone is told", branch, p->commit.hash);
	if (p->tree.mail > TREE_AUTHOR)
		p->tree.mail = TREE_AUTHOR;
}

int people_choose(struct people *p, const struct people_options *o,
		  const json_t *facts, struct err *err)
{
	const struct git g = { .dir = o->git };
	const char *branch = json_member_text(facts, "branch");

	if (tree_check(&p->tree, branch, err) == -1)
		return -1;
	check_branch(p, &g, branch);
	add(p, &p->commit.author, true, TREE_AUTHOR, "author");
	add(p, &p->commit.committer, false, TREE_PEOPLE, "committer");
	add_named(p);
	if (o->git && *p->commit.hash && p->tree.mail >= TREE_LISTS &&
	    add_maintainers(p, &g, err) == -1)
		return -1;
	if (p->tree.mail >= TREE_LISTS &&
	    add_texts(p, conf_list(o->conf, "lists"), false,
		      "lists of the configuration", err) == -1)
		return -1;
	if (add_texts(p, p->tree.to, true, "the tree's to", err) == -1 ||
	    add_texts(p, p->tree.cc, false, "the tree's cc", err) == -1)
		return -1;
	drop_some(p, o->conf);
	if (add_texts(p, o->to, true, "--to", err) == -1 ||
	    add_texts(p, o->cc, false, "--cc", err) == -1)
		return -1;
	add_operator(p, o->conf);
	return 0;
}

void people_explain(const struct people *p, struct buf *out)
{
	recipients_explain(&p->who, out);
	recipients_explain(&p->left_out, out);
}
