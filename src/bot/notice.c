#include "bot/notice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "bot/letter.h"
#include "store/audit.h"
#include "store/mails.h"
#include "store/outbox.h"

#define WINDOW 3600		/* seconds between two notices */
#define ROWS_MAX 2000		/* of the audit, looked through at a time */
#define LINES_MAX 100

/* Where the audit was told of up to, and when: "ID SECONDS". */
static const char cursor[] = "notice";

/* What they are told of, and how. */
static const struct {
	const char *what, *text;
} told[] = {
	{ "quarantined", "could not be decided and was given up" },
	{ "unanswered", "could not be answered" },
	{ "muted", "was not answered" },
	{ "address-fails", "says that mail to an address fails" },
	{ "forwarded", "asks what only a person can answer" },
	{ "hold-for-operator", "waits for your word (perfpost queue)" },
	{ "parked", "is not fit to be sent (perfpost outbox)" },
	{ "failed", "failed" },
	{ "fix-candidate", "has a patch that says it fixes it" },
	{ "fixed", "was fixed" },
	{ "stop", "asks you to stop sending" },
};

static const char *text_of(const char *what)
{
	for (size_t i = 0; i < sizeof(told) / sizeof(*told); i++)
		if (!strcmp(told[i].what, what))
			return told[i].text;
	return NULL;
}

static json_t *lines_of(const struct audit *v, size_t n, struct arena *a)
{
	json_t *list = json_array();
	const char *text;

	for (size_t i = 0; i < n && json_array_size(list) < LINES_MAX; i++) {
		text = text_of(v[i].what);
		if (!text)
			continue;
		text = arena_printf(a, "%s %s%s%s", v[i].object, text,
				    *v[i].detail ? ": " : "",
				    letter_safe(v[i].detail, 200, a));
		json_array_append_new(list, json_pack("{s:o}", "line",
						      json_text(text)));
	}
	return list;
}

static int write_notice(const struct bot *bot, json_t *lines,
			const struct audit *last, struct arena *a,
			struct err *err)
{
	struct reply r = {
		.kind = "notice", .template = "notice", .data = json_object(),
		.request = arena_printf(a, "%lld", (long long)last->id),
	};
	struct outgoing o;
	int rc;

	json_object_set(r.data, "detail", lines);
	json_object_set_new(r.data, "text", json_sprintf("%zu %s happened "
			    "that you may want to look at.",
			    json_array_size(lines),
			    json_array_size(lines) == 1 ? "thing" : "things"));
	rc = letter_make(&o, bot, &r, a, err);
	json_decref(r.data);
	if (rc == 0)
		rc = outbox_add(bot->store, &o, err);
	return rc == -1 ? -1 : 0;
}

/* The notice and the place up to which it tells: in one stroke. */
static int write_down(const struct bot *bot, json_t *lines,
		      const struct audit *last, int64_t at, struct arena *a,
		      struct err *err)
{
	const char *place = arena_printf(a, "%lld %lld", (long long)last->id,
					 (long long)at);

	if (store_begin(bot->store, err) == -1)
		return -1;
	if ((json_array_size(lines) &&
	     write_notice(bot, lines, last, a, err) == -1) ||
	    cursor_set(bot->store, cursor, place, err) == -1) {
		store_rollback(bot->store);
		return -1;
	}
	return store_commit(bot->store, err);
}

static int notice(const struct bot *bot, struct arena *a, struct err *err)
{
	long long id = 0, at = 0;
	const char *place;
	struct audit *v;
	json_t *lines;
	size_t n;
	int rc;

	if (cursor_get(bot->store, cursor, a, &place, err) == -1)
		return -1;
	sscanf(place, "%lld %lld", &id, &at);
	if (at <= clock_now() && clock_now() < at + WINDOW)
		return 0;	/* a clock that was set back says nothing */
	if (audit_since(bot->store, id, ROWS_MAX, a, &v, &n, err) == -1)
		return -1;
	if (!n)
		return 0;
	lines = lines_of(v, n, a);
	rc = write_down(bot, lines, &v[n - 1], json_array_size(lines) ?
			clock_now() : at, a, err);
	if (rc == 0)
		rc = json_array_size(lines) > 0;
	json_decref(lines);
	return rc;
}

int notice_next(const struct bot *bot, struct err *err)
{
	struct arena a = ARENA_INIT;
	int rc = 0;

	if (*conf_list(bot->settings->conf, "bot.notify"))
		rc = notice(bot, &a, err);
	arena_release(&a);
	return rc;
}
