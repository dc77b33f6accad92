#include "mail/subject.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

/* Answered and forwarded, as mailers of the world say it; without those that
 * are also the beginning of a commit's title, such as "rv:". */
static const char *const word[] = {
	"re", "aw", "antw", "antwort", "sv", "fw", "fwd", "wg", "tr", "rif",
	"odp", "ynt", "vá",
	"回复", "回覆", "答复", "转发", "轉寄", "返信", "转寄", "отв", "отв.", NULL
};

/* Past a prefix at "p", or "p" itself. */
static const char *skip_one(const char *p)
{
	for (const char *const *w = word; *w; w++) {
		size_t len = strlen(*w);
		const char *end = p + len;

		if (strncasecmp(p, *w, len))
			continue;
		if (*end == '[' || *end == '(' || *end == '^') {
			end += 1 + strspn(end + 1, "0123456789");
			end += *end == ']' || *end == ')';
		}
		end += strspn(end, " \t");
		if (*end == ':')
			return end + 1;
		if (!strncmp(end, "：", 3))	/* U+FF1A, the wide colon */
			return end + 3;
	}
	return p;
}

const char *subject_base(const char *subject)
{
	const char *p = subject, *next;

	for (;;) {
		p += strspn(p, " \t");
		next = skip_one(p);
		if (next == p)
			return p;
		p = next;
	}
}
