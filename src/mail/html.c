#include "mail/text.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"

#define DEPTH_MAX 50		/* of <blockquote> */

/* Where the reading of a page is. */
struct page {
	struct buf *out;
	struct slice rest;
	int quote;		/* depth of <blockquote> */
	int pre;		/* depth of <pre> */
	bool line_open;		/* something stands on the current line */
	bool blank;		/* a blank is due before the next word */
	bool gap;		/* an empty line is due before the next */
	struct slice href;	/* of the <a> that is open */
	size_t link;		/* where its text starts in "out" */
};

static void begin_line(struct page *p)
{
	if (p->gap && p->out->len)
		buf_addch(p->out, '\n');
	for (int i = 0; i < p->quote; i++)
		buf_addstr(p->out, "> ");
	p->line_open = true;
	p->gap = false;
}

static void end_line(struct page *p)
{
	if (p->line_open)
		buf_addch(p->out, '\n');
	p->line_open = false;
	p->blank = false;
}

static void empty_line(struct page *p)
{
	end_line(p);
	p->gap = true;
}

static void add_char(struct page *p, const char *s, size_t n)
{
	if (p->pre && *s == '\n') {
		if (!p->line_open)
			begin_line(p);
		end_line(p);
		return;
	}
	if (!p->pre && isspace((unsigned char)*s)) {
		p->blank = p->line_open;
		return;
	}
	if (!p->line_open)
		begin_line(p);
	if (p->blank)
		buf_addch(p->out, ' ');
	p->blank = false;
	buf_add(p->out, s, n);
}

static size_t utf8_put(char *to, unsigned long c)
{
	if (c < 0x80) {
		to[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = (char)(0xc0 | c >> 6);
		to[1] = (char)(0x80 | (c & 63));
		return 2;
	}
	if (c < 0x10000) {
		to[0] = (char)(0xe0 | c >> 12);
		to[1] = (char)(0x80 | (c >> 6 & 63));
		to[2] = (char)(0x80 | (c & 63));
		return 3;
	}
	to[0] = (char)(0xf0 | c >> 18);
	to[1] = (char)(0x80 | (c >> 12 & 63));
	to[2] = (char)(0x80 | (c >> 6 & 63));
	to[3] = (char)(0x80 | (c & 63));
	return 4;
}

/* "#39" or "#x27" to a character, 0 when it is none. */
static unsigned long numeric(const char *s, size_t n)
{
	unsigned long c = 0, base = 10;
	size_t i = 1;

	if (n > 1 && (s[1] == 'x' || s[1] == 'X')) {
		base = 16;
		i = 2;
	}
	for (; i < n && i < 10; i++) {
		if (!isxdigit((unsigned char)s[i]))
			return 0;
		c = c * base + (unsigned long)(isdigit((unsigned char)s[i]) ?
			s[i] - '0' : (s[i] | 0x20) - 'a' + 10);
	}
	if (c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	return c;
}

static unsigned long named(const char *s, size_t n)
{
	static const struct {
		const char *name;
		unsigned long c;
	} t[] = {
		{ "lt", '<' }, { "gt", '>' }, { "amp", '&' },
		{ "quot", '"' }, { "apos", '\'' }, { "nbsp", ' ' },
		{ "copy", 0xa9 }, { "plusmn", 0xb1 }, { "micro", 0xb5 },
		{ "times", 0xd7 }, { "auml", 0xe4 }, { "ouml", 0xf6 },
		{ "uuml", 0xfc }, { "szlig", 0xdf }, { "eacute", 0xe9 },
		{ "ndash", 0x2013 }, { "mdash", 0x2014 },
		{ "lsquo", 0x2018 }, { "rsquo", 0x2019 },
		{ "ldquo", 0x201c }, { "rdquo", 0x201d },
		{ "hellip", 0x2026 }, { "bull", 0x2022 },
	};

	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++)
		if (strlen(t[i].name) == n && !memcmp(s, t[i].name, n))
			return t[i].c;
	return 0;
}

/* The "&...;" at the start of the rest; false when it is just an "&". */
static bool entity(struct page *p)
{
	const char *s = p->rest.s + 1;
	size_t max = p->rest.len - 1 < 12 ? p->rest.len - 1 : 12;
	const char *end = memchr(s, ';', max);
	unsigned long c;
	char to[4];

	if (!end || end == s)
		return false;
	c = *s == '#' ? numeric(s, (size_t)(end - s)) :
			named(s, (size_t)(end - s));
	if (!c)
		return false;
	if (c == 0xa0)
		c = ' ';
	if (c == ' ' && !p->pre) {	/* a blank that stays */
		if (!p->line_open)
			begin_line(p);
		buf_addch(p->out, ' ');
	} else {
		add_char(p, to, utf8_put(to, c));
	}
	p->rest.len -= (size_t)(end + 1 - p->rest.s);
	p->rest.s = end + 1;
	return true;
}

static bool tag_is(struct slice tag, const char *name)
{
	size_t n = strlen(name);

	return slice_starts_case(tag, name) &&
	       (tag.len == n || !isalnum((unsigned char)tag.s[n]));
}

static bool tag_in(struct slice tag, const char *const *names)
{
	for (; *names; names++)
		if (tag_is(tag, *names))
			return true;
	return false;
}

/* Past "</name>"; all of the rest when it never comes. */
static void skip_element(struct page *p, const char *name)
{
	const char *at = p->rest.s, *end = p->rest.s + p->rest.len;

	for (; (at = memchr(at, '<', (size_t)(end - at))); at++) {
		struct slice s = { at, (size_t)(end - at) };

		if (slice_starts(s, "</") &&
		    tag_is((struct slice){ s.s + 2, s.len - 2 }, name))
			break;
	}
	p->rest.s = at ? at : end;
	p->rest.len = (size_t)(end - p->rest.s);
}

/* The target of an <a ...>, when it is one of the web. */
static struct slice href_of(struct slice tag)
{
	const char *s = slice_find_case(tag, "href=");
	struct slice v = { "", 0 };
	size_t n = 0;

	if (!s)
		return v;
	v = (struct slice){ s + 5, tag.len - (size_t)(s + 5 - tag.s) };
	if (v.len && strchr("\"'", *v.s)) {
		const char *end = memchr(v.s + 1, *v.s, v.len - 1);

		v.s++;
		v.len = end ? (size_t)(end - v.s) : v.len - 1;
	} else {
		while (n < v.len && !isspace((unsigned char)v.s[n]))
			n++;
		v.len = n;
	}
	if (!slice_starts_case(v, "http"))
		v.len = 0;
	return v;
}

static void open_link(struct page *p, struct slice tag)
{
	p->href = href_of(tag);
	p->link = p->out->len;
}

/* "here <https://...>", unless the text is the target. */
static void close_link(struct page *p)
{
	struct slice text = { p->out->s + p->link, p->out->len - p->link };

	text = slice_trim(text);
	if (p->href.len && p->line_open && !(text.len == p->href.len &&
	    !memcmp(text.s, p->href.s, text.len))) {
		buf_addstr(p->out, " <");
		for (size_t i = 0; i < p->href.len; i++) {
			buf_addch(p->out, p->href.s[i]);
			if (slice_starts((struct slice){ p->href.s + i,
							 p->href.len - i },
					 "&amp;"))
				i += 4;
		}
		buf_addch(p->out, '>');
	}
	p->href.len = 0;
}

static void open_tag(struct page *p, struct slice tag)
{
	static const char *const hidden[] = { "script", "style", "head",
					      "title", NULL };
	static const char *const block[] = {
		"div", "tr", "li", "table", "ul", "ol", "dt", "dd",
		"section", "article", "header", "footer", NULL };
	/* A rule parts what is above from a copied mail below. */
	static const char *const spaced[] = { "p", "h1", "h2", "h3", "h4",
					      "h5", "h6", "hr", NULL };

	for (size_t i = 0; hidden[i]; i++)
		if (tag_is(tag, hidden[i])) {
			skip_element(p, hidden[i]);
			return;
		}
	if (tag_is(tag, "br")) {
		if (!p->line_open)
			begin_line(p);
		end_line(p);
	} else if (tag_is(tag, "blockquote")) {
		end_line(p);
		if (p->quote < DEPTH_MAX)
			p->quote++;
	} else if (tag_is(tag, "a")) {
		open_link(p, tag);
	} else if (tag_is(tag, "pre")) {
		end_line(p);
		p->pre++;
	} else if (tag_in(tag, spaced)) {
		empty_line(p);
	} else if (tag_in(tag, block)) {
		end_line(p);
	} else if (tag_is(tag, "td") && p->line_open) {
		p->blank = true;
	}
}

static void close_tag(struct page *p, struct slice tag)
{
	static const char *const block[] = { "div", "tr", "li", "table", "ul",
					     "ol", NULL };
	static const char *const spaced[] = { "p", "h1", "h2", "h3", "h4",
					      "h5", "h6", NULL };

	if (tag_is(tag, "blockquote")) {
		end_line(p);
		if (p->quote)
			p->quote--;
	} else if (tag_is(tag, "a")) {
		close_link(p);
	} else if (tag_is(tag, "pre")) {
		end_line(p);
		if (p->pre)
			p->pre--;
	} else if (tag_in(tag, spaced)) {
		empty_line(p);
	} else if (tag_in(tag, block)) {
		end_line(p);
	}
}

/* The "<...>" at the start of the rest; false when it is just a "<". */
static bool markup(struct page *p)
{
	const char *s = p->rest.s, *end;
	struct slice tag;

	if (p->rest.len < 2 || !(isalpha((unsigned char)s[1]) ||
				 strchr("/!?", s[1])))
		return false;
	if (slice_starts(p->rest, "<!--")) {
		end = memmem(s, p->rest.len, "-->", 3);
		end = end ? end + 2 : s + p->rest.len - 1;
	} else {
		end = memchr(s, '>', p->rest.len);
		if (!end)
			return false;
	}
	tag = (struct slice){ s + 1, (size_t)(end - s) - 1 };
	p->rest.len -= (size_t)(end + 1 - s);
	p->rest.s = end + 1;
	if (slice_starts(tag, "/"))
		close_tag(p, (struct slice){ tag.s + 1, tag.len - 1 });
	else
		open_tag(p, tag);
	return true;
}

void html_text(struct buf *out, const char *s, size_t len)
{
	struct page p = { .out = out, .rest = { s, len } };

	while (p.rest.len) {
		if (*p.rest.s == '<' && markup(&p))
			continue;
		if (*p.rest.s == '&' && entity(&p))
			continue;
		add_char(&p, p.rest.s, 1);
		p.rest.s++;
		p.rest.len--;
	}
	end_line(&p);
}
