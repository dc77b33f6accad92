#include "policy/policy.h"

#include <fnmatch.h>
#include <string.h>
#include <strings.h>

#define A RULING_ALLOW
#define C RULING_CONFIRM
#define O RULING_OPERATOR
#define N RULING_NOTE

/* Columns: stranger, participant, author, maintainer, allowed, operator. */
const struct verb_table policy_default = { {
	[VERB_ASK]	= { A, A, A, A, A, A },
	[VERB_RERUN]	= { C, A, A, A, A, A },
	[VERB_PATCH]	= { C, A, A, A, A, A },
	[VERB_TREE]	= { O, C, A, A, A, A },
	[VERB_PARAMS]	= { C, A, A, A, A, A },
	[VERB_CANCEL]	= { A, A, A, A, A, A },
	[VERB_STOP]	= { N, A, A, A, A, A },
	[VERB_CLOSE]	= { N, N, A, A, A, A },
} };

#undef A
#undef C
#undef O
#undef N

static const char *const role_names[NROLES] = {
	"stranger", "participant", "author", "maintainer", "allowed",
	"operator",
};
static const char *const verb_names[NVERBS] = {
	"ask", "rerun", "patch", "tree", "params", "cancel", "stop", "close",
};
static const char *const ruling_names[NRULINGS] = {
	"allow", "confirm", "operator", "note", "deny",
};

const char *role_name(enum role role)
{
	return role_names[role];
}

const char *verb_name(enum verb verb)
{
	return verb_names[verb];
}

const char *ruling_name(enum ruling ruling)
{
	return ruling_names[ruling];
}

static int parse(const char *name, const char *const *names, int n)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(name, names[i]))
			return i;
	return -1;
}

int role_parse(const char *name)
{
	return parse(name, role_names, NROLES);
}

int ruling_parse(const char *name)
{
	return parse(name, ruling_names, NRULINGS);
}

enum verb verb_of(enum request_kind kind)
{
	switch (kind) {
	case REQUEST_RERUN:
		return VERB_RERUN;
	case REQUEST_RERUN_WITH_PATCH:
		return VERB_PATCH;
	case REQUEST_RERUN_WITH_TREE:
		return VERB_TREE;
	case REQUEST_CHANGE_PARAMS:
		return VERB_PARAMS;
	case REQUEST_CANCEL:
		return VERB_CANCEL;
	case REQUEST_STOP:
		return VERB_STOP;
	case REQUEST_INVALID:
	case REQUEST_DUP:
	case REQUEST_FIXED:
	case REQUEST_EXPECTED:
		return VERB_CLOSE;
	case REQUEST_MORE_DATA:
	case REQUEST_QUESTION_REPRODUCIBLE:
	case REQUEST_STATUS:
	case REQUEST_HELP:
		break;
	}
	return VERB_ASK;
}

bool verb_runs(enum verb verb)
{
	return verb == VERB_RERUN || verb == VERB_PATCH || verb == VERB_TREE ||
	       verb == VERB_PARAMS;
}

bool address_matches(const char *pattern, const char *address)
{
	const char *at = strrchr(address, '@');

	if (!at)
		return false;
	if (!strchr(pattern, '@'))
		return !fnmatch(pattern, at + 1, FNM_CASEFOLD);
	return !fnmatch(pattern, address, FNM_CASEFOLD);
}

static bool any_matches(const char *const *patterns, const char *address)
{
	for (; patterns && *patterns; patterns++)
		if (address_matches(*patterns, address))
			return true;
	return false;
}

enum role role_of(const char *address, const struct standing *v, size_t n,
		  const struct role_lists *lists, bool *denied)
{
	enum role role = ROLE_STRANGER;

	*denied = any_matches(lists->deny, address);
	if (any_matches(lists->operators, address)) {
		*denied = false;
		return ROLE_OPERATOR;
	}
	if (any_matches(lists->allow, address))
		return ROLE_ALLOWED;
	for (size_t i = 0; i < n; i++)
		if (v[i].role > role && !strcasecmp(v[i].address, address))
			role = v[i].role;
	return role;
}

static void rule(struct decision *d, enum ruling ruling, const char *reason)
{
	*d = (struct decision){ .ruling = ruling, .reason = reason };
}

/*
 * Nobody vouches for the From.  What only costs us a mail is done all the
 * same; for machine time the mailbox itself must answer; what would change
 * the state of a report is written down.
 */
static void rule_unproven(struct decision *d, const struct question *q)
{
	if (q->verb == VERB_ASK)
		rule(d, RULING_ALLOW, "an answer needs no proof");
	else if (verb_runs(q->verb) || q->verb == VERB_CANCEL)
		rule(d, RULING_CONFIRM, q->why_unproven);
	else
		rule(d, RULING_NOTE, q->why_unproven);
}

static bool must_confirm(const struct policy_rules *rules,
			 const struct question *q)
{
	if (!verb_runs(q->verb) || q->known || q->proof == PROOF_ASSUMED)
		return false;
	return q->proof == PROOF_DOMAIN ||
	       (rules->confirm_first && q->role < ROLE_AUTHOR);
}

static void rule_host_files(struct decision *d, const struct policy_rules *rules,
			    const struct question *q, struct arena *a)
{
	if (q->verb != VERB_PATCH || !q->host_files || q->approved ||
	    q->role >= rules->host_files ||
	    (d->ruling != RULING_ALLOW && d->ruling != RULING_CONFIRM))
		return;
	rule(d, RULING_OPERATOR, arena_printf(a, "the patch changes files that "
					      "run on the build host: that "
					      "takes a role of %s or above",
					      role_name(rules->host_files)));
}

void policy_decide(struct decision *d, const struct policy_rules *rules,
		   const struct question *q, struct arena *a)
{
	enum ruling ruling = rules->table.ruling[q->verb][q->role];

	if (q->denied) {
		rule(d, RULING_DENY, "the address is on the deny list");
		d->silent = true;
		return;
	}
	if (q->proof == PROOF_FAILED && !q->confirmed) {
		rule(d, RULING_DENY, q->why_unproven);
		d->silent = true;	/* it would go to whom he plays */
		return;
	}
	if (ruling == RULING_OPERATOR && q->approved)
		ruling = RULING_ALLOW;
	if (ruling == RULING_CONFIRM && (q->confirmed || q->approved))
		ruling = RULING_ALLOW;
	rule(d, ruling, arena_printf(a, "%s by a%s %s", verb_name(q->verb),
				     strchr("aeo", *role_name(q->role)) ? "n"
				     : "", role_name(q->role)));
	if (ruling == RULING_ALLOW && !q->confirmed && !q->approved) {
		if (q->proof == PROOF_NONE)
			rule_unproven(d, q);
		else if (must_confirm(rules, q))
			rule(d, RULING_CONFIRM, "the first request of this "
			     "sender");
	}
	rule_host_files(d, rules, q, a);
}

static bool breaks(double limit, double spent, double minutes)
{
	return limit > 0 && spent + minutes > limit;
}

const char *budget_broken(const struct budget *limit,
			  const struct budget *spent, double minutes)
{
	if (breaks(limit->person, spent->person, minutes))
		return "person";
	if (breaks(limit->domain, spent->domain, minutes))
		return "domain";
	if (breaks(limit->report, spent->report, minutes))
		return "report";
	if (breaks(limit->day, spent->day, minutes))
		return "day";
	return NULL;
}
