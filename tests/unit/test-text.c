#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "data/json.h"
#include "render/box.h"
#include "render/template-set.h"

#define N(a) (sizeof(a) / sizeof(*(a)))

static void box_is_as_wide_as_its_cells(void **state)
{
	struct buf out = BUF_INIT(10000);
	json_t *impacts = json_loads(
		"[{\"stat\":\"fio.write_iops\",\"shown\":\"993.0%\","
		"\"word\":\"improvement\",\"test\":{\"name\":\"fio-basic\","
		"\"machine\":\"192 threads with 192G memory\",\"parameters\":"
		"[{\"key\":\"bs\",\"value\":\"4k\"},"
		"{\"key\":\"test\",\"value\":\"\\u00e9\"}]}},"
		"{\"stat\":\"x\",\"shown\":\"-1.0%\",\"word\":\"regression\","
		"\"test\":{\"name\":null,\"machine\":null,"
		"\"parameters\":[]}}]", 0, NULL);

	(void)state;
	box_text(&out, impacts);
	assert_string_equal(out.s,
"+------------------+----------------------------------------------+\n"
"| testcase: change | fio-basic: fio.write_iops 993.0% improvement |\n"
"| test machine     | 192 threads with 192G memory                 |\n"
"| test parameters  | bs=4k                                        |\n"
"|                  | test=\u00e9                                       |\n"
"+------------------+----------------------------------------------+\n"
"| testcase: change | x -1.0% regression                           |\n"
"+------------------+----------------------------------------------+\n");
	buf_reset(&out);
	json_array_clear(impacts);
	box_text(&out, impacts);
	assert_string_equal(out.s, "");
	json_decref(impacts);
	buf_release(&out);
}

/* A folder of sets with one set "s" in it. */
struct sets {
	char folder[32];
	char path[64];
};

static void put(const struct sets *s, const char *name, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", s->path, name);
	assert_int_equal(file_write(path, text, strlen(text), NULL), 0);
}

static void sets_make(struct sets *s)
{
	strcpy(s->folder, "/tmp/test-text-XXXXXX");
	assert_non_null(mkdtemp(s->folder));
	snprintf(s->path, sizeof(s->path), "%s/s", s->folder);
	assert_int_equal(file_make_folder(s->path, NULL), 0);
	put(s, "set.yaml",
	    "options: {hello: \"Hi,\", n: 1, on: true}\n"
	    "eras:\n- {until: 2019, n: 2}\n- {until: 2016, n: 3, on: false}\n");
	put(s, "body.mustache",
	    "{{option.hello}} {{option.n}} {{option.on}} {{>part}}");
	put(s, "part.mustache", "[{{x}}]\n");
	put(s, "subject.mustache", "{{#x}}\n{{nothing}}{{/x}}");
}

static void sets_remove(const struct sets *s)
{
	static const char *const names[] = { "s/set.yaml", "s/body.mustache",
		"s/part.mustache", "s/subject.mustache", "s", "" };
	char path[128];

	for (size_t i = 0; i < N(names); i++) {
		snprintf(path, sizeof(path), "%s/%s", s->folder, names[i]);
		assert_int_equal(remove(path), 0);
	}
}

static void sets_have_options_and_eras(void **state)
{
	static const struct {
		int era;
		const char *option, *want;
	} cases[] = {
		{ 0, NULL, "Hi, 1 true [<&>]\n" },
		{ 2020, NULL, "Hi, 1 true [<&>]\n" },
		{ 2019, NULL, "Hi, 2 true [<&>]\n" },
		{ 2017, NULL, "Hi, 2 true [<&>]\n" },
		{ 2014, NULL, "Hi, 3 false [<&>]\n" },
		{ 2014, "on=true", "Hi, 3 true [<&>]\n" },
		{ 0, "hello=a: b = c", "a: b = c 1 true [<&>]\n" },
		{ 0, "hello=null", " 1 true [<&>]\n" },
		{ 0, "hello=", " 1 true [<&>]\n" },
	};
	struct sets sets;

	(void)state;
	sets_make(&sets);
	for (size_t i = 0; i < N(cases); i++) {
		struct buf out = BUF_INIT(1000);
		struct err err = ERR_INIT;
		struct template_set s;
		json_t *data;

		assert_int_equal(template_set_open(&s, "s", sets.folder,
						   cases[i].era, &err), 0);
		if (cases[i].option)
			assert_int_equal(template_set_option(
				&s, cases[i].option, &err), 0);
		data = json_pack("{ssso}", "x", "<&>", "option",
				 json_incref(s.option));
		assert_int_equal(template_set_render(&s, "body", data, false,
						     &out, &err), 0);
		assert_string_equal(out.s, cases[i].want);
		json_decref(data);
		template_set_release(&s);
		buf_release(&out);
	}
	sets_remove(&sets);
}

static void sets_say_what_is_wrong(void **state)
{
	struct buf out = BUF_INIT(1000);
	struct err err = ERR_INIT;
	struct template_set s;
	struct sets sets;
	json_t *data = json_pack("{sb}", "x", true);
	char want[128];

	(void)state;
	sets_make(&sets);
	assert_int_equal(template_set_open(&s, sets.path, NULL, 0, &err), 0);
	assert_true(template_set_has(&s, "part"));
	assert_false(template_set_has(&s, "nothing"));
	assert_false(template_set_has(&s, "../s/part"));
	assert_int_equal(template_set_option(&s, "none=1", &err), -1);
	assert_string_equal(err.text,
			    "the template set has no option 'none'");
	assert_int_equal(template_set_option(&s, "on", &err), -1);
	assert_string_equal(err.text, "'on' is no KEY=VALUE");
	assert_int_equal(template_set_render(&s, "subject", data, false, &out,
					     &err), -1);
	snprintf(want, sizeof(want), "%s/subject.mustache:2: no 'nothing'",
		 sets.path);
	assert_string_equal(err.text, want);
	assert_int_equal(template_set_render(&s, "../s/part", data, false,
					     &out, &err), -1);
	template_set_release(&s);

	put(&sets, "set.yaml", "options: {a: 1}\neras: [{until: 2016, b: 1}]");
	assert_int_equal(template_set_open(&s, sets.path, NULL, 0, &err), -1);
	assert_non_null(strstr(err.text, "era 2016: no option 'b'"));
	template_set_release(&s);
	assert_int_equal(template_set_open(&s, "no-such-set", sets.folder, 0,
					   &err), -1);
	assert_string_equal(err.text, "no template set 'no-such-set'");
	template_set_release(&s);
	json_decref(data);
	buf_release(&out);
	sets_remove(&sets);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(box_is_as_wide_as_its_cells),
		cmocka_unit_test(sets_have_options_and_eras),
		cmocka_unit_test(sets_say_what_is_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
