/* Why the commit need not be the cause: what else differs, debug kernels. */
#include "report/finding.h"

#include <ctype.h>
#include <string.h>

#include "base/utf8.h"
#include "report/setup.h"

enum { LINE_MAX_SHOWN = 400 };

static void add_line(struct note *n, const char *line, bool first)
{
	struct buf ascii = BUF_INIT(1000);

	utf8_ascii(&ascii, line, strnlen(line, LINE_MAX_SHOWN));
	if (!first && ascii.len)
		*ascii.s = (char)toupper((unsigned char)*ascii.s);
	buf_addf(&n->text, "%s%s", first ? "" : ". ", ascii.s);
	buf_release(&ascii);
}

static void add_lines(struct note *n, const json_t *warnings)
{
	const json_t *w;
	size_t i;

	json_array_foreach(warnings, i, w) {
		const char *line = json_member_text(w, "line");

		add_line(n, line ? line : "", i == 0);
	}
}

void find_caveats(struct report *r)
{
	json_t *warnings = setup_warnings(r);
	bool other = r->news.kind == NEWS_NOT_COMPARABLE;
	struct note n;

	if (json_array_size(warnings)) {
		note_start(&n, r);
		buf_addstr(&n.text, other ? "Not comparable: " : "Caution: ");
		add_lines(&n, warnings);
		buf_addstr(&n.text, other ? ". The commit need not be the "
			   "cause. Next: both sides on the same setup." : ".");
		note_end(&n, FINDING_CAVEAT);
	}
	json_decref(warnings);
}
