#include "mail/address.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "mail/header.h"
#include "mail/text.h"

/* What one mailbox is gathered into until "," or ";" or the end. */
struct gather {
	struct buf phrase;	/* raw words before "<", or all there is */
	struct buf route;	/* between "<" and ">" */
	struct buf comment;	/* the last (comment) */
	bool angle;		/* "<" was seen */
};

static void gather_reset(struct gather *g)
{
	buf_reset(&g->phrase);
	buf_reset(&g->route);
	buf_reset(&g->comment);
	g->angle = false;
}

/* The comment at "p" ("(...)", nested) to "out"; returns past it. */
static const char *take_comment(struct buf *out, const char *p)
{
	int depth = 0;

	buf_reset(out);
	for (; *p; p++) {
		if (*p == '(' && depth++ == 0)
			continue;
		if (*p == ')' && --depth == 0)
			return p + 1;
		if (*p == '\\' && p[1])
			p++;
		buf_addch(out, *p);
	}
	return p;
}

/* Does the quote that opens at "p" close again, within reason? */
static bool quote_closes(const char *p)
{
	const char *start = p;

	for (p++; *p && p - start < 1000; p++) {
		if (*p == '\\' && p[1])
			p++;
		else if (*p == '"')
			return true;
	}
	return false;
}

/* The quoted string at "p", unquoted; returns past it. */
static const char *take_quoted(struct buf *out, const char *p)
{
	for (p++; *p && *p != '"'; p++) {
		if (*p == '\\' && p[1])
			p++;
		buf_addch(out, *p);
	}
	return *p ? p + 1 : p;
}

/* What stands in "<...>"; the close may be missing. Returns past it. */
static const char *take_angle(struct gather *g, const char *p)
{
	buf_reset(&g->route);
	g->angle = true;
	for (p++; *p && *p != '>'; p++) {
		if (*p == '"' && quote_closes(p)) {
			buf_addch(&g->route, '"');
			p = take_quoted(&g->route, p) - 1;
			buf_addch(&g->route, '"');
			continue;
		}
		if (*p == ',' && !strchr(p, '>'))
			return p;
		if (*p == '<') {	/* "<<a@b>>" */
			buf_reset(&g->route);
			continue;
		}
		if (!isspace((unsigned char)*p))
			buf_addch(&g->route, *p);
	}
	return *p ? p + 1 : p;
}

/* "@relay,@relay:user@host" (RFC 5322 4.4) to "user@host". */
static struct slice without_route(struct slice s)
{
	const char *colon;

	if (slice_starts_case(s, "mailto:"))
		return (struct slice){ s.s + 7, s.len - 7 };
	if (!s.len || *s.s != '@')
		return s;
	colon = memchr(s.s, ':', s.len);
	if (!colon)
		return s;
	return (struct slice){ colon + 1,
			       s.len - (size_t)(colon + 1 - s.s) };
}

/* local@domain: one unquoted "@", something on both sides. */
static bool looks_like_address(struct slice s)
{
	const char *at = memrchr(s.s, '@', s.len);

	if (!at || at == s.s || at == s.s + s.len - 1)
		return false;
	/* "a@b@c" is two people's idea of an address: nobody's. */
	return *s.s == '"' || !memchr(s.s, '@', (size_t)(at - s.s));
}

static const char *make_address(struct arena *a, struct slice s)
{
	struct buf clean = BUF_INIT(3 * s.len + 1);
	char *text, *at;

	/* No words here (RFC 2047 5): what looks like one is part of it. */
	utf8_clean(&clean, s.s, s.len);
	text = arena_strndup(a, clean.s, clean.len);
	buf_release(&clean);
	for (char *p = text; *p; p++)
		if ((unsigned char)*p < ' ')
			*p = '?';
	for (at = strrchr(text, '@'); at && *at; at++)
		*at = (char)tolower((unsigned char)*at);
	return text;
}

/* A name decoded, blanks squeezed, "'quotes'" around it removed. */
static const char *make_name(struct arena *a, struct slice s)
{
	char *text, *to;
	size_t n;

	s = slice_trim(s);
	text = words_decode(a, s.s, s.len);
	to = text;
	for (char *p = text; *p; p++)
		if (!isspace((unsigned char)*p))
			*to++ = *p;
		else if (to > text && to[-1] != ' ')
			*to++ = ' ';
	while (to > text && to[-1] == ' ')
		to--;
	*to = '\0';
	n = (size_t)(to - text);
	if (n > 2 && text[0] == '\'' && text[n - 1] == '\'') {
		text[n - 1] = '\0';
		text++;
	}
	return text;
}

/* The last word of "phrase" that is an address: "Ann Lee ann@example.org". */
static bool address_in_phrase(struct slice *phrase, struct slice *address)
{
	struct slice s = slice_trim(*phrase);
	size_t n = s.len;

	while (n && !isspace((unsigned char)s.s[n - 1]))
		n--;
	*address = (struct slice){ s.s + n, s.len - n };
	*phrase = (struct slice){ s.s, n };
	return looks_like_address(*address);
}

struct list {
	struct addresses *out;
	struct arena *a;
	size_t cap;
};

static void gather_end(struct list *l, struct gather *g)
{
	struct slice phrase = { g->phrase.s, g->phrase.len };
	struct slice address = { g->route.s, g->route.len };
	struct address *one;

	if (!g->angle) {
		if (!address_in_phrase(&phrase, &address)) {
			gather_reset(g);
			return;
		}
	} else {
		address = without_route(address);
		if (!looks_like_address(address)) {
			gather_reset(g);
			return;
		}
	}
	if (slice_is_blank(phrase) && g->comment.len)
		phrase = (struct slice){ g->comment.s, g->comment.len };
	if (l->out->n < ADDRESSES_MAX) {
		l->out->v = arena_grow(l->a, l->out->v, &l->cap, l->out->n + 1,
				       sizeof(*l->out->v));
		one = &l->out->v[l->out->n++];
		one->name = make_name(l->a, phrase);
		one->address = make_address(l->a, without_route(address));
	}
	gather_reset(g);
}

/*
 * Does the "," at "p" stand inside a name that nobody quoted: "Doe, John
 * <j@example.org>"?  It does when what came before is no address and more of
 * the same mailbox follows.
 */
static bool comma_in_name(const struct gather *g, const char *p)
{
	struct slice phrase = { g->phrase.s, g->phrase.len }, address;
	const char *lt, *next;

	if (g->angle || !g->phrase.len ||
	    address_in_phrase(&phrase, &address) ||
	    memchr(g->phrase.s, '@', g->phrase.len))
		return false;
	lt = strchr(p, '<');
	next = strpbrk(p + 1, ",;@");
	return lt && next && lt < next;
}

/* Past the quoted string at "p", which closes. */
static const char *past_quoted(const char *p)
{
	for (p++; *p && *p != '"'; p++)
		if (*p == '\\' && p[1])
			p++;
	return *p ? p + 1 : p;
}

/* "a b"@example.org without brackets: the quotes belong to the address. */
static const char *take_quoted_local(struct gather *g, const char *p)
{
	const char *end = past_quoted(p);

	end += strcspn(end, " \t,;<>()\"");
	g->angle = true;
	buf_reset(&g->route);
	buf_add(&g->route, p, (size_t)(end - p));
	return end;
}

static const char *take_one(struct list *l, struct gather *g, const char *p)
{
	switch (*p) {
	case '(':
		return take_comment(&g->comment, p);
	case '"':
		if (!quote_closes(p))
			return p + 1;
		if (*past_quoted(p) == '@' && !g->angle)
			return take_quoted_local(g, p);
		return take_quoted(&g->phrase, p);
	case '<':
		if (g->angle)
			gather_end(l, g);
		return take_angle(g, p);
	case '>':
		return p + 1;
	case ',':
	case ';':
		if (*p == ',' && comma_in_name(g, p))
			break;
		gather_end(l, g);
		return p + 1;
	case ':':
		/* A group's name (RFC 5322 3.4): its members follow. */
		if (!memchr(g->phrase.s, '@', g->phrase.len)) {
			gather_reset(g);
			return p + 1;
		}
		break;
	}
	buf_addch(&g->phrase, *p);
	return p + 1;
}

static void read_list(struct addresses *out, struct arena *a,
		      const char *value)
{
	size_t max = strlen(value) + 8;
	struct gather g = { BUF_INIT(max), BUF_INIT(max), BUF_INIT(max),
			    false };
	struct list l = { out, a, 0 };

	*out = (struct addresses){ .v = NULL };
	for (const char *p = value; *p;)
		p = take_one(&l, &g, p);
	gather_end(&l, &g);
	buf_release(&g.phrase);
	buf_release(&g.route);
	buf_release(&g.comment);
}

void addresses_read(struct addresses *out, struct arena *a, const char *value)
{
	read_list(out, a, value);
	/* Some mailers encode the whole header, address and all. */
	if (!out->n && strstr(value, "=?"))
		read_list(out, a, words_decode(a, value, strlen(value)));
}

bool address_is_same(const char *a, const char *b)
{
	return !strcasecmp(a, b);
}

bool address_is_same_untagged(const char *a, const char *b)
{
	const char *at = strrchr(a, '@');
	const char *plus = at ? memchr(a, '+', (size_t)(at - a)) : NULL;
	size_t n;

	if (address_is_same(a, b))
		return true;
	if (!plus || plus == a)
		return false;
	n = (size_t)(plus - a);
	return !strncasecmp(a, b, n) && b[n] == '@' && !strcasecmp(at, b + n);
}
