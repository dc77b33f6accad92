#ifndef POLICY_POLICY_H
#define POLICY_POLICY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "policy/evidence.h"
#include "request/request.h"

/*
 * Who may ask what.  Pure functions: from facts to a ruling with its reason;
 * nothing is changed and nothing looked up here.
 */

/* From weakest to strongest. */
enum role {
	ROLE_STRANGER,
	ROLE_PARTICIPANT,	/* the report was addressed to him, or he has
				 * confirmed a request before */
	ROLE_AUTHOR,		/* author, committer, trailers of the commit */
	ROLE_MAINTAINER,	/* MAINTAINERS of the files it touches */
	ROLE_ALLOWED,		/* by the configuration's list */
	ROLE_OPERATOR,
	NROLES,
};

/* What a request wants, as far as it matters who asks. */
enum verb {
	VERB_ASK,	/* an answer from what we know: status, data, help */
	VERB_RERUN,	/* machine time for what ran before */
	VERB_PATCH,	/* machine time for a stranger's code */
	VERB_TREE,	/* likewise, from a tree */
	VERB_PARAMS,	/* machine time for other parameters */
	VERB_CANCEL,	/* an own request */
	VERB_STOP,	/* no more mails */
	VERB_CLOSE,	/* invalid, dup, fixed, expected */
	NVERBS,
};

enum ruling {
	RULING_ALLOW,
	RULING_CONFIRM,		/* after one "reply to run" */
	RULING_OPERATOR,	/* after "perfpost queue approve" */
	RULING_NOTE,		/* recorded, nothing changes, no answer */
	RULING_DENY,
	NRULINGS,
};

/* One ruling for each verb and role; policy_default is a sound one. */
struct verb_table {
	unsigned char ruling[NVERBS][NROLES];	/* enum ruling */
};
extern const struct verb_table policy_default;

/* A person's standing with a report: from its facts. */
struct standing {
	const char *address;
	enum role role;
};

/* Patterns: "ann@example.org", "*@example.org", "example.org". */
struct role_lists {
	const char *const *deny, *const *allow, *const *operators;
};

/* Case does not matter; "*" and "?" as in the shell. */
bool address_matches(const char *pattern, const char *address);

/* The strongest role an address has; "denied" says whether it is on the deny
 * list, which beats every role but the operator's. */
enum role role_of(const char *address, const struct standing *v, size_t n,
		  const struct role_lists *lists, bool *denied);

/* Who wants what: all that a decision follows from. */
struct question {
	enum verb verb;
	enum role role;
	bool denied;
	enum proof proof;
	const char *why_unproven;	/* evidence's reason */
	bool confirmed;		/* the "reply to run" came back */
	bool approved;		/* an operator said yes */
	bool known;		/* something was done for this person before */
	bool host_files;	/* the patch touches what runs on the build host */
};

struct policy_rules {
	struct verb_table table;
	bool confirm_first;	/* a first-time sender confirms, unless he has
				 * to do with the commit */
	enum role host_files;	/* who may change what runs on the build host */
};

struct decision {
	enum ruling ruling;
	const char *reason;	/* for a person; lives in the arena or for ever */
	bool silent;		/* no answer: it would go to somebody else */
};

/* Never fails; a reason that is made for it lives in "a". */
void policy_decide(struct decision *d, const struct policy_rules *rules,
		   const struct question *q, struct arena *a);

enum verb verb_of(enum request_kind kind);
bool verb_runs(enum verb verb);		/* does it cost machine time? */

/* As the configuration writes them. */
const char *role_name(enum role role);
const char *verb_name(enum verb verb);
const char *ruling_name(enum ruling ruling);
int role_parse(const char *name);	/* -1: there is none */
int ruling_parse(const char *name);

/* Machine-minutes; a limit of 0 is none. */
struct budget {
	double person, domain, report, day;
};

/* Which limit would "minutes" more break?  NULL: none. */
const char *budget_broken(const struct budget *limit,
			  const struct budget *spent, double minutes);

#endif
