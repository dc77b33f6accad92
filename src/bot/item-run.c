#include "bot/plan.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "bot/letter.h"
#include "bot/roles.h"
#include "bot/told.h"
#include "bot/tryout.h"
#include "bot/unmet.h"
#include "policy/url.h"
#include "store/jobs.h"
#include "store/requests.h"

/* Requests that cost machine time: may he, can it be done, what would it be? */

#define SURE 0.5	/* below that confidence we ask before we run */
#define DAY 86400

static int deny(struct item *i, const char *reason, bool silent)
{
	i->outcome = OUTCOME_DENY;
	i->reason = reason;
	i->silent = silent;
	return 0;
}

/* Ask policy.  1: go on, i->outcome says how it would end; 0: settled. */
static int judge(struct plan *p, struct item *i, struct err *err)
{
	struct decision d;

	if (roles_decide(&d, p, i, err) == -1)
		return -1;
	if (!i->report->public && i->role == ROLE_STRANGER)
		return deny(i, "the report is not public", true);
	i->reason = d.reason;
	switch (d.ruling) {
	case RULING_DENY:
		return deny(i, d.reason, d.silent);
	case RULING_NOTE:
		i->outcome = OUTCOME_NONE;
		return 0;
	case RULING_CONFIRM:
		i->outcome = OUTCOME_HOLD;
		return 1;
	case RULING_OPERATOR:
		i->outcome = OUTCOME_OPERATOR;
		return 1;
	default:
		i->outcome = OUTCOME_QUEUE;
		return 1;
	}
}

static void ask_patch(struct plan *p, struct item *i)
{
	const struct source *src = &i->source;
	json_t *list = json_array();

	for (size_t k = 0; k < src->ncandidate; k++)
		json_array_append_new(list, json_pack("{s:s,s:s,s:s}",
			"message_id", src->candidate[k]->message_id,
			"subject", src->candidate[k]->subject,
			"author", src->candidate[k]->from.address));
	json_object_set_new(i->told, "candidates", list);
	i->outcome = OUTCOME_ASK;
	i->error = src->error;
	i->reason = arena_strdup(&p->arena, src->reason);
}

/* The patch, where one is meant.  1: go on, 0: settled, -1. */
static int get_source(struct plan *p, struct item *i, struct err *err)
{
	const struct source *src = &i->source;

	i->source = (struct source){ .kind = "none" };
	if (!spec_is_patched(i->request))
		return 1;
	if (source_find(&i->source, p->bot, roles_clone(p->bot, i->report),
			p->m, i->request, &p->opened,
			&p->arena, err) == -1)
		return -1;
	if (!src->error)
		return 1;
	if (src->ncandidate > 1)
		ask_patch(p, i);
	else
		item_fail(i, src->error, src->reason);
	return 0;
}

static bool is_plain(const char *value)
{
	size_t len = strlen(value);

	for (const char *c = value; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("._%+/:=,@-", *c))
			return false;
	return len && len <= 64 && *value != '-';
}

static bool knows_parameter(const struct plan *p, const struct item *i,
			    const char *key)
{
	const char *const *known = conf_list(p->bot->settings->conf,
					     "run.parameters");
	json_t *facts = json_read_text(i->report->facts,
				       strlen(i->report->facts), "facts", NULL);
	bool yes = json_object_get(json_object_get(facts, "axes"), key);

	json_decref(facts);
	for (; *known && !yes; known++)
		yes = !strcmp(*known, key);
	return yes;
}

static const char *known_parameters(struct plan *p, const struct item *i)
{
	const char *const *known = conf_list(p->bot->settings->conf,
					     "run.parameters");
	json_t *facts = json_read_text(i->report->facts,
				       strlen(i->report->facts), "facts",
				       NULL), *value;
	struct buf names = BUF_INIT(300);
	json_t *axes = json_object_get(facts, "axes");
	const char *key, *text;

	json_object_foreach(axes, key, value)
		buf_addf(&names, "%s%s", names.len ? ", " : "", key);
	for (; *known; known++)
		if (!json_object_get(axes, *known))
			buf_addf(&names, "%s%s", names.len ? ", " : "",
				 *known);
	text = arena_strndup(&p->arena, names.s, names.len);
	json_decref(facts);
	buf_release(&names);
	return text;
}

/* Parameters are data of a stranger: only known ones, only plain values. */
static bool check_params(struct plan *p, struct item *i)
{
	for (size_t k = 0; k < i->request->nparam; k++) {
		const struct parameter *one = &i->request->param[k];

		if (knows_parameter(p, i, one->key) && is_plain(one->value))
			continue;
		item_fail(i, "unknown-parameter", arena_printf(&p->arena,
			  "I cannot run it with %.40s=%.60s; what I can change "
			  "is %s", one->key, one->value,
			  known_parameters(p, i)));
		return false;
	}
	return true;
}

static bool check_tree(struct plan *p, struct item *i)
{
	const struct request *r = i->request;
	struct err why = ERR_INIT;
	struct url u;

	if (r->kind != REQUEST_RERUN_WITH_TREE || r->revert)
		return true;
	if (r->commit && !spec_is_ref(r->commit)) {
		item_fail(i, "no-commit-named", arena_printf(&p->arena,
			  "\"%.60s\" is no commit", r->commit));
		return false;
	}
	if (!r->tree && !r->commit &&
	    (!r->branch || !spec_is_ref(r->branch))) {
		item_fail(i, "no-commit-named", r->title ?
			  arena_printf(&p->arena, "I know the title \"%.80s\" "
				       "but not the commit", r->title) :
			  "no tree, branch or commit is named");
		return false;
	}
	if (r->tree && url_check(&u, r->tree, &p->bot->settings->url,
				 &p->arena, &why) == -1) {
		item_fail(i, "url-not-accepted",
			  arena_strdup(&p->arena, why.text));
		return false;
	}
	return true;
}

static void does_not_apply(struct plan *p, struct item *i,
			   const struct tryout *t, const char *tried)
{
	json_object_set_new(i->told, "hunk", json_string(t->hunk));
	json_object_set_new(i->told, "tried", json_text(letter_safe(tried, 200,
								&p->arena)));
	item_fail(i, "patch-does-not-apply",
		  arena_strdup(&p->arena, t->reason));
}

/*
 * Onto which commit does the patch go?  The one that was named; else the one
 * reported; where it does not apply there, the report's branch.  1: go on
 * with "*onto", 0: settled, -1.
 */
static int find_base(struct plan *p, struct item *i, const char **onto,
		     struct err *err)
{
	const char *clone = roles_clone(p->bot, i->report);
	const struct request *r = i->request;
	const char *named = r->base ? r->base : r->commit;
	const char *tried[] = { named ? named : i->report->tested,
				named ? "" : i->report->branch };
	struct tryout t, first = { .result = TRYOUT_NO_BASE };

	*onto = named;
	if (named && !spec_is_ref(named))
		return item_fail(i, "unknown-base", arena_printf(&p->arena,
				 "\"%.60s\" is no commit", named));
	if (!clone || i->source.pending || !i->source.diff)
		return 1;
	for (size_t k = 0; k < 2 && *tried[k]; k++) {
		if (tryout_patch(&t, clone, tried[k], i->source.diff,
				 &p->arena, err) == -1)
			return -1;
		if (t.result == TRYOUT_APPLIES) {
			*onto = i->checked = arena_strdup(&p->arena, t.commit);
			return 1;
		}
		if (!k)
			first = t;
	}
	if (first.result == TRYOUT_NO_BASE && !named)
		return 1;	/* our clone is behind: the runner will see */
	if (first.result == TRYOUT_NO_BASE)
		return item_fail(i, "unknown-base", arena_printf(&p->arena,
				 "I do not have the commit %.60s", named));
	tried[0] = told_commit(tried[0], &p->arena);
	does_not_apply(p, i, &first, *tried[1] ?
		       arena_printf(&p->arena, "%s, %s", tried[0], tried[1]) :
		       tried[0]);
	return 0;
}

static int spent_so_far(struct budget *b, const struct plan *p,
			const struct item *i, struct err *err)
{
	struct store *s = p->bot->store;
	const char *who = p->evidence.address, *at = strrchr(who, '@');
	int64_t day = clock_now() - DAY;

	if (spent(s, who, NULL, 0, day, &b->person, err) == -1 ||
	    spent(s, NULL, at ? at + 1 : "", 0, day, &b->domain, err) == -1 ||
	    spent(s, NULL, NULL, i->report->id, 0, &b->report, err) == -1)
		return -1;
	return spent(s, NULL, NULL, 0, day, &b->day, err);
}

/* "it would take 18 minutes of a machine; of the 20 for you today 2 are left" */
static const char *why_broken(const char *broken, const struct budget *limit,
			      const struct budget *so_far, double minutes,
			      struct arena *a)
{
	static const struct {
		const char *name, *whose;
		size_t at;
	} part[] = {
		{ "person", "you today", offsetof(struct budget, person) },
		{ "domain", "your domain today",
		  offsetof(struct budget, domain) },
		{ "report", "this report", offsetof(struct budget, report) },
		{ "day", "everybody today", offsetof(struct budget, day) },
	};
	size_t k = 0;
	double all, gone;

	while (k < 3 && strcmp(part[k].name, broken))
		k++;
	all = *(const double *)((const char *)limit + part[k].at);
	gone = *(const double *)((const char *)so_far + part[k].at);
	return arena_printf(a, "it would take %.0f minutes of a machine; of "
			    "the %.0f for %s %.0f are left", minutes, all,
			    part[k].whose, gone < all ? all - gone : 0);
}

/* 1: within the budget, 0: denied, -1. */
static int check_budget(struct plan *p, struct item *i, struct err *err)
{
	struct budget so_far = { 0 };
	const char *broken;
	struct job j;
	int known;

	if (i->role == ROLE_OPERATOR || p->options.approved)
		return 1;
	known = job_find(p->bot->store, i->spec.key, &p->arena, &j, err);
	if (known || spent_so_far(&so_far, p, i, err) == -1)
		return known;
	broken = budget_broken(&p->bot->settings->budget, &so_far,
			       i->spec.minutes);
	if (!broken)
		return 1;
	i->error = arena_printf(&p->arena, "budget-%s", broken);
	return deny(i, why_broken(broken, &p->bot->settings->budget, &so_far,
				  i->spec.minutes, &p->arena), false);
}

/* Was it but the patch that could not be seen, and is there after all? */
static bool is_cleared_up(const struct item *i)
{
	return i->request->patch == PATCH_FROM_NOWHERE && i->source.id;
}

static void doubt(struct plan *p, struct item *i)
{
	if (i->outcome != OUTCOME_QUEUE || p->options.confirmed ||
	    p->options.approved || i->request->confidence >= SURE ||
	    is_cleared_up(i))
		return;
	i->outcome = OUTCOME_HOLD;
	i->unsure = true;
	i->reason = "I am not sure that I understood";
}

/* What the run will not bring is said beforehand. */
static void tell_unmet(struct plan *p, struct item *i)
{
	const char *wishes = unmet_wishes(p, i, &p->arena);

	if (wishes)
		json_object_set_new(i->told, "unmet", json_text(
			letter_fold(arena_printf(&p->arena, "I do not do: %s.%s",
				wishes, letter_told(p->bot)), &p->arena)));
}

int item_run(struct plan *p, struct item *i, struct err *err)
{
	const char *onto = NULL;
	int rc = judge(p, i, err);

	if (rc == 1)
		rc = get_source(p, i, err);
	if (rc == 1 && i->source.host_files)
		rc = judge(p, i, err);
	if (rc == 1 && (!check_params(p, i) || !check_tree(p, i)))
		rc = 0;
	if (rc == 1 && spec_is_patched(i->request))
		rc = find_base(p, i, &onto, err);
	if (rc != 1)
		return rc;
	spec_make(&i->spec, p->bot, i->report, i->request, &i->source, onto,
		  &p->arena);
	tell_unmet(p, i);
	rc = check_budget(p, i, err);
	if (rc == 1)
		doubt(p, i);
	return rc == -1 ? -1 : 0;
}
