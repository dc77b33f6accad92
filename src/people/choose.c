#include "people/people.h"

#include <ctype.h>
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

/* Who of those around a commit hears of it; see people_choose(). */

enum { LISTS_MAX = 30 };

/* The reason that was first counts; whoever is told is not left out. */
static void leave_out(struct people *p, const struct address *who,
		      const char *why, const char *why_not)
{
	struct addressee *one;

	if (!*who->address || recipients_find(&p->who, who->address))
		return;
	recipients_add(&p->left_out, who, false, why);
	one = recipients_find(&p->left_out, who->address);
	if (!one->why_not)
		one->why_not = arena_strdup(&p->left_out.arena, why_not);
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
	else if (p->gone)
		leave_out(p, who, why, p->gone);
	else
		leave_out(p, who, why, arena_printf(&p->left_out.arena,
						    "of %s %s", tree, rule));
}

/* An address that .mailmap has made another of; NULL: none was. */
static void leave_out_old(struct people *p, const char *was,
			  const struct address *now, const char *why)
{
	const struct address old = { "", was ? was : "" };

	leave_out(p, &old, why, arena_printf(&p->left_out.arena,
					     ".mailmap has %s for it",
					     now->address));
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
	for (size_t i = 0; i < p->commit.ntrailer; i++) {
		const struct trailer *t = &p->commit.trailer[i];

		if (wants_mail(t->key)) {
			add(p, &t->who, false, TREE_PEOPLE, t->key);
			leave_out_old(p, t->was, &t->who, t->key);
		} else {
			leave_out(p, &t->who, t->key, "only Signed-off-by, "
				  "Reviewed-by, Acked-by and Reported-by are told");
		}
	}
}

/* Maintainers have mostly signed, or are on the list. */
static void add_people(struct people *p, const struct addresses *list,
		       const char *why)
{
	for (size_t i = 0; i < list->n; i++)
		if (p->tree.maintainers || p->tree.mail < TREE_LISTS)
			add(p, &list->v[i], false, TREE_LISTS, why);
		else
			leave_out(p, &list->v[i], why, "the tree's "
				  "'maintainers' is not set");
}

static void leave_out_all(struct people *p, const struct addresses *list,
			  const char *why, const char *why_not)
{
	for (size_t i = 0; i < list->n; i++)
		leave_out(p, &list->v[i], why, why_not);
}

static void add_section(struct people *p, const struct section *s,
			const char *why_not)
{
	struct arena *a = &p->left_out.arena;
	const char *why = arena_printf(a, "list of %s", s->title);

	if (!why_not && !strncasecmp(s->status, "Obsolete", 8))
		why_not = "that is obsolete";
	for (size_t i = 0; i < s->lists.n && !why_not; i++)
		add(p, &s->lists.v[i], false, TREE_LISTS, why);
	leave_out_all(p, &s->closed, why, "it is for subscribers only");
	if (why_not) {
		leave_out_all(p, &s->lists, why, why_not);
		return;
	}
	add_people(p, &s->people, arena_printf(a, "maintainer of %s",
					       s->title));
	add_people(p, &s->reviewers, arena_printf(a, "reviewer of %s",
						  s->title));
}

static size_t count_lists(const struct people *p)
{
	struct recipients all = RECIPIENTS_INIT;
	size_t n;

	for (size_t i = 0; i < p->nsection; i++)
		for (size_t k = 0; k < p->section[i]->lists.n; k++)
			recipients_add(&all, &p->section[i]->lists.v[k], false,
				       "");
	n = all.n;
	recipients_release(&all);
	return n;
}

/*
 * The lists of what the commit touches, by its own MAINTAINERS.  What touches
 * everything is not for everybody.
 */
static void add_maintainers(struct people *p)
{
	size_t n = count_lists(p);
	const char *why_not = NULL;

	if (n > LISTS_MAX)
		why_not = arena_printf(&p->left_out.arena, "the commit is for "
				       "%zu lists, and more than %d are none",
				       n, LISTS_MAX);
	for (size_t i = 0; i < p->nsection; i++)
		add_section(p, p->section[i], why_not);
}

static int add_texts(struct people *p, const char *const *list, bool to,
		     enum tree_mail level, const char *why, struct err *err)
{
	struct address who;

	for (; list && *list; list++) {
		if (address_parse(*list, &p->who.arena, &who, err) == -1) {
			err_in(err, "'%s'", *list);
			return err_in(err, "%s", why);
		}
		add(p, &who, to, level, why);
	}
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
		recipients_drop(&p->who, a.who.address);
		leave_out(p, &a.who, a.why, why_not);
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
	if (p->tree.mail <= TREE_AUTHOR)
		return;
	p->tree.mail = TREE_AUTHOR;
	p->gone = arena_printf(&p->left_out.arena, "branch '%s' does not hold "
			       "the commit any more", branch);
}

/* Everybody whom commit, MAINTAINERS and configuration name. */
static int add_all(struct people *p, const struct conf *conf, struct err *err)
{
	const struct commit *c = &p->commit;

	add(p, &c->author, true, TREE_AUTHOR, "author");
	leave_out_old(p, c->author_was, &c->author, "author");
	add(p, &c->committer, false, TREE_PEOPLE, "committer");
	leave_out_old(p, c->committer_was, &c->committer, "committer");
	add_named(p);
	add_maintainers(p);
	if (add_texts(p, conf_list(conf, "lists"), false, TREE_LISTS,
		      "lists of the configuration", err) == -1 ||
	    add_texts(p, p->tree.to, true, TREE_AUTHOR, "the tree's to",
		      err) == -1 ||
	    add_texts(p, p->tree.cc, false, TREE_AUTHOR, "the tree's cc",
		      err) == -1)
		return -1;
	drop_some(p, conf);
	return 0;
}

/* Nobody hears of a branch that is denied. */
static void leave_out_everybody(struct people *p, const char *why_not)
{
	while (p->who.n) {
		const struct addressee a = p->who.v[0];

		recipients_drop(&p->who, a.who.address);
		leave_out(p, &a.who, a.why, why_not);
	}
}

/* Those who were left out for one reason, and told for another. */
static void forget_told(struct people *p)
{
	for (size_t i = 0; i < p->left_out.n;) {
		const char *address = p->left_out.v[i].who.address;

		if (recipients_find(&p->who, address))
			recipients_drop(&p->left_out, address);
		else
			i++;
	}
}

int people_choose(struct people *p, const struct people_options *o,
		  const json_t *facts, struct err *err)
{
	const struct git g = { .dir = o->git };
	const char *branch = json_member_text(facts, "branch");
	struct err denied = ERR_INIT;
	int rc = tree_check(&p->tree, branch, &denied);

	if (rc == 0)
		check_branch(p, &g, branch);
	else
		p->tree.mail = TREE_LISTS;	/* denied, one and all */
	if (add_all(p, o->conf, err) == -1 ||
	    add_texts(p, o->to, true, TREE_AUTHOR, "--to", err) == -1 ||
	    add_texts(p, o->cc, false, TREE_AUTHOR, "--cc", err) == -1)
		return -1;
	if (rc == -1) {
		leave_out_everybody(p, denied.text);
		return err_set(err, denied.code, "%s", denied.text);
	}
	add_operator(p, o->conf);
	forget_told(p);
	return 0;
}

void people_explain(const struct people *p, struct buf *out)
{
	recipients_explain(&p->who, out);
	recipients_explain(&p->left_out, out);
	if (p->commit.merged && p->tree.mail >= TREE_LISTS)
		buf_addf(out, "--: the lists of MAINTAINERS  (a merge of %zu "
			 "files, but of more than %d it is for everybody)\n",
			 p->commit.merged, MERGE_FILES_MAX);
}
