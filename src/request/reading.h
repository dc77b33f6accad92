#ifndef REQUEST_READING_H
#define REQUEST_READING_H

#include "request/sentence.h"

/*
 * Fill "reading" and "entity" of a sentence from its text: links, commits,
 * versions and the like become "_url", "_hash", "_tag"; the robot's names
 * "_robot"; other "@" go; typographic quotes and emphasis become plain;
 * slips of the keyboard in the rules' words are mended.
 */
void reading_make(struct sentence *s, struct arena *a, const struct grammar *g,
		  const struct robot *robot);

/* "word" with at most one slip of the keyboard, as one of the map's keys: two
 * letters swapped, one lost or too many, or another vowel.  NULL: none. */
const char *mend_word(const struct strmap *words, const char *word,
		      size_t len);

/* Length of the robot's name that begins at "s" as a word, 0: none. */
size_t robot_name_length(const struct robot *robot, const char *s, size_t len);

/* Does any word of the text begin one? */
bool robot_is_named(const struct robot *robot, const char *s, size_t len);

/* At most "max" bytes of the line, no character cut in two. */
size_t line_bytes(const struct line *l, size_t max);

/* Is it one of the robot's own addresses, whatever its "+token"? */
bool robot_owns(const struct robot *robot, const char *address);

#endif
