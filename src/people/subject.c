#include "people/message.h"

#include <ctype.h>
#include <string.h>

#include "people/text.h"

enum {
	SUBJECT_COLUMNS = 300,
	SUBSYSTEM_MAX = 40,
	SUBSYSTEM_WORDS = 4,
};

static const char *past_tags(const char *s)
{
	for (;;) {
		s += strspn(s, " ");
		if (*s != '[' || !strchr(s, ']'))
			return s;
		s = strchr(s, ']') + 1;
	}
}

/* Names of subsystems, not sentences: few words without other punctuation. */
static bool is_subsystem(const char *s, size_t len)
{
	size_t words = 1;

	if (!len || len > SUBSYSTEM_MAX)
		return false;
	for (size_t i = 0; i < len; i++) {
		words += s[i] == ' ';
		if (!isalnum((unsigned char)s[i]) && !strchr(" ,/_-.+&*", s[i]))
			return false;
	}
	return words <= SUBSYSTEM_WORDS;
}

const char *subject_subsystem(struct arena *a, const char *subject)
{
	static const char revert[] = "Revert \"";
	const char *s = past_tags(subject), *colon;
	size_t len;

	if (!strncmp(s, revert, sizeof(revert) - 1))
		s = past_tags(s + sizeof(revert) - 1);
	colon = strstr(s, ": ");
	if (!colon)
		return NULL;
	len = (size_t)(colon - s);
	while (len && s[len - 1] == ' ')
		len--;
	return is_subsystem(s, len) ? arena_strndup(a, s, len) : NULL;
}

void commit_subject(struct commit *c, const char *text, size_t len)
{
	c->subject = text_line(&c->arena, text, len, SUBJECT_COLUMNS);
	c->subsystem = subject_subsystem(&c->arena, c->subject);
}

void commit_message(struct commit *c, const char *text, size_t len)
{
	const char *end;

	while (len && (*text == '\n' || *text == '\r')) {
		text++;
		len--;
	}
	end = memmem(text, len, "\n\n", 2);
	commit_subject(c, text, end ? (size_t)(end - text) : len);
	c->ntrailer = c->fixes.n = 0;
	c->trailer = NULL;
	c->fixes.v = NULL;
	c->link_id = NULL;
	trailers_find(c, text, len);
	links_find(c);
}
