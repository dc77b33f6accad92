#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "data/json.h"
#include "render/mustache.h"

/* Partials "p": "[{{x}}]\n", "self": itself, and "bad": a broken one. */
static int find_partial(void *arg, struct arena *a, const char *name,
			struct mustache_source *source, struct err *err)
{
	(void)arg;
	(void)a;
	source->file = "partial";
	if (!strcmp(name, "p"))
		source->text = "[{{x}}]\nz\n";
	else if (!strcmp(name, "self"))
		source->text = "{{>self}}";
	else if (!strcmp(name, "bad"))
		source->text = "\n{{#x}}";
	else if (!strcmp(name, "denied"))
		return err_set(err, ERR_INPUT, "cannot read it");
	else
		return 0;
	source->len = strlen(source->text);
	return 1;
}

/* The template as an exact heap copy: a read past its end is seen. */
static int render(struct buf *out, const char *text, const char *data,
		  bool strict, bool html, struct err *err)
{
	struct mustache_options o = { .strict = strict, .html = html,
				      .partial = find_partial };
	size_t len = strlen(text);
	char *copy = malloc(len ? len : 1);
	struct mustache_source source = { "t", copy, len };
	json_t *json = json_loads(data, JSON_DECODE_ANY, NULL);
	int ret;

	assert_non_null(json);
	memcpy(copy, text, len);
	ret = mustache_render(out, &source, json, &o, err);
	json_decref(json);
	free(copy);
	return ret;
}

static void renders(void **state)
{
	static const struct {
		const char *text, *data, *want;
	} cases[] = {
		{ "", "{}", "" },
		{ "plain", "{}", "plain" },
		{ "{{x}}", "{\"x\":\"(\\\"a\\\") <&>\"}", "(\"a\") <&>" },
		{ "{{x}} {{{x}}} {{&x}}", "{\"x\":7}", "7 7 7" },
		{ "{{ x }}|{{\tx\n}}", "{\"x\":0.1}", "0.1|0.1" },
		{ "{{x}}", "{\"x\":null}", "" },
		{ "{{x}}{{y}}", "{\"x\":true,\"y\":false}", "truefalse" },
		{ "{{a.b.c}}", "{\"a\":{\"b\":{\"c\":1}}}", "1" },
		{ "{{#a}}{{b}}{{/a}}", "{\"a\":{},\"b\":2}", "2" },
		{ "{{#a}}{{.}},{{/a}}", "{\"a\":[1,2,3]}", "1,2,3," },
		{ "{{#a}}{{#.}}{{.}}{{/.}};{{/a}}", "{\"a\":[[1,2],[3]]}",
		  "12;3;" },
		{ "{{#a}}x{{/a}}{{^a}}y{{/a}}", "{\"a\":[]}", "y" },
		{ "{{#a}}x{{/a}}{{^a}}y{{/a}}", "{\"a\":0}", "x" },
		{ "{{#a}}x{{/a}}", "{\"a\":\"\"}", "x" },
		{ "a\n  {{#x}}  \nb\n{{/x}}\nc\n", "{\"x\":true}",
		  "a\nb\nc\n" },
		{ "a\r\n{{#x}}\r\nb\r\n{{/x}}\r\nc", "{\"x\":true}",
		  "a\r\nb\r\nc" },
		{ "{{#x}}{{/x}}\n", "{\"x\":true}", "\n" },
		{ "{{! c }}\n{{x}} \n", "{\"x\":1}", "1 \n" },
		{ "a {{! c\nd }} b", "{}", "a  b" },
		{ "{{=<% %>=}}<% x %>{{x}}<%={{ }}=%>{{x}}", "{\"x\":1}",
		  "1{{x}}1" },
		{ "{{=| |=}}\n|#x|\n|.|\n|/x|\n", "{\"x\":[5]}", "5\n" },
		{ "<{{>p}}>", "{\"x\":1}", "<[1]\nz\n>" },
		{ "  {{>p}}\nq", "{\"x\":\"a\\nb\"}", "  [a\nb]\n  z\nq" },
		{ "{{#x}}", NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; cases[i].data; i++) {
		struct buf out = BUF_INIT(1000);
		struct err err = ERR_INIT;

		if (render(&out, cases[i].text, cases[i].data, true, false,
			   &err))
			fail_msg("%s: %s", cases[i].text, err.text);
		assert_string_equal(out.s, cases[i].want);
		buf_release(&out);
	}
}

static void escapes_in_html_only(void **state)
{
	struct buf out = BUF_INIT(1000);

	(void)state;
	assert_int_equal(render(&out, "{{x}} {{{x}}}",
				"{\"x\":\"<a b='\\\"&\\\"'>\"}", true, true,
				NULL), 0);
	assert_string_equal(out.s, "&lt;a b=&#39;&quot;&amp;&quot;&#39;&gt; "
				   "<a b='\"&\"'>");
	buf_release(&out);
}

static void says_what_is_wrong(void **state)
{
	static const struct {
		const char *text, *data, *want;
	} cases[] = {
		{ "a\nb {{y}}", "{}", "t:2: no 'y'" },
		{ "{{#y}}{{/y}}", "{}", "t:1: no 'y'" },
		{ "{{^y}}{{/y}}", "{}", "t:1: no 'y'" },
		{ "{{a.b.c}}", "{\"a\":{\"b\":{}},\"c\":1}",
		  "t:1: no 'a.b.c'" },
		{ "{{x.}}", "{\"x\":{}}", "t:1: no 'x.'" },
		{ "{{x}}", "{\"x\":[]}",
		  "t:1: a list or an object has no text: 'x'" },
		{ "\n\n{{>no}}", "{}", "t:3: no template 'no'" },
		{ "{{>p}}", "{}", "partial:1: no 'x'" },
		{ "\n{{>bad}}", "{}", "partial:2: section 'x' does not end" },
		{ "\n{{>denied}}", "{}", "t:2: cannot read it" },
		{ "{{>self}}", "{}",
		  "partial:1: templates nested too deep at 'self'" },
		{ "\n{{#x}}\n{{#y}}{{/x}}", "{}",
		  "t:3: another section is open at the end of 'x'" },
		{ "{{/x}}", "{}", "t:1: no section open for the end of 'x'" },
		{ "{{x", "{\"x\":1}", "t:1: a tag does not end: 'x'" },
		{ "{{{x}}", "{\"x\":1}", "t:1: a tag does not end: '{x}}'" },
		{ "{{", "{}", "t:1: a tag does not end: ''" },
		{ "{{}}", "{}", "t:1: a tag without a name ''" },
		{ "{{=a=}}", "{}", "t:1: no two delimiters in 'a'" },
		{ "{{=a b c=}}", "{}", "t:1: no two delimiters in 'a b c'" },
		{ "{{==}}", "{}", "t:1: no two delimiters in ''" },
		{ "{{=aaaaaaaaaaaaaaaaa b=}}", "{}",
		  "t:1: no two delimiters in 'aaaaaaaaaaaaaaaaa b'" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct buf out = BUF_INIT(1000);
		struct err err = ERR_INIT;

		assert_int_equal(render(&out, cases[i].text, cases[i].data,
					true, false, &err), -1);
		if (!strstr(err.text, cases[i].want))
			fail_msg("%s: got \"%s\"", cases[i].text, err.text);
		buf_release(&out);
	}
}

static void is_lax_when_asked(void **state)
{
	struct buf out = BUF_INIT(1000);

	(void)state;
	assert_int_equal(render(&out, "[{{y}}{{a.b}}{{>no}}{{#z}}x{{/z}}{{x}}]",
				"{\"x\":{},\"a\":3}", false, false, NULL), 0);
	assert_string_equal(out.s, "[]");
	buf_release(&out);
}

static void knows_its_limits(void **state)
{
	struct buf out = BUF_INIT(10), deep = BUF_INIT(10000);
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(render(&out, "{{#x}}12345{{/x}}", "{\"x\":[1,2,3]}",
				true, false, &err), -1);
	assert_string_equal(err.text, "t:1: more output than allowed");
	for (int i = 0; i < 33; i++)
		buf_addstr(&deep, "{{#x}}");
	assert_int_equal(render(&out, deep.s, "{}", false, false, &err), -1);
	assert_string_equal(err.text,
			    "t:1: sections nested too deep at 'x'");
	buf_release(&out);
	buf_release(&deep);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(renders),
		cmocka_unit_test(escapes_in_html_only),
		cmocka_unit_test(says_what_is_wrong),
		cmocka_unit_test(is_lax_when_asked),
		cmocka_unit_test(knows_its_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
