#include "bot/mbox.h"

#include <string.h>

#include "base/buf.h"
#include "mail/encode.h"
#include "mail/check.h"

static const char from_line[] =
	"From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001\n";

/* Append text, lines that begin with "From " behind a ">" (mboxrd). */
static void add_quoted(struct buf *out, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n"), mark = strspn(text, ">");

		if (!strncmp(text + mark, "From ", 5))
			buf_addch(out, '>');
		buf_add(out, text, len);
		buf_addch(out, '\n');
		text += len + (text[len] == '\n');
	}
}

static void add_headers(struct buf *out, const struct patch *p,
			const struct message *m)
{
	struct address who = m->from;
	const char *subject = p->subject && *p->subject ? p->subject
				: m->subject;
	struct addresses from = { &who, 1 };

	if (header_value(who.name, NULL) == -1)
		who.name = "";
	if (address_check(who.address, NULL) == -1)
		who.address = "unknown@invalid";
	encode_addresses(out, "From", &from);
	if (m->date != INT64_MIN)
		encode_date(out, "Date", m->date);
	encode_text(out, "Subject", header_value(subject, NULL) == 0 &&
		    *subject ? subject : "[PATCH] from a mail");
	buf_addstr(out, "MIME-Version: 1.0\n"
		   "Content-Type: text/plain; charset=utf-8\n"
		   "Content-Transfer-Encoding: 8bit\n\n");
	buf_addf(out, "From the mail <%s>.\n---\n", m->message_id);
}

void mbox_add(struct buf *out, const struct patch *p, const struct message *m)
{
	buf_addstr(out, from_line);
	if (p->whole) {
		const char *text = p->whole;

		if (!strncmp(text, "From ", 5))
			text += strcspn(text, "\n") + 1;
		add_quoted(out, text);
	} else {
		add_headers(out, p, m);
		add_quoted(out, p->text);
	}
	buf_addch(out, '\n');
}

/* Is there an mbox's "From " line with a header below it? */
static bool starts_message(const char *p, const char *end)
{
	const char *nl;
	size_t name;

	if (end - p < 6 || memcmp(p, "From ", 5))
		return false;
	nl = memchr(p, '\n', (size_t)(end - p));
	if (!nl)
		return false;
	for (name = 0; nl + 1 + name < end && name < 80; name++)
		if (nl[1 + name] == ':')
			return name > 0;
		else if (nl[1 + name] <= ' ')
			return false;
	return false;
}

int mbox_next(const char *text, size_t size, size_t *pos, const char **msg,
	      size_t *len)
{
	const char *p = text + *pos, *end = text + size, *nl;

	if (p >= end)
		return 0;
	if (starts_message(p, end)) {
		nl = memchr(p, '\n', (size_t)(end - p));
		p = nl + 1;
	}
	*msg = p;
	for (; p < end; p = nl ? nl + 1 : end) {
		if (p > *msg && starts_message(p, end))
			break;
		nl = memchr(p, '\n', (size_t)(end - p));
	}
	*len = (size_t)(p - *msg);
	*pos = (size_t)(p - text);
	return 1;
}
