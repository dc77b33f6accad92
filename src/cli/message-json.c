#include "cli/message-json.h"

#include "base/buf.h"
#include "data/json.h"
#include "request/request-json.h"

/* What stands before a value of a list: nothing before the first. */
static void between(struct buf *out, size_t i)
{
	if (i)
		buf_addstr(out, ", ");
}

/* The name of the next member of an object; its value is to follow. */
static void name(struct buf *out, const char *member)
{
	between(out, out->s[out->len - 1] != '{');
	buf_addch(out, '"');
	buf_addstr(out, member);
	buf_addstr(out, "\": ");
}

static void add_text(struct buf *out, const char *member, const char *text)
{
	name(out, member);
	json_write_text(out, text);
}

static void add_bool(struct buf *out, const char *member, bool value)
{
	name(out, member);
	buf_addstr(out, value ? "true" : "false");
}

static void add_texts(struct buf *out, const char *member,
		      const struct strings *s)
{
	name(out, member);
	buf_addch(out, '[');
	for (size_t i = 0; i < s->n; i++) {
		between(out, i);
		json_write_text(out, s->v[i]);
	}
	buf_addch(out, ']');
}

static void write_mailbox(struct buf *out, const struct address *a)
{
	buf_addch(out, '{');
	add_text(out, "name", a->name);
	add_text(out, "address", a->address);
	buf_addch(out, '}');
}

static void add_mailboxes(struct buf *out, const char *member,
			  const struct addresses *a)
{
	name(out, member);
	buf_addch(out, '[');
	for (size_t i = 0; i < a->n; i++) {
		between(out, i);
		write_mailbox(out, &a->v[i]);
	}
	buf_addch(out, ']');
}

static void write_patch(struct buf *out, const struct patch *p)
{
	buf_addch(out, '{');
	add_text(out, "source", p->attached ? "attachment" : "inline");
	add_text(out, "name", p->name);
	add_texts(out, "files", &p->files);
	add_text(out, "verdict", patch_verdict_name(p->verdict));
	name(out, "line");
	buf_addf(out, "%zu", p->line);
	add_text(out, "text", p->text);
	buf_addch(out, '}');
}

static void add_patches(struct buf *out, const struct message *m)
{
	name(out, "patches");
	buf_addch(out, '[');
	for (size_t i = 0; i < m->npatch; i++) {
		between(out, i);
		write_patch(out, &m->patch[i]);
	}
	buf_addch(out, ']');
}

static void add_date(struct buf *out, int64_t date)
{
	name(out, "date");
	if (date == INT64_MIN)
		buf_addstr(out, "null");
	else
		buf_addf(out, "%lld", (long long)date);
}

static void add_value(struct buf *out, const char *member, json_t *v)
{
	name(out, member);
	json_write(out, v, 0);
	json_decref(v);
}

static void add_header(struct buf *out, const struct message *m, bool own)
{
	add_text(out, "message_id", *m->message_id ? m->message_id : NULL);
	add_texts(out, "in_reply_to", &m->in_reply_to);
	add_texts(out, "references", &m->references);
	name(out, "from");
	write_mailbox(out, &m->from);
	add_mailboxes(out, "to", &m->to);
	add_mailboxes(out, "cc", &m->cc);
	add_mailboxes(out, "reply_to", &m->reply_to);
	add_text(out, "subject", m->subject);
	add_date(out, m->date);
	add_text(out, "list_id", m->list_id);
	add_bool(out, "automatic", m->automatic);
	add_bool(out, "own", own);
}

void message_write_json(struct buf *out, const struct message *m,
			const struct requests *r, bool own, bool explain)
{
	buf_addch(out, '{');
	add_header(out, m, own);
	add_text(out, "body", m->body);
	add_text(out, "new_text", m->new_text);
	add_patches(out, m);
	add_value(out, "commands", commands_json(r));
	add_value(out, "requests", requests_json(r));
	if (explain)
		add_value(out, "explanations", explanations_json(r));
	buf_addch(out, '}');
}
