#include "mail/lines.h"

#include <ctype.h>
#include <string.h>

static struct slice line_at(const struct line *v, size_t i)
{
	return (struct slice){ v[i].text, v[i].len };
}

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

/* What a line says of itself; found once, since paragraphs overlap. */
enum {
	SEEN = 1,	/* the others are valid */
	RULE = 2,	/* five or more marks and no word */
	LIST = 4,	/* speaks as list software does */
	LEGAL = 8,	/* speaks as lawyers do */
	BLANK = 16,
};

static const char *const list_words[] = {
	"mailing list", "To unsubscribe", "unsubscribe from this",
	"list-unsubscribe", "/listinfo/", "Groups.io Links",
	"you are subscribed to", "majordomo", "unsubscribe send", NULL
};
static struct words list = { .v = list_words };

static const char *const legal_words[] = {
	"intended recipient", "confidential and ", "is confidential",
	"are confidential", "confidential information",
	"legally privileged", "This e-mail and any attachment",
	"This email and any attachment", "vertrauliche", "confidentiel",
	"confidenciales", "confidencial ", "informazioni riservate",
	/* Chinese: "confidential information", "this mail and its". */
	"\xe4\xbf\x9d\xe5\xaf\x86\xe4\xbf\xa1\xe6\x81\xaf",
	"\xe6\x9c\xac\xe9\x82\xae\xe4\xbb\xb6\xe5\x8f\x8a\xe5\x85\xb6", NULL
};
static struct words legal = { .v = legal_words };

static bool is_rule(struct slice s)
{
	s = slice_trim(s);
	if (s.len < 5 || isalnum((unsigned char)*s.s))
		return false;
	for (size_t i = 0; i < s.len; i++)
		if (!strchr("_-=*~#", s.s[i]))
			return false;
	return true;
}

static unsigned char look(struct trailers *t, size_t i)
{
	struct slice s = line_at(t->v, i);

	if (t->seen[i])
		return t->seen[i];
	t->seen[i] = SEEN;
	if (slice_is_blank(s))
		t->seen[i] |= BLANK;
	else if (is_rule(s))
		t->seen[i] |= RULE;
	else
		t->seen[i] |= (slice_has_words(s, &list) ? LIST : 0) |
			      (slice_has_words(s, &legal) ? LEGAL : 0);
	return t->seen[i];
}

#define PARAGRAPH_MAX 60

/* Lines to the end of the paragraph at "i", and what they say together. */
static size_t paragraph(struct trailers *t, size_t i, unsigned char *says)
{
	size_t k = i;

	*says = 0;
	for (; k < t->n && k < i + PARAGRAPH_MAX; k++) {
		if (look(t, k) & BLANK)
			break;
		*says |= look(t, k);
	}
	return k - i;
}

/*
 * Nothing but empty lines, quotation, signature and further such paragraphs
 * follow; a few of them are enough to see.
 */
static bool is_at_end(struct trailers *t, size_t i)
{
	unsigned char says;
	bool ignored;

	for (int paragraphs = 0; paragraphs < 5; paragraphs++) {
		while (i < t->n && (look(t, i) & BLANK))
			i++;
		if (i == t->n || quote_marks(line_at(t->v, i)) ||
		    signature_at(t->v, t->n, i) ||
		    attribution_at(t->v, t->n, i, &ignored) ||
		    divider_at(t->v, t->n, i, &ignored))
			return true;
		i += paragraph(t, i, &says);
		if (!(says & (RULE | LIST | LEGAL)))
			return false;
	}
	return false;
}

size_t footer_at(struct trailers *t, size_t i)
{
	bool rule = look(t, i) & RULE;
	size_t start = i + rule, len;
	unsigned char says;

	if (look(t, i) & BLANK || (i && !rule && !(look(t, i - 1) & BLANK)))
		return 0;
	if (rule && start < t->n && (look(t, start) & BLANK))
		start++;
	len = paragraph(t, start, &says);
	if (!len || (rule && look(t, start) & RULE))
		return 0;
	if (rule && says & LIST)
		return start + len - i;
	if (says & LEGAL && is_at_end(t, start + len))
		return start + len - i;
	return 0;
}
