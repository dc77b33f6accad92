#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "data/yaml-write.h"
#include "data/yaml.h"

#define N(array) (sizeof(array) / sizeof(*(array)))

static void values_are_written(void **state)
{
	static const struct { const char *json, *yaml; } c[] = {
		{ "{\"a\": 1, \"b\": [1, \"x\"], \"c\": {\"d\": null}}",
		  "a: 1\nb: [1, x]\nc:\n  d: null\n" },
		{ "{\"a\": [{\"b\": 1, \"c\": 2}, []], \"d\": {}}",
		  "a:\n  -\n    b: 1\n    c: 2\n  - []\nd: {}\n" },
		{ "{\"a\": \"- b\", \"c: d\": \"e: f\", \"g\": \"h # i\"}",
		  "a: \"- b\"\n\"c: d\": \"e: f\"\ng: \"h # i\"\n" },
		{ "{\"a\": \"100%\", \"b\": \"gcc-12\", \"c\": \"null\"}",
		  "a: 100%\nb: gcc-12\nc: \"null\"\n" },
	};

	(void)state;
	for (size_t i = 0; i < N(c); i++) {
		json_t *v = json_loads(c[i].json, 0, NULL);
		struct buf out = BUF_INIT(10000);

		yaml_write(&out, v);
		assert_string_equal(out.s, c[i].yaml);
		json_decref(v);
		buf_release(&out);
	}
}

/* Any text, as a key and as a value, is read back as it was. */
static void texts_survive(void **state)
{
	static const char *const text[] = {
		"", " ", "a", " a", "a ", "-", "--- a", "...", "a: b", "a:",
		":a", "#a", "a #b", "a#b", "'", "\"", "a\"b", "\\", "[", "]",
		"{a", "a}", "a, b", "&a", "*a", "!a", "|", ">", "%a", "@a",
		"`", "<<", "~", "null", "NULL", "Null", "=", "?", "? a",
		"a\nb", "a\tb", "\x01", "\xc3\xbc", "\xe2\x80\xa8", "true",
		"a\xc2\x85z", "a\xe2\x80\xa9" "b\xef\xbb\xbf", "\x7f" "a",
		"\xf0\x9f\x90\xa7\n",
		"1e5", "0x10", "a\\nb", "2026-01-01",
	};

	(void)state;
	for (size_t i = 0; i < N(text); i++) {
		json_t *v = json_pack("{s:s,s:[s],s:{s:s}}", text[i], text[i],
				      "list", text[i], "map", "k", text[i]);
		struct arena a = ARENA_INIT;
		struct buf out = BUF_INIT(10000);
		struct err err = ERR_INIT;
		struct yaml *y;
		json_t *back;

		yaml_write(&out, v);
		y = yaml_parse(&a, out.s, out.len, "f", &err);
		if (!y)
			fail_msg("'%s': %s\n%s", text[i], err.text, out.s);
		back = yaml_to_json(y, YAML_TEXT);
		if (!json_equal(v, back))
			fail_msg("'%s':\n%s", text[i], out.s);
		json_decref(back);
		json_decref(v);
		buf_release(&out);
		arena_release(&a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_written),
		cmocka_unit_test(texts_survive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
