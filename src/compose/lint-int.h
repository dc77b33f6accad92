#ifndef COMPOSE_LINT_INT_H
#define COMPOSE_LINT_INT_H

#include <stdbool.h>

#include "compose/lint.h"
#include "mail/message.h"

/* The parts of lint; lint.h is the door. */

/* A reason; what it quotes is made inert. */
void lint_say(struct lint *l, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* lint-bytes.c: the mail as it lies there. */
void lint_bytes(struct lint *l, const char *s, size_t len);

/* lint-headers.c: who, what, when, under which id. */
void lint_headers(struct lint *l, const struct message *m,
		  const struct recipients *who);

/* lint-text.c: what a person will read. */
void lint_text(struct lint *l, const struct message *m);

/* lint-numbers.c: does the mail agree with itself and with the report? */
void lint_numbers(struct lint *l, const struct message *m,
		  const struct report *r);

/* The next line of "*pos" (which moves on) without its end; false at the
 * end of the text. */
struct text_line {
	const char *s;
	size_t len;
	size_t number;		/* from 1; begin with 0 */
};
bool lint_line(const char **pos, struct text_line *line);

bool line_is_blank(const struct text_line *line);

/* Does the line begin with "prefix", case not regarded? */
bool line_begins(const struct text_line *line, const char *prefix);

#endif
