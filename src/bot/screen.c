#include "bot/screen.h"

#include <ctype.h>
#include <fnmatch.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
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

static const char *final_recipient(const char *value, struct arena *a)
{
	const char *semicolon = strchr(value, ';'), *address;

	address = semicolon ? semicolon + 1 : value;
	address += strspn(address, " \t<");
	return arena_strndup(a, address, strcspn(address, "> \t\r\n"));
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

void screen_bounce(struct bounce *b, const struct message *m,
		   const void *bytes, size_t len, struct arena *a)
{
	const char *type = message_header(m, "Content-Type");
	const char *text = arena_strndup(a, bytes, len), *end = text + len;
	const char *action, *recipient, *address, *status, *report;

	*b = (struct bounce){ .address = NULL };
	if (!type || strncasecmp(type, "multipart/report", 16))
		return;
	action = raw_field(text, end, "Action", a);
	recipient = raw_field(text, end, "Final-Recipient", a);
	if (!action || !recipient || strncasecmp(action, "failed", 6))
		return;
	address = final_recipient(recipient, a);
	if (!strchr(address, '@'))
		return;
	b->address = address;
	status = raw_field(text, end, "Status", a);
	if (status)
		b->status = arena_strndup(a, status,
					  strspn(status, "0123456789."));
	report = strcasestr(text, "\nFinal-Recipient:");
	b->message_id = returned_id(report, end, a);
}
