#include "bot/phrases.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '\'';
}

static bool stands(const char *text, const char *phrase, size_t len)
{
	for (const char *p = text; *p; p++)
		if (!strncasecmp(p, phrase, len) &&
		    (p == text || !is_word(p[-1])) && !is_word(p[len]))
			return true;
	return false;
}

bool phrases_stand(const char *text, const char *phrases)
{
	for (size_t len; *phrases; phrases += len + (phrases[len] == '|')) {
		len = strcspn(phrases, "|");
		if (stands(text, phrases, len))
			return true;
	}
	return false;
}
