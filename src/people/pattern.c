#include "people/pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

/* Of steps, at one place of a line: far above what the kernel's patterns need. */
enum {
	PATTERN_MAX = 500,
	MATCH_LIMIT = 2000,
	HEAP_LIMIT_KB = 1024,
};

struct pattern {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *context;
};

static void prepare(struct pattern *p)
{
	p->data = pcre2_match_data_create(1, NULL);
	p->context = pcre2_match_context_create(NULL);
	if (!p->data || !p->context)
		die_no_memory();
	pcre2_set_match_limit(p->context, MATCH_LIMIT);
	pcre2_set_heap_limit(p->context, HEAP_LIMIT_KB);
}

struct pattern *pattern_new(const char *perl)
{
	struct pattern *p;
	PCRE2_SIZE at;
	int why;

	if (!*perl || strlen(perl) > PATTERN_MAX)
		return NULL;
	p = calloc(1, sizeof(*p));
	if (!p)
		die_no_memory();
	p->code = pcre2_compile((PCRE2_SPTR)perl, PCRE2_ZERO_TERMINATED,
				PCRE2_EXTENDED | PCRE2_MULTILINE |
				PCRE2_NEVER_BACKSLASH_C, &why, &at, NULL);
	if (!p->code) {
		free(p);
		return NULL;
	}
	prepare(p);
	return p;
}

void pattern_free(struct pattern *p)
{
	if (!p)
		return;
	pcre2_match_context_free(p->context);
	pcre2_match_data_free(p->data);
	pcre2_code_free(p->code);
	free(p);
}

/* As pcre2_match(): 0 or more when found. */
static int search(struct pattern *p, const char *s, size_t len)
{
	return pcre2_match(p->code, (PCRE2_SPTR)s, len, 0, 0, p->data,
			   p->context);
}

bool pattern_finds(struct pattern *p, const char *text)
{
	/* Most find nothing.  What one finds in all of the text need not be in
	 * a line: "[^a]" takes the end of a line too. */
	if (search(p, text, strlen(text)) == PCRE2_ERROR_NOMATCH)
		return false;
	for (size_t len; *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		if (search(p, text, len) >= 0)
			return true;
	}
	return false;
}
