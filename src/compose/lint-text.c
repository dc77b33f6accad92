#include "compose/lint-int.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "compose/tags.h"

static bool is_quoted(const struct text_line *line)
{
	return line->len && *line->s == '>';
}

/* RFC 3676 4.3: a signature follows. */
static bool is_signature_mark(const struct text_line *line)
{
	return line->len == 3 && !memcmp(line->s, "-- ", 3);
}

static bool is_header_like(const struct text_line *line)
{
	static const char *const name[] = {
		"From:", "To:", "Cc:", "Bcc:", "Subject:", "Date:",
		"Message-ID:", "In-Reply-To:", "References:", "Reply-To:",
		"Sender:", "Return-Path:", "Received:", "MIME-Version:",
		"Content-", "X-", "List-", "Auto-Submitted:", "Precedence:",
		"User-Agent:", "Delivered-To:", "Resent-",
	};

	if (!memchr(line->s, ':', line->len))
		return false;
	for (size_t i = 0; i < sizeof(name) / sizeof(*name); i++)
		if (line_begins(line, name[i]))
			return true;
	return false;
}

/* The first paragraph: headers slip in there when a blank line came early. */
static void check_start(struct lint *l, const char *body)
{
	struct text_line line = { .number = 0 };
	bool begun = false;

	while (lint_line(&body, &line)) {
		if (line_is_blank(&line) && begun)
			return;
		begun |= !line_is_blank(&line);
		if (is_header_like(&line)) {
			lint_say(l, "header-like lines at start of body: "
				 "'%.*s'", line.len > 60 ? 60 : (int)line.len,
				 line.s);
			return;
		}
	}
}

static bool is_bidi(const char *s)
{
	return !strncmp(s, "\xe2\x80\x8e", 3) || !strncmp(s, "\xe2\x80\x8f", 3) ||
	       (!strncmp(s, "\xe2\x80", 2) && (unsigned char)s[2] >= 0xaa &&
		(unsigned char)s[2] <= 0xae) ||
	       (!strncmp(s, "\xe2\x81", 2) && (unsigned char)s[2] >= 0xa6 &&
		(unsigned char)s[2] <= 0xa9);
}

/* Bytes that are no text, or hide some; "\xef\xbf\xbd" is what the reader puts where it
 * could not decode. */
static void check_characters(struct lint *l, const char *body)
{
	struct text_line line = { .number = 0 };

	while (lint_line(&body, &line))
		for (size_t i = 0; i < line.len; i++) {
			unsigned char c = (unsigned char)line.s[i];

			if ((c < 0x20 && c != '\t' && c != '\f') || c == 0x7f)
				lint_say(l, "text line %zu: control character "
					 "0x%02x", line.number, c);
			else if (!strncmp(line.s + i, "\xef\xbf\xbd", 3))
				lint_say(l, "text line %zu: what is no UTF-8",
					 line.number);
			else if (c == 0xe2 && is_bidi(line.s + i))
				lint_say(l, "text line %zu: a character that "
					 "turns text around", line.number);
			else
				continue;
			return;
		}
}

/* "{{name}}" and its kin, which templates leave when nobody fills them */
static bool has_mustache(const struct text_line *line)
{
	const char *s = memmem(line->s, line->len, "{{", 2);
	const char *end = line->s + line->len;

	if (!s)
		return false;
	s += 2;
	while (s < end && strchr("{#/^&>! ", *s))
		s++;
	/* {{.Name}} is Go's, and may stand in a command that was measured. */
	if (s + 1 < end && *s == '.' && isalpha((unsigned char)s[1]))
		return false;
	while (s < end && (isalnum((unsigned char)*s) || strchr("_.- ", *s)))
		s++;
	return s + 1 < end && !memcmp(s, "}}", 2);
}

/* A word of its own: "nan", "-nan%", "+inf%"; "inf" alone may be English. */
static bool is_no_number(const char *s, size_t len)
{
	bool sign = len && (*s == '-' || *s == '+'), unit;

	if (sign) {
		s++;
		len--;
	}
	unit = len == 4 && s[3] == '%';
	if (unit)
		len--;
	if (len == 5 && !memcmp(s, "nanpp", 5))
		return true;
	if (len != 3)
		return false;
	return !memcmp(s, "nan", 3) || ((sign || unit) &&
		(!strncasecmp(s, "nan", 3) || !strncasecmp(s, "inf", 3)));
}

static bool has_no_number(const struct text_line *line)
{
	size_t i = 0, n;

	while (i < line->len) {
		n = 0;
		while (i + n < line->len &&
		       !strchr(" \t\r\f(),;:|", line->s[i + n]))
			n++;
		if (is_no_number(line->s + i, n))
			return true;
		i += n + 1;
	}
	return false;
}

/* "(null)" as a word: names of oopses hold "..._at(null)". */
static bool has_null(const struct text_line *line)
{
	const char *s = line->s, *end = line->s + line->len;

	while ((s = memmem(s, (size_t)(end - s), "(null)", 6))) {
		if (s == line->s || strchr(" \t<,", s[-1]))
			return true;
		s += 6;
	}
	return false;
}

/* The line without the title of a commit, which may speak of anything. */
static struct text_line without_title(const struct text_line *line)
{
	const char *title = memmem(line->s, line->len, "(\"", 2);
	struct text_line own = *line;

	if (title && memmem(title, (size_t)(line->s + line->len - title),
			    "\")", 2))
		own.len = (size_t)(title - line->s);
	return own;
}

static void check_placeholders(struct lint *l, const char *body)
{
	struct text_line line = { .number = 0 }, own;

	while (lint_line(&body, &line)) {
		if (is_quoted(&line))
			continue;
		own = without_title(&line);
		if (has_mustache(&own))
			lint_say(l, "text line %zu: a placeholder is left: "
				 "{{...}}", line.number);
		if (has_null(&own))
			lint_say(l, "text line %zu: a placeholder is left: "
				 "(null)", line.number);
		if (has_no_number(&own))
			lint_say(l, "text line %zu: no number where one should "
				 "be", line.number);
	}
}

/* Trailer collectors (b4, patchwork) take such lines of an answer for real. */
static void check_tags(struct lint *l, const struct message *m)
{
	struct text_line line = { .number = 0 };
	const char *body = m->body;

	if (!m->in_reply_to.n && !m->references.n &&
	    strncasecmp(m->subject, "Re:", 3))
		return;
	while (lint_line(&body, &line))
		if (tag_at(line.s, line.len))
			lint_say(l, "text line %zu: a suggested tag neither "
				 "indented nor behind '|': '%.*s'", line.number,
				 line.len > 60 ? 60 : (int)line.len, line.s);
}

/* A line that announces what follows. */
static bool is_heading(const struct text_line *line)
{
	return line->len > 1 && line->len <= 72 &&
	       line->s[line->len - 1] == ':' &&
	       isalpha((unsigned char)*line->s);
}

static bool is_ruler(const struct text_line *line, char c)
{
	size_t n = 0;

	while (n < line->len && line->s[n] == c)
		n++;
	return n >= 20 && n + 2 >= line->len;
}

/* Lines of the report that have their value behind the colon. */
static bool is_bare_key(const struct text_line *line)
{
	static const char *const key[] = {
		"in testcase:", "testcase:", "on test machine:",
		"test machine:", "test-description:", "test-url:", "url:",
		"base:", "patch link:", "config:", "compiler:",
	};

	for (size_t i = 0; i < sizeof(key) / sizeof(*key); i++)
		if (strlen(key[i]) <= line->len && line_begins(line, key[i])) {
			struct text_line rest = {
				line->s + strlen(key[i]),
				line->len - strlen(key[i]), 0,
			};

			return line_is_blank(&rest);
		}
	return false;
}

/*
 * Nothing follows: the end, the signature, or another section.  "commit:" stands
 * above a list in the table, and a heading may have a heading of its own.
 */
static bool is_empty_section(const char *rest)
{
	struct text_line line = { .number = 0 };

	while (lint_line(&rest, &line)) {
		if (is_signature_mark(&line))
			return true;
		if (line_is_blank(&line) || is_ruler(&line, '-'))
			continue;
		return line_begins(&line, "Disclaimer");
	}
	return true;
}

/* As above where what follows must be indented. */
static bool is_empty_list(const char *rest)
{
	struct text_line line = { .number = 0 };

	while (lint_line(&rest, &line))
		if (!line_is_blank(&line))
			return !isblank((unsigned char)*line.s);
	return true;
}

static void empty(struct lint *l, const struct text_line *line)
{
	int len = line->len > 60 ? 60 : (int)line->len;

	while (len && (line->s[len - 1] == ':' ||
		       isspace((unsigned char)line->s[len - 1])))
		len--;
	lint_say(l, "empty section: %.*s", len, line->s);
}

static void check_sections(struct lint *l, const char *body)
{
	struct text_line line = { .number = 0 };

	while (lint_line(&body, &line)) {
		if (is_quoted(&line))
			continue;
		if (is_bare_key(&line)) {
			/* the table may have that one axis: "testcase:" */
			if (*body != ' ')
				empty(l, &line);
		} else if (!is_heading(&line)) {
			continue;
		} else if (line_begins(&line, "To reproduce")) {
			if (is_empty_list(body))
				lint_say(l, "empty section: reproduce steps");
		} else if (line_begins(&line, "with following parameters") ||
			   line_begins(&line, "parameters:")) {
			if (is_empty_list(body))
				empty(l, &line);
		} else if (is_empty_section(body)) {
			empty(l, &line);
		}
	}
}

/* Below "---------------- ------": is there a row with a name at its end? */
static bool is_row(const struct text_line *line)
{
	return line->len > 18 && isspace((unsigned char)*line->s) &&
	       !memchr(line->s, '\\', line->len) &&
	       !memmem(line->s, line->len, "%stddev", 7) &&
	       !memmem(line->s, line->len, "fail:runs", 9) &&
	       isgraph((unsigned char)line->s[line->len - 1]) &&
	       !memmem(line->s, line->len, "  |", 3);
}

/* The tables that "====" lines begin; false: there is none at all. */
static bool check_tables(struct lint *l, const char *body)
{
	struct text_line line = { .number = 0 };
	size_t tables = 0, rows = 0;

	while (lint_line(&body, &line)) {
		if (is_quoted(&line))
			continue;
		if (is_ruler(&line, '=')) {
			if (tables && !rows)
				break;
			tables++;
			rows = 0;
		} else if (tables && is_row(&line)) {
			rows++;
		}
	}
	if (tables && !rows)
		lint_say(l, "empty section: comparison table");
	return tables != 0;
}

/* "... noticed a -6.3% regression of unixbench.score due to commit:" */
static bool is_report(const struct message *m)
{
	return (strstr(m->body, " noticed a") ||
		strstr(m->body, " noticed no change")) && !m->in_reply_to.n;
}

/* "commit: HASH ..." or "commit HASH ..."; "version: " or "command: " of a
 * benchmark that knows none.  "commit: " alone stands above the table's list. */
static bool names_commit(const char *body)
{
	struct text_line line = { .number = 0 };

	while (lint_line(&body, &line)) {
		const char *s;

		if (!line_begins(&line, "commit:") &&
		    !line_begins(&line, "commit ") &&
		    !line_begins(&line, "version:") &&
		    !line_begins(&line, "command:"))
			continue;
		s = line.s + strcspn(line.s, ": ") + 1;
		s += strspn(s, " ");
		if (isgraph((unsigned char)*s))
			return true;
	}
	return false;
}

void lint_text(struct lint *l, const struct message *m)
{
	struct text_line all = { m->body, strlen(m->body), 0 };

	if (line_is_blank(&all)) {
		lint_say(l, "no text");
		return;
	}
	if (m->body_nul)
		lint_say(l, "a NUL in the text");
	check_start(l, m->body);
	check_characters(l, m->body);
	check_placeholders(l, m->body);
	check_tags(l, m);
	check_sections(l, m->body);
	if (!check_tables(l, m->body) && is_report(m))
		lint_say(l, "empty section: comparison table");
	if (is_report(m) && !names_commit(m->body))
		lint_say(l, "empty section: commit");
}
