#include "mail/write.h"

#include <gmime/gmime.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/utf8.h"
#include "mail/check.h"
#include "mail/encode.h"
#include "mail/id.h"

enum { PLAIN_LINE_MAX = 990 };	/* RFC 5322 2.1.1 says 998 */

static int check_addresses(const struct addresses *list, const char *header,
			   struct err *err)
{
	for (size_t i = 0; i < list->n; i++)
		if (header_value(list->v[i].name, err) == -1 ||
		    address_check(list->v[i].address, err) == -1)
			return err_in(err, "%s", header);
	return 0;
}

/* Headers that the letter has members for, or that only servers add. */
static bool is_taken(const char *name)
{
	static const char *const taken[] = {
		"From", "To", "Cc", "Bcc", "Reply-To", "Sender", "Subject",
		"Date", "Message-ID", "In-Reply-To", "References",
		"MIME-Version", "Return-Path", "Received", "DKIM-Signature",
		"Authentication-Results",
	};

	for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++)
		if (!strcasecmp(name, taken[i]))
			return true;
	return !strncasecmp(name, "Content-", 8) ||
	       !strncasecmp(name, "Resent-", 7);
}

static int check_fields(const struct letter *l, struct err *err)
{
	for (size_t i = 0; i < l->nfield; i++) {
		const struct field *f = &l->field[i];

		if (header_name(f->name, err) == -1)
			return -1;
		if (is_taken(f->name))
			return err_set(err, ERR_INPUT, "'%s' is no header to "
				       "add", f->name);
		if (header_value(f->value, err) == -1)
			return err_in(err, "%s", f->name);
	}
	return 0;
}

static int check_ids(const struct letter *l, struct err *err)
{
	if (msgid_check(l->message_id, err) == -1)
		return err_in(err, "Message-ID");
	if (l->in_reply_to && msgid_check(l->in_reply_to, err) == -1)
		return err_in(err, "In-Reply-To");
	for (size_t i = 0; i < l->references.n; i++)
		if (msgid_check(l->references.v[i], err) == -1)
			return err_in(err, "References");
	return 0;
}

static int check_attachments(const struct letter *l, struct err *err)
{
	for (size_t i = 0; i < l->nattachment; i++) {
		const struct attachment *a = &l->attachment[i];

		if (!*a->name || strchr(a->name, '/'))
			return err_set(err, ERR_INPUT, "'%s' is no name for an "
				       "attachment", a->name);
		if (header_value(a->name, err) == -1 ||
		    header_value(a->type, err) == -1)
			return err_in(err, "attachment %zu", i + 1);
	}
	return 0;
}

static int check(const struct letter *l, struct err *err)
{
	const struct addresses from = { (struct address *)(uintptr_t)&l->from,
					1 };
	const int64_t year_10000 = 253402300800;

	if (!*l->subject)
		return err_set(err, ERR_INPUT, "a mail without a subject");
	if (!*l->body)
		return err_set(err, ERR_INPUT, "a mail without text");
	if (l->date < 0 || l->date >= year_10000)
		return err_set(err, ERR_INPUT, "a date beyond the calendar");
	if (!utf8_valid(l->body, strlen(l->body)))
		return err_set(err, ERR_INPUT, "a text that is no UTF-8");
	if (header_value(l->subject, err) == -1)
		return err_in(err, "Subject");
	if (check_addresses(&from, "From", err) == -1 ||
	    check_addresses(&l->to, "To", err) == -1 ||
	    check_addresses(&l->cc, "Cc", err) == -1 ||
	    check_addresses(&l->reply_to, "Reply-To", err) == -1)
		return -1;
	if (check_ids(l, err) == -1 || check_fields(l, err) == -1)
		return -1;
	return check_attachments(l, err);
}

static void write_headers(const struct letter *l, struct buf *out)
{
	struct address from = l->from;
	const char *id = l->message_id, *parent = l->in_reply_to;

	encode_addresses(out, "From", &(struct addresses){ &from, 1 });
	/* RFC 5322 A.1.3: an empty group says that nobody is named. */
	if (!l->to.n && !l->cc.n)
		encode_text(out, "To", "undisclosed-recipients:;");
	encode_addresses(out, "To", &l->to);
	encode_addresses(out, "Cc", &l->cc);
	encode_addresses(out, "Reply-To", &l->reply_to);
	encode_text(out, "Subject", l->subject);
	encode_date(out, "Date", l->date);
	encode_ids(out, "Message-ID", &(struct strings){ &id, 1 });
	if (parent)
		encode_ids(out, "In-Reply-To", &(struct strings){ &parent, 1 });
	encode_ids(out, "References", &l->references);
	for (size_t i = 0; i < l->nfield; i++)
		encode_text(out, l->field[i].name, l->field[i].value);
	buf_addstr(out, "MIME-Version: 1.0\n");
}

/*
 * May the text travel as it is?  Not with a line that is too long, nor with
 * one that begins with "From ", which mailboxes would change to ">From ".
 */
static bool is_plain(const char *s, size_t len)
{
	size_t column = 0;

	if (len && s[len - 1] != '\n')
		return false;
	for (size_t i = 0; i < len; i++, column++) {
		unsigned char c = (unsigned char)s[i];

		if (c >= 0x7f || (c < 0x20 && c != '\n' && c != '\t'))
			return false;
		if (column == 0 && len - i >= 5 && !memcmp(s + i, "From ", 5))
			return false;
		if (column > PLAIN_LINE_MAX)
			return false;
		if (c == '\n')
			column = (size_t)-1;
	}
	return true;
}

/* Bytes in their transfer encoding; GMime writes them as they are. */
static GMimeDataWrapper *encoded(const char *s, size_t len,
				 GMimeContentEncoding encoding)
{
	GMimeStream *mem = g_mime_stream_mem_new();
	GMimeStream *out = g_mime_stream_filter_new(mem);
	GMimeFilter *armour = g_mime_filter_from_new(GMIME_FILTER_FROM_MODE_ARMOR);
	GMimeFilter *encode = g_mime_filter_basic_new(encoding, TRUE);
	GMimeDataWrapper *wrapper;

	if (encoding == GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE ||
	    encoding == GMIME_CONTENT_ENCODING_BASE64)
		g_mime_stream_filter_add(GMIME_STREAM_FILTER(out), encode);
	if (encoding == GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE)
		g_mime_stream_filter_add(GMIME_STREAM_FILTER(out), armour);
	g_mime_stream_write(out, s, len);
	g_mime_stream_flush(out);
	g_mime_stream_reset(mem);
	wrapper = g_mime_data_wrapper_new_with_stream(mem, encoding);
	g_object_unref(encode);
	g_object_unref(armour);
	g_object_unref(out);
	g_object_unref(mem);
	return wrapper;
}

static GMimeObject *make_part(const char *type, const char *s, size_t len,
			      GMimeContentEncoding otherwise)
{
	GMimeContentType *t = g_mime_content_type_parse(NULL, type);
	GMimePart *part = g_mime_part_new();
	GMimeContentEncoding encoding = is_plain(s, len) ?
		GMIME_CONTENT_ENCODING_7BIT : otherwise;
	GMimeDataWrapper *content = encoded(s, len, encoding);

	g_mime_object_set_content_type(GMIME_OBJECT(part), t);
	if (g_mime_content_type_is_type(t, "text", "*") && utf8_valid(s, len))
		g_mime_object_set_content_type_parameter(GMIME_OBJECT(part),
							 "charset", "utf-8");
	g_mime_part_set_content_encoding(part, encoding);
	g_mime_part_set_content(part, content);
	g_object_unref(content);
	g_object_unref(t);
	return GMIME_OBJECT(part);
}

static GMimeObject *make_body(const char *text)
{
	struct buf b = BUF_INIT(SIZE_MAX);
	GMimeObject *part;

	buf_addstr(&b, text);
	if (b.s[b.len - 1] != '\n')
		buf_addch(&b, '\n');
	part = make_part("text/plain", b.s, b.len,
			 GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE);
	buf_release(&b);
	return part;
}

/* GMime takes the smallest charset that fits unless told otherwise. */
static void force_utf8(GMimeParamList *list, const char *name)
{
	GMimeParam *p = g_mime_param_list_get_parameter(list, name);

	if (p)
		g_mime_param_set_charset(p, "utf-8");
}

static void set_name(GMimeObject *part, const char *name)
{
	GMimeContentDisposition *d;
	GMimeContentType *t;

	g_mime_part_set_filename(GMIME_PART(part), name);
	d = g_mime_object_get_content_disposition(part);
	t = g_mime_object_get_content_type(part);
	force_utf8(g_mime_content_disposition_get_parameters(d), "filename");
	force_utf8(g_mime_content_type_get_parameters(t), "name");
}

/* A function of the Message-ID, so that the same letter has the same bytes. */
static void set_boundary(GMimeMultipart *all, const struct letter *l)
{
	const char *const part[] = { "boundary", l->message_id };
	char hex[DIGEST_HEX], boundary[40];

	digest(part, 2, hex);
	g_snprintf(boundary, sizeof(boundary), "=-perfpost-%.24s", hex);
	g_mime_multipart_set_boundary(all, boundary);
}

/* Readable in its transfer encoding, and unharmed by it. */
static bool is_text(const struct attachment *a)
{
	return !strncmp(a->type, "text/", 5) && utf8_valid(a->data, a->len) &&
	       !memchr(a->data, '\0', a->len) &&
	       !memchr(a->data, '\r', a->len);
}

static GMimeObject *make_content(const struct letter *l)
{
	GMimeObject *body = make_body(l->body), *part;
	GMimeMultipart *all;

	if (!l->nattachment)
		return body;
	all = g_mime_multipart_new_with_subtype("mixed");
	set_boundary(all, l);
	g_mime_multipart_add(all, body);
	g_object_unref(body);
	for (size_t i = 0; i < l->nattachment; i++) {
		const struct attachment *a = &l->attachment[i];

		part = make_part(a->type, a->data, a->len,
				 is_text(a) ?
				 GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE :
				 GMIME_CONTENT_ENCODING_BASE64);
		set_name(part, a->name);
		g_mime_multipart_add(all, part);
		g_object_unref(part);
	}
	return GMIME_OBJECT(all);
}

static void write_content(const struct letter *l, struct buf *out)
{
	GMimeFormatOptions *format = g_mime_format_options_new();
	GMimeObject *content = make_content(l);
	char *s;

	g_mime_format_options_set_newline_format(format,
						 GMIME_NEWLINE_FORMAT_UNIX);
	s = g_mime_object_to_string(content, format);
	buf_addstr(out, s);
	g_free(s);
	g_object_unref(content);
	g_mime_format_options_free(format);
}

static void add_lines(struct buf *out, const char *s, enum line_end end)
{
	for (const char *nl; *s; s = nl + 1) {
		nl = strchrnul(s, '\n');
		buf_add(out, s, (size_t)(nl - s));
		buf_addstr(out, end == LINE_END_CRLF ? "\r\n" : "\n");
		if (!*nl)
			break;
	}
}

int letter_write(const struct letter *l, enum line_end end, struct buf *out,
		 struct err *err)
{
	struct buf text = BUF_INIT(out->max);
	size_t before = out->len;

	if (check(l, err) == -1)
		return -1;
	g_mime_init();
	write_headers(l, &text);
	write_content(l, &text);
	if (!buf_over(&text))
		add_lines(out, text.s, end);
	if (buf_over(&text) || buf_over(out)) {
		buf_release(&text);
		if (out->len > before)
			out->s[out->len = before] = '\0';
		return err_set(err, ERR_INPUT, "a mail of more than %zu bytes",
			       out->max);
	}
	buf_release(&text);
	return 0;
}
