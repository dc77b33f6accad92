#ifndef REQUEST_SENTENCE_H
#define REQUEST_SENTENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "request/grammar.h"
#include "request/need.h"

/*
 * A mail as sentences: the author's own words only, each with what stands
 * around it.  Caps keep the cost of a hostile mail small: what lies beyond
 * them is not read, and "cut" says so.
 */
#define PROSE_MAX (12u << 10)	/* bytes of a mail's own words */
#define LINE_MAX_BYTES (8u << 10)	/* of one line of them */
#define SENTENCE_MAX 600	/* bytes; the rest of a longer one is not read */
#define SENTENCES_MAX 90
#define REACH_MAX 6		/* requests in a sentence */
#define WORD_MAX 120		/* bytes; what holds a longer one is no prose */

struct entity {
	const char *type;	/* "url", "hash", ...: from the rules */
	const char *text;	/* as written */
	struct span at;		/* of its "_type" in the reading */
};

enum whom {			/* somebody is spoken to */
	WHOM_NOBODY,		/* nobody in particular */
	WHOM_ROBOT,		/* the robot or those who run it */
	WHOM_ALL,		/* "all", "folks" */
	WHOM_STRANGER,		/* a name that stands nowhere else in the mail:
				 * who answers the robot may mean its people */
	WHOM_OTHER,		/* somebody else */
};

struct sentence {
	size_t line;		/* of the body, from 1 */
	const char *text;	/* as written, white space squeezed */
	const char *noted;	/* ... with the links of its notes; or NULL */
	const char *reading;	/* what marks see: entities as "_type" */
	size_t len;		/* of the reading */
	struct grams grams;	/* likewise */
	struct entity *entity;
	size_t nentity;
	size_t block;		/* sentences of one paragraph share it */
	uint32_t facts;		/* 1u << enum fact */
	bool closed, no_job;	/* asks nothing, or for no run, a rule says */
	bool reference;		/* only links, commits and the like */
	bool item;		/* of a list */
	bool asked;		/* ... whose head asks: reads "please ..." */
	size_t head;		/* ... the index of its head */
	struct span reach[REACH_MAX];	/* where its requests reach */
	size_t nreach;
	bool reach_known;
	signed char *mark;	/* per mark: 0 unknown, 1 holds, -1 does not */
};

struct sentences {
	struct sentence *v;
	size_t n, cap;
	struct request_command *command;
	size_t ncommand, command_cap;
	bool cut;
};

void sentences_find(struct sentences *s, struct arena *a,
		    const struct message *m, const struct grammar *g,
		    const struct robot *robot);

/* Its text became another. */
void sentence_read_again(struct sentence *s, struct arena *a,
			 const struct grammar *g, const struct robot *robot);

/* Does the condition of a rule hold?  Marks are matched when first asked. */
bool sentence_has(struct sentence *s, const struct grammar *g, size_t fact);

/* The mark of that name, as the code asks for it. */
bool sentence_bears(struct sentence *s, const struct grammar *g,
		    const char *mark);

/* The part of the text as written that the span of the reading stands for:
 * entities come back as they were. */
const char *sentence_words(const struct sentence *s, struct arena *a,
			   struct span v);

/* The first entity of that type at or behind "from" of the reading. */
const struct entity *sentence_entity(const struct sentence *s,
				     const char *type, size_t from);

#endif
