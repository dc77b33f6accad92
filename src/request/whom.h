#ifndef REQUEST_WHOM_H
#define REQUEST_WHOM_H

#include "request/sentence.h"

/*
 * Whom a mail, a paragraph or a sentence speaks to.  Names are judged by
 * their form, since nobody knows all people: a capitalised word before a
 * comma that is no common opener ("However,") is somebody.
 */
struct company {
	const struct grammar *grammar;
	const struct robot *robot;
	struct strmap operators;	/* names of those who run the robot */
	size_t nsearch;			/* for names, in the mail */
	const struct message *m;	/* whose From nobody greets */
	const char *signature;		/* the name below the mail, or "" */
};

/*
 * Is there an address of the domain that the robot mails from?  Who has one
 * runs the robot, as far as a mail can tell; not for a sender of that domain,
 * who has it for other reasons as well.
 */
bool company_at_home(const struct company *c, const char *text);

/* Learn the people of the robot's domain from To and Cc. */
void company_add_colleagues(struct company *c, struct arena *a,
			    const struct addresses *list);

/* Does the text, an attribution, name the sender, as From or below the mail? */
bool company_names_sender(const struct company *c, const char *text);

/* Learn the words of a name as one of the robot's people. */
void company_add_operator(struct company *c, struct arena *a,
			  const char *name);

/* Is one of them named in the text, such as "Ann Lee <ann@example.org>"? */
bool company_knows_operator(const struct company *c, struct arena *a,
			    const char *text);

/* "Hi Ann," or "Ann, Bob:" at the start of the text: its length in "*len". */
enum whom whom_first(struct company *c, struct arena *a,
		     const char *text, size_t *len);

/* "..., Ann?" at its end. */
enum whom whom_last(struct company *c, struct arena *a,
		    const char *text);

#endif
