#include "bot/wire.h"

#include <stdint.h>
#include <string.h>

#include "base/utf8.h"

static void raw(struct wire *w, void *p, size_t n)
{
	if (w->out) {
		buf_add(w->out, p, n);
	} else if (n > w->left || w->bad) {
		w->bad = true;
		memset(p, 0, n);
	} else {
		memcpy(p, w->in, n);
		w->in += n;
		w->left -= n;
	}
}

/* At most as many as there are bytes left: each takes one or more. */
static void size(struct wire *w, size_t *n)
{
	uint32_t v = (uint32_t)*n;

	if (w->out && *n > UINT32_MAX)
		w->out->over = true;
	raw(w, &v, sizeof(v));
	if (w->out)
		return;
	w->bad |= v > w->left;
	*n = w->bad ? 0 : v;
}

static void flag(struct wire *w, bool *v)
{
	unsigned char c = *v;

	raw(w, &c, 1);
	w->bad |= c > 1;
	*v = c == 1;
}

static void number(struct wire *w, int64_t *v)
{
	raw(w, v, sizeof(*v));
}

/* A number that counts something: lines, bytes of a part. */
static void count(struct wire *w, size_t *v)
{
	int64_t n = (int64_t)*v;

	number(w, &n);
	w->bad |= n < 0;
	*v = w->bad ? 0 : (size_t)n;
}

static unsigned int choice(struct wire *w, unsigned int v, unsigned int last)
{
	unsigned char c = (unsigned char)v;

	raw(w, &c, 1);
	w->bad |= c > last;
	return w->bad ? 0 : c;
}

static void bytes(struct wire *w, const char **s, size_t *n)
{
	size(w, n);
	if (w->out) {
		buf_add(w->out, *s, *n);
		return;
	}
	w->bad |= memchr(w->in, '\0', *n) || !utf8_valid(w->in, *n);
	if (w->bad)
		*n = 0;
	*s = arena_strndup(w->a, w->in, *n);
	w->in += *n;
	w->left -= *n;
}

void wire_text(struct wire *w, const char **s)
{
	bool there = *s != NULL;
	size_t n = there ? strlen(*s) : 0;

	flag(w, &there);
	if (!there)
		*s = NULL;
	else
		bytes(w, s, &n);
}

/* One that is never NULL. */
static void word(struct wire *w, const char **s)
{
	size_t n = w->out ? strlen(*s) : 0;

	bytes(w, s, &n);
}

/* Room for the elements that are announced; when writing what is there. */
static void *array(struct wire *w, void *v, size_t *n, size_t each)
{
	size(w, n);
	return w->out ? v : arena_array(w->a, *n + 1, each);
}

static void strings(struct wire *w, struct strings *s)
{
	s->v = array(w, s->v, &s->n, sizeof(*s->v));
	for (size_t i = 0; i < s->n; i++)
		word(w, &s->v[i]);
}

static void address(struct wire *w, struct address *a)
{
	word(w, &a->name);
	word(w, &a->address);
}

static void addresses(struct wire *w, struct addresses *list)
{
	list->v = array(w, list->v, &list->n, sizeof(*list->v));
	for (size_t i = 0; i < list->n; i++)
		address(w, &list->v[i]);
}

static void lines(struct wire *w, struct message *m)
{
	m->line = array(w, m->line, &m->nline, sizeof(*m->line));
	for (size_t i = 0; i < m->nline; i++) {
		struct line *l = &m->line[i];

		l->kind = (enum line_kind)choice(w, l->kind, LINE_PGP);
		raw(w, &l->depth, sizeof(l->depth));
		count(w, &l->number);
		bytes(w, &l->text, &l->len);
	}
}

static bool is_hex(const char *s)
{
	return strspn(s, "0123456789abcdef") == strlen(s);
}

static void patch(struct wire *w, struct patch *p)
{
	const char *id = p->id;

	flag(w, &p->attached);
	wire_text(w, &p->name);
	strings(w, &p->files);
	p->verdict = (enum patch_verdict)choice(w, p->verdict, PATCH_BINARY);
	count(w, &p->line);
	word(w, &p->text);
	wire_text(w, &p->whole);
	wire_text(w, &p->subject);
	wire_text(w, &p->author);
	word(w, &id);
	w->bad |= strlen(id) >= sizeof(p->id) || !is_hex(id);
	if (!w->out && !w->bad)
		memcpy(p->id, id, strlen(id) + 1);
}

static void parts(struct wire *w, struct message *m)
{
	m->part = array(w, m->part, &m->npart, sizeof(*m->part));
	for (size_t i = 0; i < m->npart; i++) {
		word(w, &m->part[i].type);
		wire_text(w, &m->part[i].name);
		flag(w, &m->part[i].text_body);
		count(w, &m->part[i].size);
	}
}

static void headers(struct wire *w, struct message *m)
{
	m->header = array(w, m->header, &m->nheader, sizeof(*m->header));
	for (size_t i = 0; i < m->nheader; i++) {
		word(w, &m->header[i].name);
		word(w, &m->header[i].value);
	}
}

void wire_message(struct wire *w, struct message *m)
{
	word(w, &m->message_id);
	strings(w, &m->in_reply_to);
	strings(w, &m->references);
	address(w, &m->from);
	addresses(w, &m->to);
	addresses(w, &m->cc);
	addresses(w, &m->reply_to);
	addresses(w, &m->sender);
	word(w, &m->subject);
	number(w, &m->date);
	wire_text(w, &m->list_id);
	flag(w, &m->automatic);
	word(w, &m->body);
	flag(w, &m->body_nul);
	flag(w, &m->body_cut);
	lines(w, m);
	word(w, &m->new_text);
	m->patch = array(w, m->patch, &m->npatch, sizeof(*m->patch));
	for (size_t i = 0; i < m->npatch; i++)
		patch(w, &m->patch[i]);
	parts(w, m);
	headers(w, m);
}

static void request(struct wire *w, struct request *r)
{
	const char **const field[] = {
		&r->url, &r->msgid, &r->tree, &r->branch, &r->commit, &r->base,
		&r->scope, &r->title, &r->version, &r->revert,
	};
	int64_t runs = r->count;

	r->kind = (enum request_kind)choice(w, r->kind, REQUEST_HELP);
	raw(w, &r->confidence, sizeof(r->confidence));
	w->bad |= !(r->confidence >= 0 && r->confidence <= 1);
	wire_text(w, &r->evidence);
	wire_text(w, &r->rule);
	count(w, &r->line);
	r->patch = (enum patch_source)choice(w, r->patch, PATCH_FROM_THREAD);
	for (size_t i = 0; i < sizeof(field) / sizeof(*field); i++)
		wire_text(w, field[i]);
	r->param = array(w, r->param, &r->nparam, sizeof(*r->param));
	for (size_t i = 0; i < r->nparam; i++) {
		word(w, &r->param[i].key);
		word(w, &r->param[i].value);
	}
	number(w, &runs);
	w->bad |= runs < 0 || runs > INT32_MAX;
	r->count = w->bad ? 0 : (int)runs;
	flag(w, &r->series);
}

void wire_requests(struct wire *w, struct requests *r)
{
	r->request = array(w, r->request, &r->n, sizeof(*r->request));
	for (size_t i = 0; i < r->n; i++)
		request(w, &r->request[i]);
}
