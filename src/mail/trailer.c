#include "mail/lines.h"

#include <string.h>

static struct slice line_at(const struct line *v, size_t i)
{
	return (struct slice){ v[i].text, v[i].len };
}

static bool has_any(struct slice s, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (slice_find_case(s, words[i]))
			return true;
	return false;
}
#define HAS_ANY(s, words) has_any(s, words, sizeof(words) / sizeof(words[0]))

static const char *const phones[] = {
	"Sent from my ", "Sent from Mail for ", "Get Outlook for ",
	"Von meinem iPhone", "Envoy\xc3\xa9 de mon ", "Enviado desde mi ",
	"Gesendet mit ", "Sent with ", "Sent via ",
};

static bool is_phone_line(struct slice s)
{
	s = slice_trim(s);
	for (size_t i = 0; i < sizeof(phones) / sizeof(phones[0]); i++)
		if (slice_starts(s, phones[i]) && s.len < 80)
			return true;
	return false;
}

bool signature_at(const struct line *v, size_t n, size_t i)
{
	struct slice s = line_at(v, i);

	if (slice_is(s, "-- ") || slice_is(s, "-- \xc2\xa0"))
		return true;
	if (is_phone_line(s))
		return true;
	/* Mailers that strip blanks make "--" of it; near the end only, since
	 * people draw lines too. */
	return slice_is(s, "--") && i + 1 < n && n - i <= 15;
}

/* A line of five or more marks without words. */
static bool is_rule(struct slice s)
{
	s = slice_trim(s);
	if (s.len < 5)
		return false;
	for (size_t i = 0; i < s.len; i++)
		if (!strchr("_-=*~#", s.s[i]))
			return false;
	return true;
}

static const char *const list_words[] = {
	"mailing list", "To unsubscribe", "unsubscribe from this",
	"list-unsubscribe", "/listinfo/", "Groups.io Links",
	"you are subscribed to", "majordomo", "unsubscribe send",
};

static const char *const legal_words[] = {
	"intended recipient", "confidential and ", "is confidential",
	"confidential information", "legally privileged",
	"This e-mail and any attachment", "This email and any attachment",
	"vertrauliche", "confidentiel", "confidenciales", "confidencial ",
	"informazioni riservate", "\xe4\xbf\x9d\xe5\xaf\x86\xe4\xbf\xa1\xe6\x81"
	"\xaf", "\xe6\x9c\xac\xe9\x82\xae\xe4\xbb\xb6\xe5\x8f\x8a\xe5\x85\xb6",
};

#define PARAGRAPH_MAX 60

/* Lines to the end of the paragraph that starts at "i". */
static size_t paragraph(const struct line *v, size_t n, size_t i)
{
	size_t k = i;

	while (k < n && k < i + PARAGRAPH_MAX &&
	       !slice_is_blank(line_at(v, k)))
		k++;
	return k - i;
}

/* Does the paragraph speak as lists, or as lawyers, do? */
static bool speaks(const struct line *v, size_t i, size_t len, bool legal)
{
	for (size_t k = i; k < i + len; k++)
		if (legal ? HAS_ANY(line_at(v, k), legal_words) :
			    HAS_ANY(line_at(v, k), list_words))
			return true;
	return false;
}

/* Nothing but empty lines, quotation, signature and further such paragraphs
 * follow; a few of them are enough to see. */
static bool is_at_end(const struct line *v, size_t n, size_t i)
{
	size_t len;

	for (int paragraphs = 0; paragraphs < 5; paragraphs++) {
		while (i < n && slice_is_blank(line_at(v, i)))
			i++;
		if (i == n || quote_marks(line_at(v, i)) ||
		    signature_at(v, n, i))
			return true;
		len = paragraph(v, n, i);
		if (!is_rule(line_at(v, i)) && !speaks(v, i, len, true) &&
		    !speaks(v, i, len, false))
			return false;
		i += len;
	}
	return false;
}

size_t footer_at(const struct line *v, size_t n, size_t i)
{
	bool rule = is_rule(line_at(v, i));
	size_t start = i + rule, len;

	if (i && !rule && !slice_is_blank(line_at(v, i - 1)))
		return 0;
	if (rule && start < n && slice_is_blank(line_at(v, start)))
		start++;
	len = paragraph(v, n, start);
	if (!len)
		return 0;
	if (rule && speaks(v, start, len, false))
		return start + len - i;
	if (is_at_end(v, n, start + len) && speaks(v, start, len, true))
		return start + len - i;
	return 0;
}
