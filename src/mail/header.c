#include "mail/header.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "mail/text.h"

/* Length of the field name at "s" when a field starts there, else 0. */
static size_t field_name(const char *s, size_t len)
{
	size_t n = 0, end;

	while (n < len && s[n] > ' ' && s[n] < 127 && s[n] != ':')
		n++;
	end = n;
	while (end < len && (s[end] == ' ' || s[end] == '\t'))
		end++;
	return end < len && s[end] == ':' ? n : 0;
}

/*
 * Names that are surely meant as header fields.  They decide whether a line
 * without a colon stands among fields or begins a body.
 */
static bool field_is_known(const char *s, size_t n)
{
	static const char *const known[] = {
		"From", "To", "Cc", "Bcc", "Subject", "Date", "Sender",
		"Message-ID", "In-Reply-To", "References", "Reply-To",
		"MIME-Version", "Received", "Return-Path", "Precedence",
		"Delivered-To", "User-Agent", "Authentication-Results",
		"Auto-Submitted", "Status", "Lines", "Errors-To",
	};
	static const char *const start[] = {
		"Content-", "X-", "List-", "DKIM-", "ARC-", "Resent-",
		"Received-",
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strlen(known[i]) == n && !strncasecmp(known[i], s, n))
			return true;
	for (size_t i = 0; i < sizeof(start) / sizeof(start[0]); i++)
		if (strlen(start[i]) < n &&
		    !strncasecmp(start[i], s, strlen(start[i])))
			return true;
	return false;
}

/* Does a field that is surely one follow before the next empty line? */
static bool field_follows(const char *s, size_t len)
{
	struct slice rest = { s, len }, line;
	size_t n;

	for (int i = 0; i < 20 && slice_line(&rest, &line); i++) {
		if (!line.len)
			return false;
		n = field_name(line.s, line.len);
		if (n && field_is_known(line.s, n))
			return true;
	}
	return false;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Copy the value from after the colon, folds undone (RFC 5322 2.2.3). */
static void field_value(struct header_line *f, struct arena *a, const char *s,
			size_t len)
{
	char *to;
	size_t n = 0;

	while (len && is_blank(*s)) {
		s++;
		len--;
	}
	while (len && is_blank(s[len - 1]))
		len--;
	len = len < HEADER_MAX ? len : HEADER_MAX;
	to = arena_alloc(a, len + 1);
	for (size_t i = 0; i < len; i++) {
		if (s[i] == '\r' || s[i] == '\n') {
			if (n && i + 1 < len && !is_blank(s[i + 1]))
				to[n++] = ' ';	/* a bare CR */
			continue;
		}
		to[n++] = s[i] ? s[i] : '?';
	}
	to[n] = '\0';
	f->value = to;
	f->len = n;
}

static void field_add(struct header_block *f, size_t *cap, struct arena *a,
		      const char *s, size_t len)
{
	size_t n = field_name(s, len), colon = n;
	struct header_line *one;

	if (f->n == HEADERS_MAX)
		return;
	while (s[colon] != ':')
		colon++;
	f->v = arena_grow(a, f->v, cap, f->n + 1, sizeof(*f->v));
	one = &f->v[f->n++];
	one->name = arena_strndup(a, s, n);
	field_value(one, a, s + colon + 1, len - colon - 1);
}

/* The bytes of the continuation lines that follow. */
static size_t folded(struct slice rest)
{
	const char *start = rest.s;
	struct slice line;

	while (rest.len && (*rest.s == ' ' || *rest.s == '\t')) {
		struct slice look = rest;

		slice_line(&look, &line);
		if (slice_is_blank(line) && !(look.len && is_blank(*look.s)))
			break;	/* a line of blanks that ends the header */
		rest = look;
	}
	return (size_t)(rest.s - start);
}

size_t header_block_read(struct header_block *f, struct arena *a, const char *s,
		   size_t len)
{
	struct slice rest = { s, len }, line;
	const char *start;
	size_t cap = 0, more;
	bool any = false;

	*f = (struct header_block){ .v = NULL };
	while (rest.len) {
		start = rest.s;
		slice_line(&rest, &line);
		if (slice_is_blank(line))
			return (size_t)(rest.s - s);
		more = folded(rest);
		if (field_name(line.s, line.len)) {
			any = true;
			field_add(f, &cap, a, line.s,
				  (size_t)(rest.s + more - line.s));
		} else if (!field_follows(rest.s + more, rest.len - more)) {
			return (size_t)(start - s);
		}
		rest.s += more;
		rest.len -= more;
	}
	return any ? len : 0;
}

const char *header_block_get(const struct header_block *f, const char *name)
{
	for (size_t i = 0; i < f->n; i++)
		if (!strcasecmp(f->v[i].name, name))
			return f->v[i].value;
	return NULL;
}
