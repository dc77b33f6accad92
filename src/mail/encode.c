#include "mail/encode.h"

#include <ctype.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"

enum {
	LINE_AIM = 78,		/* RFC 5322 2.1.1 */
	TOKEN_MAX = 900,	/* a longer one cannot stand on a line as it is */
	PHRASE_MAX = 400,	/* quoting may double it */
	ENCODED_MAX = 75,	/* RFC 2047 2: of one encoded-word */
};

/* A header being written, line by line. */
struct fold {
	struct buf *out;
	size_t column;
	bool started;	/* a token stands after the name */
};

static struct fold begin(struct buf *out, const char *name)
{
	buf_addf(out, "%s:", name);
	return (struct fold){ .out = out, .column = strlen(name) + 1 };
}

/*
 * Add "blanks" blanks and a token; a fold goes before the blanks.  Never before
 * the first token: "Subject:" alone on its line confuses old readers.
 */
static void add_token(struct fold *f, size_t blanks, const char *s, size_t len)
{
	if (f->started && f->column + blanks + len > LINE_AIM) {
		buf_addch(f->out, '\n');
		f->column = 0;
	}
	for (size_t i = 0; i < blanks; i++)
		buf_addch(f->out, ' ');
	buf_add(f->out, s, len);
	f->column += blanks + len;
	f->started = true;
}

static void end(struct fold *f)
{
	buf_addch(f->out, '\n');
}

/* Bytes of the character that begins at "s", at least 1. */
static size_t char_len(const char *s, size_t left)
{
	size_t n = 1;

	while (n < left && ((unsigned char)s[n] & 0xc0) == 0x80)
		n++;
	return n;
}

/* RFC 2047 5 (3): what is safe in a phrase is safe everywhere. */
static bool is_q_safe(char c)
{
	return isascii((unsigned char)c) &&
	       (isalnum((unsigned char)c) || strchr("!*+-/", c)) && c;
}

static size_t q_len(const char *s, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += is_q_safe(s[i]) || s[i] == ' ' ? 1 : 3;
	return n;
}

static void add_q(struct buf *word, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (s[i] == ' ')
			buf_addch(word, '_');
		else if (is_q_safe(s[i]))
			buf_addch(word, s[i]);
		else
			buf_addf(word, "=%02X", (unsigned char)s[i]);
}

static void add_b(struct buf *word, const char *s, size_t len)
{
	static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"abcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < len; i += 3) {
		unsigned int v = (unsigned int)(unsigned char)s[i] << 16;

		if (i + 1 < len)
			v |= (unsigned int)(unsigned char)s[i + 1] << 8;
		if (i + 2 < len)
			v |= (unsigned char)s[i + 2];
		buf_addch(word, digit[v >> 18 & 63]);
		buf_addch(word, digit[v >> 12 & 63]);
		buf_addch(word, i + 1 < len ? digit[v >> 6 & 63] : '=');
		buf_addch(word, i + 2 < len ? digit[v & 63] : '=');
	}
}

/*
 * As many encoded-words as "s" needs, whole characters in each.  Readers drop
 * the blanks between them (RFC 2047 6.2), so inner blanks are encoded.
 */
static void add_encoded(struct fold *f, size_t blanks, const char *s,
			size_t len)
{
	const size_t room = ENCODED_MAX - strlen("=?utf-8?q?" "?=");
	bool q = q_len(s, len) <= 2 * len;	/* mostly readable as it is */
	struct buf word = BUF_INIT(200);

	while (len) {
		size_t n = 0, more;

		while (n < len) {
			more = n + char_len(s + n, len - n);
			if ((q ? q_len(s, more) : (more + 2) / 3 * 4) > room)
				break;
			n = more;
		}
		buf_addf(&word, "=?utf-8?%c?", q ? 'q' : 'b');
		(q ? add_q : add_b)(&word, s, n);
		buf_addstr(&word, "?=");
		add_token(f, blanks, word.s, word.len);
		buf_reset(&word);
		blanks = 1;
		s += n;
		len -= n;
	}
	buf_release(&word);
}

static bool is_ascii(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!isascii((unsigned char)s[i]))
			return false;
	return true;
}

/* Would it be read as something else if it stood there as it is? */
static bool needs_encoding(const char *s, size_t len)
{
	return !is_ascii(s, len) || len > TOKEN_MAX || memmem(s, len, "=?", 2);
}

static size_t blanks_at(const char *s)
{
	return strspn(s, " ");
}

/* The end of the last word of "s" that needs encoding; 0: none does. */
static size_t encoded_end(const char *s)
{
	size_t end_at = 0, i = 0, len;

	while (s[i]) {
		i += blanks_at(s + i);
		len = strcspn(s + i, " ");
		if (needs_encoding(s + i, len))
			end_at = i + len;
		i += len;
	}
	return end_at;
}

void encode_text(struct buf *out, const char *name, const char *value)
{
	struct fold f = begin(out, name);
	const char *s = value + blanks_at(value);
	size_t blanks = 1, len;

	while (*s) {
		len = strcspn(s, " ");
		if (needs_encoding(s, len)) {
			len = encoded_end(s);
			add_encoded(&f, blanks, s, len);
		} else {
			add_token(&f, blanks, s, len);
		}
		s += len;
		blanks = blanks_at(s);
		s += blanks;
	}
	end(&f);
}

/* RFC 5322 3.2.3, and the blanks between atoms */
static bool is_plain_phrase(const char *s)
{
	for (; *s; s++)
		if (!isalnum((unsigned char)*s) &&
		    !strchr(" !#$%&'*+-/=?^_`{|}~", *s))
			return false;
	return true;
}

static void add_quoted(struct buf *word, const char *s)
{
	buf_addch(word, '"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			buf_addch(word, '\\');
		buf_addch(word, *s);
	}
	buf_addch(word, '"');
}

static void add_phrase(struct fold *f, const char *name)
{
	struct buf word = BUF_INIT(TOKEN_MAX);
	size_t len = strlen(name);

	if (needs_encoding(name, len) || len > PHRASE_MAX) {
		add_encoded(f, 1, name, len);
		return;
	}
	if (is_plain_phrase(name))
		buf_addstr(&word, name);
	else
		add_quoted(&word, name);
	add_token(f, 1, word.s, word.len);
	buf_release(&word);
}

void encode_addresses(struct buf *out, const char *name,
		      const struct addresses *list)
{
	struct buf word = BUF_INIT(1024);
	struct fold f;

	if (!list->n)
		return;
	f = begin(out, name);
	for (size_t i = 0; i < list->n; i++) {
		const struct address *a = &list->v[i];

		if (*a->name)
			add_phrase(&f, a->name);
		buf_addf(&word, *a->name ? "<%s>" : "%s", a->address);
		if (i + 1 < list->n)
			buf_addch(&word, ',');
		add_token(&f, 1, word.s, word.len);
		buf_reset(&word);
	}
	end(&f);
	buf_release(&word);
}

void encode_ids(struct buf *out, const char *name, const struct strings *ids)
{
	struct buf word = BUF_INIT(1024);
	struct fold f;

	if (!ids->n)
		return;
	f = begin(out, name);
	for (size_t i = 0; i < ids->n; i++) {
		buf_addf(&word, "<%s>", ids->v[i]);
		add_token(&f, 1, word.s, word.len);
		buf_reset(&word);
	}
	end(&f);
	buf_release(&word);
}

void encode_date(struct buf *out, const char *name, int64_t seconds)
{
	/* strftime() would speak the user's language. */
	static const char day[][4] = { "Sun", "Mon", "Tue", "Wed", "Thu",
				       "Fri", "Sat" };
	static const char month[][4] = { "Jan", "Feb", "Mar", "Apr", "May",
					 "Jun", "Jul", "Aug", "Sep", "Oct",
					 "Nov", "Dec" };
	time_t t = seconds;
	struct tm tm;

	gmtime_r(&t, &tm);
	buf_addf(out, "%s: %s, %02d %s %04d %02d:%02d:%02d +0000\n", name,
		 day[tm.tm_wday], tm.tm_mday, month[tm.tm_mon],
		 tm.tm_year + 1900, tm.tm_hour, tm.tm_min, tm.tm_sec);
}
