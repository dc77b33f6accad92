#include "bot/screen.h"

#include <ctype.h>
#include <fnmatch.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "mail/msgid.h"

/* Addresses stand in fields that message.h does not read, too. */
static bool field_is_ours(const struct settings *s, const struct message *m,
			  const char *name, struct arena *a)
{
	const char *value = message_header(m, name), *at, *begin;

	while (value && (at = strchr(value, '@'))) {
		size_t len = strcspn(at, "<>,; \t\"()");

		for (begin = at; begin > value &&
		     !strchr("<>,; \t\"()", begin[-1]); begin--)
			continue;
		if (settings_own(s, arena_strndup(a, begin,
						  (size_t)(at + len - begin)),
				 NULL))
			return true;
		value = at + len;
	}
	return false;
}

static bool has_own_domain(const struct settings *s, const char *id)
{
	const char *at = strrchr(id, '@');

	return at && !strcasecmp(at + 1, s->domain);
}

static bool robot_matches(const char *pattern, const char *address)
{
	/* "syzbot*" is syzbot+hash@ whatever the domain. */
	return strchr(pattern, '@') ? address_matches(pattern, address)
		: !fnmatch(pattern, address, FNM_CASEFOLD);
}

const char *screen_mail(const struct settings *s, const struct message *m,
			struct arena *a)
{
	static const char *const field[] = {
		"Sender", "Return-Path", "X-Original-From", "Resent-From",
		"X-Loop", NULL
	};

	if (settings_own(s, m->from.address, NULL))
		return "our own mail (From)";
	for (const char *const *f = field; *f; f++)
		if (field_is_ours(s, m, *f, a))
			return arena_printf(a, "our own mail (%s)", *f);
	if (message_header(m, OWN_FIELD))
		return "our own mail (" OWN_FIELD ")";
	if (has_own_domain(s, m->message_id))
		return "our own mail (Message-ID)";
	if (m->automatic)
		return "an automatic mail";
	for (const char *const *r = s->robots; r && *r; r++)
		if (robot_matches(*r, m->from.address))
			return arena_printf(a, "another robot (%s)", *r);
	return NULL;
}

/* The value of a field that begins a line of the raw mail, or NULL. */
static const char *raw_field(const char *p, const char *end, const char *name,
			     struct arena *a)
{
	size_t len = strlen(name);

	while (p && p + len < end) {
		if (!strncasecmp(p, name, len) && p[len] == ':') {
			const char *nl = memchr(p, '\n', (size_t)(end - p));

			p += len + 1;
			p += strspn(p, " \t");
			return arena_strndup(a, p, (size_t)((nl ? nl : end) -
							    p));
		}
		p = memchr(p, '\n', (size_t)(end - p));
		if (p)
			p++;
	}
	return NULL;
}

/* "rfc822; ann@example.org": the address, or NULL: there is none. */
static const char *address_in(const char *value, struct arena *a)
{
	const char *semicolon = value ? strchr(value, ';') : NULL, *address;
	size_t n;

	if (!value)
		return NULL;
	address = semicolon ? semicolon + 1 : value;
	address += strspn(address, " \t<");
	n = strcspn(address, "> \t\r\n");
	return memchr(address, '@', n) && utf8_valid(address, n) ?
		       arena_strndup(a, address, n) : NULL;
}

/* What is said of one recipient: the lines up to an empty one.  Mail to him
 * may have been forwarded; the original address is the one that we know. */
static void read_recipient(struct bounces *b, const char *p, const char *end,
			   struct arena *a)
{
	const char *action = raw_field(p, end, "Action", a);
	const char *status = raw_field(p, end, "Status", a);
	const char *address = address_in(raw_field(p, end, "Original-Recipient",
						   a), a);

	if (!address)
		address = address_in(raw_field(p, end, "Final-Recipient", a),
				     a);
	if (!address || !action || strncasecmp(action, "failed", 6))
		return;
	b->v[b->n++] = (struct bounce){
		address, status ? arena_strndup(a, status, strspn(status,
						"0123456789.")) : NULL };
}

/* Where the group of lines that holds "p" ends. */
static const char *group_end(const char *p, const char *end)
{
	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));

		if (!nl)
			return end;
		p = nl + 1;
		if (p < end && (*p == '\n' || *p == '\r' || *p == '-'))
			return p;
	}
	return end;
}

/* Where the group of lines begins in which the field stands at "p". */
static const char *group_start(const char *text, const char *p)
{
	while (p > text && !(p[-1] == '\n' && (p - 1 == text ||
			     p[-2] == '\n' || (p - 2 > text &&
			     p[-2] == '\r' && p[-3] == '\n'))))
		p--;
	return p;
}

/* The mail that came back stands behind what is said of it. */
static const char *returned_id(const char *p, const char *end,
			       struct arena *a)
{
	const char *value = raw_field(p, end, "Message-ID", a);
	struct buf id = BUF_INIT(1000);
	const char *found = NULL;

	if (value && msgid_next(&value, &id) == 1)
		found = arena_strdup(a, id.s);
	buf_release(&id);
	return found;
}

void screen_bounces(struct bounces *b, const struct message *m,
		    const void *bytes, size_t len, struct arena *a)
{
	const char *type = message_header(m, "Content-Type");
	const char *text = arena_strndup(a, bytes, len), *end = text + len;
	const char *p, *rest = text;

	*b = (struct bounces){ .n = 0 };
	if (!type || strncasecmp(type, "multipart/report", 16))
		return;
	while (b->n < BOUNCES_MAX &&
	       (p = strcasestr(rest, "\nFinal-Recipient:"))) {
		rest = group_end(p + 1, end);
		read_recipient(b, group_start(text, p + 1), rest, a);
	}
	b->message_id = returned_id(rest, end, a);
}
