#include "mail/mime.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include <gmime/gmime.h>

/* A part that was found and is not read yet. */
struct pending {
	struct slice s;
	size_t parent;
	int depth;
	bool embedded;
	const char *type;	/* what it is when it does not say */
};

struct walk {
	struct mime *m;
	struct arena *a;
	size_t cap;
	struct pending *todo;	/* a stack */
	size_t ntodo, todo_cap;
};

static const char *lower(struct arena *a, const char *s)
{
	char *t = arena_strdup(a, s);

	for (char *p = t; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return t;
}

static const char *param(struct arena *a, GMimeParamList *list,
			 const char *name)
{
	GMimeParam *p = g_mime_param_list_get_parameter(list, name);
	const char *v = p ? g_mime_param_get_value(p) : NULL;

	/* Values of a 2231 parameter are decoded, those of others may hold
	 * encoded-words against the rules; both may hold other bytes. */
	return v ? words_decode(a, v, strlen(v)) : NULL;
}

/* A type that says nothing ("text", "", "foo bar") is text (RFC 2045 5.2). */
static bool type_is_sound(const char *value)
{
	const char *slash = strchr(value, '/');

	return slash && slash > value && !isspace((unsigned char)slash[1]) &&
	       slash[1] && slash[1] != ';';
}

/* What the parameters of a Content-Type mean to us. */
static void set_param(struct mime_part *p, const char *name,
		      const char *value)
{
	if (!strcasecmp(name, "charset"))
		p->charset = value;
	else if (!strcasecmp(name, "name"))
		p->name = value;
	else if (!strcasecmp(name, "boundary"))
		p->boundary = value;
	else if (!strcasecmp(name, "report-type"))
		p->report_type = value;
	else if (!strcasecmp(name, "format"))
		p->flowed = !strcasecmp(value, "flowed");
	else if (!strcasecmp(name, "delsp"))
		p->delsp = !strcasecmp(value, "yes");
}

/* Of RFC 2231, RFC 2047 and all their abuse, GMime knows more than we. */
static void read_type_with_care(struct mime_part *p, struct arena *a,
				const char *value)
{
	static const char *const names[] = {
		"charset", "name", "boundary", "report-type", "format",
		"delsp",
	};
	GMimeContentType *t = g_mime_content_type_parse(NULL, value);
	GMimeParamList *list = g_mime_content_type_get_parameters(t);
	char *name = g_mime_content_type_get_mime_type(t);
	const char *v;

	p->type = lower(a, name);
	g_free(name);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if ((v = param(a, list, names[i])))
			set_param(p, names[i], v);
	g_object_unref(t);
}

static const char *skip_blanks(const char *s)
{
	return s + strspn(s, " \t");
}

/* One "; name=value" with a plain or simply quoted value; NULL: another. */
static const char *simple_param(struct mime_part *p, struct arena *a,
				const char *s)
{
	static const char token[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"abcdefghijklmnopqrstuvwxyz0123456789-_.+'=/:,";
	const char *name, *value;
	size_t n, len;

	s = skip_blanks(s + 1);
	n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-");
	if (!n || s[n] != '=')
		return NULL;
	name = arena_strndup(a, s, n);
	value = s + n + 1;
	if (*value == '"') {
		value++;
		len = strspn(value, token);
		len += value[len] == ' ' ? strcspn(value + len, "\"\\=?") : 0;
		s = value + len + 1;
		if (value[len] != '"')
			return NULL;
	} else {
		len = strspn(value, token);
		s = value + len;
		if (!len)
			return NULL;
	}
	set_param(p, name, arena_strndup(a, value, len));
	return skip_blanks(s);
}

/* The plain case, which is nearly every one. */
static bool read_simple_type(struct mime_part *p, struct arena *a,
			     const char *value)
{
	struct mime_part before = *p;
	size_t n = strspn(value, "abcdefghijklmnopqrstuvwxyz"
			  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+./");
	const char *s = skip_blanks(value + n);

	p->type = lower(a, arena_strndup(a, value, n));
	while (s && *s == ';' && *skip_blanks(s + 1))
		s = simple_param(p, a, s);
	if (s && (!*s || *s == ';'))
		return true;
	*p = before;
	return false;
}

static void read_type(struct mime_part *p, struct arena *a)
{
	const char *value = header_block_get(&p->fields, "Content-Type");

	if (value && type_is_sound(value) && !read_simple_type(p, a, value))
		read_type_with_care(p, a, value);
}

static void read_disposition(struct mime_part *p, struct arena *a)
{
	const char *value = header_block_get(&p->fields, "Content-Disposition");
	GMimeContentDisposition *d;
	const char *name;

	if (!value)
		return;
	d = g_mime_content_disposition_parse(NULL, value);
	p->attachment = g_mime_content_disposition_is_attachment(d);
	name = param(a, g_mime_content_disposition_get_parameters(d),
		     "filename");
	if (name)
		p->name = name;
	g_object_unref(d);
}

/* "base64 (comment)", "(comment) Quoted-Printable;": the first word. */
static void read_encoding(struct mime_part *p, struct arena *a)
{
	const char *v = header_block_get(&p->fields, "Content-Transfer-Encoding");

	if (v && *v == '(' && strchr(v, ')'))
		v = skip_blanks(strchr(v, ')') + 1);
	if (v)
		p->encoding = arena_strndup(a, v, strcspn(v, " \t;("));
}

bool mime_is_container(const struct mime_part *p)
{
	if (p->depth >= MIME_DEPTH_MAX)
		return false;
	if (!strncmp(p->type, "multipart/", 10))
		return !p->bare;
	return !strcmp(p->type, "message/rfc822") ||
	       !strcmp(p->type, "message/global");
}

static struct mime_part *add_part(struct walk *w, const struct pending *from)
{
	struct mime_part *p;
	size_t body;

	w->m->v = arena_grow(w->a, w->m->v, &w->cap, w->m->n + 1,
			     sizeof(*w->m->v));
	p = &w->m->v[w->m->n++];
	*p = (struct mime_part){ .type = from->type, .parent = from->parent,
				 .depth = from->depth,
				 .embedded = from->embedded };
	body = header_block_read(&p->fields, w->a, from->s.s, from->s.len);
	p->content = (struct slice){ from->s.s + body, from->s.len - body };
	read_type(p, w->a);
	p->bare = !strncmp(p->type, "multipart/", 10) &&
		  (!p->boundary || !*p->boundary);
	read_disposition(p, w->a);
	read_encoding(p, w->a);
	return p;
}

static void push(struct walk *w, const struct pending *p)
{
	w->todo = arena_grow(w->a, w->todo, &w->todo_cap, w->ntodo + 1,
			     sizeof(*w->todo));
	w->todo[w->ntodo++] = *p;
}

enum boundary { BOUNDARY_NONE, BOUNDARY_NEXT, BOUNDARY_LAST };

static enum boundary boundary_is(struct slice line, const char *boundary)
{
	size_t n = strlen(boundary);
	struct slice rest;

	if (line.len < n + 2 || line.s[0] != '-' || line.s[1] != '-' ||
	    memcmp(line.s + 2, boundary, n))
		return BOUNDARY_NONE;
	rest = (struct slice){ line.s + 2 + n, line.len - 2 - n };
	if (slice_is_blank(rest))
		return BOUNDARY_NEXT;
	return slice_starts(rest, "--") ? BOUNDARY_LAST : BOUNDARY_NONE;
}

/* The line end before a boundary belongs to it (RFC 2046 5.1.1). */
static struct slice up_to(const char *start, const char *boundary_line)
{
	size_t n = (size_t)(boundary_line - start);

	if (n && start[n - 1] == '\n')
		n--;
	if (n && start[n - 1] == '\r')
		n--;
	return (struct slice){ start, n };
}

/* Push the children of a multipart, in their order.  False: it has none, its
 * boundary stands nowhere. */
static bool split(struct walk *w, struct pending *child,
		  const struct mime_part *p)
{
	struct slice rest = p->content, line;
	const char *start = NULL;
	bool found = w->ntodo + w->m->n >= MIME_PARTS_MAX;
	enum boundary b;

	while (w->ntodo + w->m->n < MIME_PARTS_MAX &&
	       slice_line(&rest, &line)) {
		b = boundary_is(line, p->boundary);
		if (b == BOUNDARY_NONE)
			continue;
		found = true;
		if (start) {
			child->s = up_to(start, line.s);
			push(w, child);
		}
		start = b == BOUNDARY_NEXT ? rest.s : NULL;
		if (!start)
			return true;
	}
	if (start) {	/* the last boundary is missing */
		child->s = up_to(start, rest.s);
		child->s.len = (size_t)(p->content.s + p->content.len - start);
		push(w, child);
	}
	return found;
}

static void reverse(struct pending *v, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		struct pending t = v[i];

		v[i] = v[n - 1 - i];
		v[n - 1 - i] = t;
	}
}

static void open_part(struct walk *w, size_t index)
{
	struct mime_part *p = &w->m->v[index];
	struct pending child = { .parent = index, .depth = p->depth + 1,
				 .embedded = p->embedded,
				 .type = "text/plain" };
	size_t before = w->ntodo;

	if (!strncmp(p->type, "message/", 8)) {
		/* An encoded one is against RFC 2046 5.2.1: its reader
		 * decodes it. */
		if (p->encoding && (!strcasecmp(p->encoding, "base64") ||
		    !strcasecmp(p->encoding, "quoted-printable")))
			return;
		child.embedded = true;
		child.s = p->content;
		push(w, &child);
		return;
	}
	if (!strcmp(p->type, "multipart/digest"))
		child.type = "message/rfc822";
	/* A list or a gateway rewrote one of the two: what was meant for
	 * people can be read all the same. */
	p->bare = !split(w, &child, p);
	reverse(w->todo + before, w->ntodo - before);
}

void mime_read_top(struct mime *m, struct arena *a, const char *s, size_t len)
{
	struct walk w = { .m = m, .a = a };
	struct pending first = { .s = { s, len }, .type = "text/plain" };

	g_mime_init();		/* counts; the first call does the work */
	*m = (struct mime){ .v = NULL };
	add_part(&w, &first);
}

void mime_read(struct mime *m, struct arena *a, const char *s, size_t len)
{
	struct walk w = { .m = m, .a = a };
	struct pending first = { .s = { s, len }, .type = "text/plain" }, next;

	g_mime_init();
	*m = (struct mime){ .v = NULL };
	push(&w, &first);
	while (w.ntodo && m->n < MIME_PARTS_MAX) {
		next = w.todo[--w.ntodo];
		add_part(&w, &next);
		if (mime_is_container(&m->v[m->n - 1]))
			open_part(&w, m->n - 1);
	}
}
