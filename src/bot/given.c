#include "bot/given.h"

#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "data/yaml.h"
#include "store/mails.h"
#include "store/reports.h"

#define GIVEN_MAX ((size_t)16 << 20)

static const char *text(const json_t *v, const char *key, const char *fallback)
{
	const char *s = json_member_text(v, key);

	return s ? s : fallback;
}

static const char *dump(const json_t *v, const char *fallback, struct arena *a)
{
	struct buf out = BUF_INIT(GIVEN_MAX);
	const char *s = fallback;

	if (v) {
		json_write(&out, v, 0);
		s = arena_strndup(a, out.s, out.len);
	}
	buf_release(&out);
	return s;
}

/* facts: people (those of "people", and "to" as participants) and axes. */
static const char *facts_of(const json_t *v, struct arena *a)
{
	json_t *people = json_array(), *one, *facts;
	const char *s;
	size_t i;

	json_array_extend(people, json_object_get(v, "people"));
	json_array_foreach(json_object_get(v, "to"), i, one)
		json_array_append_new(people, json_pack("{s:O,s:s}", "address",
					one, "role", "participant"));
	facts = json_pack("{s:o}", "people", people);
	if (json_object_get(v, "axes"))
		json_object_set(facts, "axes", json_object_get(v, "axes"));
	if (json_object_get(v, "job"))
		json_object_set(facts, "job", json_object_get(v, "job"));
	s = dump(facts, "{}", a);
	json_decref(facts);
	return s;
}

static int put(const struct bot *bot, const json_t *v, struct arena *a,
	       struct err *err)
{
	const char *key = json_member_text(v, "key");
	const char *token = json_member_text(v, "token");
	json_t *sent;
	struct stored_report r;
	size_t i;

	if (!key && !token)
		return err_set(err, ERR_INPUT, "a report without key and "
			       "token");
	if (!key)
		key = *token == 'r' ? token + 1 : token;
	if (!token)
		token = arena_printf(a, "r%.12s", key);
	r = (struct stored_report){
		.key = key, .token = token,
		.message_id = text(v, "message_id", ""),
		.subject = text(v, "subject", ""),
		.tested = text(v, "commit", ""), .title = text(v, "title", ""),
		.base = text(v, "base", ""), .stat = text(v, "stat", ""),
		.tree = text(v, "tree", ""), .branch = text(v, "branch", ""),
		.machine = text(v, "machine", ""), .facts_hash = "",
		.facts = facts_of(v, a),
		.results = dump(json_object_get(v, "results"), "[]", a),
		.public = !json_is_false(json_object_get(v, "public")),
		.created = clock_now(),
	};
	if (report_put(bot->store, &r, err) == -1)
		return -1;
	json_array_foreach(json_object_get(v, "sent"), i, sent)
		if (json_is_string(sent) &&
		    thread_add(bot->store, json_string_value(sent), r.id, true,
			       err) == -1)
			return -1;
	return 0;
}

static int put_all(const struct bot *bot, const json_t *v, struct err *err)
{
	struct arena a = ARENA_INIT;
	json_t *one;
	size_t i;
	int rc = store_begin(bot->store, err);

	json_array_foreach(json_object_get(v, "reports"), i, one)
		if (rc == 0)
			rc = put(bot, one, &a, err);
	if (rc == 0)
		rc = store_commit(bot->store, err);
	store_rollback(bot->store);
	arena_release(&a);
	return rc;
}

int given_read(const struct bot *bot, const char *path, struct err *err)
{
	json_t *v = yaml_read_file(path, GIVEN_MAX, YAML_TEXT, err);
	int rc;

	if (!v)
		return -1;
	rc = put_all(bot, v, err);
	json_decref(v);
	return rc == -1 ? err_in(err, "%s", path) : 0;
}

/* "[mm] 9a8b7c6d5e: stat -12.4% regression": commit and stat of a subject. */
static void read_subject(json_t *v, const char *subject, struct arena *a)
{
	static const char *const hex = "0123456789abcdef";
	const char *p = subject;

	while ((p = strpbrk(p, hex))) {
		size_t len = strspn(p, hex);

		if (len >= 8 && len <= 40 && p[len] == ':') {
			json_object_set_new(v, "commit",
				json_text(arena_strndup(a, p, len)));
			p += len + 1;
			p += strspn(p, " ");
			json_object_set_new(v, "stat", json_text(
				arena_strndup(a, p, strcspn(p, " "))));
			return;
		}
		p += len;
	}
}

int given_learn(const struct bot *bot, const struct message *m,
		struct err *err)
{
	char token[TOKEN_MAX] = "";
	struct arena a = ARENA_INIT;
	int64_t known;
	json_t *v;
	int rc;

	if (!settings_own(bot->settings, m->from.address, token) ||
	    m->in_reply_to.n || m->references.n || !*m->message_id)
		return 0;
	rc = thread_reports(bot->store, m->message_id, &known, 1, err);
	if (rc)
		return rc == -1 ? -1 : 0;
	for (size_t i = 0; !*token && i < m->reply_to.n; i++)
		settings_own(bot->settings, m->reply_to.v[i].address, token);
	v = json_pack("{s:o,s:o,s:o}", "token", json_text(*token ? token :
		      arena_printf(&a, "m%.60s", m->message_id)), "message_id",
		      json_text(m->message_id), "subject",
		      json_text(m->subject));
	read_subject(v, m->subject, &a);
	rc = store_begin(bot->store, err);
	if (rc == 0 && put(bot, v, &a, err) == 0)
		rc = store_commit(bot->store, err) == 0 ? 1 : -1;
	store_rollback(bot->store);
	json_decref(v);
	arena_release(&a);
	return rc;
}
