#include "mail/unwrap.h"

#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/percent.h"

#define LINK_MAX 8192
#define LAYERS_MAX 4		/* one gateway's link inside another's */

/* ----------------------------------------------------------- what they do to it */

/* The value of parameter "key" of a query; empty when there is none. */
static struct slice parameter(struct slice query, const char *key)
{
	size_t n = strlen(key);

	while (query.len) {
		const char *end = memchr(query.s, '&', query.len);
		size_t len = end ? (size_t)(end - query.s) : query.len;

		if (len > n && !memcmp(query.s, key, n) && query.s[n] == '=')
			return (struct slice){ query.s + n + 1, len - n - 1 };
		len += end != NULL;
		query.s += len;
		query.len -= len;
		if (slice_starts(query, "amp;")) {
			query.s += 4;
			query.len -= 4;
		}
	}
	return query;
}

static void in_query(struct buf *out, struct slice query, const char *key)
{
	struct slice value = parameter(query, key);

	percent_decode(out, value.s, value.len, '%');
}

/* Proofpoint's second version writes '-' for '%' and '_' for '/'. */
static void in_dashes(struct buf *out, struct slice query, const char *key)
{
	struct slice value = parameter(query, key);
	size_t start = out->len;

	percent_decode(out, value.s, value.len, '-');
	for (size_t i = start; i < out->len; i++)
		if (out->s[i] == '_')
			out->s[i] = '/';
}

/* Cisco's link ends in the other one, as one part of its path. */
static void in_path(struct buf *out, struct slice rest, const char *key)
{
	struct slice last = rest;

	(void)key;
	for (size_t i = 0; i < rest.len; i++)
		if (rest.s[i] == '/')
			last = (struct slice){ rest.s + i + 1,
					       rest.len - i - 1 };
	percent_decode(out, last.s, last.len, '%');
}

/*
 * Proofpoint's third version: "/v3/__LINK__;BYTES!!more$".  A '*' in the link
 * is the next of the bytes, which are in base64; "**" and a letter are as many
 * of them as the letter says, counted from two in base64's order.
 */
static int digit64(char c)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"abcdefghijklmnopqrstuvwxyz0123456789-_";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* "-" and "_" for "+" and "/", and no "=" at the end: RFC 4648 5. */
static void decode64(struct buf *out, struct slice s)
{
	uint32_t bits = 0;
	int n = 0;

	for (size_t i = 0; i < s.len && digit64(s.s[i]) >= 0; i++) {
		bits = bits << 6 | (uint32_t)digit64(s.s[i]);
		n += 6;
		if (n >= 8) {
			n -= 8;
			buf_addch(out, (char)(bits >> n));
			bits &= (1u << n) - 1;
		}
	}
}

static void fill_stars(struct buf *out, struct slice link, struct slice bytes)
{
	for (size_t i = 0; i < link.len; i++) {
		size_t count = 1;

		if (link.s[i] != '*') {
			buf_addch(out, link.s[i]);
			continue;
		}
		if (i + 2 < link.len && link.s[i + 1] == '*' &&
		    digit64(link.s[i + 2]) >= 0) {
			count = (size_t)digit64(link.s[i + 2]) + 2;
			i += 2;
		}
		count = count < bytes.len ? count : bytes.len;
		buf_add(out, bytes.s, count);
		bytes.s += count;
		bytes.len -= count;
	}
}

static const char *find(struct slice s, const char *text)
{
	return memmem(s.s, s.len, text, strlen(text));
}

static void in_underscores(struct buf *out, struct slice rest, const char *key)
{
	struct buf bytes = BUF_INIT(LINK_MAX);
	const char *from = find(rest, "__"), *to, *end;
	struct slice link;

	(void)key;
	if (!from)
		return;
	from += 2;
	link = (struct slice){ from, rest.len - (size_t)(from - rest.s) };
	to = find(link, "__;");
	if (!to)
		return;
	rest = (struct slice){ to + 3,
			       link.len - (size_t)(to - link.s) - 3 };
	link.len = (size_t)(to - link.s);
	end = find(rest, "!!");
	rest.len = end ? (size_t)(end - rest.s) : 0;
	decode64(&bytes, rest);
	fill_stars(out, link, (struct slice){ bytes.s, bytes.len });
	buf_release(&bytes);
}

/* ------------------------------------------------------------------ who does it */

static const struct gateway {
	const char *host;	/* the end of its name, with the path's start */
	void (*unwrap)(struct buf *out, struct slice rest, const char *key);
	const char *key;
} gateways[] = {
	{ "safelinks.protection.outlook.com/?", in_query, "url" },
	{ "urldefense.proofpoint.com/v1/url?", in_query, "u" },
	{ "urldefense.proofpoint.com/v2/url?", in_dashes, "u" },
	{ "urldefense.com/v3/", in_underscores, NULL },
	{ "urldefense.us/v3/", in_underscores, NULL },
	{ "linkprotect.cudasvc.com/url?", in_query, "a" },
	{ "secure-web.cisco.com/", in_path, NULL },
	{ "protect2.fireeye.com/v1/url?", in_query, "u" },
	{ "protect2.fireeye.com/url?", in_query, "u" },
	{ "www.google.com/url?", in_query, "q" },
	{ "www.google.com/url?", in_query, "url" },
};

static bool is_link(const struct buf *b)
{
	struct slice s = { b->s, b->len };

	if (!slice_starts_case(s, "https://") &&
	    !slice_starts_case(s, "http://") &&
	    !slice_starts_case(s, "git://"))
		return false;
	for (size_t i = 0; i < s.len; i++)
		if ((unsigned char)s.s[i] <= ' ' || s.s[i] == 0x7f ||
		    strchr("<>\"\\", s.s[i]))
			return false;
	return !buf_over(b);
}

/* What "link" holds, if it is a gateway's; "to" is emptied first. */
static bool unwrap_one(struct buf *to, struct slice link)
{
	const char *host = find(link, "://");

	if (!host)
		return false;
	host += 3;
	for (size_t i = 0; i < sizeof(gateways) / sizeof(*gateways); i++) {
		const struct gateway *g = &gateways[i];
		struct slice rest = { host,
				      link.len - (size_t)(host - link.s) };
		const char *slash = memchr(host, '/', rest.len);
		const char *at = slice_find_case(rest, g->host);
		size_t len = strlen(g->host);

		/* The whole host, or below it. */
		if (!slash || !at || at > slash ||
		    (at > host && at[-1] != '.'))
			continue;
		rest.len -= (size_t)(at + len - host);
		rest.s = at + len;
		buf_reset(to);
		g->unwrap(to, rest, g->key);
		if (is_link(to))
			return true;
	}
	return false;
}

static size_t link_length(struct slice s)
{
	size_t n = 0;

	while (n < s.len && (unsigned char)s.s[n] > ' ' &&
	       !strchr("<>\"", s.s[n]))
		n++;
	return n;
}

/* Append what "link" leads to; false if it is no gateway's. */
static bool add_unwrapped(struct buf *out, struct slice link)
{
	struct buf a = BUF_INIT(LINK_MAX), b = BUF_INIT(LINK_MAX), spare;
	int layers = 0;

	while (layers < LAYERS_MAX && unwrap_one(&b, link)) {
		spare = a;
		a = b;
		b = spare;
		link = (struct slice){ a.s, a.len };
		layers++;
	}
	if (layers)
		buf_add(out, a.s, a.len);
	buf_release(&a);
	buf_release(&b);
	return layers > 0;
}

/* Is one of their names in it?  Most lines hold no link at all. */
static bool may_hold(struct slice s)
{
	return find(s, "://") &&
	       (slice_find_case(s, "safelinks") ||
		slice_find_case(s, "urldefense") ||
		slice_find_case(s, "cudasvc") ||
		slice_find_case(s, "secure-web") ||
		slice_find_case(s, "fireeye") ||
		slice_find_case(s, "google.com/url"));
}

bool links_unwrap(struct buf *out, struct slice line)
{
	bool found = false;
	size_t start = out->len;

	if (!may_hold(line))
		return false;
	while (line.len) {
		bool link = slice_starts_case(line, "http");
		size_t len = link ? link_length(line) : 1;

		if (link && len < LINK_MAX &&
		    add_unwrapped(out, (struct slice){ line.s, len }))
			found = true;
		else
			buf_add(out, line.s, len);
		line.s += len;
		line.len -= len;
	}
	if (!found) {
		out->len = start;
		out->s[start] = '\0';
	}
	return found;
}
