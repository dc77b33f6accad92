#include "bot/naming.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"

#define HASH_MIN 7	/* digits of an abbreviated commit */
#define TEXT_MAX 10000	/* bytes looked at: a name stands in a short answer */
#define PLAIN_MIN 5	/* letters of a metric's part that is a plain word */

struct names {
	struct arena arena;
	const char *text;	/* lower case, single blanks */
	const struct stored_report *report;
	size_t n;
	uint32_t all, set;
	bool named;		/* something tells some from others */
	bool tried;		/* something is named that tells nothing */
};

/* Lower case, and each run of blanks one blank. */
static const char *plain(const char *text, struct arena *a)
{
	const char *end = text + strnlen(text, TEXT_MAX);
	char *out = arena_alloc(a, (size_t)(end - text) + 1), *p = out;

	for (; text < end; text++) {
		bool blank = isspace((unsigned char)*text);

		if (!blank)
			*p++ = (char)tolower((unsigned char)*text);
		else if (p > out && p[-1] != ' ')
			*p++ = ' ';
	}
	*p = '\0';
	return out;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-' || (c & 0x80);
}

/* Does "text" hold "phrase" (len bytes) as words of its own? */
static bool holds(const char *text, const char *phrase, size_t len)
{
	for (const char *p = text; len && (p = memmem(p, strlen(p), phrase,
						      len)); p++)
		if ((p == text || !is_word(p[-1]) || !is_word(*phrase)) &&
		    (!is_word(p[len]) || !is_word(phrase[len - 1])))
			return true;
	return false;
}

static bool says(const struct names *w, const char *phrase)
{
	return holds(w->text, phrase, strlen(phrase));
}

/* The text names what these have. */
static void narrow(struct names *w, uint32_t set)
{
	if (set == w->all || !set) {
		w->tried = true;
		return;
	}
	w->named = true;
	w->set &= set;
}

/* What a report is known by. */
enum field { STAT, MACHINE, TREE, BRANCH, TITLE, NFIELDS };

static const char *field(const struct stored_report *r, enum field which)
{
	const char *const value[NFIELDS] = {
		[STAT] = r->stat, [MACHINE] = r->machine, [TREE] = r->tree,
		[BRANCH] = r->branch, [TITLE] = r->title,
	};

	return value[which];
}

/* When the text says the phrase: which have it in that field? */
static void phrase(struct names *w, enum field which, const char *said, size_t len)
{
	uint32_t set = 0;

	if (!holds(w->text, said, len))
		return;
	for (size_t i = 0; i < w->n; i++)
		if (holds(plain(field(&w->report[i], which), &w->arena), said,
			  len))
			set |= UINT32_C(1) << i;
	narrow(w, set);
}

/* Is a part of a metric's or machine's name one that people would call it by?
 * "per_process_ops", "lkp-skl-fpga01", "throughput", "Icelake", not "time",
 * and of a machine's not "memory". */
static bool is_telling(const char *part, size_t len, bool machine)
{
	bool letter = false, mark = false;

	for (size_t i = 0; i < len; i++) {
		letter |= isalpha((unsigned char)part[i]) != 0;
		mark |= isdigit((unsigned char)part[i]) ||
			strchr("_-", part[i]) ||
			(machine && isupper((unsigned char)part[i]));
	}
	return letter && (mark || (!machine && len >= PLAIN_MIN));
}

static void parts(struct names *w, enum field which, const char *value,
		  const char *between)
{
	const char *low = plain(value, &w->arena);

	/* Where blanks were squeezed it is not read in parts. */
	if (strlen(low) != strlen(value))
		return;
	for (size_t i = 0; value[i]; ) {
		size_t len = strcspn(value + i, between);

		if (is_telling(value + i, len, which == MACHINE))
			phrase(w, which, low + i, len);
		i += len + (value[i + len] != '\0');
	}
}

static void fields(struct names *w, const struct stored_report *r)
{
	const char *value;

	for (enum field i = STAT; i < NFIELDS; i++) {
		value = plain(field(r, i), &w->arena);
		phrase(w, i, value, strlen(value));
	}
	parts(w, STAT, r->stat, ".");
	parts(w, MACHINE, r->machine, " (),/");
}

static bool is_hash(const char *word, size_t len)
{
	return len >= HASH_MIN && len <= 64 &&
	       strspn(word, "0123456789abcdef") >= len &&
	       strcspn(word, "0123456789") < len;
}

static void commits(struct names *w)
{
	for (const char *p = w->text; *p; ) {
		size_t len = strspn(p, "abcdefghijklmnopqrstuvwxyz0123456789");
		uint32_t set = 0;

		for (size_t i = 0; is_hash(p, len) && i < w->n; i++) {
			const char *tested = w->report[i].tested;
			size_t known = strlen(tested);

			if (known >= HASH_MIN && !strncasecmp(tested, p,
					known < len ? known : len))
				set |= UINT32_C(1) << i;
		}
		if (is_hash(p, len))
			narrow(w, set);
		p += len + (p[len] != '\0');
	}
}

static void ordinals(struct names *w)
{
	static const char *const name[][2] = {
		{ "first", "1st" }, { "second", "2nd" }, { "third", "3rd" },
		{ "fourth", "4th" }, { "fifth", "5th" },
	};

	for (size_t i = 0; i < 5; i++)
		for (size_t k = 0; k < 2; k++) {
			const char *one = name[i][k];
			size_t len = strlen(one);

			if (says(w, arena_printf(&w->arena, "the %s", one)) ||
			    says(w, arena_printf(&w->arena, "%s one", one)) ||
			    (!strncmp(w->text, one, len) &&
			     strchr(".,!", w->text[len])))
				narrow(w, i < w->n ? UINT32_C(1) << i : 0);
		}
}

/* "both", "all of them" */
static bool means_all(const struct names *w)
{
	return (says(w, "both") && w->n == 2) || says(w, "all of them") ||
	       says(w, "all of these") || says(w, "each of them") ||
	       (says(w, "all three") && w->n == 3);
}

static bool negates(const struct names *w)
{
	static const char *const words[] = {
		"not", "neither", "nor", "none", "except", "other", "others",
		"without", NULL
	};

	for (const char *const *word = words; *word; word++)
		if (says(w, *word))
			return true;
	return strstr(w->text, "n't") != NULL;
}

static enum naming judge(const struct names *w, uint32_t *set)
{
	bool all = means_all(w);

	if (!w->named && !all)
		return w->tried ? NAMING_UNCLEAR : NAMING_NOTHING;
	if (negates(w) || (w->named && all))
		return NAMING_UNCLEAR;
	*set = all ? w->all : w->set;
	if (!all && (!*set || (*set & (*set - 1))))
		return NAMING_UNCLEAR;
	return NAMING_CLEAR;
}

enum naming naming_find(const char *text, const struct stored_report *report,
			size_t n, uint32_t *set)
{
	struct names w = { .arena = ARENA_INIT, .report = report, .n = n };
	enum naming found;

	assert(n && n <= 32);
	w.text = plain(text, &w.arena);
	w.all = w.set = n == 32 ? UINT32_MAX : (UINT32_C(1) << n) - 1;
	for (size_t i = 0; i < n; i++)
		fields(&w, &report[i]);
	commits(&w);
	ordinals(&w);
	found = judge(&w, set);
	arena_release(&w.arena);
	return found;
}
