#ifndef REQUEST_FIND_H
#define REQUEST_FIND_H

#include "request/sentence.h"

/* What the parts of requests_find() share. */
struct found {
	struct request request;
	size_t sentence;	/* index; NO_SENTENCE: a command */
	bool gone;		/* another request says the same */
};
#define NO_SENTENCE SIZE_MAX
#define REQUESTS_MAX 64		/* of one mail */

struct finder {
	struct requests *out;
	struct arena *arena;
	const struct message *m;
	const struct grammar *g;
	const struct robot *robot;
	struct sentences sentences;
	struct found found[REQUESTS_MAX];
	size_t nfound;
};

/* NULL when there are too many already. */
struct request *finder_add(struct finder *f, enum request_kind kind,
			   double sure, size_t sentence);

void finder_explain(struct finder *f, size_t line, const char *sentence,
		    const char *rule, const char *why);

/* Requests of one "#robot ..." line (command.c). */
void command_read(struct finder *f, const struct request_command *c);

/* What the sentence and its neighbours say about the request (field.c):
 * patch, tree, commit, parameters, ...  May add requests: one per commit. */
void fields_fill(struct finder *f, size_t found);

/* Where a patch comes from when the words do not say. */
void patch_by_presence(struct finder *f, struct request *r);

/* "https://lore.../<id>/": the id in it, or NULL. */
const char *link_msgid(struct arena *a, const char *url);

void request_add_param(struct arena *a, struct request *r, const char *key,
		       const char *value);

#endif
