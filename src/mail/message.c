#include "mail/message.h"

#include <string.h>
#include <strings.h>

#include <gmime/gmime.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/utf8.h"
#include "mail/address.h"
#include "mail/date.h"
#include "mail/header.h"
#include "mail/lines.h"
#include "mail/mime.h"
#include "mail/msgid.h"
#include "mail/patch.h"
#include "mail/text.h"

#define ATTACHMENT_MAX ((size_t)16 * 1024 * 1024)	/* looked into */
#define BLANK_MAX 4096		/* bytes of a part that may be blank */

const char *message_header(const struct message *m, const char *name)
{
	for (size_t i = 0; i < m->nheader; i++)
		if (!strcasecmp(m->header[i].name, name))
			return m->header[i].value;
	return NULL;
}

const char *message_parent(const struct message *m)
{
	const struct strings *up = m->in_reply_to.n ? &m->in_reply_to
						    : &m->references;

	return up->n ? up->v[up->n - 1] : "";
}

static void add_string(struct arena *a, struct strings *s, size_t *cap,
		       const char *text)
{
	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->v[i], text))
			return;
	s->v = arena_grow(a, s->v, cap, s->n + 1, sizeof(*s->v));
	s->v[s->n++] = text;
}

/* Is there nothing but ids, or at least what has an "@", in it? */
static bool is_list_of_ids(const char *value)
{
	for (size_t n; *value; value += n) {
		value += strspn(value, " \t,;");
		n = strcspn(value, " \t,;");
		if (n && !memchr(value, '@', n))
			return false;
	}
	return true;
}

/*
 * The ids of one header.  Some mailers encode even these (RFC 2047 5 forbids
 * it), some leave the brackets out.
 */
static void read_ids(struct message *m, struct strings *out,
		     const struct header_block *f, const char *name)
{
	const char *value = header_block_get(f, name), *pos;
	struct buf id = BUF_INIT(MSGID_MAX + 1);
	size_t cap = 0;
	bool bare;

	if (!value)
		return;
	value = words_decode(&m->arena, value, strlen(value));
	for (pos = value; out->n < MSGIDS_MAX && msgid_next(&pos, &id);)
		add_string(&m->arena, out, &cap, arena_strdup(&m->arena, id.s));
	bare = !out->n && is_list_of_ids(value);
	for (pos = value; (!out->n || bare) && out->n < MSGIDS_MAX &&
			  msgid_next_bare(&pos, &id);)
		add_string(&m->arena, out, &cap, arena_strdup(&m->arena, id.s));
	buf_release(&id);
}

static void read_addresses(struct message *m, struct addresses *out,
			   const struct header_block *f, const char *name)
{
	struct addresses one;
	struct address *v;
	size_t n = 0;

	/* More than one To or Cc is against RFC 5322 3.6 and happens. */
	*out = (struct addresses){ .v = NULL };
	for (size_t i = 0; i < f->n; i++) {
		if (strcasecmp(f->v[i].name, name))
			continue;
		addresses_read(&one, &m->arena, f->v[i].value);
		if (!one.n || n + one.n > ADDRESSES_MAX)
			continue;
		v = arena_array(&m->arena, n + one.n, sizeof(*v));
		if (n)
			memcpy(v, out->v, n * sizeof(*v));
		memcpy(v + n, one.v, one.n * sizeof(*v));
		n += one.n;
		*out = (struct addresses){ v, n };
	}
}

static void read_list_id(struct message *m, const struct header_block *f)
{
	const char *value = header_block_get(f, "List-Id"), *open, *close;

	if (!value)
		return;
	value = words_decode(&m->arena, value, strlen(value));
	open = strrchr(value, '<');
	close = open ? strchr(open, '>') : NULL;
	m->list_id = close ? arena_strndup(&m->arena, open + 1,
					   (size_t)(close - open) - 1) : value;
}

static void read_header_list(struct message *m, const struct header_block *f)
{
	m->header = arena_array(&m->arena, f->n, sizeof(*m->header));
	m->nheader = f->n;
	for (size_t i = 0; i < f->n; i++)
		m->header[i] = (struct header){
			.name = f->v[i].name,
			.value = words_decode(&m->arena, f->v[i].value,
					      f->v[i].len),
		};
}

static void read_fields(struct message *m, const struct header_block *f)
{
	struct strings ids = { .v = NULL };
	struct addresses from;
	const char *s;

	read_header_list(m, f);
	read_ids(m, &ids, f, "Message-ID");
	m->message_id = ids.n ? ids.v[0] : "";
	read_ids(m, &m->in_reply_to, f, "In-Reply-To");
	read_ids(m, &m->references, f, "References");
	read_addresses(m, &from, f, "From");
	m->from = from.n ? from.v[0] : (struct address){ "", "" };
	read_addresses(m, &m->to, f, "To");
	read_addresses(m, &m->cc, f, "Cc");
	read_addresses(m, &m->reply_to, f, "Reply-To");
	read_addresses(m, &m->sender, f, "Sender");
	s = message_header(m, "Subject");
	m->subject = s ? s : "";
	s = message_header(m, "Date");
	m->date = s ? date_read(s) : DATE_NONE;
	read_list_id(m, f);
}

static bool value_is(const struct header_block *f, const char *name,
		     const char *prefix)
{
	const char *v = header_block_get(f, name);

	return v && !strncasecmp(v, prefix, strlen(prefix));
}

/* Also with a "+detail". */
static bool local_part_is(const char *address, const char *name)
{
	size_t n = strlen(name);

	return !strncasecmp(address, name, n) &&
	       (address[n] == '@' || address[n] == '+');
}

/* "<>", also with blanks in it. */
static bool has_null_return_path(const struct header_block *f)
{
	const char *v = header_block_get(f, "Return-Path");

	return v && strchr(v, '<') && !v[strspn(v, " \t<>")];
}

/* Subjects of those who are away, in the words of their mailers: Outlook's by
 * language, then others'. */
static bool subject_is_automatic(const char *subject)
{
	static const char *const start[] = {
		"Automatic reply:", "Automatische Antwort:",
		"R\xc3\xa9ponse automatique", "Respuesta autom\xc3\xa1tica:",
		"Risposta automatica:", "Resposta autom\xc3\xa1tica:",
		"Automatisch antwoord:", "Automatiskt svar:", "Autosvar:",
		"Automaattinen vastaus:", "Odpowied\xc5\xba automatyczna:",
		"Automatick\xc3\xa1 odpov\xc4\x9b\xc4\x8f:",
		"\xd0\x90\xd0\xb2\xd1\x82\xd0\xbe\xd0\xbc\xd0\xb0\xd1\x82"
		"\xd0\xb8\xd1\x87\xd0\xb5\xd1\x81\xd0\xba\xd0\xb8\xd0\xb9 "
		"\xd0\xbe\xd1\x82\xd0\xb2\xd0\xb5\xd1\x82:",
		"\xe8\x87\xaa\xe5\x8a\xa8\xe7\xad\x94\xe5\xa4\x8d",
		"\xe8\x87\xaa\xe5\x8b\x95\xe5\xbf\x9c\xe7\xad\x94",
		"Out of Office", "Out of the office", "Auto-reply:",
		"Auto reply:", "Autoreply:", "Vacation:", "Abwesenheitsnotiz",
	};

	for (size_t i = 0; i < sizeof(start) / sizeof(start[0]); i++)
		if (!strncasecmp(subject, start[i], strlen(start[i])))
			return true;
	return false;
}

/*
 * Did no person write this?  RFC 3834 and what robots do instead of it.
 * Precedence "list" or "bulk" says how it came, not who wrote it.
 */
static bool is_automatic(const struct message *m, const struct mime_part *top)
{
	static const char *const robots[] = {
		"mailer-daemon", "postmaster", "noreply", "no-reply",
		"donotreply", "do-not-reply", "bounces", "syzbot", "regzbot",
		"patchwork-bot",
	};
	static const char *const marks[] = {
		"X-Auto-Response-Suppress", "X-Autoreply", "X-Autorespond",
		"X-Autogenerated", "X-Failed-Recipients", "X-MS-Exchange-"
		"Inbox-Rules-Loop", "Robot-ID", "X-Auto-Reply-From",
		"X-Autoreply-From", "X-MS-Exchange-Message-Is-Ndr",
	};
	const struct header_block *f = &top->fields;

	if (header_block_get(f, "Auto-Submitted") &&
	    !value_is(f, "Auto-Submitted", "no"))
		return true;
	if (has_null_return_path(f) ||
	    !strcmp(top->type, "multipart/report") ||
	    value_is(f, "Precedence", "auto") ||	/* auto_reply, -reply */
	    value_is(f, "Precedence", "junk") ||	/* vacation(1) */
	    value_is(f, "From", "MAILER-DAEMON"))	/* "<>" is no address */
		return true;
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (header_block_get(f, marks[i]))
			return true;
	for (size_t i = 0; i < sizeof(robots) / sizeof(robots[0]); i++)
		if (local_part_is(m->from.address, robots[i]))
			return true;
	return subject_is_automatic(m->subject);
}

/* The state of one reading. */
struct reading {
	struct message *m;
	struct mime mime;
	struct buf body;
	size_t patch_cap;
	bool *body_part;	/* by index into mime */
};

static bool name_is_patch(const char *name)
{
	static const char *const end[] = {
		".patch", ".diff", ".patch.txt", ".diff.txt", ".patch.gz",
		".diff.gz", ".mbox", ".eml",
	};
	size_t n = name ? strlen(name) : 0, k;

	for (size_t i = 0; i < sizeof(end) / sizeof(end[0]); i++) {
		k = strlen(end[i]);
		if (n > k && !strcasecmp(name + n - k, end[i]))
			return true;
	}
	return false;
}

static bool type_is_patch(const char *type)
{
	return !strcmp(type, "text/x-patch") || !strcmp(type, "text/x-diff") ||
	       !strcmp(type, "text/patch") || !strcmp(type, "text/diff") ||
	       !strcmp(type, "application/x-patch");
}

/* Text that nobody wrote to be read in a mail.  What is unknown is read as
 * plain text (RFC 2046 4.1.4). */
static bool type_is_no_prose(const char *type)
{
	static const char *const of[] = {
		"calendar", "css", "csv", "directory", "javascript",
		"rfc822-headers", "vcard", "x-amp-html", "x-vcard", "xml",
	};

	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++)
		if (!strcmp(type, of[i]))
			return true;
	return false;
}

/* Does the text go into the body?  An attached or named one does not. */
static bool is_body_text(const struct mime_part *p)
{
	if (p->embedded || p->attachment || mime_is_container(p))
		return false;
	if (p->bare)
		return true;
	if (strncmp(p->type, "text/", 5) || type_is_patch(p->type) ||
	    type_is_no_prose(p->type + 5))
		return false;
	return !p->name || (!name_is_patch(p->name) &&
			    !strcmp(p->type, "text/plain"));
}

/* Decoded content with LF line ends and UTF-8; returns: held a NUL. */
static bool part_text(struct buf *out, const struct mime_part *p)
{
	struct buf bytes = BUF_INIT(p->content.len * 3 + 64);
	struct buf text = BUF_INIT(MAIL_BODY_MAX);
	bool nul;

	transfer_decode(&bytes, p->encoding, p->content.s, p->content.len);
	charset_decode(&text, p->charset, bytes.s, bytes.len);
	buf_release(&bytes);
	nul = text_normalise(out, text.s, text.len);
	if (buf_over(&text))
		out->over = true;
	buf_release(&text);
	return nul;
}

/* Undo the dash escapes of clear-signed text (RFC 4880 7.1), for reading. */
static void pgp_unescape(struct buf *out, const char *s, size_t len)
{
	struct slice rest = { s, len }, line;
	bool inside = false;

	while (slice_line(&rest, &line)) {
		if (slice_starts(line, "-----BEGIN PGP SIGNED MESSAGE-----"))
			inside = true;
		else if (slice_starts(line, "-----BEGIN PGP SIGNATURE-----"))
			inside = false;
		else if (inside && slice_starts(line, "- "))
			line = (struct slice){ line.s + 2, line.len - 2 };
		buf_add(out, line.s, line.len);
		buf_addch(out, '\n');
	}
}

static void add_body(struct reading *r, const struct mime_part *p)
{
	struct buf text = BUF_INIT(MAIL_BODY_MAX), other = BUF_INIT(MAIL_BODY_MAX);

	r->m->body_nul |= part_text(&text, p);
	if (!strcmp(p->type, "text/html"))
		html_text(&other, text.s, text.len);
	else if (p->flowed)
		flowed_decode(&other, text.s, text.len, p->delsp);
	else if (strstr(text.s, "-----BEGIN PGP SIGNED MESSAGE-----"))
		pgp_unescape(&other, text.s, text.len);
	else
		other = text;
	if (r->body.len && r->body.s[r->body.len - 1] != '\n')
		buf_addch(&r->body, '\n');
	buf_add(&r->body, other.s, other.len);
	r->m->body_cut |= buf_over(&text) || buf_over(&other) ||
			  buf_over(&r->body);
	if (other.s != text.s)
		buf_release(&other);
	buf_release(&text);
}

/* Is part "i" within part "top"? */
static bool is_within(const struct mime *m, size_t i, size_t top)
{
	while (i > top)
		i = m->v[i].parent;
	return i == top;
}

/* Is there nothing to read in it?  A long one holds something. */
static bool part_is_blank(const struct mime_part *p)
{
	struct buf text = BUF_INIT(MAIL_BODY_MAX);
	bool blank = p->content.len < BLANK_MAX;
	struct slice rest, line;

	if (blank)
		part_text(&text, p);
	rest = (struct slice){ text.s, text.len };
	while (blank && slice_line(&rest, &line))
		blank = slice_is_blank(line);
	buf_release(&text);
	return blank;
}

/*
 * The part of a multipart/alternative to read: the last plain text with
 * anything in it, else what there is of HTML.  All other text parts of it
 * are no body.
 */
static void choose_alternative(struct reading *r, size_t top)
{
	const struct mime *m = &r->mime;
	bool plain = false;

	for (size_t i = top + 1; i < m->n && is_within(m, i, top); i++)
		plain |= r->body_part[i] &&
			 !strcmp(m->v[i].type, "text/plain") &&
			 !part_is_blank(&m->v[i]);
	for (size_t i = top + 1; i < m->n && is_within(m, i, top); i++)
		if (r->body_part[i])
			r->body_part[i] = plain ==
				!strcmp(m->v[i].type, "text/plain");
}

static void choose_body(struct reading *r)
{
	const struct mime *m = &r->mime;

	r->body_part = arena_alloc(&r->m->arena, m->n);
	for (size_t i = 0; i < m->n; i++)
		r->body_part[i] = is_body_text(&m->v[i]);
	for (size_t i = 0; i < m->n; i++)
		if (!strcmp(m->v[i].type, "multipart/alternative") &&
		    !m->v[i].embedded)
			choose_alternative(r, i);
}

/* All diffs of an attached text; a mailbox of patches gives one a mail. */
static void patches_in(struct reading *r, const char *name, const char *text,
		       size_t len)
{
	struct message *m = r->m;
	struct line *v;
	struct patch one;
	size_t n = lines_split(&v, &m->arena, text, len), from = 0, step;

	for (size_t i = 0; i < n && m->npatch < PATCHES_MAX; i += step) {
		step = patch_read(&one, &m->arena, v, n, i);
		if (!step) {
			step = 1;
			continue;
		}
		one.attached = true;
		one.name = name;
		patch_preamble(&one, &m->arena, v, from, i);
		if (one.subject || one.author)
			one.whole = text;
		m->patch = arena_grow(&m->arena, m->patch, &r->patch_cap,
				      m->npatch + 1, sizeof(*m->patch));
		m->patch[m->npatch++] = one;
		from = i + step;
	}
}

static bool may_hold_patch(const struct mime_part *p)
{
	/* The body of an external one is a phantom (RFC 2046 5.2.3). */
	if (mime_is_container(p) || !strcmp(p->type, "text/html") ||
	    !strcmp(p->type, "message/external-body"))
		return false;
	return type_is_patch(p->type) || name_is_patch(p->name) ||
	       !strncmp(p->type, "text/", 5) ||
	       !strncmp(p->type, "application/", 12) ||
	       !strncmp(p->type, "message/", 8);
}

/* May there be a diff in these bytes?  In UTF-16, as a shell of Windows writes
 * files, its words cannot be seen yet. */
static bool bytes_may_hold_patch(const struct buf *b, const char *charset)
{
	return memmem(b->s, b->len, "diff -", 6) ||
	       memmem(b->s, b->len, "\n+++ ", 5) ||
	       charset_is_wide(charset, b->s, b->len);
}

/* Look for diffs in a part that is no body. */
static void read_attachment(struct reading *r, const struct mime_part *p)
{
	struct buf bytes = BUF_INIT(ATTACHMENT_MAX);
	struct buf plain = BUF_INIT(ATTACHMENT_MAX);
	struct buf text = BUF_INIT(ATTACHMENT_MAX);
	struct arena *a = &r->m->arena;

	if (p->content.len / 2 > ATTACHMENT_MAX)
		return;
	transfer_decode(&bytes, p->encoding, p->content.s, p->content.len);
	if (gzip_decode(&plain, bytes.s, bytes.len) == -1) {
		buf_reset(&plain);
		buf_add(&plain, bytes.s, bytes.len);
	}
	if (bytes_may_hold_patch(&plain, p->charset)) {
		buf_reset(&bytes);
		charset_decode(&bytes, p->charset, plain.s, plain.len);
		text_normalise(&text, bytes.s, bytes.len);
		patches_in(r, p->name, arena_strndup(a, text.s, text.len),
			   text.len);
	}
	buf_release(&bytes);
	buf_release(&plain);
	buf_release(&text);
}

static void list_parts(struct reading *r)
{
	struct message *m = r->m;

	m->part = arena_array(&m->arena, r->mime.n, sizeof(*m->part));
	for (size_t i = 0; i < r->mime.n; i++) {
		const struct mime_part *p = &r->mime.v[i];
		size_t size = p->content.len;

		if (mime_is_container(p))
			continue;
		if (p->encoding && !strcasecmp(p->encoding, "base64"))
			size = size / 4 * 3;
		m->part[m->npart++] = (struct part){
			.type = p->type, .name = p->name,
			.text_body = r->body_part[i], .size = size,
		};
	}
}

/* Past a byte order mark, empty lines and mbox's "From " line. */
static struct slice skip_junk(struct slice s)
{
	struct slice rest = s, line;

	if (slice_starts(rest, "\xef\xbb\xbf"))
		rest = (struct slice){ rest.s + 3, rest.len - 3 };
	for (;;) {
		struct slice next = rest;

		if (!slice_line(&next, &line) ||
		    (line.len && !slice_starts(line, "From ") &&
		     !slice_starts(line, ">From ")))
			return rest;
		rest = next;
	}
}

/* Line ends of a Mac of old: no LF in all of it. */
static struct slice cr_to_lf(struct arena *a, struct slice s)
{
	char *to;

	if (memchr(s.s, '\n', s.len) || !memchr(s.s, '\r', s.len))
		return s;
	to = arena_strndup(a, s.s, s.len);
	for (size_t i = 0; i < s.len; i++)
		if (to[i] == '\r')
			to[i] = '\n';
	return (struct slice){ to, s.len };
}

static void read_parts(struct reading *r)
{
	struct message *m = r->m;

	for (size_t i = 0; i < r->mime.n; i++)
		if (r->body_part[i])
			add_body(r, &r->mime.v[i]);
	m->body = arena_strndup(&m->arena, r->body.s, r->body.len);
	lines_read(m);
	r->patch_cap = m->npatch;
	for (size_t i = 0; i < r->mime.n; i++)
		if (!r->body_part[i] && may_hold_patch(&r->mime.v[i]))
			read_attachment(r, &r->mime.v[i]);
	list_parts(r);
}

/* Start "m" with the bytes that are worth reading, in "s". */
static int begin(struct message *m, struct slice *s, const void *bytes,
		 size_t len, struct err *err)
{
	*m = (struct message){ .arena = ARENA_INIT, .body = "",
			       .new_text = "" };
	if (len > MAIL_MAX)
		return err_set(err, ERR_INPUT,
			       "message of %zu bytes, %zu are the limit", len,
			       MAIL_MAX);
	*s = cr_to_lf(&m->arena, skip_junk((struct slice){ bytes, len }));
	return 0;
}

int message_read_header(struct message *m, const void *bytes, size_t len,
			struct err *err)
{
	struct mime mime;
	struct slice s;

	if (begin(m, &s, bytes, len, err) == -1)
		return -1;
	mime_read_top(&mime, &m->arena, s.s, s.len);
	read_fields(m, &mime.v[0].fields);
	m->automatic = is_automatic(m, &mime.v[0]);
	return 0;
}

int message_read(struct message *m, const void *bytes, size_t len,
		 struct err *err)
{
	struct reading r = { .m = m, .body = BUF_INIT(MAIL_BODY_MAX) };
	struct slice s;

	if (begin(m, &s, bytes, len, err) == -1)
		return -1;
	mime_read(&r.mime, &m->arena, s.s, s.len);
	read_fields(m, &r.mime.v[0].fields);
	m->automatic = is_automatic(m, &r.mime.v[0]);
	choose_body(&r);
	read_parts(&r);
	buf_release(&r.body);
	return 0;
}

void message_release(struct message *m)
{
	arena_release(&m->arena);
	*m = (struct message){ .arena = ARENA_INIT };
}

const char *line_kind_name(enum line_kind k)
{
	static const char *const name[] = {
		[LINE_NEW] = "new", [LINE_QUOTED] = "quoted",
		[LINE_ATTRIBUTION] = "attribution",
		[LINE_SIGNATURE] = "signature", [LINE_FOOTER] = "footer",
		[LINE_PATCH] = "patch", [LINE_PGP] = "pgp",
	};

	return name[k];
}
