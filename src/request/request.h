#ifndef REQUEST_REQUEST_H
#define REQUEST_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "mail/message.h"

struct err;
struct grammar;

/*
 * What a mail asks for.  Rule-based and explainable: patterns are data
 * (src/request/requests.rules), each request says which sentence and which rule it
 * comes from.  What the mail does not state stays NULL.
 */

enum request_kind {
	REQUEST_RERUN, REQUEST_RERUN_WITH_PATCH, REQUEST_RERUN_WITH_TREE,
	REQUEST_CHANGE_PARAMS, REQUEST_MORE_DATA,
	REQUEST_QUESTION_REPRODUCIBLE, REQUEST_STATUS, REQUEST_CANCEL,
	REQUEST_STOP, REQUEST_INVALID, REQUEST_DUP, REQUEST_FIXED,
	REQUEST_EXPECTED, REQUEST_HELP,
};

enum patch_source {
	PATCH_FROM_NOWHERE, PATCH_FROM_INLINE, PATCH_FROM_ATTACHMENT,
	PATCH_FROM_URL, PATCH_FROM_MSGID, PATCH_FROM_THREAD,
};

struct parameter {
	const char *key, *value;
};

struct request {
	enum request_kind kind;
	double confidence;	/* 0..1; below 0.5 a careful bot asks */
	const char *evidence;	/* the sentence */
	const char *rule;	/* name of the rule that found it */
	size_t line;		/* of the body, from 1 */
	enum patch_source patch;
	const char *url, *msgid, *tree, *branch, *commit, *base;
	struct parameter *param;
	size_t nparam;
	int count;		/* runs asked for, 0: not stated */
	const char *scope;	/* stop: thread, tree, branch, list; or NULL */
	const char *title;	/* of a commit named by it */
	const char *version;	/* "v2" */
	const char *revert;	/* commit to revert */
	bool series;		/* the whole series is meant */
};

struct request_command {
	size_t line;		/* of the body, from 1 */
	const char *text;	/* "#robot rerun 5", wrapped arguments joined */
	const char *words;	/* where in it the verb begins */
};

/* Why each sentence gave what it gave, for --explain. */
struct explanation {
	size_t line;
	const char *sentence, *rule, *why;
};

struct requests {
	struct arena arena;
	struct request *request;
	size_t n;
	struct request_command *command;
	size_t ncommand;
	struct explanation *explanation;
	size_t nexplanation, explanation_cap;
};

/* Who the robot is, as the mail may address it. */
struct robot {
	struct strings names;		/* "kernel test robot", "lkp", "0-day" */
	struct strings addresses;	/* own ones, +token ignored */
	const char *prefix;		/* of commands: "#robot" */
};

/* The names that everybody uses, those addresses with their local parts, and
 * "#robot".  Strings are in the arena. */
void robot_init(struct robot *robot, struct arena *a,
		const struct strings *addresses);

/* Is it the robot's own mail, by From, Sender, or the author whom a list took
 * out of From?  For silence, never for trust. */
bool robot_wrote(const struct robot *robot, const struct message *m);

/* Load the rules once.  "path" NULL: the installed ones, whose patterns are
 * compiled when they are first needed; those of a path are checked at once. */
struct grammar *grammar_load(const char *path, struct err *err);
void grammar_free(struct grammar *g);

/* Never fails: a mail that cannot be understood asks nothing. */
void requests_find(struct requests *r, const struct message *m,
		   const struct grammar *g, const struct robot *robot);
void requests_release(struct requests *r);

const char *request_kind_name(enum request_kind k);
const char *patch_source_name(enum patch_source s);

#endif
