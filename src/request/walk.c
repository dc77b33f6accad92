/*
 * From the lines of a mail to sentences: paragraphs are joined, what is no
 * prose (code, tables, trailers, change logs, commands for other bots) is left
 * out, and each sentence learns what stands around it.
 */
#include "request/sentence.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "request/command-line.h"
#include "request/footnote.h"
#include "request/quotation.h"
#include "request/reading.h"
#include "request/split.h"
#include "request/whom.h"

#define LINES_BYTES_MAX (256u << 10)	/* of lines looked at for what they are */
#define LINE_COST 64		/* what one costs at least, in bytes */

struct place {			/* where a line begins in a paragraph */
	size_t at, line;
};

struct walk {
	struct sentences *out;
	struct arena *arena;
	const struct message *m;
	const struct grammar *g;
	const struct robot *robot;
	struct company company;
	struct buf text;	/* the paragraph so far, lines joined */
	struct place *place;
	size_t nplace, place_cap;
	size_t budget;		/* bytes of prose that may still be read */
	size_t lines_budget;	/* ... of lines, prose or not */
	size_t nsentence;	/* sentences looked at */
	size_t block;
	enum whom salutation;	/* of the whole mail */
	enum whom answered;	/* whose words stand quoted above */
	bool to_robot;
	bool to_person;		/* in To stands somebody else, by name */
	bool concerns_robot;	/* else only commands are looked for */
	bool named;		/* a person was spoken to */
	bool item;		/* the paragraph is an item of a list */
	size_t indentation;	/* ... that begins in this column */
	bool listing;		/* items of "head" may come */
	size_t head;
	bool after_closing;	/* "Thanks," was said: a name may follow */
	bool in_patch_mail;	/* header or scissors of a formal patch seen */
	bool changelog;		/* the mail itself is a patch submitted */
	bool diff_seen;		/* ... and its diff */
	bool skip_items;	/* "Changes in v2:" */
	struct quotations quotations;
	struct footnotes footnotes;
};

/* Those in To; where nobody is ("undisclosed-recipients:;"), those in Cc. */
static const struct addresses *addressees(const struct message *m)
{
	return m->to.n ? &m->to : &m->cc;
}

/* Among the addressees; or one of those who run it. */
static bool addressed_to_robot(const struct walk *w)
{
	const struct addresses *to = addressees(w->m);

	for (size_t i = 0; i < to->n; i++)
		if (robot_owns(w->robot, to->v[i].address) ||
		    robot_name_length(w->robot, to->v[i].name,
				      strlen(to->v[i].name)) ||
		    company_knows_operator(&w->company, w->arena,
					   to->v[i].name))
			return true;
	return false;
}

static bool addressed_to_person(const struct walk *w)
{
	const struct addresses *to = addressees(w->m);

	for (size_t i = 0; i < to->n; i++)
		if (strchr(to->v[i].name, ' ') &&
		    !strstr(to->v[i].address, "list") &&
		    !grammar_mark(w->g, "all-people", to->v[i].name,
				  strlen(to->v[i].name)))
			return true;
	return false;
}

static uint32_t fact(bool holds, enum fact f)
{
	return holds ? 1u << f : 0;
}

static bool has_attachment(const struct message *m)
{
	for (size_t i = 0; i < m->npatch; i++)
		if (m->patch[i].attached)
			return true;
	return false;
}

static bool has_inline(const struct message *m)
{
	for (size_t i = 0; i < m->npatch; i++)
		if (!m->patch[i].attached)
			return true;
	return false;
}

/* Who is spoken to by a sentence that names nobody. */
static enum whom default_whom(const struct walk *w)
{
	if (w->salutation != WHOM_NOBODY)
		return w->salutation;
	/* Who answers a report, but to somebody else, asks that person. */
	if (w->answered == WHOM_ROBOT && !w->to_robot && w->to_person)
		return WHOM_OTHER;
	if (w->answered != WHOM_NOBODY)
		return w->answered;
	return w->to_robot ? WHOM_ALL : WHOM_NOBODY;
}

static uint32_t sentence_facts(const struct walk *w, const char *text,
			       enum whom whom)
{
	bool in = has_inline(w->m), attached = has_attachment(w->m);
	size_t n = strlen(text);

	while (n && strchr("\"') ", text[n - 1]))
		n--;
	return fact(n && text[n - 1] == '?', FACT_QUESTION) |
	       fact(grammar_mark(w->g, "reads-as-question", text, n),
		    FACT_QUESTION) |
	       fact(n >= 3 && !memcmp(text + n - 3, "\xef\xbc\x9f", 3),
		    FACT_QUESTION) |
	       fact(whom == WHOM_ROBOT || whom == WHOM_ALL ||
		    whom == WHOM_STRANGER, FACT_DIRECT) |
	       fact(whom == WHOM_STRANGER, FACT_STRANGER) |
	       fact(quotations_of(&w->quotations, WHOM_ROBOT), FACT_ANSWERS) |
	       fact(whom == WHOM_ROBOT && w->salutation == WHOM_ROBOT,
		    FACT_ROBOT) |
	       fact(whom == WHOM_OTHER, FACT_OTHER) |
	       fact(in, FACT_INLINE) | fact(attached, FACT_ATTACHED) |
	       fact(in || attached, FACT_PATCH) | fact(w->item, FACT_ITEM) |
	       fact(w->changelog, FACT_CHANGELOG);
}

/* A paragraph that is only a link goes with the open sentence before it. */
static bool join_reference(struct walk *w, const struct sentence *s)
{
	struct sentence *before;
	size_t n;

	if (!s->reference || !w->out->n || w->item)
		return false;
	before = &w->out->v[w->out->n - 1];
	n = strlen(before->text);
	if (before->block + 1 != s->block || !n ||
	    n + strlen(s->text) > SENTENCE_MAX ||
	    strchr(".?!;", before->text[n - 1]))
		return false;
	before->text = arena_printf(w->arena, "%s %s", before->text, s->text);
	before->noted = footnotes_put_in(&w->footnotes, w->arena, before->text);
	sentence_read_again(before, w->arena, w->g, w->robot);
	before->block = s->block;
	return true;
}

struct word {
	size_t hash, len;
};

/*
 * Is it prose at all?  Not where a "word" goes on for ever (links apart), and
 * not where, in a long sentence, each word comes three times: people do not
 * write so, and patterns are slow on what they nearly match again and again.
 */
static bool is_prose(const struct sentence *s)
{
	struct word seen[SENTENCE_MAX / 2];
	size_t words = 0, distinct = 0;

	for (const char *p = s->reading; *p;) {
		struct word w = { .hash = 5381 };
		size_t i = 0;

		p += strspn(p, " ");
		for (; *p && *p != ' '; p++, w.len++)
			w.hash = w.hash * 33 + (unsigned char)*p;
		if (w.len > WORD_MAX)
			return false;
		while (i < distinct && (seen[i].hash != w.hash ||
					seen[i].len != w.len))
			i++;
		if (i == distinct && distinct < SENTENCE_MAX / 2)
			seen[distinct++] = w;
		words++;
	}
	return words < 30 || distinct > words / 3;
}

/* Word by word as another before it: a machine repeats itself. */
static bool is_said(const struct sentences *o, const char *text)
{
	size_t len = strlen(text);

	for (size_t i = 0; i < o->n && len > 10; i++)
		if (!strcmp(o->v[i].text, text))
			return true;
	return false;
}

static void push_sentence(struct walk *w, const char *text, size_t line,
			  enum whom whom)
{
	struct sentences *o = w->out;
	struct sentence s = { .line = line, .text = text, .block = w->block,
			      .item = w->item };

	if (is_said(o, text)) {
		o->cut = true;
		return;
	}
	s.noted = footnotes_put_in(&w->footnotes, w->arena, text);
	s.facts = sentence_facts(w, text, whom);
	if (w->item && w->listing) {
		s.head = w->head;
		s.asked = sentence_bears(&o->v[s.head], w->g, "list-asks");
	}
	sentence_read_again(&s, w->arena, w->g, w->robot);
	if (!is_prose(&s)) {
		o->cut = true;
		return;
	}
	s.reference = sentence_bears(&s, w->g, "reference");
	if (join_reference(w, &s))
		return;
	o->v = arena_grow(w->arena, o->v, &o->cap, o->n + 1, sizeof(s));
	o->v[o->n++] = s;
}

static size_t line_at(const struct walk *w, size_t at)
{
	size_t line = 0;

	for (size_t i = 0; i < w->nplace && w->place[i].at <= at; i++)
		line = w->place[i].line;
	return line;
}

/* Whom this sentence speaks to; what it says of that holds for the rest of
 * its paragraph, a greeting for the rest of the mail. */
static enum whom spoken_to(struct walk *w, const char *text, enum whom before)
{
	size_t len = 0;
	enum whom first = whom_first(&w->company, w->arena, text, &len);
	enum whom last;

	if (first == WHOM_STRANGER && quotations_of(&w->quotations, WHOM_OTHER))
		first = WHOM_OTHER;
	if (first != WHOM_NOBODY) {
		w->named |= first == WHOM_OTHER;
		if (!text[len + strspn(text + len, " ,:!.-")])
			w->salutation = first;
		return first;
	}
	/* "Thanks, Ann." turns to nobody. */
	if (grammar_mark(w->g, "thanking", text, strlen(text)))
		return before;
	last = whom_last(&w->company, w->arena, text);
	w->named |= last == WHOM_OTHER;
	return last != WHOM_NOBODY ? last : before;
}

/* Was it cut at its end, not for its length? */
static bool ends_sentence(const char *s, size_t n)
{
	while (n && strchr("\"')]", s[n - 1]))
		n--;
	return n && (strchr(".?!;", s[n - 1]) || (unsigned char)s[n - 1] >= 0x80);
}

static bool may_read_more(struct walk *w)
{
	if (w->nsentence++ < SENTENCES_MAX)
		return true;
	w->budget = 0;
	w->out->cut = true;
	return false;
}

static void flush(struct walk *w)
{
	const char *s = w->text.s, *end = s + w->text.len;
	enum whom whom = default_whom(w);
	bool overlong = false;
	size_t n;

	if (!w->text.len)
		return;
	w->block++;
	for (; s < end && may_read_more(w); s += n) {
		const char *text;
		size_t skip = strspn(s, " ");

		s += skip;
		n = split_sentence(s, (size_t)(end - s));
		if (!n)
			break;
		/* The rest of an overlong sentence is passed over. */
		if (overlong) {
			overlong = n == SENTENCE_MAX || !ends_sentence(s, n);
			w->out->cut = true;
			continue;
		}
		overlong = s + n < end && n > SENTENCE_MAX / 2 &&
			   !ends_sentence(s, n);
		text = arena_strndup(w->arena, s, n);
		whom = spoken_to(w, text, whom);
		push_sentence(w, text, line_at(w, (size_t)(s - w->text.s)),
			      whom);
		if (w->salutation != WHOM_NOBODY && whom == w->salutation)
			whom = w->salutation;
	}
	if (!w->item && w->out->n) {
		const char *last = w->out->v[w->out->n - 1].text;

		w->head = w->out->n - 1;
		w->listing = !strchr(".?!;", last[strlen(last) - 1]);
	}
	buf_reset(&w->text);
	w->nplace = 0;
	w->item = false;
}

/* Append the line to the paragraph, white space squeezed. */
static void add_line(struct walk *w, const struct line *l, const char *s,
		     size_t len)
{
	struct line part = { .text = s, .len = len };
	size_t max = line_bytes(&part, LINE_MAX_BYTES);

	w->out->cut |= max < len || w->budget < max;
	if (w->budget < max) {
		w->budget = 0;
		return;
	}
	w->budget -= max;
	if (w->text.len)
		buf_addch(&w->text, ' ');
	w->place = arena_grow(w->arena, w->place, &w->place_cap,
			      w->nplace + 1, sizeof(*w->place));
	w->place[w->nplace++] = (struct place){ w->text.len, l->number };
	for (size_t i = 0; i < max; i++) {
		bool blank = isspace((unsigned char)s[i]) || !s[i];

		if (!blank)
			buf_addch(&w->text, s[i]);
		else if (w->text.len && w->text.s[w->text.len - 1] != ' ')
			buf_addch(&w->text, ' ');
	}
}

/* The command that begins at line "*i", with the lines in which it goes on. */
static void push_command(struct walk *w, size_t *i)
{
	const struct line *l = &w->m->line[*i];
	const struct line *end = w->m->line + w->m->nline;
	struct sentences *o = w->out;
	size_t number = l->number;

	flush(w);
	add_line(w, l, l->text, l->len);
	while (++l < end && w->text.len < SENTENCE_MAX &&
	       !command_prefix(w->g, w->robot, l) &&
	       command_goes_on(l - 1, l, w->text.s)) {
		if (w->text.len && w->text.s[w->text.len - 1] == '\\')
			w->text.s[w->text.len - 1] = ' ';
		add_line(w, l, l->text, l->len);
	}
	*i = (size_t)(l - w->m->line) - 1;
	if (o->ncommand < SENTENCES_MAX) {
		const char *text = arena_strdup(w->arena, w->text.s);
		struct line whole = { .text = text, .len = w->text.len };
		const char *words = text +
			command_prefix(w->g, w->robot, &whole);

		o->command = arena_grow(w->arena, o->command, &o->command_cap,
					o->ncommand + 1, sizeof(*o->command));
		o->command[o->ncommand++] = (struct request_command){
			number, text, words + strspn(words, " ") };
	}
	buf_reset(&w->text);
	w->nplace = 0;
}

/* -------------------------------------------------------------- the lines */

static const char *line_class(struct walk *w, const struct line *l)
{
	struct match m;
	size_t len = line_bytes(l, 400);

	if (w->lines_budget < len + LINE_COST) {
		w->out->cut = true;
		return "none";
	}
	w->lines_budget -= len + LINE_COST;
	if (!len || !regex_find(w->g->lines, l->text, len, 0, &m) || !m.mark)
		return "prose";
	return m.mark;
}

static bool is_empty(const struct line *l)
{
	for (size_t i = 0; i < l->len; i++)
		if (!isspace((unsigned char)l->text[i]))
			return false;
	return true;
}

static size_t indentation(const struct line *l)
{
	size_t n = 0;

	while (n < l->len && (l->text[n] == ' ' || l->text[n] == '\t'))
		n++;
	return n;
}

/* "Confused," before a name that ends the text. */
static bool is_sign_off(const struct walk *w, const struct line *l)
{
	const struct line *end = w->m->line + w->m->nline;
	const struct line *name = l + 1;

	return l->len < 30 && l->len && l->text[l->len - 1] == ',' &&
	       name < end && name->kind == LINE_NEW && name->len < 30 &&
	       isupper((unsigned char)*name->text) &&
	       !memchr(name->text, '?', name->len) &&
	       (name + 1 == end || name[1].kind != LINE_NEW ||
		is_empty(&name[1]));
}

/* "Thanks," and the name below it. */
static bool is_closing(struct walk *w, const char *class, const struct line *l)
{
	bool name = w->after_closing && l->len < 40;

	w->after_closing = !strcmp(class, "closing") || is_sign_off(w, l);
	return name || w->after_closing;
}

static void new_line(struct walk *w, size_t *i)
{
	const struct line *l = &w->m->line[*i];
	const char *class;

	if (is_empty(l)) {
		flush(w);
		w->skip_items = false;
		return;
	}
	if (command_prefix(w->g, w->robot, l)) {
		push_command(w, i);
		return;
	}
	if (!w->budget || !w->concerns_robot)
		return;
	class = line_class(w, l);
	/* "@somebody ..." is a command for another bot, "@lkp ..." is for us. */
	if (!strcmp(class, "mention"))
		class = robot_name_length(w->robot, l->text + 1, l->len - 1) ?
			"prose" : "none";
	if (!strcmp(class, "patch-mail"))
		w->in_patch_mail = true;
	if (!strcmp(class, "changes"))
		w->skip_items = true;
	if (is_closing(w, class, l) || w->in_patch_mail || w->skip_items ||
	    !strcmp(class, "none")) {
		flush(w);
		return;
	}
	/* Behind an item, a line that stands further left is a new paragraph. */
	if (!strcmp(class, "item") || !strcmp(class, "greeting") ||
	    (w->item && indentation(l) < w->indentation))
		flush(w);
	if (!strcmp(class, "item")) {
		w->item = true;
		w->indentation = indentation(l);
	}
	add_line(w, l, l->text, l->len);
	if (!strcmp(class, "greeting"))
		flush(w);
}

/* What the last paragraph left open ends here. */
static void other_line(struct walk *w, const struct line *l)
{
	bool quoted = l->kind == LINE_QUOTED || l->kind == LINE_ATTRIBUTION;

	flush(w);
	w->after_closing = false;
	if (quoted)
		w->listing = false;
	if (l->kind == LINE_PATCH && w->out->n) {
		w->out->v[w->out->n - 1].facts |= 1u << FACT_DIFF_NEXT;
		w->diff_seen = true;
	}
	if (w->diff_seen && l->kind != LINE_PATCH)
		w->in_patch_mail = w->diff_seen = false;
}

static bool is_signed_off(const struct line *l)
{
	static const char trailer[] = "Signed-off-by:";

	return l->kind == LINE_NEW && l->len > sizeof(trailer) &&
	       !strncasecmp(l->text, trailer, sizeof(trailer) - 1);
}

/* Signed off, and nobody is greeted, quoted or asked. */
static bool reads_as_change_log(const struct message *m)
{
	bool signed_off = false;

	for (size_t i = 0; i < m->nline; i++) {
		const struct line *l = &m->line[i];

		if (l->kind == LINE_QUOTED || l->kind == LINE_ATTRIBUTION ||
		    (l->kind == LINE_NEW && memchr(l->text, '?', l->len)))
			return false;
		signed_off |= is_signed_off(l);
	}
	return signed_off;
}

/* A patch sent as such: what stands before its diff is its change log. */
static bool is_submission(const struct message *m, const struct grammar *g)
{
	return has_inline(m) &&
	       (reads_as_change_log(m) ||
		grammar_mark(g, "patch-subject", m->subject,
			     strlen(m->subject)));
}

static void walk_lines(struct walk *w)
{
	for (size_t i = 0; i < w->m->nline; i++) {
		const struct line *l = &w->m->line[i];
		enum whom said = quotations_at(&w->quotations, i);

		if (said != WHOM_NOBODY)
			w->answered = said;
		if (l->kind == LINE_NEW)
			new_line(w, &i);
		else
			other_line(w, l);
	}
	flush(w);
}

/* Most mails of a list have nothing to do with us. */
static bool speaks_of_robot(const struct walk *w)
{
	const char *all = w->m->new_text;
	size_t budget = w->budget, len = strlen(all);

	if (!robot_is_named(w->robot, all, len) &&
	    !grammar_may_mark(w->g, "robot-word", all, len))
		return false;
	for (size_t i = 0; i < w->m->nline && budget; i++) {
		const struct line *l = &w->m->line[i];

		len = line_bytes(l, budget);
		if (l->kind != LINE_NEW)
			continue;
		if (robot_is_named(w->robot, l->text, len) ||
		    grammar_mark(w->g, "robot-word", l->text, len))
			return true;
		budget -= len;
		if (len < l->len)
			break;
	}
	return false;
}

/* What is known of a sentence only when all are read. */
static void look_back(struct walk *w)
{
	struct sentences *o = w->out;
	size_t said = 0;
	bool link = false, automatic = false;

	for (size_t i = 0; i < o->n; i++) {
		link |= sentence_entity(&o->v[i], "patchurl", 0) ||
			sentence_entity(&o->v[i], "msgid", 0);
		said += !o->v[i].reference;
		automatic |= sentence_bears(&o->v[i], w->g, "automatic-text");
	}
	for (size_t i = 0; i < o->n; i++)
		o->v[i].facts |= fact(link, FACT_MAIL_LINK) |
				 fact(w->named, FACT_NAMED) |
				 fact(said == 1, FACT_ONLY) |
				 fact(said <= 5, FACT_BRIEF) |
				 fact(automatic, FACT_AUTOMATIC) |
				 fact(!i, FACT_FIRST);
}

/* A short last line of the mail's own text, such as "-Ann". */
static const char *signature(const struct message *m, struct arena *a)
{
	for (size_t i = m->nline; i > 0; i--) {
		const struct line *l = &m->line[i - 1];
		size_t skip = strspn(l->text, "- \t");

		if ((l->kind != LINE_NEW && l->kind != LINE_SIGNATURE) ||
		    is_empty(l))
			continue;
		if (l->len > 30 || skip >= l->len ||
		    !isupper((unsigned char)l->text[skip]))
			break;
		return arena_strndup(a, l->text + skip, l->len - skip);
	}
	return "";
}

void sentences_find(struct sentences *s, struct arena *a,
		    const struct message *m, const struct grammar *g,
		    const struct robot *robot)
{
	struct walk w = {
		.out = s, .arena = a, .m = m, .g = g, .robot = robot,
		.text = BUF_INIT(PROSE_MAX + LINE_MAX_BYTES),
		.budget = PROSE_MAX,
		.lines_budget = LINES_BYTES_MAX,
		.changelog = is_submission(m, g),
		.company = { .grammar = g, .robot = robot,
			     .m = m, .signature = signature(m, a) },
	};

	*s = (struct sentences){ .n = 0 };
	strmap_init(&w.company.operators, a);
	company_add_colleagues(&w.company, a, &m->to);
	company_add_colleagues(&w.company, a, &m->cc);
	w.to_robot = addressed_to_robot(&w);
	w.to_person = !w.to_robot && addressed_to_person(&w);
	quotations_find(&w.quotations, &w.company, a, m);
	w.answered = quotations_first(&w.quotations, m);
	footnotes_find(&w.footnotes, a, m);
	w.concerns_robot = w.to_robot ||
			   quotations_of(&w.quotations, WHOM_ROBOT) ||
			   speaks_of_robot(&w);
	walk_lines(&w);
	look_back(&w);
	buf_release(&w.text);
}
