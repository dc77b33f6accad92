#ifndef REQUEST_REGEX_H
#define REQUEST_REGEX_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct grams;

/*
 * A PCRE2 pattern under limits: UTF-8, upper and lower case alike, "(a|b)"
 * captures nothing, only "(?<v>...)" does.  A match that needs more steps,
 * depth or heap than allowed is none.  Patterns that are used often are
 * compiled to machine code; a process that reads one mail does not pay for it.
 * One pattern must not be used by two threads at once.
 */
struct regex;

struct span {
	size_t from, to;	/* bytes; from == to: nothing */
};

struct match {
	struct span all;
	struct span v;		/* the group "v" */
	const char *mark;	/* the last (*MARK:name) passed, or NULL */
};

/* "text" must outlive it: it is compiled when it is first used. */
struct regex *regex_new(const char *text);
void regex_free(struct regex *p);

/* Compile it now: -1 with "err" filled when it is malformed.  A malformed one
 * that nobody asked about matches nothing. */
int regex_compile(struct regex *p, struct err *err);

/* The first match at or after "from"; "m" may be NULL.  "s" is UTF-8. */
bool regex_find(struct regex *p, const char *s, size_t len, size_t from,
		  struct match *m);

/* Of its text: a measure of what it costs. */
size_t regex_length(const struct regex *p);

/*
 * May it match a text with these grams (need.h)?  "false" is certain.  Patterns
 * that are used seldom say "true": to find out costs as much as to match.
 */
bool regex_may_find(struct regex *p, const struct grams *g);

/* The same for a text whose grams are not known; and: does it match? */
bool regex_may_be_in(struct regex *p, const char *s, size_t len);
bool regex_is_in(struct regex *p, const char *s, size_t len);

/* How many matches of this process were given up at a limit. */
size_t regex_given_up(void);

#endif
