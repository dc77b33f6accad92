#include "mail/text.h"

#include "base/buf.h"

static size_t quote_depth(struct slice s)
{
	size_t n = 0;

	while (n < s.len && s.s[n] == '>')
		n++;
	return n;
}

/* One line of RFC 3676: its depth, its text unstuffed, whether it goes on. */
struct flowed_line {
	size_t depth;
	struct slice text;
	bool soft;
};

static struct flowed_line flowed_line(struct slice line)
{
	struct flowed_line f = { .depth = quote_depth(line) };

	f.text.s = line.s + f.depth;
	f.text.len = line.len - f.depth;
	if (slice_starts(f.text, " ")) {
		f.text.s++;
		f.text.len--;
	}
	/* RFC 3676 4.3: the signature separator is never flowed. A line of
	 * blanks alone is a blank context line of a diff, not a paragraph. */
	f.soft = slice_ends(f.text, " ") && !slice_is(f.text, "-- ") &&
		 !slice_is_blank(f.text);
	return f;
}

void flowed_decode(struct buf *out, const char *s, size_t len, bool delsp)
{
	struct slice rest = { s, len }, line;
	struct flowed_line f, last = { .soft = false };
	bool first = true;

	while (slice_line(&rest, &line)) {
		f = flowed_line(line);
		if (!last.soft || f.depth != last.depth ||
		    slice_is(f.text, "-- ")) {
			if (!first)
				buf_addch(out, '\n');
			for (size_t i = 0; i < f.depth; i++)
				buf_addch(out, '>');
			if (f.depth && f.text.len)
				buf_addch(out, ' ');
		}
		buf_add(out, f.text.s, f.text.len - (f.soft && delsp));
		last = f;
		first = false;
	}
	if (!first)
		buf_addch(out, '\n');
}
