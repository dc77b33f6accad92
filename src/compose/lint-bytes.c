#include "compose/lint-int.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum {
	LINE_MAX_BYTES = 998,		/* RFC 5322 2.1.1 */
	MAIL_MAX_BYTES = 8 << 20,
};

/* One line of the mail, CR and LF taken off. */
struct raw {
	const char *s;
	size_t len, number;
	bool crlf;
};

static bool next_raw(const char **pos, const char *end, struct raw *line)
{
	const char *nl;

	if (*pos >= end)
		return false;
	nl = memchr(*pos, '\n', (size_t)(end - *pos));
	if (!nl)
		nl = end;
	line->s = *pos;
	line->len = (size_t)(nl - *pos);
	line->crlf = nl < end && line->len && nl[-1] == '\r';
	line->len -= line->crlf;
	line->number++;
	*pos = nl + 1;
	return true;
}

/* What kinds of bytes were seen: each is told once, with the first line. */
struct seen {
	size_t eight, nul, cr, lf_lines, crlf_lines, too_long;
};

static void look_at(struct seen *seen, const struct raw *line)
{
	for (size_t i = 0; i < line->len; i++) {
		if ((line->s[i] & 0x80) && !seen->eight)
			seen->eight = line->number;
		if (line->s[i] == '\0' && !seen->nul)
			seen->nul = line->number;
		if (line->s[i] == '\r' && !seen->cr)
			seen->cr = line->number;
	}
	if (line->len > LINE_MAX_BYTES && !seen->too_long)
		seen->too_long = line->number;
	if (line->crlf)
		seen->crlf_lines++;
	else
		seen->lf_lines++;
}

static void tell(struct lint *l, const struct seen *seen)
{
	if (seen->eight)
		lint_say(l, "line %zu: bytes beyond ASCII, a mail has 7 bits",
			 seen->eight);
	if (seen->nul)
		lint_say(l, "line %zu: a NUL byte", seen->nul);
	if (seen->cr)
		lint_say(l, "line %zu: a carriage return alone", seen->cr);
	if (seen->too_long)
		lint_say(l, "line %zu: longer than %d bytes", seen->too_long,
			 LINE_MAX_BYTES);
	if (seen->lf_lines && seen->crlf_lines)
		lint_say(l, "lines end in LF here, in CRLF there");
}

static size_t name_len(const struct raw *line)
{
	size_t n = 0;

	while (n < line->len && line->s[n] > ' ' && line->s[n] < 0x7f &&
	       line->s[n] != ':')
		n++;
	return n < line->len && line->s[n] == ':' ? n : 0;
}

/* RFC 5322 3.6: these at most once. */
static const char *const single[] = {
	"From", "Sender", "Reply-To", "To", "Cc", "Bcc", "Message-ID",
	"In-Reply-To", "References", "Subject", "Date", "MIME-Version",
	"Content-Type", "Content-Transfer-Encoding", "Auto-Submitted",
};
enum { NSINGLE = sizeof(single) / sizeof(*single) };

static void count_header(struct lint *l, const struct raw *line, size_t n,
			 unsigned int count[NSINGLE])
{
	for (size_t i = 0; i < NSINGLE; i++)
		if (strlen(single[i]) == n &&
		    !strncasecmp(line->s, single[i], n) && ++count[i] == 2)
			lint_say(l, "line %zu: a second %s", line->number,
				 single[i]);
}

static void check_blank_fold(struct lint *l, const struct raw *line)
{
	for (size_t i = 0; i < line->len; i++)
		if (!isblank((unsigned char)line->s[i]))
			return;
	lint_say(l, "line %zu: a header line of blanks alone", line->number);
}

/* RFC 5322 2.2: name, colon, value, up to the first empty line. */
static void check_block(struct lint *l, const char *s, const char *end)
{
	unsigned int count[NSINGLE] = { 0 };
	struct raw line = { .number = 0 };
	size_t n;

	while (next_raw(&s, end, &line) && line.len) {
		if (isblank((unsigned char)*line.s)) {
			if (line.number == 1)
				lint_say(l, "line 1: a blank where a header "
					 "begins");
			check_blank_fold(l, &line);
			continue;
		}
		n = name_len(&line);
		if (n)
			count_header(l, &line, n, count);
		else
			lint_say(l, "line %zu: no header: '%.*s'", line.number,
				 line.len > 60 ? 60 : (int)line.len, line.s);
	}
	if (s >= end)
		lint_say(l, "no empty line between headers and text");
}

void lint_bytes(struct lint *l, const char *s, size_t len)
{
	const char *pos = s, *end = s + len;
	struct raw line = { .number = 0 };
	struct seen seen = { 0 };

	if (!len)
		lint_say(l, "an empty file");
	if (len > MAIL_MAX_BYTES)
		lint_say(l, "%zu bytes, more than any list takes", len);
	while (next_raw(&pos, end, &line))
		look_at(&seen, &line);
	tell(l, &seen);
	check_block(l, s, end);
}
