#include "compose/compose.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/utf8.h"
#include "compose/attach.h"
#include "compose/lint.h"
#include "compose/tags.h"
#include "mail/id.h"
#include "report/words.h"

enum {
	ID_MAX = 900,
	FIELD_MAX = 2000,	/* what is longer is left out */
	SHORT_IDENTITY = 12,
	SHORT_REVISION = 8,
};

/* Strings on their way into a digest. */
struct pile {
	struct arena arena;
	const char **v;
	size_t n, cap;
};

static void pile_add(struct pile *p, const char *s)
{
	p->v = arena_grow(&p->arena, p->v, &p->cap, p->n + 1, sizeof(*p->v));
	p->v[p->n++] = s;
}

static void pile_number(struct pile *p, double x)
{
	pile_add(p, arena_printf(&p->arena, "%.17g", x));
}

static void pile_digest(struct pile *p, char hex[DIGEST_HEX])
{
	digest(p->v, p->n, hex);
	arena_release(&p->arena);
}

void report_identity(const struct report *r, char hex[DIGEST_HEX])
{
	const struct group *g = r->group;
	struct pile p = { .arena = ARENA_INIT };

	for (size_t i = 0; i < g->nside; i++)
		pile_add(&p, g->side[i].name);
	for (size_t i = 0; i < g->naxis; i++) {
		pile_add(&p, g->axis[i].key);
		pile_add(&p, g->axis[i].value);
	}
	pile_add(&p, r->headline->name);
	pile_digest(&p, hex);
}

static void pile_body(struct pile *p, const struct body *b, size_t side)
{
	if (side >= b->group->nside)
		side = b->group->nside - 1;
	for (size_t i = 0; i < b->n; i++) {
		pile_add(p, b->row[i]->name);
		pile_number(p, b->row[i]->figure[side].mean);
	}
}

void report_revision(const struct report *r, char hex[DIGEST_HEX])
{
	struct pile p = { .arena = ARENA_INIT };

	for (size_t i = 0; i < r->group->nside; i++) {
		const struct figure *f = &r->headline->figure[i];

		pile_number(&p, (double)f->runs);
		for (size_t k = 0; k < f->n; k++)
			pile_number(&p, f->value ? f->value[k] : f->mean);
	}
	for (size_t i = 0; i < r->nbody; i++)
		pile_body(&p, &r->body[i], r->side);
	pile_digest(&p, hex);
}

static const char *domain_of(const struct compose_options *o)
{
	const char *at = strchr(o->from.address, '@');

	return o->domain ? o->domain : at ? at + 1 : "";
}

void compose_message_id(const struct report *r,
			const struct compose_options *o, struct buf *out)
{
	char identity[DIGEST_HEX], revision[DIGEST_HEX];
	struct id_parts parts = {
		.kind = "report", .identity = identity,
		.revision = o->revision, .request = o->request,
		.domain = domain_of(o),
	};

	report_identity(r, identity);
	if (!o->revision) {
		report_revision(r, revision);
		revision[SHORT_REVISION] = '\0';
		parts.revision = revision;
	}
	msgid_make(out, &parts);
}

/* The text as it goes out: ASCII on request, tags in an answer kept from
 * those who collect them. */
static void make_text(const char *text, const struct compose_options *o,
		      struct buf *out)
{
	bool answer = o->in_reply_to || o->references.n;
	struct buf spelled = BUF_INIT(out->max);

	if (o->ascii) {
		utf8_spell_ascii(&spelled, text, strlen(text));
		text = spelled.s;
	}
	if (answer)
		tags_guard(out, text);
	else
		buf_addstr(out, text);
	buf_release(&spelled);
}

/* Read back what was written; the reasons against it become the error. */
static int check_mail(const struct report *r, const struct recipients *who,
		      const char *mail, size_t len, struct err *err)
{
	const struct lint_plan plan = { .who = who, .report = r };
	struct lint l = LINT_INIT;
	struct buf all = BUF_INIT(sizeof(err->text));
	int rc = 0;

	lint_mail(&l, mail, len, &plan);
	for (size_t i = 0; i < l.n; i++)
		buf_addf(&all, "%s%s", i ? "; " : "", l.reason[i]);
	if (l.n)
		rc = err_set(err, ERR_INPUT, "not fit to be sent: %s", all.s);
	buf_release(&all);
	lint_release(&l);
	return rc;
}

/* Our own headers, as they fill up. */
struct fields {
	struct arena arena;
	struct field v[10];
	size_t n;
};

/* Made inert: names come from results files.  Nothing for an empty text. */
static void add_field(struct fields *f, const char *name, const char *text)
{
	struct buf inert = BUF_INIT(FIELD_MAX);

	utf8_inert(&inert, text, strlen(text), false);
	if (inert.len && !buf_over(&inert))
		f->v[f->n++] = (struct field){
			name, arena_strdup(&f->arena, inert.s) };
	buf_release(&inert);
}

/* HASH ("title") */
static void add_commit(struct fields *f, const struct side *s)
{
	struct buf b = BUF_INIT(FIELD_MAX);

	buf_addstr(&b, s->name);
	if (s->subject)
		buf_addf(&b, " (\"%s\")", s->subject);
	add_field(f, "X-Perfpost-Commit", b.s);
	buf_release(&b);
}

static void add_tree(struct fields *f, const struct report *r)
{
	const char *tree = json_member_text(r->results->facts, "tree");
	const char *branch = json_member_text(r->results->facts, "branch");
	struct buf b = BUF_INIT(FIELD_MAX);

	if (tree && !strchr(tree, ' '))
		buf_addf(&b, "%s%s%s", tree, branch ? " " : "",
			 branch ? branch : "");
	add_field(f, "X-Perfpost-Tree", b.s);
	buf_release(&b);
}

/* "compiler=gcc-12; testcase=unixbench" */
static void add_test(struct fields *f, const struct group *g)
{
	struct buf b = BUF_INIT(FIELD_MAX);

	for (size_t i = 0; i < g->naxis; i++)
		buf_addf(&b, "%s%s=%s", i ? "; " : "", g->axis[i].key,
			 g->axis[i].value);
	add_field(f, "X-Perfpost-Test", b.s);
	buf_release(&b);
}

/* Enough for our own bot, and for filters, to know the report again. */
static void add_fields(struct fields *f, const struct report *r,
		       const struct compose_options *o)
{
	bool fails = r->news.kind == NEWS_FAILURE && r->news.blames;
	char hex[DIGEST_HEX];

	add_field(f, "Auto-Submitted", "auto-generated");	/* RFC 3834 5 */
	report_identity(r, hex);
	hex[SHORT_IDENTITY] = '\0';
	add_field(f, "X-Perfpost-Report", hex);
	report_revision(r, hex);
	hex[SHORT_REVISION] = '\0';
	add_field(f, "X-Perfpost-Revision", o->revision ? o->revision : hex);
	add_field(f, "X-Perfpost-Verdict", fails ? "failure"
						 : verdict_name(r->verdict));
	add_commit(f, &r->group->side[r->side]);
	add_field(f, "X-Perfpost-Base", r->group->side[0].name);
	add_field(f, "X-Perfpost-Stat", r->headline->name);
	add_tree(f, r);
	add_test(f, r->group);
}

/* "perfbot@ci.example.org" -> "perfbot+r5c1e77a90b3d@ci.example.org" */
static struct address sender_of(const struct report *r,
				const struct compose_options *o,
				struct arena *a)
{
	const char *at = strchr(o->from.address, '@');
	char hex[DIGEST_HEX];

	if (!o->token || !at)
		return o->from;
	report_identity(r, hex);
	return (struct address){
		o->from.name,
		arena_printf(a, "%.*s+r%.*s%s", (int)(at - o->from.address),
			     o->from.address, SHORT_IDENTITY, hex, at),
	};
}

/* Everything but the checks. */
static int write_mail(const struct report *r, const char *body,
		      struct recipients *who, const struct compose_options *o,
		      struct buf *out, struct err *err)
{
	struct attachments with = ATTACHMENTS_INIT;
	struct address reply_to = o->reply_to;
	const char *parent = o->in_reply_to;
	struct buf id = BUF_INIT(ID_MAX), subject = BUF_INIT(out->max);
	struct fields fields = { .arena = ARENA_INIT };
	int rc;

	if (o->attach)
		attachments_make(&with, r, o->ascii);
	if (o->ascii)
		utf8_spell_ascii(&subject, o->subject, strlen(o->subject));
	else
		buf_addstr(&subject, o->subject);
	add_fields(&fields, r, o);
	compose_message_id(r, o, &id);
	rc = letter_write(&(struct letter){
		.from = sender_of(r, o, &fields.arena),
		.to = recipients_list(who, true),
		.cc = recipients_list(who, false),
		.reply_to = { &reply_to, reply_to.address ? 1 : 0 },
		.subject = subject.s,
		.message_id = id.s,
		.in_reply_to = parent,
		.references = o->references.n ? o->references :
			(struct strings){ &parent, parent ? 1 : 0 },
		.date = o->date,
		.field = fields.v,
		.nfield = fields.n,
		.body = body,
		.attachment = with.v,
		.nattachment = with.n,
	}, o->end, out, err);
	attachments_release(&with);
	arena_release(&fields.arena);
	buf_release(&subject);
	buf_release(&id);
	return rc;
}

int compose_report(const struct report *r, const char *text,
		   struct recipients *who, const struct compose_options *o,
		   struct buf *out, struct err *err)
{
	struct buf body = BUF_INIT(out->max);
	size_t before = out->len;
	int rc;

	make_text(text, o, &body);
	rc = write_mail(r, body.s, who, o, out, err);
	if (rc == 0)
		rc = check_mail(r, who, out->s + before, out->len - before,
				err);
	if (rc == -1 && out->len > before)
		out->s[out->len = before] = '\0';
	buf_release(&body);
	return rc;
}
