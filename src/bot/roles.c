#include "bot/roles.h"

#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "people/commit.h"
#include "people/maintainers.h"
#include "store/requests.h"

#define STANDINGS_MAX 500

struct standings {
	struct standing v[STANDINGS_MAX];
	size_t n;
};

static void add(struct standings *s, const char *address, enum role role)
{
	if (address && *address && s->n < STANDINGS_MAX)
		s->v[s->n++] = (struct standing){ address, role };
}

/* The report's own people: facts.people, [{"address", "role"}]. */
static void add_people(struct standings *s, const json_t *facts)
{
	const json_t *one;
	const char *role;
	size_t i;

	json_array_foreach(json_object_get(facts, "people"), i, one) {
		role = json_member_text(one, "role");
		add(s, json_member_text(one, "address"),
		    role && role_parse(role) >= 0 ? (enum role)role_parse(role)
		    : ROLE_PARTICIPANT);
	}
}

static void add_section(struct standings *s, const struct addresses *list)
{
	for (size_t i = 0; i < list->n; i++)
		add(s, list->v[i].address, ROLE_MAINTAINER);
}

static void add_maintainers(struct standings *s, const struct git *g,
			    const struct commit *c,
			    struct maintainers **opened)
{
	const struct section *const *v;
	size_t n;

	if (maintainers_read(opened, g, c->hash, NULL) == -1 || !*opened)
		return;
	v = maintainers_match(*opened, &c->files, NULL, &n);
	for (size_t i = 0; i < n; i++) {
		add_section(s, &v[i]->people);
		add_section(s, &v[i]->reviewers);
	}
}

static void add_commit(struct standings *s, const struct commit *c)
{
	add(s, c->author.address, ROLE_AUTHOR);
	add(s, c->committer.address, ROLE_AUTHOR);
	for (size_t i = 0; i < c->ntrailer; i++)
		add(s, c->trailer[i].who.address, ROLE_AUTHOR);
}

static bool is_tree(const struct conf *tree, const char *name,
		    const char *wanted)
{
	if (!strcmp(name, wanted))
		return true;
	for (const char *const *u = conf_list(tree, "url"); *u; u++)
		if (!strcmp(*u, wanted))
			return true;
	return false;
}

const char *roles_clone(const struct bot *bot, const struct stored_report *r)
{
	const struct conf *c = bot->settings->conf;
	const char *fallback = NULL;

	for (const char *const *t = conf_names(c, "trees"); *t; t++) {
		struct conf tree = conf_section(c, "trees", *t);
		const char *git = conf_text(&tree, "git");

		if (git && is_tree(&tree, *t, r->tree))
			return git;
		if (git && !fallback)
			fallback = git;
	}
	return fallback;
}

enum role roles_find(struct plan *p, const struct stored_report *r,
		     bool *denied)
{
	const struct settings *set = p->bot->settings;
	json_t *facts = json_read_text(r->facts, strlen(r->facts), "facts",
				       NULL);
	struct git g = { .dir = roles_clone(p->bot, r) };
	struct commit c = COMMIT_INIT;
	struct maintainers *m = NULL;
	struct standings *s = arena_alloc(&p->arena, sizeof(*s));
	enum role role;

	add_people(s, facts);
	if (g.dir && *r->tested && commit_read(&c, &g, r->tested, NULL) == 0) {
		add_commit(s, &c);
		add_maintainers(s, &g, &c, &m);
	}
	role = role_of(p->evidence.address, s->v, s->n, &set->lists, denied);
	if (p->evidence.proof == PROOF_ASSUMED && role < ROLE_PARTICIPANT)
		role = ROLE_PARTICIPANT;
	maintainers_free(m);
	commit_release(&c);
	json_decref(facts);
	return role;
}

enum verb roles_verb(const struct request *r)
{
	return r->revert ? VERB_PATCH : verb_of(r->kind);
}

int roles_decide(struct decision *d, struct plan *p, struct item *i,
		 struct err *err)
{
	struct question q;
	int known = asked_before(p->bot->store, p->evidence.address, err);

	if (known == -1)
		return -1;
	q = (struct question){
		.verb = roles_verb(i->request),
		.proof = p->evidence.proof,
		.why_unproven = p->evidence.reason,
		.confirmed = p->options.confirmed,
		.approved = p->options.approved,
		.known = known == 1,
		.host_files = i->source.host_files,
	};
	q.role = roles_find(p, i->report, &q.denied);
	if (q.known && q.role < ROLE_PARTICIPANT)
		q.role = ROLE_PARTICIPANT;
	i->role = q.role;
	policy_decide(d, &p->bot->settings->policy, &q, &p->arena);
	return 0;
}
