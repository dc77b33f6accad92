#include "request/find.h"

#include <string.h>

#include "base/buf.h"
#include "request/reading.h"

#define UNSURE 0.45	/* so that the robot asks */
#define GIVEN_UP_MAX 10	/* matches at their limit, then a mail is let be */

struct request *finder_add(struct finder *f, enum request_kind kind,
			   double sure, size_t sentence)
{
	struct found *n;

	if (f->nfound == REQUESTS_MAX)
		return NULL;
	n = &f->found[f->nfound++];
	*n = (struct found){ .request = { .kind = kind, .confidence = sure },
			     .sentence = sentence };
	return &n->request;
}

void finder_explain(struct finder *f, size_t line, const char *sentence,
		    const char *rule, const char *why)
{
	struct requests *o = f->out;

	o->explanation = arena_grow(&o->arena, o->explanation,
				    &o->explanation_cap, o->nexplanation + 1,
				    sizeof(*o->explanation));
	o->explanation[o->nexplanation++] =
		(struct explanation){ line, sentence, rule, why };
}

/* ---------------------------------------------------------------- rules */

static bool holds_anywhere(struct finder *f, size_t fact)
{
	for (size_t i = 0; i < f->sentences.n; i++)
		if (sentence_has(&f->sentences.v[i], f->g, fact))
			return true;
	return false;
}

static bool condition_holds(struct finder *f, size_t index,
			    const struct condition *c)
{
	size_t n = f->sentences.n;
	bool holds;

	if (c->anywhere)
		return holds_anywhere(f, c->fact) != c->negate;
	if ((!index && c->where < 0) || (index + 1 == n && c->where > 0))
		return c->negate;
	index += (size_t)c->where;
	holds = sentence_has(&f->sentences.v[index], f->g, c->fact);
	return holds != c->negate;
}

/* The number of the first condition that fails, rule->n when all hold. */
static size_t rule_fails_at(struct finder *f, size_t index,
			    const struct rule *rule)
{
	for (size_t i = 0; i < rule->n; i++) {
		size_t first = i;
		bool holds = condition_holds(f, index, &rule->condition[i]);

		for (; rule->condition[i].or_next; i++)
			holds = holds || condition_holds(f, index,
						&rule->condition[i + 1]);
		if (!holds)
			return first;
	}
	return rule->n;
}

/* The marks that were looked for and are there. */
static const char *marks_seen(struct finder *f, const struct sentence *s)
{
	struct buf out = BUF_INIT(1000);
	const char *text;

	for (size_t i = 0; i < f->g->marks.n; i++)
		if (s->mark[i] > 0)
			buf_addf(&out, "%s%s", out.len ? " " : "",
				 f->g->marks.v[i].name);
	text = out.len ? arena_printf(f->arena, "seen: %s", out.s)
		       : "nothing that asks";
	buf_release(&out);
	return text;
}

static unsigned int topic(int kind)
{
	return 1u << (is_job(kind) ? REQUEST_RERUN : kind);
}

/* Said to the robot, or at least of it. */
static bool concerns_robot(const struct sentence *s)
{
	return s->facts & (1u << FACT_DIRECT | 1u << FACT_ROBOT) ||
	       sentence_entity(s, "robot", 0) || strstr(s->reading, "_robot");
}

static void add_found(struct finder *f, const struct rule *rule, size_t index)
{
	struct sentence *s = &f->sentences.v[index];
	struct request *r = finder_add(f, (enum request_kind)rule->kind,
				       rule->sure, index);

	if (!r)
		return;
	if (s->facts & 1u << FACT_STRANGER && r->confidence > UNSURE)
		r->confidence = UNSURE;
	r->rule = rule->name;
	r->evidence = s->text;
	r->line = s->line;
	s->facts |= 1u << FACT_GOT;
	finder_explain(f, s->line, s->text, rule->name,
		       request_kind_name(r->kind));
}

/* A rule of "nothing", or for a job of "no-job", that forbids what another rule
 * found; NULL when there is none. */
static const struct rule *find_veto(struct finder *f, size_t index, bool job)
{
	for (size_t i = 0; i < f->g->nrule; i++) {
		const struct rule *rule = &f->g->rule[i];

		if ((rule->kind == RULE_NOTHING ||
		     (job && rule->kind == RULE_NO_JOB)) &&
		    rule_fails_at(f, index, rule) == rule->n)
			return rule;
	}
	return NULL;
}

static bool is_veto(const struct rule *rule)
{
	return rule->kind == RULE_NOTHING || rule->kind == RULE_NO_JOB;
}

/* A rule holds: a request, unless another forbids it. */
static void take_rule(struct finder *f, size_t index, const struct rule *rule)
{
	struct sentence *s = &f->sentences.v[index];
	const struct rule *veto = find_veto(f, index, is_job(rule->kind));

	if (!veto) {
		add_found(f, rule, index);
		return;
	}
	finder_explain(f, s->line, s->text, veto->name,
		       arena_printf(f->arena, "%s, not %s (%s)",
				    veto->kind == RULE_NOTHING ?
				    "asks nothing" : "asks for no run",
				    request_kind_name((enum request_kind)
						      rule->kind),
				    rule->name));
	s->closed |= veto->kind == RULE_NOTHING;
	s->no_job = true;
}

/* One sentence through all rules. */
static void read_sentence(struct finder *f, size_t index)
{
	struct sentence *s = &f->sentences.v[index];
	size_t explained = f->out->nexplanation;
	unsigned int done = 0;

	if (!concerns_robot(s)) {
		finder_explain(f, s->line, s->text, NULL,
			       "not said to the robot");
		return;
	}
	for (size_t i = 0; i < f->g->nrule && !s->closed; i++) {
		const struct rule *rule = &f->g->rule[i];

		if (rule->late || is_veto(rule) || done & topic(rule->kind) ||
		    rule_fails_at(f, index, rule) < rule->n)
			continue;
		take_rule(f, index, rule);
		done |= topic(rule->kind);
	}
	if (explained == f->out->nexplanation)
		finder_explain(f, s->line, s->text, NULL, marks_seen(f, s));
}

/* The late rules: the first that holds anywhere, for a mail in which nothing
 * was found. */
static void read_late(struct finder *f)
{
	for (size_t i = 0; i < f->g->nrule && !f->nfound; i++) {
		const struct rule *rule = &f->g->rule[i];

		for (size_t k = 0; rule->late && k < f->sentences.n; k++)
			if (!f->sentences.v[k].closed &&
			    concerns_robot(&f->sentences.v[k]) &&
			    rule_fails_at(f, k, rule) == rule->n &&
			    !find_veto(f, k, is_job(rule->kind))) {
				add_found(f, rule, k);
				return;
			}
	}
}

/* ------------------------------------------------------ several requests */

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool has_target(const struct request *r)
{
	return r->url || r->msgid || r->tree || r->branch || r->commit ||
	       r->title || r->revert || r->base;
}

/* Does "b" say nothing that "a" does not say? */
static bool adds_nothing(const struct request *a, const struct request *b)
{
	if (a->kind != b->kind)
		return b->kind == REQUEST_RERUN && is_job((int)a->kind) &&
		       !b->nparam;
	if (a->kind == REQUEST_MORE_DATA || a->kind == REQUEST_STOP)
		return same_text(a->evidence, b->evidence);
	if (a->kind == REQUEST_RERUN_WITH_TREE)
		return !has_target(b) ||
		       (same_text(a->commit, b->commit) &&
			same_text(a->tree, b->tree) &&
			same_text(a->branch, b->branch) &&
			same_text(a->base, b->base));
	return !has_target(b) || (same_text(a->url, b->url) &&
				  same_text(a->msgid, b->msgid) &&
				  same_text(a->commit, b->commit));
}

static void take_over(struct arena *a, struct request *to,
		      const struct request *from)
{
	if (!to->count)
		to->count = from->count;
	if (to->confidence < from->confidence && to->kind == from->kind) {
		to->confidence = from->confidence;
		to->evidence = from->evidence;
		to->rule = from->rule;
		to->line = from->line;
	}
	if (is_job((int)from->kind) && is_job((int)to->kind))
		for (size_t i = 0; i < from->nparam; i++)
			request_add_param(a, to, from->param[i].key,
					  from->param[i].value);
}

/* Two sentences about the same run are one request. */
static void merge(struct finder *f)
{
	for (size_t i = 0; i < f->nfound; i++)
		for (size_t k = 0; k < f->nfound; k++) {
			struct found *a = &f->found[i], *b = &f->found[k];

			if (i == k || a->gone || b->gone ||
			    !adds_nothing(&a->request, &b->request))
				continue;
			take_over(f->arena, &a->request, &b->request);
			b->gone = true;
		}
}

static bool asks_for(const struct finder *f, bool job)
{
	for (size_t i = 0; i < f->nfound; i++)
		if (!f->found[i].gone && f->found[i].sentence != NO_SENTENCE &&
		    (job ? is_job((int)f->found[i].request.kind)
			 : f->found[i].request.kind < REQUEST_CANCEL))
			return true;
	return false;
}

/*
 * What is said about a report beside a request gives its reason: "the bisect
 * looks wrong, please run it again" closes nothing.
 */
static void drop_claims(struct finder *f)
{
	bool job = asks_for(f, true), any = asks_for(f, false);

	for (size_t i = 0; i < f->nfound; i++) {
		struct found *n = &f->found[i];
		enum request_kind k = n->request.kind;
		bool weak = k == REQUEST_INVALID || k == REQUEST_EXPECTED ||
			    k == REQUEST_DUP;

		if (n->sentence == NO_SENTENCE)
			continue;
		n->gone |= (weak && n->request.confidence < 0.75 && any) ||
			   (((k == REQUEST_FIXED && !n->request.commit) || weak) &&
			    n->request.confidence < 0.75 && job);
	}
}

static void hand_out(struct finder *f)
{
	struct requests *o = f->out;

	o->request = arena_array(f->arena, f->nfound + 1, sizeof(*o->request));
	for (size_t i = 0; i < f->nfound; i++)
		if (!f->found[i].gone)
			o->request[o->n++] = f->found[i].request;
	o->command = f->sentences.command;
	o->ncommand = f->sentences.ncommand;
}

/* ------------------------------------------------------------------ door */

/* A mail that nobody wrote, or we did, asks nothing. */
static bool asks_by_nature(struct finder *f)
{
	const char *why = f->m->automatic ? "automatic mail"
			: robot_wrote(f->robot, f->m) ?
				  "our own mail"
			: f->m->body_nul || f->m->body_cut ?
				  "a body that is not whole" : NULL;

	if (why)
		finder_explain(f, 0, "", NULL, why);
	return !why;
}

void requests_find(struct requests *r, const struct message *m,
		   const struct grammar *g, const struct robot *robot)
{
	struct finder f = { .out = r, .arena = &r->arena, .m = m, .g = g,
			    .robot = robot };
	size_t given_up = regex_given_up(), n;

	*r = (struct requests){ .arena = ARENA_INIT };
	if (!asks_by_nature(&f))
		return;
	sentences_find(&f.sentences, f.arena, m, g, robot);
	for (size_t i = 0; i < f.sentences.ncommand; i++)
		command_read(&f, &f.sentences.command[i]);
	for (size_t i = 0; i < f.sentences.n; i++)
		if (regex_given_up() - given_up < GIVEN_UP_MAX)
			read_sentence(&f, i);
	if (regex_given_up() - given_up < GIVEN_UP_MAX)
		read_late(&f);
	n = f.nfound;
	for (size_t i = 0; i < n; i++)
		fields_fill(&f, i);
	merge(&f);
	drop_claims(&f);
	hand_out(&f);
	if (f.sentences.cut)
		finder_explain(&f, 0, "", NULL, "too long: not all was read");
	if (regex_given_up() != given_up)
		finder_explain(&f, 0, "", NULL, "a pattern hit its limit");
}

void requests_release(struct requests *r)
{
	arena_release(&r->arena);
}
