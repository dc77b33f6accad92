#include "mail/lines.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "mail/patch.h"
#include "mail/unwrap.h"

static struct slice line_at(const struct line *v, size_t i)
{
	return (struct slice){ v[i].text, v[i].len };
}

size_t lines_split(struct line **out, struct arena *a, const char *s,
		   size_t len)
{
	struct slice rest = { s, len }, line;
	size_t n = 0, cap = 0;
	struct line *v = NULL;

	/* A guess that spares most texts a copy. */
	v = arena_grow(a, v, &cap, len / 32 + 8, sizeof(*v));
	while (slice_line(&rest, &line)) {
		if (n == LINES_MAX - 1) {
			line.len = (size_t)(s + len - line.s);
			rest.len = 0;
		}
		v = arena_grow(a, v, &cap, n + 1, sizeof(*v));
		v[n] = (struct line){ .kind = LINE_NEW, .number = n + 1,
				      .text = line.s, .len = line.len };
		n++;
	}
	*out = v;
	return n;
}

#define QUOTED_FULL 66		/* bytes of a line that may have been broken */
#define QUOTED_REST 30		/* and of what was broken off */

/* The pass over a body: where it is, what it has seen. */
struct pass {
	struct message *m;
	struct line *v;
	size_t n, i;
	size_t from;		/* where the text before the next diff may start */
	bool signature;		/* after "-- " */
	bool words;		/* the author has written something */
	struct slice cited;	/* whom Supercite quotes, by the name that
				 * stands before each line */
	size_t patch_cap;
	struct trailers trailers;
};

static void mark(struct pass *p, size_t len, enum line_kind kind)
{
	for (size_t k = p->i; k < p->i + len; k++)
		p->v[k].kind = kind;
	p->i += len;
}

static void mark_quoted(struct pass *p, size_t end)
{
	for (; p->i < end; p->i++) {
		p->v[p->i].kind = LINE_QUOTED;
		p->v[p->i].depth = 1 + quote_marks(line_at(p->v, p->i));
	}
}

static void add_patch(struct message *m, size_t *cap, const struct patch *one)
{
	m->patch = arena_grow(&m->arena, m->patch, cap, m->npatch + 1,
			      sizeof(*m->patch));
	m->patch[m->npatch++] = *one;
}

static bool step_patch(struct pass *p)
{
	struct message *m = p->m;
	struct patch patch;
	size_t len, start;

	if (m->npatch == PATCHES_MAX)
		return false;
	len = patch_read(&patch, &m->arena, p->v, p->n, p->i);
	if (!len)
		return false;
	start = patch_preamble(&patch, &m->arena, p->v, p->from, p->i);
	add_patch(m, &p->patch_cap, &patch);
	len += p->i - start;
	p->i = start;
	mark(p, len, LINE_PATCH);
	p->from = p->i;
	p->signature = false;
	return true;
}

/* '>>>>> "ann" == Ann Lee <ann@example.org> writes:': the name in quotes. */
static void see_supercite(struct pass *p, struct slice s)
{
	const char *from, *to;

	if (!slice_starts(s, ">>>") || !memmem(s.s, s.len, "\" == ", 5))
		return;
	from = memchr(s.s, '"', s.len);
	to = memmem(s.s, s.len, "\" == ", 5);
	if (to > from + 1)
		p->cited = (struct slice){ from + 1, (size_t)(to - from) - 1 };
}

/* "    ann> text" */
static bool is_cited(const struct pass *p, struct slice s)
{
	s = slice_trim(s);
	return p->cited.len && s.len > p->cited.len &&
	       !memcmp(s.s, p->cited.s, p->cited.len) &&
	       s.s[p->cited.len] == '>';
}

static bool step_quoted(struct pass *p)
{
	struct slice s = line_at(p->v, p->i);
	unsigned int depth = quote_marks(s);

	if (!depth && is_cited(p, s))
		depth = 1;
	if (!depth)
		return false;
	see_supercite(p, s);
	p->v[p->i].depth = depth;
	mark(p, 1, LINE_QUOTED);
	p->from = p->i;
	p->signature = false;
	return true;
}

/* ": text", ":" alone, ": > text"; and "} > text" with other marks. */
static bool has_odd_mark(const struct line *l)
{
	size_t n;

	if (!l->len || !strchr(":}]%!", *l->text))
		return false;
	n = 1 + strspn(l->text + 1, " \t");
	if (n < l->len && l->text[n] == '>')
		return true;
	return *l->text == ':' && (l->len == 1 || n > 1);
}

/* A paragraph whose lines all begin with ":" or the like is quoted. */
static bool step_odd_marks(struct pass *p)
{
	const struct line *l = &p->v[p->i];
	size_t end = p->i;

	if (!has_odd_mark(l) || (p->i && l[-1].kind == LINE_NEW &&
				 !slice_is_blank(line_at(p->v, p->i - 1))))
		return false;
	while (end < p->n && p->v[end].len && *p->v[end].text == *l->text)
		end++;
	mark_quoted(p, end);
	p->from = p->i;
	p->signature = false;
	return true;
}

/*
 * The end of a quoted line that a mailer broke: a few words between lines of
 * the same quotation, of which the first is full and its sentence goes on.
 */
static bool step_broken_quotation(struct pass *p)
{
	const struct line *l = &p->v[p->i], *before = l - 1;

	if (!p->i || p->i + 1 == p->n || before->kind != LINE_QUOTED ||
	    before->len < QUOTED_FULL || !l->len || l->len > QUOTED_REST ||
	    !islower((unsigned char)*l->text) ||
	    !isalnum((unsigned char)before->text[before->len - 1]) ||
	    quote_marks(line_at(p->v, p->i + 1)) != before->depth)
		return false;
	p->v[p->i].depth = before->depth;
	mark(p, 1, LINE_QUOTED);
	p->from = p->i;
	return true;
}

/* Start of the last paragraph of the body, at the earliest "from". */
static size_t last_paragraph(const struct pass *p, size_t from)
{
	size_t end = p->n;

	while (end > from && slice_is_blank(line_at(p->v, end - 1)))
		end--;
	while (end > from && !slice_is_blank(line_at(p->v, end - 1)))
		end--;
	return end;
}

/*
 * Quoted to the end.  When the author wrote nothing above, the answer can
 * only stand below: then the last paragraph is taken for it, and no more,
 * for the rest may ask what was asked before.
 */
static void rest_is_quoted(struct pass *p)
{
	size_t end = p->n, start = p->i;

	if (!p->words) {
		end = last_paragraph(p, p->i);
		while (start < end && slice_is_blank(line_at(p->v, start)))
			start++;
		if (start >= end)
			end = p->n;	/* one paragraph: the quoted one */
	}
	mark_quoted(p, end);
	p->from = p->i;
	p->words = true;
}

/* Lines from "i" on that are blank or begin with a blank. */
static size_t indented(const struct pass *p, size_t i)
{
	size_t k = i, last = i;

	for (; k < p->n; k++) {
		if (slice_is_blank(line_at(p->v, k)))
			continue;
		if (*p->v[k].text != ' ' && *p->v[k].text != '\t')
			break;
		last = k + 1;
	}
	return last - i;
}

/* Lines from "i" on that begin with the same mark, such as ":" or "}". */
static size_t marked(const struct pass *p, size_t i)
{
	size_t k = i;
	char c;

	while (k < p->n && slice_is_blank(line_at(p->v, k)))
		k++;
	if (k == p->n || !strchr(":}]%#*=+!", *p->v[k].text))
		return 0;
	c = *p->v[k].text;
	while (k < p->n && p->v[k].len && *p->v[k].text == c)
		k++;
	return k - i;
}

static bool begins_blank(const struct line *l)
{
	return l->len && (*l->text == ' ' || *l->text == '\t');
}

static bool step_attribution(struct pass *p)
{
	bool sure, top;
	size_t len = attribution_at(p->v, p->n, p->i, &sure), k;

	if (!len)
		return false;
	/* Yahoo indents it, and then but the first line of what it copies
	 * below. */
	top = sure && p->words && begins_blank(&p->v[p->i]);
	mark(p, len, LINE_ATTRIBUTION);
	p->from = p->i;
	p->signature = false;
	for (k = p->i; k < p->n && slice_is_blank(line_at(p->v, k)); k++)
		;
	if (k == p->n || quote_marks(line_at(p->v, k)))
		return true;
	len = top ? 0 : indented(p, p->i);
	if (!len && !top)
		len = marked(p, p->i);
	if (len)
		mark_quoted(p, p->i + len);
	else if (sure)
		rest_is_quoted(p);
	return true;
}

static bool step_divider(struct pass *p)
{
	bool bare;
	size_t len = divider_at(p->v, p->n, p->i, &bare);

	if (!len)
		return false;
	mark(p, len, LINE_ATTRIBUTION);
	p->from = p->i;
	p->signature = false;
	/* A mailer's header block above all else is the author's own. */
	if (!bare || p->words)
		rest_is_quoted(p);
	return true;
}

static bool step_pgp(struct pass *p)
{
	struct slice s = line_at(p->v, p->i);
	size_t k = p->i + 1;

	if (slice_starts(s, "-----BEGIN PGP SIGNED MESSAGE-----")) {
		while (k < p->n && p->v[k].len)	/* "Hash: SHA512" */
			k++;
		mark(p, k - p->i, LINE_PGP);
		p->from = p->i;
		return true;
	}
	if (!slice_starts(s, "-----BEGIN PGP "))
		return false;
	while (k < p->n && !slice_starts(line_at(p->v, k), "-----END PGP "))
		k++;
	mark(p, (k < p->n ? k + 1 : k) - p->i, LINE_PGP);
	p->from = p->i;
	p->signature = false;
	return true;
}

static bool step_footer(struct pass *p)
{
	size_t len = footer_at(&p->trailers, p->i);

	if (!len)
		return false;
	mark(p, len, LINE_FOOTER);
	p->from = p->i;
	return true;
}

/*
 * Mailman's "scrubbed" attachments: a note stands where the part was, and the
 * link in it is nothing that the author wrote.  Text parts stand below the
 * same rule themselves.
 */
static bool step_scrubbed(struct pass *p)
{
	size_t k = p->i + 1;

	if (!slice_is(slice_trim(line_at(p->v, p->i)),
		      "-------------- next part --------------"))
		return false;
	if (k < p->n && memmem(p->v[k].text, p->v[k].len, " was scrubbed...",
			       16))
		while (k < p->n && !slice_is_blank(line_at(p->v, k)) &&
		       !slice_starts(line_at(p->v, k - 1), "URL:"))
			k++;
	mark(p, k - p->i, LINE_FOOTER);
	p->from = p->i;
	return true;
}

/* Links are the author's own again. */
static void unwrap_line(struct pass *p, struct line *l)
{
	struct buf text = BUF_INIT(MAIL_BODY_MAX);

	if (links_unwrap(&text, line_at(l, 0))) {
		l->text = arena_strndup(&p->m->arena, text.s, text.len);
		l->len = text.len;
	}
	buf_release(&text);
}

static void step_word(struct pass *p)
{
	struct slice s = line_at(p->v, p->i);

	if (!p->signature && signature_at(p->v, p->n, p->i))
		p->signature = true;
	if (!p->signature && !slice_is_blank(s))
		p->words = true;
	unwrap_line(p, &p->v[p->i]);
	mark(p, 1, p->signature ? LINE_SIGNATURE : LINE_NEW);
}

/* The author's lines, runs of empty ones as one, none at the ends. */
static void fill_new_text(struct message *m)
{
	struct buf text = BUF_INIT((size_t)-1 / 2);
	bool gap = false;

	for (size_t i = 0; i < m->nline; i++) {
		const struct line *l = &m->line[i];

		if (l->kind != LINE_NEW || slice_is_blank(line_at(l, 0))) {
			gap = true;
			continue;
		}
		if (gap && text.len)
			buf_addch(&text, '\n');
		gap = false;
		buf_add(&text, l->text, l->len);
		buf_addch(&text, '\n');
	}
	m->new_text = arena_strndup(&m->arena, text.s, text.len);
	buf_release(&text);
}

void lines_read(struct message *m)
{
	struct pass p = { .m = m };

	m->nline = lines_split(&m->line, &m->arena, m->body, strlen(m->body));
	p.v = m->line;
	p.n = m->nline;
	p.trailers = (struct trailers){ p.v, p.n,
					arena_alloc(&m->arena, p.n + 1) };
	while (p.i < p.n) {
		if (step_quoted(&p) || step_odd_marks(&p) ||
		    step_broken_quotation(&p) || step_patch(&p) || step_pgp(&p) ||
		    step_attribution(&p) || step_divider(&p) ||
		    step_footer(&p) || step_scrubbed(&p))
			continue;
		step_word(&p);
	}
	fill_new_text(m);
}
