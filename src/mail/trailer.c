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
	"Gesendet mit ", "Sent with ", "Sent via ", "Outlook f\xc3\xbcr ",
	"T\xc3\xa9l\xc3\xa9" "charger Outlook", "Obtener Outlook",
	"Scarica Outlook", "Obter o Outlook",
};

static bool is_phone_line(struct slice s)
{
	s = slice_trim(s);
	if (!s.len || !strchr("SGVEOT", *s.s))
		return false;
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
	SEEN = 1,	/* RULE and BLANK are valid */
	RULE = 2,	/* five or more marks and no word */
	BLANK = 4,
	HEARD = 8,	/* LIST and LEGAL are valid */
	LIST = 16,	/* speaks as list software does */
	LEGAL = 32,	/* speaks as lawyers do */
};

/* The first LIST_WORDS are those of lists, the others of lawyers. */
#define LIST_WORDS 11
static const char *const footer_words[] = {
	"mailing list", "To unsubscribe", "unsubscribe from this",
	"list-unsubscribe", "/listinfo/", "Groups.io Links",
	"you are subscribed to", "majordomo", "unsubscribe send",
	"You receive all messages sent to", "View/Reply Online",
	"intended recipient", "confidential and ", "is confidential",
	"are confidential", "be confidential", "confidential information",
	"Confidentiality Notice",
	"legally privileged", "This e-mail and any attachment",
	"This email and any attachment", "vertrauliche", "confidentiel",
	"confidenciales", "confidencial ", "informazioni riservate",
	"Eingetragen am Amtsgericht", "Sitz der Gesellschaft",
	/* Russian "confidential", Japanese "secret information". */
	"\xd0\xba\xd0\xbe\xd0\xbd\xd1\x84\xd0\xb8"
	"\xd0\xb4\xd0\xb5\xd0\xbd\xd1\x86\xd0\xb8\xd0\xb0\xd0\xbb\xd1\x8c\xd0\xbd",
	"\xe6\xa9\x9f\xe5\xaf\x86\xe6\x83\x85\xe5\xa0\xb1",
	/* Chinese: "confidential information", "this mail and its". */
	"\xe4\xbf\x9d\xe5\xaf\x86\xe4\xbf\xa1\xe6\x81\xaf",
	"\xe6\x9c\xac\xe9\x82\xae\xe4\xbb\xb6\xe5\x8f\x8a\xe5\x85\xb6", NULL
};
static struct words words = { .v = footer_words };

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

	if (!t->seen[i])
		t->seen[i] = (unsigned char)
			(SEEN | (slice_is_blank(s) ? BLANK :
				 is_rule(s) ? RULE : 0));
	return t->seen[i];
}

static unsigned char listen(struct trailers *t, size_t i)
{
	size_t hit;

	if (look(t, i) & (HEARD | RULE | BLANK))
		return t->seen[i];
	hit = slice_find_words(line_at(t->v, i), &words);
	t->seen[i] = (unsigned char)
		(t->seen[i] | HEARD | (!hit ? 0 :
				       hit <= LIST_WORDS ? LIST : LEGAL));
	return t->seen[i];
}

#define PARAGRAPH_MAX 60

/* Lines to the end of the paragraph at "i". */
static size_t paragraph(struct trailers *t, size_t i)
{
	size_t k = i;

	while (k < t->n && k < i + PARAGRAPH_MAX && !(look(t, k) & BLANK))
		k++;
	return k - i;
}

/* What its lines say together. */
static unsigned char says(struct trailers *t, size_t i, size_t len)
{
	unsigned char all = 0;

	for (size_t k = i; k < i + len; k++)
		all |= listen(t, k);
	return all;
}

#define TRAILERS_MAX 5		/* paragraphs */

/*
 * Nothing but a few more paragraphs and then the end, quotation or a signature
 * follows; with "footers" these paragraphs are footers, too.
 */
static bool is_at_end(struct trailers *t, size_t i, bool footers)
{
	bool ignored;
	size_t len;

	for (int paragraphs = 0; paragraphs < TRAILERS_MAX; paragraphs++) {
		while (i < t->n && (look(t, i) & BLANK))
			i++;
		if (i == t->n || quote_marks(line_at(t->v, i)) ||
		    signature_at(t->v, t->n, i) ||
		    attribution_at(t->v, t->n, i, &ignored) ||
		    divider_at(t->v, t->n, i, &ignored))
			return true;
		len = paragraph(t, i);
		if (footers && !(says(t, i, len) & (RULE | LIST | LEGAL)))
			return false;
		i += len;
	}
	return false;
}

/* Do words that are none of a footer stand above a rule within the paragraph?
 * Then the footer begins with the rule. */
static bool begins_further_down(struct trailers *t, size_t i, size_t len)
{
	size_t k = i;

	while (k < i + len && !(look(t, k) & RULE))
		k++;
	return k < i + len && !(says(t, i, k - i) & (LIST | LEGAL)) &&
	       says(t, k, i + len - k) & (LIST | LEGAL);
}

size_t footer_at(struct trailers *t, size_t i)
{
	bool rule = look(t, i) & RULE;
	size_t start = i + rule, len;

	if (look(t, i) & BLANK || (i && !rule && !(look(t, i - 1) & BLANK)))
		return 0;
	if (rule && start < t->n && (look(t, start) & BLANK))
		start++;
	len = paragraph(t, start);
	if (!len || (rule && look(t, start) & RULE))
		return 0;
	if (!rule && begins_further_down(t, start, len))
		return 0;
	if (rule && says(t, start, len) & LIST)
		return start + len - i;
	if (is_at_end(t, start + len, false) && says(t, start, len) & LEGAL &&
	    is_at_end(t, start + len, true))
		return start + len - i;
	return 0;
}
