#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/err.h"
#include "data/json.h"
#include "request/grammar.h"
#include "request/need.h"

#define COUNT(t) (sizeof(t) / sizeof(t[0]))

static bool may(struct arena *a, const char *pattern, const char *text)
{
	struct grams g;

	grams_of(&g, text, strlen(text));
	return need_met(need_of(a, pattern), &g);
}

static void rules_out_what_cannot_be(void **state)
{
	static const struct {
		const char *pattern, *text;
		bool may;
	} t[] = {
		{ "rerun", "please rerun it", true },
		{ "rerun", "nothing of the kind", false },
		{ "RERUN", "please Rerun", true },
		{ "\\b(re-?run|test(ed)?)\\b", "it was tested", true },
		{ "\\b(re-?run|test(ed)?)\\b", "it was seen", false },
		{ "\\b(re-?run|test(ed)?|ok)\\b", "it was seen", false },
		{ "\\b(re-?run|test(ed)?|ok)\\b", "it is ok", true },
		{ "(could|would) .{0,20} rerun", "we could do more", false },
		{ "(could|would)? rerun", "a rerun", true },
		{ "(could|would){0,2}xy", "xy", true },
		{ "(could|would){1,2}", "x", false },
		{ "colou?r", "the color", true },
		{ "colou?r", "the colour", true },
		{ "colou?r", "the cold", false },
		{ "sto+p", "stoooop", true },
		{ "a(?=please)", "a", false },
		{ "(?!please)abc", "abc", true },
		{ "(?<!please )abc", "abc", true },
		{ "(?<v>please) x", "nothing", false },
		{ "(?&w) x(?(DEFINE)(?<w>please|kindly))", "kindly x", true },
		{ "(?&w) x(?(DEFINE)(?<w>please|kindly))", "you x", false },
		{ "(?&w)(?(DEFINE)(?<w>(?&w)x))", "anything", true },
		{ "[a|b]cde[)(]fgh", "xcde(fgh", true },
		{ "[[:alpha:]]cde", "xcde", true },
		{ "[]x]abc", "]abc", true },
		{ "what\\?", "what?", true },
		{ "what\\?", "whatever", false },
		{ "\\x{41}bc|\\p{Lu}def", "x", false },
		{ "\\x{41}bc|\\p{Lu}def", "Abc", true },
		{ "\\x{41}b|\\p{Lu}def", "x", true },
		{ "", "x", true }, { "|abc", "x", true }, { "(", "x", true },
		/* Words end where letters do. */
		{ "\\b(i|we) tested", "they tested", false },
		{ "\\b(i|we) tested", "so we tested", true },
		{ "\\b(i|we) tested", "I tested", true },
		{ "\\bwe\\b", "a well, a tower", false },
		{ "\\bwe\\b", "(we)", true }, { "^we$", "we", true },
		{ "\\b(a|b)+\\b", "ab", true },
		{ "\\b(ab){2}\\b", "abab", true },
		{ "(ab|cd)x", "abx", true }, { "(ab|cd) x", "ab x", true },
		{ "(ab|cd)[.,]x", "ab;x", true },
		{ "(ab|cd)[.,]?x", "abx", true },
		{ "[ ](ab)", "ab", true }, { "x[- ]ab", "xab", false },
		{ "\\bx?ab", "xab", true }, { "a\\b b", "a b", true },
		{ "\\w\\b( foo)", "x foo", true },
		{ "[ -~]ab", "xab", true }, { "[^ ]ab", "xab", true },
		{ "(?!x)(ab)\\b", "ab", true },
		{ "\\b(?!x)ab", "xab", false },
		{ "\\b(?=abc)abcd\\b", "abcd", true },
		{ "x(?=abc)", "xab", false },
		{ "caf\xc3\xa9", "cafe", false },
		{ "caf\xc3\xa9", "CAF\xc3\x89", true },
		{ "caf\xc3\xa9?", "caf", true },
		{ "[^\\x00-\\x7f]", "cafe", false },
		{ "\xe6\x9c\xac|xyz", "y", false },
		/* All is needed, not only the best. */
		{ "(stop|quit) .*(mail|tests)", "quit the game", false },
		{ "(stop|quit) .*(mail|tests)", "quit the tests", true },
		/* PCRE2 takes U+017F for an "s" and U+212A for a "k". */
		{ "test", "te\xc5\xbft", true },
		{ "ask", "as\xe2\x84\xaa", true },
	};
	struct arena a = ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT(t); i++)
		if (may(&a, t[i].pattern, t[i].text) != t[i].may)
			fail_msg("'%s' in '%s'", t[i].pattern, t[i].text);
	arena_release(&a);
}

static size_t ruled_out;

static void check_pattern(const char *name, struct regex *p,
			  const struct grams *grams, const char *s, size_t len)
{
	if (!p || regex_may_find(p, grams))
		return;
	ruled_out++;
	if (regex_find(p, s, len, 0, NULL))
		fail_msg("%s: %.*s", name, (int)len, s);
}

static void check_patterns(const struct patterns *p, const char *s, size_t len)
{
	struct grams grams;

	grams_of(&grams, s, len);
	for (size_t i = 0; i < p->n; i++) {
		check_pattern(p->v[i].name, p->v[i].pattern, &grams, s, len);
		check_pattern(p->v[i].name, p->v[i].near, &grams, s, len);
	}
}

/* What matches was never ruled out, by any pattern of the rules. */
static void check_line(const struct grammar *g, const char *s, size_t len)
{
	check_patterns(&g->marks, s, len);
	check_patterns(&g->fields, s, len);
	check_patterns(&g->params, s, len);
}

/* Only of those that are used often it is found out. */
static void use(struct regex *p)
{
	for (int k = 0; k < 20 && p; k++)
		regex_find(p, "x", 1, 0, NULL);
}

static void use_all(const struct patterns *p)
{
	for (size_t i = 0; i < p->n; i++) {
		use(p->v[i].pattern);
		use(p->v[i].near);
	}
}

static void check_text(const struct grammar *g, const char *s)
{
	while (*s) {
		size_t n = strcspn(s, "\n");

		check_line(g, s, n);
		s += n + (s[n] == '\n');
	}
}

static void holds_for_all_rules(void **state)
{
	struct err err = ERR_INIT;
	struct grammar *g;
	FILE *f;
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	(void)state;
	g = grammar_load(TESTDATA "/../src/request/requests.rules", &err);
	assert_non_null(g);
	use_all(&g->marks);
	use_all(&g->fields);
	use_all(&g->params);
	f = fopen(TESTDATA "/data/requests-own.jsonl", "r");
	assert_non_null(f);
	while ((n = getline(&line, &cap, f)) > 0) {
		json_t *v = json_read_text(line, (size_t)n, "own", &err);

		assert_non_null(v);
		if (json_member_text(v, "text"))
			check_text(g, json_member_text(v, "text"));
		json_decref(v);
	}
	assert_true(ruled_out > 10000);
	free(line);
	fclose(f);
	grammar_free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules_out_what_cannot_be),
		cmocka_unit_test(holds_for_all_rules),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
