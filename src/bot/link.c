#include "bot/link.h"

#include <string.h>
#include <strings.h>

#include "mail/check.h"
#include "policy/url.h"
#include "store/mails.h"

/* 1: the report of a commit that the hash begins, or that begins it. */
static int linked_by_hash(const struct bot *bot, const char *value,
			  struct stored_report *found, struct arena *a,
			  struct err *err)
{
	size_t len = strspn(value, "0123456789abcdefABCDEF");
	struct stored_report *v;
	size_t n;

	if (len < 8 || len > 64)
		return 0;
	if (report_by_commit(bot->store, arena_strndup(a, value, len), a,
			     &v, &n, err) == -1)
		return -1;
	if (n)
		*found = v[0];
	return n ? 1 : 0;
}

/* 1: a report that we know; 2: a mail of ours that we do not know of. */
static int linked_by_url(const struct bot *bot, const char *value,
			 struct stored_report *found, struct arena *a,
			  struct err *err)
{
	const struct url_rules any = { (const char *const[]){ "*", NULL },
				       false };
	const char *id, *at;
	int64_t report;
	struct url u;
	int n;

	value += *value == '<';
	if (url_check(&u, arena_strndup(a, value, strcspn(value, "> \t")),
		      &any, a, NULL) == -1)
		return 0;
	id = url_msgid(&u, a);
	if (!id)
		return 0;
	n = thread_reports(bot->store, id, &report, 1, err);
	if (n == 1)
		return report_get(bot->store, report, a, found,
				  err);
	at = strrchr(id, '@');
	return n == -1 ? -1 :
	       at && !strcasecmp(at + 1, bot->settings->domain) ? 2 : 0;
}

/* "robot <perfbot+TOKEN@ci.example.org>": 1: the report of that token. */
static int linked_by_address(const struct bot *bot, const char *value,
			     struct stored_report *found, struct arena *a,
			     struct err *err)
{
	char token[TOKEN_MAX];
	struct address who;

	if (address_parse(value, a, &who, NULL) == -1 ||
	    !settings_own(bot->settings, who.address, token) || !*token)
		return 0;
	return report_by_token(bot->store, token, a, found, err);
}

int link_line(const struct bot *bot, const char *line, size_t len,
		  struct stored_report *found, struct arena *a,
			  struct err *err)
{
	static const struct {
		const char *key;
		int (*linked)(const struct bot *, const char *,
			      struct stored_report *, struct arena *,
			      struct err *);
	} trailer[] = {
		{ "Fixes:", linked_by_hash }, { "Closes:", linked_by_url },
		{ "Link:", linked_by_url },
		{ "Reported-by:", linked_by_address },
		{ "Reported-and-tested-by:", linked_by_address },
		{ "This reverts commit ", linked_by_hash },
	};
	const char *text = arena_strndup(a, line, len);

	text += strspn(text, " \t");
	for (size_t i = 0; i < sizeof(trailer) / sizeof(*trailer); i++) {
		size_t key = strlen(trailer[i].key);
		const char *value = text + key;

		if (strncasecmp(text, trailer[i].key, key))
			continue;
		value += strspn(value, " \t");
		return trailer[i].linked(bot, value, found, a, err);
	}
	return 0;
}
