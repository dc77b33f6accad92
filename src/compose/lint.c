#include "compose/lint.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/utf8.h"
#include "compose/lint-int.h"

enum { REASONS_MAX = 100, REASON_BYTES = 500 };

void lint_say(struct lint *l, const char *fmt, ...)
{
	struct buf inert = BUF_INIT(16 * REASON_BYTES);
	char text[REASON_BYTES];
	va_list ap;

	if (l->n >= REASONS_MAX)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	utf8_inert(&inert, text, strlen(text), false);
	l->reason = arena_grow(&l->arena, l->reason, &l->cap, l->n + 1,
			       sizeof(*l->reason));
	l->reason[l->n++] = arena_strdup(&l->arena, inert.s);
	buf_release(&inert);
}

bool lint_line(const char **pos, struct text_line *line)
{
	if (!**pos)
		return false;
	line->s = *pos;
	line->len = strcspn(*pos, "\n");
	line->number++;
	*pos += line->len + ((*pos)[line->len] == '\n');
	return true;
}

bool line_is_blank(const struct text_line *line)
{
	for (size_t i = 0; i < line->len; i++)
		if (!isspace((unsigned char)line->s[i]))
			return false;
	return true;
}

bool line_begins(const struct text_line *line, const char *prefix)
{
	size_t len = strlen(prefix);

	return line->len >= len && !strncasecmp(line->s, prefix, len);
}

/* A report on nothing that changed for better or worse. */
static const char *warning(const struct message *m)
{
	static const char *const vague[] = { "no-change", "inconclusive",
					     "none" };
	const char *verdict = message_header(m, "X-Perfpost-Verdict");

	if (!verdict || !message_header(m, "X-Perfpost-Stat"))
		return NULL;
	for (size_t i = 0; i < sizeof(vague) / sizeof(*vague); i++)
		if (!strcmp(verdict, vague[i]))
			return "the report tells of neither a regression nor "
			       "an improvement";
	return NULL;
}

void lint_mail(struct lint *l, const char *bytes, size_t len,
	       const struct lint_plan *plan)
{
	struct err err = ERR_INIT;
	struct message m;

	lint_bytes(l, bytes, len);
	if (message_read(&m, bytes, len, &err) == -1) {
		lint_say(l, "%s", err.text);
		return;
	}
	lint_headers(l, &m, plan ? plan->who : NULL);
	lint_text(l, &m);
	lint_numbers(l, &m, plan ? plan->report : NULL);
	l->warning = warning(&m);
	message_release(&m);
}

void lint_release(struct lint *l)
{
	arena_release(&l->arena);
	*l = (struct lint)LINT_INIT;
}

void lint_print(const struct lint *l, const char *name, struct buf *out)
{
	for (size_t i = 0; i < l->n; i++)
		buf_addf(out, "%s: %s\n", name, l->reason[i]);
	if (l->n >= REASONS_MAX)
		buf_addf(out, "%s: and more\n", name);
}
