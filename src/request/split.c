#include "request/split.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "request/sentence.h"

static bool is_blank(const char *s, size_t i, size_t len)
{
	return i >= len || isspace((unsigned char)s[i]);
}

/* The full stop at "i" belongs to a word such as "e.g.", or counts "2.". */
static bool is_abbreviation(const char *s, size_t i)
{
	static const char *const known[] = {
		"e.g", "i.e", "vs", "cf", "approx", "resp", "incl", "z.b",
		"d.h", "bzw", "mr", "mrs", "dr", "fig", "no", "ca", "pls", "plz",
	};
	size_t from = i;

	while (from && !isspace((unsigned char)s[from - 1]) &&
	       s[from - 1] != '(')
		from--;
	if (i - from == 0)
		return true;
	if (!from && i <= 2 && isdigit((unsigned char)*s))
		return true;
	for (size_t k = 0; k < sizeof(known) / sizeof(*known); k++)
		if (strlen(known[k]) == i - from &&
		    !strncasecmp(s + from, known[k], i - from) &&
		    (k != 14 || isdigit((unsigned char)s[i + 2])) &&
		    (k < 16 || islower((unsigned char)s[i + 2])))
			return true;
	return false;
}

/* The end of a sentence at "i": how many bytes it takes, 0 when none is. */
static size_t stop_length(const char *s, size_t i, size_t len)
{
	static const char *const wide[] = {
		"\xe3\x80\x82", "\xef\xbc\x9f", "\xef\xbc\x81", "\xef\xbc\x9b",
	};
	size_t n = 1;

	for (size_t k = 0; k < 4; k++)
		if (len - i >= 3 && !memcmp(s + i, wide[k], 3))
			return 3;
	if (s[i] == ';')
		return is_blank(s, i + 1, len);
	if (!strchr(".?!", s[i]) || (i && s[i - 1] == '.'))
		return 0;
	while (i + n < len && strchr(".?!", s[i + n]))
		n++;
	if (n > 1 && s[i + n - 1] == '.' && i + n + 1 < len &&
	    islower((unsigned char)s[i + n + 1]))
		return 0;
	if (n == 1 && s[i] == '.' && is_abbreviation(s, i))
		return 0;
	while (i + n < len && strchr("\"')]", s[i + n]))
		n++;
	return is_blank(s, i + n, len) ? n : 0;
}

/* " 2) " or " (b) " within a line. */
static bool is_counter(const char *s, size_t i, size_t len)
{
	size_t open = i + 1 < len && s[i + 1] == '(';
	const char *p = s + i + 1 + open;

	return isspace((unsigned char)s[i]) && i + open + 3 < len &&
	       (isdigit((unsigned char)*p) || (*p >= 'a' && *p <= 'e')) &&
	       p[1] == ')' && isspace((unsigned char)p[2]);
}

size_t split_sentence(const char *s, size_t len)
{
	size_t max = len < SENTENCE_MAX ? len : SENTENCE_MAX, cut;

	for (size_t i = 0; i < max; i++) {
		size_t n = s[i] ? stop_length(s, i, len) : 0;

		if (n)
			return i + n < len ? i + n : len;
		if (i && is_counter(s, i, len))
			return i;
	}
	if (max == len)
		return len;
	for (cut = max; cut > max / 2; cut--)
		if (isspace((unsigned char)s[cut]))
			return cut;
	for (cut = max; cut && ((unsigned char)s[cut] & 0xc0) == 0x80; cut--)
		;
	return cut ? cut : max;
}
