#include "compose/lint-int.h"

#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/err.h"
#include "mail/address.h"
#include "mail/check.h"
#include "mail/date.h"

enum { DAY = 24 * 3600, YEAR_2000 = 946684800 };

static void check_present(struct lint *l, const struct message *m)
{
	static const char *const must[] = {
		"From", "Subject", "Date", "Message-ID", "Auto-Submitted",
	};

	for (size_t i = 0; i < sizeof(must) / sizeof(*must); i++) {
		const char *value = message_header(m, must[i]);

		if (!value)
			lint_say(l, "no %s", must[i]);
		else if (!value[strspn(value, " \t")])
			lint_say(l, "an empty %s", must[i]);
	}
	if (message_header(m, "Bcc"))
		lint_say(l, "Bcc in the headers: everybody would see it");
}

static void check_list(struct lint *l, const char *name,
		       const struct addresses *list)
{
	struct err err = ERR_INIT;

	for (size_t i = 0; i < list->n; i++)
		if (address_check(list->v[i].address, &err) == -1)
			lint_say(l, "%s: %s: '%s'", name, err.text,
				 list->v[i].address);
}

/* Text in an address header that gave no mailbox at all, or too few. */
static void check_all_read(struct lint *l, const struct message *m,
			   const char *name, size_t n)
{
	const char *value = message_header(m, name);

	if (value && !n)
		lint_say(l, "%s names nobody: '%.100s'", name, value);
}

static void check_twice(struct lint *l, const struct message *m)
{
	size_t n = m->to.n + m->cc.n;

	for (size_t i = 0; i < n; i++) {
		const char *a = i < m->to.n ? m->to.v[i].address :
			m->cc.v[i - m->to.n].address;

		for (size_t k = 0; k < i; k++) {
			const char *b = k < m->to.n ? m->to.v[k].address :
				m->cc.v[k - m->to.n].address;

			if (address_is_same(a, b)) {
				lint_say(l, "%s stands twice in To and Cc", a);
				break;
			}
		}
	}
}

static bool is_of_sender(const struct message *m, const struct addresses *list)
{
	const char *from = m->from.address, *to;

	for (size_t i = 0; i < list->n; i++) {
		to = list->v[i].address;
		if (!address_is_same_untagged(to, from) &&
		    !address_is_same_untagged(from, to))
			return false;
	}
	return true;
}

/* A report that names nobody goes to the operator; when that is the robot
 * itself nobody reads it. */
static void check_somebody(struct lint *l, const struct message *m)
{
	if (!l->goes_elsewhere && m->to.n && is_of_sender(m, &m->to) &&
	    is_of_sender(m, &m->cc))
		lint_say(l, "To and Cc name nobody but the sender, %s: name "
			 "people (perfpost report --to), or a clone of the "
			 "tree (trees.*.git)", m->from.address);
}

static void check_people(struct lint *l, const struct message *m,
			 const struct recipients *who)
{
	struct address from = m->from;

	check_list(l, "From", &(struct addresses){ &from,
						   *from.address != '\0' });
	check_list(l, "To", &m->to);
	check_list(l, "Cc", &m->cc);
	check_list(l, "Reply-To", &m->reply_to);
	check_all_read(l, m, "From", *from.address != '\0');
	if (!who || who->n)
		check_all_read(l, m, "To", m->to.n);
	check_all_read(l, m, "Cc", m->cc.n);
	if (!m->to.n && !m->cc.n && (!who || who->n))
		lint_say(l, "no recipients in To or Cc");
	if (!who)
		check_somebody(l, m);
	check_twice(l, m);
}

static bool holds(const struct addresses *list, const char *address)
{
	for (size_t i = 0; i < list->n; i++)
		if (address_is_same(list->v[i].address, address))
			return true;
	return false;
}

static void check_none_added(struct lint *l, const struct addresses *list,
			     const struct recipients *who, bool to)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct addressee *a =
			recipients_find(who, list->v[i].address);

		if (!a || a->to != to)
			lint_say(l, "%s: %s was not planned",
				 to ? "To" : "Cc", list->v[i].address);
	}
}

static void check_planned(struct lint *l, const struct message *m,
			  const struct recipients *who)
{
	for (size_t i = 0; i < who->n; i++) {
		const struct addressee *a = &who->v[i];

		if (!holds(a->to ? &m->to : &m->cc, a->who.address))
			lint_say(l, "%s: %s was planned and is missing",
				 a->to ? "To" : "Cc", a->who.address);
	}
	check_none_added(l, &m->to, who, true);
	check_none_added(l, &m->cc, who, false);
}

static bool is_in(const struct strings *ids, const char *id)
{
	for (size_t i = 0; i < ids->n; i++)
		if (!strcmp(ids->v[i], id))
			return true;
	return false;
}

static void check_ids(struct lint *l, const struct message *m)
{
	const struct strings *parent = &m->in_reply_to, *refs = &m->references;

	if (message_header(m, "Message-ID") &&
	    msgid_check(m->message_id, NULL) == -1)
		lint_say(l, "the Message-ID is malformed: '%.100s'",
			 message_header(m, "Message-ID"));
	for (size_t i = 0; i < parent->n; i++)
		if (msgid_check(parent->v[i], NULL) == -1)
			lint_say(l, "In-Reply-To is malformed: '%s'",
				 parent->v[i]);
	for (size_t i = 0; i < refs->n; i++)
		if (msgid_check(refs->v[i], NULL) == -1)
			lint_say(l, "References are malformed: '%s'",
				 refs->v[i]);
	if (is_in(refs, m->message_id) || is_in(parent, m->message_id))
		lint_say(l, "the mail answers itself");
	if (parent->n && refs->n && !is_in(refs, parent->v[0]))
		lint_say(l, "References leave out what In-Reply-To names");
}

static void check_subject(struct lint *l, const struct message *m)
{
	const char *s = m->subject;
	bool answer = !strncasecmp(s, "Re:", 3);

	if (answer && !m->in_reply_to.n && !m->references.n)
		lint_say(l, "the subject says Re: and no header says to what");
	if (answer && !strncasecmp(s + 3 + strspn(s + 3, " "), "Re:", 3))
		lint_say(l, "more than one Re: in the subject");
}

static void check_date(struct lint *l, const struct message *m)
{
	const char *value = message_header(m, "Date");

	if (!value)
		return;
	if (m->date == DATE_NONE)
		lint_say(l, "the Date cannot be read: '%.60s'", value);
	else if (m->date < YEAR_2000)
		lint_say(l, "the Date is long past: '%.60s'", value);
	else if (m->date > clock_now() + DAY)
		lint_say(l, "the Date lies in the future: '%.60s'", value);
}

static void check_type(struct lint *l, const struct message *m)
{
	const char *type = message_header(m, "Content-Type");

	for (size_t i = 0; i < m->npart; i++)
		if (!strcmp(m->part[i].type, "text/html"))
			lint_say(l, "an HTML part: lists refuse it");
	if (!type)
		return;
	if (!m->npart || strcmp(m->part[0].type, "text/plain"))
		lint_say(l, "the first part is no text/plain");
	if (strcasestr(type, "format=flowed") ||
	    strcasestr(type, "format=\"flowed\""))
		lint_say(l, "format=flowed, which breaks tables");
}

void lint_headers(struct lint *l, const struct message *m,
		  const struct recipients *who)
{
	check_present(l, m);
	check_people(l, m, who);
	if (who)
		check_planned(l, m, who);
	check_ids(l, m);
	check_subject(l, m);
	check_date(l, m);
	check_type(l, m);
}
