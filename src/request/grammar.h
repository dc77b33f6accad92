#ifndef REQUEST_GRAMMAR_H
#define REQUEST_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/strmap.h"
#include "request/regex.h"
#include "request/request.h"

/*
 * The rules, read from a file of lines.  A line that begins with a blank goes
 * on with the one before, its indentation gone (words of a list stay apart);
 * "#" at the start of a line is a comment.
 *
 *	let NAME PATTERN	{NAME} stands for it in what follows; in
 *				rules, for conditions
 *	word WORD...		words whose slips of the keyboard are mended
 *	opener WORD...		may open a sentence before a comma: no names
 *	line NAME PATTERN	what a line of a mail is (names: block.c)
 *	entity NAME PATTERN	becomes "_NAME" in the text that marks see
 *	mark NAME PATTERN	what a sentence may bear; given twice: either
 *	near NAME PATTERN	likewise, where a request may reach ("field reach")
 *	under MARK NAME...	marks only looked for where MARK holds
 *	field NAME PATTERN	where a request's field stands, as (?<v>...)
 *	param KEY[=VALUE] PATTERN	likewise of a parameter
 *	command KIND WORD...	the verbs of the command language
 *	rule NAME KIND SURE CONDITION...
 *	late NAME KIND SURE CONDITION...	if nothing else was found
 *
 * A condition is a mark, or one of the facts that the code knows (below),
 * "!" before it: must not hold, "<" and ">": of the sentence before and after
 * this one, "~": of any in the mail, "a|b": one of both.  Rules are tried in
 * order.
 * The first that holds says what a sentence asks for on its topic: all kinds
 * that start a job are one topic, every other kind is its own.  Rules of the
 * kinds "no-job" and "nothing", wherever they stand, forbid jobs, or all.
 */

enum {	/* of rules, beside enum request_kind */
	RULE_NO_JOB = 100,
	RULE_NOTHING,
};

/* What the code knows about a sentence; its names are in grammar.c. */
enum fact {
	FACT_QUESTION,		/* ends with a question mark */
	FACT_DIRECT,		/* nobody else is addressed, robot in To */
	FACT_ROBOT,		/* the robot or its people are addressed */
	FACT_STRANGER,		/* somebody is, who may be one of its people */
	FACT_ANSWERS,		/* the mail quotes the robot */
	FACT_OTHER,		/* somebody else is, by name or by quotation */
	FACT_NAMED,		/* somewhere in the mail, a person is */
	FACT_INLINE,		/* the mail holds a diff, not quoted */
	FACT_ATTACHED,		/* ... attached */
	FACT_PATCH,		/* one of both */
	FACT_DIFF_NEXT,		/* a diff follows this paragraph */
	FACT_MAIL_LINK,		/* a link to a patch, anywhere in the mail */
	FACT_ITEM,		/* an item of a list */
	FACT_ONLY,		/* the mail says nothing else */
	FACT_BRIEF,		/* the mail has five sentences or fewer */
	FACT_FIRST,		/* the first sentence */
	FACT_CHANGELOG,		/* of a patch that is submitted */
	FACT_AUTOMATIC,		/* the mail sounds as if nobody wrote it */
	FACT_GOT,		/* a rule has held for this sentence */
	FACT_N
};

struct condition {
	size_t fact;		/* enum fact, or FACT_N + index of a mark */
	bool negate;
	signed char where;	/* -1: of the sentence before, 1: after */
	bool anywhere;		/* ... or of any in the mail */
	bool or_next;
};

struct rule {
	const char *name;
	int kind;		/* enum request_kind or RULE_... */
	double sure;
	bool late;		/* only when the mail asks for nothing else */
	struct condition *condition;
	size_t n;
};

struct named_pattern {
	const char *name, *value;	/* "value": of "param KEY=VALUE" */
	struct regex *pattern;	/* or NULL */
	struct regex *near;	/* of a mark: within reach; or NULL */
};

struct patterns {
	struct named_pattern *v;
	size_t n, cap;
};

struct grammar {
	struct arena arena;
	struct strmap words, openers, fact_names;
	struct regex *lines, *entities;	/* each passes a (*MARK:name) */
	struct patterns marks, fields, params;
	struct regex *reach;		/* the field of that name */
	size_t *under;			/* of a mark: another, + 1; or 0 */
	struct strmap verbs;		/* -> struct verb */
	struct rule *rule;
	size_t nrule, rule_cap;
};

struct verb {
	int kind;
};

/* The kind by its name, -1 when there is none. */
int request_kind_by_name(const char *name);

bool is_job(int kind);

/* The value of the first field of that name: the span of its "v". */
bool grammar_field(const struct grammar *g, const char *name, const char *s,
		   size_t len, struct span *v);

/* The mark of that name matches; for those that the code asks for. */
bool grammar_mark(const struct grammar *g, const char *name, const char *s,
		  size_t len);

/* May it match any line of a longer text?  "false" is certain. */
bool grammar_may_mark(const struct grammar *g, const char *name,
		      const char *s, size_t len);

#endif
