#include "bot/again.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/err.h"
#include "bot/letter.h"
#include "bot/post.h"
#include "data/json.h"
#include "mail/subject.h"
#include "mail/write.h"

#define FIELDS_MAX 20
#define WORDS_MAX 16

static const char *header(const struct message *m, const char *name)
{
	const char *value = message_header(m, name);

	return value ? value : "";
}

/* The axes by which two reports of one commit may differ, first of them the
 * machine.  NULL: they agree. */
static const char *other_axis(const json_t *axes, const json_t *before,
			      struct arena *a)
{
	const char *box = json_member_text(axes, "tbox_group");
	const char *old = json_member_text(before, "tbox_group"), *key;
	json_t *value;

	if (box && (!old || strcmp(box, old)))
		return arena_printf(a, "on %s", letter_safe(box, 100, a));
	json_object_foreach((json_t *)(uintptr_t)axes, key, value)
		if (!json_equal(value, json_object_get(before, key)))
			return arena_printf(a, "with %s=%s",
				letter_safe(key, 60, a),
				letter_safe(json_string_value(value), 60, a));
	return NULL;
}

static const char *other_tree(const struct message *m,
			      const struct stored_report *r, struct arena *a)
{
	const char *tree = header(m, "X-Perfpost-Tree");
	const char *old = arena_printf(a, "%s%s%s", r->tree,
				       *r->branch ? " " : "", r->branch);

	if (!*tree || !strcmp(tree, old))
		return NULL;
	return arena_printf(a, "in %s", letter_safe(tree, 200, a));
}

/* Did that report say the same? */
static bool is_same_outcome(const struct message *m,
			    const struct stored_report *r)
{
	static const char *const word[] = { "regression", "improvement" };
	const char *verdict = header(m, "X-Perfpost-Verdict");

	for (size_t i = 0; i < 2; i++)
		if (!strcmp(verdict, word[i]) == !strstr(r->subject, word[i]))
			return false;
	return true;
}

/* What tells it from that report; NULL: nothing. */
static const char *difference(const struct message *m,
			      const struct stored_report *r, struct arena *a)
{
	json_t *facts = json_read_text(r->facts, strlen(r->facts), "facts",
				       NULL);
	json_t *axes = post_axes(header(m, "X-Perfpost-Test"));
	const char *what = other_axis(axes, json_object_get(facts, "axes"), a);

	json_decref(axes);
	json_decref(facts);
	if (!what)
		what = other_tree(m, r, a);
	if (!what && strcmp(header(m, "X-Perfpost-Base"), r->base))
		what = arena_printf(a, "against %.12s", letter_safe(
			header(m, "X-Perfpost-Base"), 100, a));
	if (!what && !is_same_outcome(m, r))
		what = "when it was measured once more";
	return what;
}

enum again again_find(struct earlier *e, struct store *s,
		      const struct message *m, struct arena *a,
		      struct err *err)
{
	const char *commit = header(m, "X-Perfpost-Commit");
	const char *stat = header(m, "X-Perfpost-Stat"), *what;
	enum again found = AGAIN_FIRST;
	struct stored_report *v;
	size_t n;

	if (!*commit || !*stat)
		return AGAIN_FIRST;
	if (report_by_commit(s, arena_strndup(a, commit, strcspn(commit, " ")),
			     a, &v, &n, err) == -1)
		return AGAIN_FAILED;
	for (size_t i = 0; i < n; i++) {
		if (strcmp(v[i].stat, stat) || !*v[i].message_id)
			continue;
		if (!strcmp(v[i].message_id, m->message_id))
			return AGAIN_FIRST;	/* this very mail */
		what = difference(m, &v[i], a);
		if (!what) {
			*e = (struct earlier){ .report = v[i] };
			return AGAIN_SAME;
		}
		if (found == AGAIN_FIRST)
			*e = (struct earlier){ v[i], what,
				is_same_outcome(m, &v[i]) ? "Also" : "But" };
		found = AGAIN_NEW;
	}
	return found;
}

struct addresses again_people(const struct earlier *e, const char *role,
			      struct arena *a)
{
	const char *facts = e->report.facts;
	json_t *v = json_read_text(facts, strlen(facts), "facts", NULL), *one;
	json_t *people = json_object_get(v, "people");
	struct addresses list = {
		.v = arena_array(a, json_array_size(people) + 1,
				 sizeof(*list.v)),
	};
	size_t i;

	json_array_foreach(people, i, one) {
		const char *address = json_member_text(one, "address");
		const char *is = json_member_text(one, "role");

		if (address && is && !strcmp(is, role))
			list.v[list.n++] = (struct address){ "",
				arena_strdup(a, address) };
	}
	json_decref(v);
	return list;
}

/* The blank-separated words of a line; how many. */
static size_t split(const struct line *l, const char *word[WORDS_MAX],
		    struct arena *a)
{
	const char *p = arena_strndup(a, l->text, l->len);
	size_t n = 0;

	while (n < WORDS_MAX) {
		size_t len;

		p += strspn(p, " \t");
		len = strcspn(p, " \t");
		if (!len)
			break;
		word[n++] = arena_strndup(a, p, len);
		p += len;
	}
	return n;
}

/* "4.64 ± 3%  +335.0%  20.17  stat": " (4.64 to 20.17)".  NULL: it is not the
 * metric's row. */
static const char *row_told(const struct line *l, const char *stat,
			    struct arena *a)
{
	const char *word[WORDS_MAX];
	size_t n = split(l, word, a), at = 1;

	if (n < 4 || strcmp(word[n - 1], stat) || !isdigit((unsigned char)
							   *word[0]))
		return NULL;
	while (at < n - 2 && !(strchr("+-", *word[at]) &&
			       isdigit((unsigned char)word[at][1])))
		at++;
	if (at >= n - 2)
		return NULL;
	return arena_printf(a, " (%s to %s)", word[0], word[at + 1]);
}

/* "-19.0% regression (801212 to 648946)": by the subject and the table. */
static const char *change_told(const struct message *m, struct arena *a)
{
	const char *stat = header(m, "X-Perfpost-Stat"), *values = NULL;
	const char *at = strstr(m->subject, stat);

	for (size_t i = 0; i < m->nline && !values; i++)
		values = row_told(&m->line[i], stat, a);
	at = at && *stat ? at + strlen(stat) : "";
	at += strspn(at, " ");
	return arena_printf(a, "%s%s", *at ? at :
			    header(m, "X-Perfpost-Verdict"),
			    values ? values : "");
}

static const char *body(const struct earlier *e, const struct message *m,
			struct arena *a)
{
	const char *tree = header(m, "X-Perfpost-Tree");

	return arena_printf(a, "%s %s: %s.\n\nmetric: %s\n"
		"commit: %s\n%s%s%stest:   %s\n\n-- \n%s\n",
		e->also, e->where,
		letter_safe(change_told(m, a), 200, a),
		letter_safe(header(m, "X-Perfpost-Stat"), 200, a),
		letter_safe(header(m, "X-Perfpost-Commit"), 300, a),
		*tree ? "tree:   " : "", letter_safe(tree, 300, a),
		*tree ? "\n" : "",
		letter_safe(header(m, "X-Perfpost-Test"), 500, a),
		letter_safe(*m->from.name ? m->from.name : m->from.address, 100,
			    a));
}

/* Those of ours, and that it comes from a program. */
static size_t take_fields(struct field field[FIELDS_MAX],
			  const struct message *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->nheader && n < FIELDS_MAX; i++)
		if (!strncasecmp(m->header[i].name, "X-Perfpost-", 11) ||
		    !strcasecmp(m->header[i].name, "Auto-Submitted"))
			field[n++] = (struct field){ m->header[i].name,
						     m->header[i].value };
	return n;
}

int again_write(struct buf *out, const struct earlier *e,
		const struct message *m, struct arena *a, struct err *err)
{
	const char *first = e->report.message_id;
	const char **references = arena_array(a, 1, sizeof(*references));
	struct field field[FIELDS_MAX];
	struct letter l = {
		.from = m->from, .to = m->to, .cc = m->cc,
		.reply_to = m->reply_to, .message_id = m->message_id,
		.subject = arena_printf(a, "Re: %s",
					subject_base(e->report.subject)),
		.in_reply_to = first, .references = { references, 1 },
		.date = m->date, .field = field,
		.nfield = take_fields(field, m), .body = body(e, m, a),
	};

	references[0] = first;
	return letter_write(&l, LINE_END_LF, out, err);
}
