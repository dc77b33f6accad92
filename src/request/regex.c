#include "request/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "request/need.h"

/* A sentence is short (sentence.h) and our patterns are tame: these are far
 * above what an honest sentence needs, and far below what hurts. */
#define MATCH_LIMIT 6000
#define DEPTH_LIMIT 500
#define HEAP_LIMIT_KB 256

/* Machine code pays off from here on: it costs as much to make as some
 * dozen matches by interpretation. */
#define JIT_AFTER 12

struct regex {
	const char *text;
	pcre2_code *code;	/* NULL: not yet compiled, or malformed */
	pcre2_match_data *data;
	pcre2_match_context *context;
	unsigned int used;
	bool malformed;
	struct arena arena;	/* of "need" */
	struct need *need;
	bool need_known;
};

static size_t given_up;

struct regex *regex_new(const char *text)
{
	struct regex *p = calloc(1, sizeof(*p));

	if (!p)
		die_no_memory();
	p->text = text;
	return p;
}

static void prepare(struct regex *p)
{
	p->data = pcre2_match_data_create_from_pattern(p->code, NULL);
	p->context = pcre2_match_context_create(NULL);
	if (!p->data || !p->context)
		die_no_memory();
	pcre2_set_match_limit(p->context, MATCH_LIMIT);
	pcre2_set_depth_limit(p->context, DEPTH_LIMIT);
	pcre2_set_heap_limit(p->context, HEAP_LIMIT_KB);
}

int regex_compile(struct regex *p, struct err *err)
{
	PCRE2_UCHAR why[128];
	PCRE2_SIZE at;
	int code;

	p->code = pcre2_compile((PCRE2_SPTR)p->text, PCRE2_ZERO_TERMINATED,
		PCRE2_UTF | PCRE2_CASELESS | PCRE2_NO_AUTO_CAPTURE |
		PCRE2_DUPNAMES, &code, &at, NULL);
	if (p->code) {
		prepare(p);
		return 0;
	}
	p->malformed = true;
	pcre2_get_error_message(code, why, sizeof(why));
	return err_set(err, ERR_INPUT, "%s at offset %zu of '%.60s'",
		       (char *)why, at, p->text);
}

void regex_free(struct regex *p)
{
	if (!p)
		return;
	pcre2_match_context_free(p->context);
	pcre2_match_data_free(p->data);
	pcre2_code_free(p->code);
	arena_release(&p->arena);
	free(p);
}

/* "v" may stand in several alternatives: take the one that is set. */
static struct span group_v(const struct regex *p)
{
	const PCRE2_SIZE *o = pcre2_get_ovector_pointer(p->data);
	uint32_t n = pcre2_get_ovector_count(p->data);
	PCRE2_SPTR table, end;
	uint32_t size, count;

	pcre2_pattern_info(p->code, PCRE2_INFO_NAMETABLE, &table);
	pcre2_pattern_info(p->code, PCRE2_INFO_NAMEENTRYSIZE, &size);
	pcre2_pattern_info(p->code, PCRE2_INFO_NAMECOUNT, &count);
	for (end = table + (size_t)size * count; table < end; table += size) {
		uint32_t i = (uint32_t)table[0] << 8 | table[1];

		if (table[2] == 'v' && !table[3] && i < n &&
		    o[2 * i] != PCRE2_UNSET && o[2 * i] < o[2 * i + 1])
			return (struct span){ o[2 * i], o[2 * i + 1] };
	}
	return (struct span){ 0, 0 };
}

bool regex_find(struct regex *p, const char *s, size_t len, size_t from,
		  struct match *m)
{
	const PCRE2_SIZE *o;
	int n;

	if (!p->code && (p->malformed || regex_compile(p, NULL) == -1))
		return false;
	if (++p->used == JIT_AFTER)
		pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE);
	n = pcre2_match(p->code, (PCRE2_SPTR)s, len, from, PCRE2_NO_UTF_CHECK,
			p->data, p->context);
	if (n < 0) {
		given_up += n != PCRE2_ERROR_NOMATCH;
		return false;
	}
	if (!m)
		return true;
	o = pcre2_get_ovector_pointer(p->data);
	/* \K may put the start behind the end: no such match is meant. */
	if (o[0] > o[1])
		return false;
	m->all = (struct span){ o[0], o[1] };
	m->v = group_v(p);
	m->mark = (const char *)pcre2_get_mark(p->data);
	return true;
}

size_t regex_length(const struct regex *p)
{
	return strlen(p->text);
}

/* NULL: not worth while, or nothing is known. */
static const struct need *need(struct regex *p)
{
	if (p->used < JIT_AFTER)
		return NULL;
	if (!p->need_known) {
		p->need = need_of(&p->arena, p->text);
		p->need_known = true;
	}
	return p->need;
}

bool regex_may_find(struct regex *p, const struct grams *g)
{
	return need_met(need(p), g);
}

bool regex_may_be_in(struct regex *p, const char *s, size_t len)
{
	struct grams g;

	if (!need(p))
		return true;
	grams_of(&g, s, len);
	return need_met(need(p), &g);
}

bool regex_is_in(struct regex *p, const char *s, size_t len)
{
	return regex_may_be_in(p, s, len) && regex_find(p, s, len, 0, NULL);
}

size_t regex_given_up(void)
{
	return given_up;
}
