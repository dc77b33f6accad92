#include "compose/lint-int.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "report/words.h"

/* "-6.3% regression" somewhere in a text */
struct said {
	const char *digits;	/* without sign and unit */
	size_t len;
	char sign;		/* '-', '+' or ' ' */
	const char *word;	/* of the three below */
};

static const char *const words[] = { "regression", "improvement", "change" };

static const char *word_at(const char *s)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strncmp(s, words[i], strlen(words[i])))
			return words[i];
	return NULL;
}

/* The number that ends at "end" ("%" or "pp" stands there). */
static bool number_before(const char *start, const char *end, struct said *v)
{
	const char *s = end;

	while (s > start && (isdigit((unsigned char)s[-1]) ||
			     strchr(".e+", s[-1])))
		s--;
	if (*s == '+')
		s++;
	v->digits = s;
	v->len = (size_t)(end - s);
	v->sign = s > start && (s[-1] == '-' || s[-1] == '+') ? s[-1] : ' ';
	return v->len != 0;
}

/* The first change that "text" states in a sentence or subject. */
static bool find_said(const char *text, const char *end, struct said *v)
{
	for (const char *s = text; s < end && *s; s++) {
		size_t unit = *s == '%' ? 1 : !strncmp(s, "pp", 2) ? 2 : 0;

		if (!unit || s[unit] != ' ')
			continue;
		v->word = word_at(s + unit + 1);
		if (v->word && number_before(text, s, v))
			return true;
	}
	return false;
}

/* A sign may be left out: the word says the direction. */
static bool says_same(const struct said *a, const struct said *b)
{
	return a->len == b->len && !memcmp(a->digits, b->digits, a->len) &&
	       a->word == b->word &&
	       (a->sign == b->sign || a->sign == ' ' || b->sign == ' ');
}

/* "noticed a -6.3% regression of unixbench.score due to commit:" */
static const char *sentence(const char *body, struct text_line *line)
{
	*line = (struct text_line){ .number = 0 };
	while (lint_line(&body, line)) {
		const char *at = memmem(line->s, line->len, "noticed a", 9);

		if (at && *line->s != '>')
			return at;
	}
	return NULL;
}

/* Its metric: the word after " of ". */
static size_t metric_in(const struct text_line *line, const char *from,
			const char **name)
{
	const char *end = line->s + line->len;
	const char *of = memmem(from, (size_t)(end - from), " of ", 4);
	size_t n = 0;

	if (!of)
		return 0;
	*name = of + 4;
	while (*name + n < end && isgraph((unsigned char)(*name)[n]))
		n++;
	return n;
}

/* Does the subject name the stat?  Of a very long name it has the beginning and
 * the end. */
static bool names_stat(const char *subject, const char *name, size_t len)
{
	enum { LONG = 150, BEGINNING = 60 };

	return memmem(subject, strlen(subject), name,
		      len > LONG ? BEGINNING : len);
}

static void compare_subject(struct lint *l, const struct message *m,
			    const struct said *body, const char *name,
			    size_t len)
{
	struct said subject;

	if (!find_said(m->subject, m->subject + strlen(m->subject), &subject))
		return;
	if (!says_same(&subject, body))
		lint_say(l, "the subject says %c%.*s %s, the text %c%.*s %s",
			 subject.sign, (int)subject.len, subject.digits,
			 subject.word, body->sign, (int)body->len,
			 body->digits, body->word);
	if (len && !names_stat(m->subject, name, len))
		lint_say(l, "the text speaks of %.*s, the subject does not",
			 (int)len, name);
}

/* Does the name stand behind the numbers, alone or before a note in
 * brackets? */
static bool names_row(const struct text_line *line, const char *name,
		      size_t len)
{
	const char *end = line->s + line->len, *at;

	at = line->len > len + 20 ? memmem(line->s + 20, line->len - 20, name,
					   len) : NULL;
	return at && at[-1] == ' ' &&
	       (at + len == end ||
		(end - at > (ptrdiff_t)len + 3 && !memcmp(at + len, "  [", 3)));
}

/* A table's row of that name; its text, or an empty one. */
static struct text_line find_row(const char *body, const char *name,
				 size_t len)
{
	struct text_line line = { .number = 0 };
	bool table = false;

	while (lint_line(&body, &line)) {
		table |= line.len > 20 && !strncmp(line.s, "==========", 10);
		if (table && *line.s != '>' && names_row(&line, name, len))
			return line;
	}
	return (struct text_line){ .s = body };
}

/* A unit, the column's end, or a deviation right behind it: "1.00+- 12%" and
 * "0.38~>999%" in ASCII, else the sign. */
static bool ends_number(const char *s, const char *end)
{
	static const char *const behind[] = { " ", "%", "pp", "+-", "~",
					      "\xc2\xb1" };

	for (size_t i = 0; i < sizeof(behind) / sizeof(*behind); i++) {
		size_t len = strlen(behind[i]);

		if ((size_t)(end - s) >= len && !memcmp(s, behind[i], len))
			return true;
	}
	return s == end;
}

static bool holds_number(const struct text_line *row, const char *s,
			 size_t len)
{
	const char *at = row->s, *end = row->s + row->len;

	while ((at = memmem(at, (size_t)(end - at), s, len))) {
		/* A wide value stands right behind the unit of the change. */
		bool begins = at == row->s || strchr(" +-%p", at[-1]);

		if (begins && ends_number(at + len, end))
			return true;
		at++;
	}
	return false;
}

static void compare_table(struct lint *l, const struct message *m,
			  const struct said *body, const char *name,
			  size_t len)
{
	struct text_line row = find_row(m->body, name, len);

	if (row.len && !holds_number(&row, body->digits, body->len))
		lint_say(l, "the text says %c%.*s, the table's row of %.*s "
			 "does not", body->sign, (int)body->len, body->digits,
			 (int)len, name);
}

static void expect(struct lint *l, const char *where, const char *text,
		   const char *want)
{
	if (!strstr(text, want))
		lint_say(l, "%s does not say '%s' as the report does", where,
			 want);
}

/*
 * Does the row say the means of both sides, as the table prints them?  The
 * reference's style has its own: cut, not rounded, and with zeros filled in.
 */
static void compare_means(struct lint *l, const struct text_line *row,
			  const struct report *r)
{
	const struct comparison *c = r->comparison;
	struct buf value = BUF_INIT(100);

	if (r->headline->kind != ROW_PERF ||
	    (c && c->options.style == COMPARE_LKP))
		return;
	for (size_t i = 0; i < r->group->nside; i++) {
		if (!r->headline->figure[i].n)
			continue;
		buf_reset(&value);
		words_mean(&value, r->headline, i);
		if (!holds_number(row, value.s, value.len))
			lint_say(l, "the table's row of %s does not say %s as "
				 "the report does", r->headline->name, value.s);
	}
	buf_release(&value);
}

/* Printed as it is: names with other characters are made inert, or spelled. */
static bool is_printed_plain(const char *s)
{
	for (; *s; s++)
		if (*s < ' ' || *s > '~')
			return false;
	return true;
}

static void compare_report(struct lint *l, const struct message *m,
			   const struct report *r)
{
	struct buf judged = BUF_INIT(8000);
	const char *subject = NULL, *name = r->headline->name;
	struct text_line row = find_row(m->body, name, strlen(name));

	if (r->news.kind == NEWS_CHANGE) {
		words_change(&judged, r->headline, r->side, WORDS_SIZE);
		buf_addf(&judged, " %s", verdict_word(r->verdict));
	} else if (is_printed_plain(r->news.sentence)) {
		subject = r->news.subject;
		buf_addstr(&judged, r->news.sentence);
	}
	/* An answer has the subject of what it answers. */
	if (strncasecmp(m->subject, "Re:", 3))
		expect(l, "the subject", m->subject,
		       subject ? subject : judged.s);
	expect(l, "the text", m->body, judged.s);
	if (r->news.kind != NEWS_FAILURE && is_printed_plain(name))
		expect(l, "the text", m->body, name);
	if (row.len)
		compare_means(l, &row, r);
	buf_release(&judged);
}

void lint_numbers(struct lint *l, const struct message *m,
		  const struct report *r)
{
	struct text_line line;
	const char *from = sentence(m->body, &line), *name = NULL;
	struct said body;
	size_t len;

	if (r)
		compare_report(l, m, r);
	if (!from || !find_said(from, line.s + line.len, &body))
		return;
	len = metric_in(&line, from, &name);
	compare_subject(l, m, &body, name, len);
	if (len)
		compare_table(l, m, &body, name, len);
}
