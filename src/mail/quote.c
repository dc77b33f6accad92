#include "mail/lines.h"

#include <ctype.h>
#include <string.h>

/* "AB>" and "Ann>": who is quoted, as Supercite and others write it. */
static size_t initials(struct slice s)
{
	size_t n = 0;

	if (!s.len || !isupper((unsigned char)*s.s))
		return 0;
	while (n < s.len && n < 12 &&
	       (isalpha((unsigned char)s.s[n]) || s.s[n] == '.'))
		n++;
	if (n >= s.len || s.s[n] != '>')
		return 0;
	n++;
	return n == s.len || s.s[n] == ' ' || s.s[n] == '>' ||
	       s.s[n] == '\t' ? n : 0;
}

/* "| a | b |" is a row of a table, not a quotation. */
static bool is_table_row(struct slice s)
{
	s = slice_trim(s);
	return s.len > 1 && s.s[s.len - 1] == '|';
}

static size_t mark_here(struct slice s)
{
	if (!s.len)
		return 0;
	if (*s.s == '>')
		return 1;
	if (*s.s == '|' && (s.len == 1 || strchr(" >|\t", s.s[1])))
		return s.len > 1 && s.s[1] == '>' ? 2 : 1;
	/* U+203A, U+00BB and the wide U+FF1E, which some web mailers use, and
	 * what those make of ">" that take text for HTML. */
	if (s.len >= 3 && (!memcmp(s.s, "\xe2\x80\xba", 3) ||
			   !memcmp(s.s, "\xef\xbc\x9e", 3)))
		return 3;
	if (slice_starts(s, "&gt;"))
		return 4;
	return s.len >= 2 && !memcmp(s.s, "\xc2\xbb", 2) ? 2 : 0;
}

unsigned int quote_marks(struct slice s)
{
	unsigned int depth = 0;
	size_t n, blanks = 0;

	if (s.len && *s.s == '|' && is_table_row(s))
		return 0;
	for (; s.len; s.s += n, s.len -= n) {
		n = initials(s);
		if (!n)
			n = mark_here(s);
		if (n) {
			depth++;
			blanks = 0;
			continue;
		}
		if ((*s.s != ' ' && *s.s != '\t') || ++blanks > 3)
			break;
		n = 1;
	}
	return depth;
}

static struct slice line_at(const struct line *v, size_t i)
{
	return (struct slice){ v[i].text, v[i].len };
}

/* Words for "wrote" where the world's mailers put them. */
static const char *const wrote[] = {
	"wrote", "writes", "said", "schrieb", "schreibt", "a \xc3\xa9" "crit",
	"escribi\xc3\xb3", "ha scritto", "escreveu", "schreef", "skrev",
	"kirjoitti", "napsal", "napisa", "pisze", "\xd0\xbf\xd0\xb8\xd1\x88"
	"\xd0\xb5\xd1\x82", "\xd0\xbf\xd0\xb8\xd1\x81\xd0\xb0\xd0\xbb",
	"\xe5\x86\x99\xe9\x81\x93", "\xe5\xaf\xab\xe9\x81\x93",
	"\xe6\x9b\xb8\xe3\x81\x8d\xe3\x81\xbe\xe3\x81\x97\xe3\x81\x9f",
	"\xec\x9e\x91\xec\x84\xb1", "yazd", "\xc3\xadrta",
	"\xce\xad\xce\xb3\xcf\x81\xce\xb1\xcf\x88\xce\xb5", "a scris",
	/* Arabic */
	"\xd9\x83\xd8\xaa\xd8\xa8", "\xd9\x83\xd8\xaa\xd8\xa7"
	"\xd8\xa8\xd8\xa9", "quoting", NULL
};

/* The word for "wrote"; "said", which is also said of other things, is weak. */
enum wrote { WROTE_NOT, WROTE_WEAK, WROTE };

static enum wrote find_wrote(struct slice s)
{
	static struct words w = { .v = wrote };
	size_t hit = slice_find_words(s, &w);

	return !hit ? WROTE_NOT :
	       !strcmp(wrote[hit - 1], "said") ? WROTE_WEAK : WROTE;
}

/* "ann@example.org"; the id in a link to an archive is no address. */
static bool has_address(struct slice s)
{
	const char *at = memchr(s.s, '@', s.len), *word = at;

	if (!at || at == s.s || !isgraph((unsigned char)at[-1]) ||
	    at + 1 == s.s + s.len || !isalnum((unsigned char)at[1]))
		return false;
	while (word > s.s && isgraph((unsigned char)word[-1]))
		word--;
	return !memmem(word, (size_t)(at - word), "://", 3);
}

/* "10:15", "2026", "3/3/26": figures that make a date. */
static bool has_date(struct slice s)
{
	int figures = 0;

	for (size_t i = 0; i < s.len; i++)
		if (isdigit((unsigned char)s.s[i]) &&
		    (i + 1 == s.len || !isdigit((unsigned char)s.s[i + 1])))
			figures++;
	return figures >= 2;
}

static bool digit_at(struct slice s, size_t i)
{
	return i < s.len && isdigit((unsigned char)s.s[i]);
}

/* "10:15", "10.15" or a year of four figures beside another figure. */
static bool has_moment(struct slice s)
{
	bool time = false, year = false;

	for (size_t i = 0; i < s.len; i++) {
		if (!digit_at(s, i) || (i && digit_at(s, i - 1)))
			continue;
		year |= digit_at(s, i + 3) && !digit_at(s, i + 4) &&
			(!memcmp(s.s + i, "19", 2) || !memcmp(s.s + i, "20", 2));
		time |= digit_at(s, i + 1) && i + 2 < s.len &&
			s.s[i + 2] == ':' && digit_at(s, i + 4);
	}
	return time || (year && has_date(s));
}

/* Marks of direction may stand behind it: U+200E, U+200F, U+202C. */
static bool ends_in_colon(struct slice s)
{
	s = slice_trim(s);
	while (slice_ends(s, "\xe2\x80\x8e") || slice_ends(s, "\xe2\x80\x8f") ||
	       slice_ends(s, "\xe2\x80\xac"))
		s.len -= 3;
	return slice_ends(s, ":") || slice_ends(s, "\xef\xbc\x9a");
}

/* The next line with text is quoted. */
static bool quoted_follows(const struct line *v, size_t n, size_t i)
{
	while (i < n && slice_is_blank(line_at(v, i)))
		i++;
	return i < n && quote_marks(line_at(v, i));
}

/* "Reviewed-by: Ann Lee <ann@example.org>", "Closes: https://...". */
static bool is_trailer(struct slice s)
{
	static const char *const names[] = {
		"Closes", "Fixes", "Link", "Cc", "Message-Id", "Message-ID",
	};
	const char *colon = memmem(s.s, s.len, ": ", 2);
	struct slice name;

	if (!colon || memchr(s.s, ' ', (size_t)(colon - s.s)))
		return false;
	name = (struct slice){ s.s, (size_t)(colon - s.s) };
	if (slice_ends(name, "-by"))
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (slice_is(name, names[i]))
			return true;
	return false;
}

/* A line of at least "min" marks of one kind and blanks. */
static bool is_rule(struct slice s, size_t min)
{
	s = slice_trim(s);
	if (s.len < min || !strchr("_-=", *s.s))
		return false;
	for (size_t i = 1; i < s.len; i++)
		if (s.s[i] != *s.s)
			return false;
	return true;
}

/* Lines up to the one that ends in a colon, at most four; 0: none does.  What
 * stands below a commit's message ("Changes in v2:") begins no attribution. */
static size_t colon_ends(const struct line *v, size_t n, size_t i)
{
	size_t len = 0;
	struct slice s;

	for (size_t k = 0; k < 4 && i + k < n; k++) {
		s = line_at(v, i + k);
		len += s.len;
		if (len > 400 || slice_is_blank(s) || quote_marks(s) ||
		    is_rule(s, 3) || is_trailer(s))
			return 0;
		if (ends_in_colon(s))
			return k + 1;
	}
	return 0;
}

/* One who writes of himself, or asks, does not say whom he quotes. */
static bool is_prose(struct slice s)
{
	static const char *const words[] = {
		" I ", "please ", "could you", "can you", "would you",
	};

	if (slice_starts(s, "I "))
		return true;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (slice_find_case(s, words[i]))
			return true;
	return false;
}

/* The next line with text begins a diff. */
static bool diff_follows(const struct line *v, size_t n, size_t i)
{
	while (i < n && slice_is_blank(line_at(v, i)))
		i++;
	return i < n && (slice_starts(line_at(v, i), "diff -") ||
			 slice_starts(line_at(v, i), "--- ") ||
			 slice_starts(line_at(v, i), "Index: "));
}

/* "Quoting Ann (2026-03-03 10:15:00)": the one form without a colon. */
static bool is_quoting(struct slice s)
{
	return slice_starts(s, "Quoting ") && slice_ends(s, ")") &&
	       has_moment(s);
}

/* Words that an attribution begins with, and that stand in none further on at
 * the start of a line. */
static bool opens_attribution(struct slice s)
{
	static const char *const words[] = {
		"On ", "Am ", "Le ", "El ", "Il ", "Em ", "Op ", "Den ",
		"Dnia ", "Quoting ",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (slice_starts(s, words[i]))
			return true;
	return false;
}

/* The author's last words right above an attribution: nothing in the line
 * belongs to one, and what follows it is whole. */
static bool is_line_above(const struct line *v, size_t n, size_t i)
{
	struct slice s = slice_trim(line_at(v, i));
	bool sure;

	if (find_wrote(s) || has_address(s) || has_date(s) || has_moment(s) ||
	    opens_attribution(s))
		return false;
	if (!slice_ends(s, ".") && !slice_ends(s, "?") &&
	    !slice_ends(s, "!") && !opens_attribution(line_at(v, i + 1)))
		return false;
	return attribution_at(v, n, i + 1, &sure) > 0;
}

size_t attribution_at(const struct line *v, size_t n, size_t i, bool *sure)
{
	bool address = false, date = false, moment = false, prose = false;
	bool quoted, dated;
	enum wrote word = WROTE_NOT, w;
	size_t len = is_quoting(line_at(v, i)) ? 1 : colon_ends(v, n, i);

	*sure = false;
	for (size_t k = 0; k < len; k++) {
		struct slice s = line_at(v, i + k);

		w = find_wrote(s);
		word = w > word ? w : word;
		address |= has_address(s);
		date |= has_date(s);
		moment |= has_moment(s);
		prose |= is_prose(s);
	}
	dated = moment;
	moment &= word || len == 1;	/* else it is prose that tells a time */
	if (!len || !(word || moment || (address && date)) ||
	    (len > 1 && is_line_above(v, n, i)))
		return 0;
	if (word != WROTE && diff_follows(v, n, i + len))
		return 0;
	quoted = quoted_follows(v, n, i + len);
	*sure = !prose && ((address && (dated || word)) ||
			   (word == WROTE && moment));
	return *sure || (quoted && (word || address || moment)) ? len : 0;
}

/* The names in a mailer's own copy of a header, by language. */
static const char *const field_from[] = {
	"From", "Von", "De", "Da", "Van", "Fra", "Fr\xc3\xa5n",
	"L\xc3\xa4hett\xc3\xa4j\xc3\xa4", "Od", "\xd0\x9e\xd1\x82",
	"\xe5\x8f\x91\xe4\xbb\xb6\xe4\xba\xba",
	"\xe5\xaf\x84\xe4\xbb\xb6\xe8\x80\x85",
	"\xe5\xb7\xae\xe5\x87\xba\xe4\xba\xba", "\xeb\xb3\xb4\xeb\x82\xb8 "
	"\xec\x82\xac\xeb\x9e\x8c", "Kimden", "Felad\xc3\xb3",
	/* Ukrainian, Greek, Hebrew */
	"\xd0\x92\xd1\x96\xd0\xb4",
	"\xce\x91\xcf\x80\xcf\x8c",
	"\xd7\x9e\xd7\x90\xd7\xaa",
	/* Vietnamese, Arabic, Indonesian, Romanian */
	"T\xe1\xbb\xab",
	"\xd9\x85\xd9\x86",
	"Dari",
	"De la",
};
static const char *const field_sent[] = {
	"Sent", "Date", "Gesendet", "Datum", "Envoy\xc3\xa9", "Enviado",
	"Enviada em", "Inviato", "Data", "Fecha", "Verzonden", "Sendt",
	"Skickat", "L\xc3\xa4hetetty", "Odesl\xc3\xa1no", "Wys\xc5\x82" "ano",
	"\xd0\x9e\xd1\x82\xd0\xbf\xd1\x80\xd0\xb0\xd0\xb2\xd0\xbb\xd0\xb5"
	"\xd0\xbd\xd0\xbe", "\xe5\x8f\x91\xe9\x80\x81\xe6\x97\xb6\xe9\x97\xb4",
	"\xe5\xaf\x84\xe4\xbb\xb6\xe6\x97\xa5\xe6\x9c\x9f",
	"\xe9\x80\x81\xe4\xbf\xa1\xe6\x97\xa5\xe6\x99\x82",
	"\xeb\xb3\xb4\xeb\x82\xb8 \xeb\x82\xa0\xec\xa7\x9c",
	"G\xc3\xb6nderildi", "Elk\xc3\xbcldve",
	"\xd0\x9d\xd0\xb0\xd0\xb4\xd1\x96\xd1\x81"
	"\xd0\xbb\xd0\xb0\xd0\xbd\xd0\xbe",
	"\xce\xa3\xcf\x84\xce\xac\xce\xbb"
	"\xce\xb8\xce\xb7\xce\xba\xce\xb5",
	"\xd7\xa0\xd7\xa9\xd7\x9c\xd7\x97", "\xd0\x94\xd0\xb0\xd1\x82\xd0\xb0",
	"\xc4\x90\xc3\xa3 g\xe1\xbb\xadi",
	"\xd8\xaa\xd8\xa7\xd8\xb1\xd9\x8a\xd8\xae \xd8\xa7\xd9\x84\xd8\xa5"
	"\xd8\xb1\xd8\xb3\xd8\xa7\xd9\x84",
	"Dikirim",
	"Trimis",
	"Odoslan\xc3\xa9",
	"Poslano",
};
static const char *const field_rest[] = {
	"To", "Cc", "Subject", "An", "Betreff", "\xc3\x80", "Objet", "Para",
	"Asunto", "A", "Oggetto", "Assunto", "Aan", "Onderwerp", "Til", "Emne",
	"Till", "\xc3\x84mne", "Vastaanottaja", "Aihe", "Komu", "P\xc5\x99"
	"edm\xc4\x9bt", "Do", "Temat", "\xd0\x9a\xd0\xbe\xd0\xbc\xd1\x83",
	"\xd0\xa2\xd0\xb5\xd0\xbc\xd0\xb0", "\xe6\x94\xb6\xe4\xbb\xb6\xe4\xba"
	"\xba", "\xe6\x8a\x84\xe9\x80\x81", "\xe4\xb8\xbb\xe9\xa2\x98",
	"\xe4\xb8\xbb\xe6\x97\xa8", "\xe5\xae\x9b\xe5\x85\x88",
	"\xe4\xbb\xb6\xe5\x90\x8d", "\xeb\xb0\x9b\xeb\x8a\x94 \xec\x82\xac"
	"\xeb\x9e\x8c", "\xec\xa0\x9c\xeb\xaa\xa9", "Kime", "Konu",
	"C\xc3\xadmzett", "T\xc3\xa1rgy", "Importance",
	"\xd0\xa2\xd0\xb5\xd0\xbc\xd0\xb0",
	"\xce\xa0\xcf\x81\xce\xbf\xcf\x82",
	"\xce\x98\xce\xad\xce\xbc\xce\xb1",
	"\xd7\x90\xd7\x9c", "\xd7\xa0\xd7\x95\xd7\xa9\xd7\x90",
	"\xc4\x90\xe1\xba\xbfn",
	"Ch\xe1\xbb\xa7 \xc4\x91\xe1\xbb\x81",
	"\xd8\xa5\xd9\x84\xd9\x89",
	"\xd8\xa7\xd9\x84\xd9\x85\xd9\x88\xd8\xb6\xd9\x88\xd8\xb9",
	"Kepada",
	"Subjek",
	"C\xc4\x83tre",
	"Subiect",
	"Predmet",
	"Za",
};

/* Past what a bold face or an indent left; the French put a no-break blank
 * before the colon. */
static struct slice past_stars(struct slice s)
{
	for (s = slice_trim(s); s.len && *s.s == '*'; s = slice_trim(s)) {
		s.s++;
		s.len--;
	}
	return s;
}

static bool is_field(struct slice s, const char *const *names, size_t n)
{
	s = past_stars(s);
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(names[i]);
		struct slice rest;

		if (!slice_starts(s, names[i]))
			continue;
		rest = past_stars((struct slice){ s.s + len, s.len - len });
		if (slice_starts(rest, ":") ||
		    slice_starts(rest, "\xef\xbc\x9a"))
			return true;
	}
	return false;
}
#define IS_FIELD(s, names) is_field(s, names, sizeof(names) / sizeof(names[0]))

/* "Message: 12" is Mailman's, in a digest. */
static bool begins_header(struct slice s)
{
	return IS_FIELD(s, field_sent) || IS_FIELD(s, field_rest) ||
	       slice_starts(s, "Message: ");
}

/*
 * Lines of a header block as Outlook copies it: From, then Sent or Date, and
 * To or Subject. What git writes above a patch has no "Sent", and no "To" above
 * its Subject.  Below a rule the first may be another, as in a digest.
 */
static size_t header_block(const struct line *v, size_t n, size_t i,
			   bool below_rule)
{
	size_t k, from = 0, rest = 0, sent = 0;
	bool patch = false, named = false;

	if (i >= n || !(IS_FIELD(line_at(v, i), field_from) ||
			(below_rule && begins_header(line_at(v, i)))))
		return 0;
	for (k = i; k < n && k < i + 12 && v[k].len; k++) {
		struct slice s = line_at(v, k);

		patch |= slice_starts(s, "Subject: [PATCH") && !rest && !named;
		if (IS_FIELD(s, field_from))
			from++;
		else if (IS_FIELD(s, field_sent))
			sent++;
		else if (IS_FIELD(s, field_rest))
			rest++;
		named |= sent && !slice_starts(s, "Date:");
	}
	return !patch && from && rest && (sent || rest > 1) ? k - i : 0;
}

/* Is it "----- some words -----"?  Then "inner" are the words. */
static bool is_worded_rule(struct slice s, struct slice *inner)
{
	size_t left = 0, right = 0;

	s = slice_trim(s);
	if (!s.len || isalnum((unsigned char)*s.s))
		return false;
	while (left < s.len && strchr("-_=", s.s[left]))
		left++;
	while (right < s.len - left && strchr("-_=", s.s[s.len - 1 - right]))
		right++;
	if (left < 2 || right < 2 || s.len - left - right < 4)
		return false;
	*inner = slice_trim((struct slice){ s.s + left,
					    s.len - left - right });
	return inner->len > 3;
}

/* What stands in the rule above a copied mail. */
static const char *const original[] = {
	"Original Message", "Original Appointment", "Forwarded message",
	"Forwarded by", "Begin forwarded", "Reply message", "Ursprüngliche",
	"Originalnachricht", "Weitergeleitete", "Message d'origine",
	"Message d’origine", "Message original", "Message transf", "Mensaje",
	"Messaggio", "Mensagem", "Oorspronkelijk", "Doorgestuurd",
	"Oprindelig", "Opprinnelig", "Ursprungligt", "Alkuper",
	"P\xc5\xafvodn", "Wiadomo", "Eredeti", "Orijinal",
	"\xd0\x98\xd1\x81\xd1\x85\xd0\xbe\xd0\xb4\xd0\xbd",
	"\xd0\x9f\xd0\xb5\xd1\x80\xd0\xb5\xd1\x81\xd1\x8b\xd0\xbb",
	"\xe9\x82\xae\xe4\xbb\xb6\xe5\x8e\x9f\xe4\xbb\xb6",
	"\xe5\x8e\x9f\xe5\xa7\x8b\xe9\x82\xae\xe4\xbb\xb6",
	"\xe8\xbd\xac\xe5\x8f\x91", "\xe5\x85\x83\xe3\x81\xae",
	"\xec\x9b\x90\xeb\xb3\xb8", NULL
};

/* Those, or Notes's "-----Ann Lee <ann@example.org> wrote: -----". */
static bool is_original(struct slice s)
{
	static struct words w = { .v = original };

	return slice_find_words(s, &w) ||
	       (ends_in_colon(s) && find_wrote(s) == WROTE);
}

/* The line at "i" and the header block below it; 0: there is none. */
static size_t with_block(const struct line *v, size_t n, size_t i)
{
	size_t k = i + 1, block;

	while (k < n && k < i + 3 && slice_is_blank(line_at(v, k)))
		k++;
	block = header_block(v, n, k, true);
	return block ? k + block - i : 0;
}

/* The same for an attribution below it; 1: there is none, all the same the
 * line divides. */
static size_t with_attribution(const struct line *v, size_t n, size_t i)
{
	size_t k = i + 1, len;
	bool ignored;

	while (k < n && k < i + 3 && slice_is_blank(line_at(v, k)))
		k++;
	len = k < n ? attribution_at(v, n, k, &ignored) : 0;
	return len ? k + len - i : 1;
}

size_t divider_at(const struct line *v, size_t n, size_t i, bool *bare)
{
	struct slice s = line_at(v, i), inner;
	size_t len;

	*bare = false;
	if (is_worded_rule(s, &inner)) {
		len = with_block(v, n, i);
		return len || !is_original(inner) ? len :
						    with_attribution(v, n, i);
	}
	if (slice_is(slice_trim(s), "Begin forwarded message:")) {
		len = with_block(v, n, i);
		return len ? len : 1;
	}
	if (is_rule(s, 10))
		return with_block(v, n, i);
	if (i && !slice_is_blank(line_at(v, i - 1)))
		return 0;
	*bare = true;
	return header_block(v, n, i, false);
}
