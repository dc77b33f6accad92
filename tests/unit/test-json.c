#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "data/json.h"
#include "data/number.h"
#include "data/scan.h"

/* As json_read_text(), from an exact heap copy. */
static json_t *read_copy(const char *text, struct err *err)
{
	size_t len = strlen(text);
	char *copy = malloc(len + !len);
	json_t *v;

	memcpy(copy, text, len);
	v = json_read_text(copy, len, "f", err);
	free(copy);
	return v;
}

static void values_come_back(void **state)
{
	static const char *const texts[] = {
		"null", "true", "false", "0", "-0.0", "1.5", "0.1", "1e+22",
		"5.0", "9223372036854775807", "-9223372036854775808",
		"\"\"", "\"a\\n\\t\\\"\\\\b\"", "\"\xc2\xb1\"", "[]", "{}",
		"[1, [2, []], {\"a\": {\"b\": null}}]",
		"{\"a\": 1, \"b\": [true, \"x\"]}",
		"1.7976931348623157e+308", "\"\\u0001\"",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct buf out = BUF_INIT(1000);
		struct err err = ERR_INIT;
		json_t *v = read_copy(texts[i], &err);

		assert_non_null(v);
		json_write(&out, v, 0);
		assert_string_equal(out.s, texts[i]);
		json_decref(v);
		buf_release(&out);
	}
}

static void strings_are_decoded(void **state)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "\"\\u00e4\"", "\xc3\xa4" },
		{ "\"\\u20AC\"", "\xe2\x82\xac" },
		{ "\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80" },
		{ "\"\\ud83d\"", "\xef\xbf\xbd" },
		{ "\"\\udcff!\"", "\xef\xbf\xbd!" },
		{ "\"\\ud83d\\u0041\"", "\xef\xbf\xbd" "A" },
		{ "\"\\/\\b\\f\\r\"", "/\b\f\r" },
		{ "\xef\xbb\xbf \"x\" ", "x" },
		{ "\"0123456789abcdef\\n0123456789\"",
		  "0123456789abcdef\n0123456789" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct err err = ERR_INIT;
		json_t *v = read_copy(cases[i].text, &err);

		assert_non_null(v);
		assert_string_equal(json_string_value(v), cases[i].want);
		json_decref(v);
	}
}

static void mistakes_have_a_line(void **state)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{ "", "f:1: no value in it" },
		{ "\n\n", "f:3: no value in it" },
		{ "[1,\n2,\n", "f:3: cut off where a value belongs" },
		{ "[1,\n2", "f:2: cut off" },
		{ "{\"a\": 1", "f:1: cut off" },
		{ "{\"a\": 1,", "f:1: cut off inside an object" },
		{ "{\"a\"", "f:1: ':' belongs here" },
		{ "[1 2]", "f:1: ',' or ']' belongs here" },
		{ "[1}", "f:1: ',' or ']' belongs here" },
		{ "{\"a\":\n1]", "f:2: ',' or '}' belongs here" },
		{ "[1,]", "f:1: a value belongs here" },
		{ "{,}", "f:1: a name in quotes belongs here" },
		{ "{\"a\":1,}", "f:1: a name in quotes belongs here" },
		{ "{a: 1}", "f:1: a name in quotes belongs here" },
		{ "[1] x", "f:1: more text behind the end" },
		{ "[\n\nNaN]", "f:3: 'NaN' is no value of JSON" },
		{ "-Infinity", "f:1: '-Infinity' is no value of JSON" },
		{ "1e999", "f:1: '1e999' is no value of JSON" },
		{ "-1e999", "f:1: '-1e999' is no value of JSON" },
		{ "007", "f:1: '007' is no value of JSON" },
		{ "1.", "f:1: '1.' is no value of JSON" },
		{ ".5", "f:1: '.5' is no value of JSON" },
		{ "+1", "f:1: '+1' is no value of JSON" },
		{ "1e", "f:1: '1e' is no value of JSON" },
		{ "0x10", "f:1: '0x10' is no value of JSON" },
		{ "-", "f:1: '-' is no value of JSON" },
		{ "True", "f:1: 'True' is no value of JSON" },
		{ "nul", "f:1: 'nul' is no value of JSON" },
		{ "{\"a\": 1,\n\"b\": {\"a\": 1}, \"a\": 2}",
		  "f:2: 'a' stands twice" },
		{ "\"x", "f:1: cut off inside a string" },
		{ "\"x\\", "f:1: cut off inside a string" },
		{ "\"x\\\"", "f:1: cut off inside a string" },
		{ "\"x\ny\"", "f:1: a control character in a string" },
		{ "\"\\x\"", "f:1: a bad \\ in a string" },
		{ "\"\\u12g4\"", "f:1: a bad \\u in a string" },
		{ "\"\\u12", "f:1: cut off inside a string" },
		{ "\"\\u0000\"", "f:1: \\u0000 in a string" },
		{ "\"\xff\"", "f:1: '?' is no UTF-8" },
		{ "{\"\\n\\n\": 1,\n\"a\\n\": x\n}",
		  "f:2: 'x' is no value of JSON" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct err err = ERR_INIT;

		assert_null(read_copy(cases[i].text, &err));
		assert_string_equal(err.text, cases[i].error);
		assert_int_equal(err.code, ERR_INPUT);
	}
}

static void depth_is_capped(void **state)
{
	char text[4 * JSON_DEPTH_MAX];
	struct err err = ERR_INIT;
	json_t *v;

	(void)state;
	memset(text, 0, sizeof(text));
	memset(text, '[', JSON_DEPTH_MAX);
	memset(text + JSON_DEPTH_MAX, ']', JSON_DEPTH_MAX);
	v = read_copy(text, &err);
	assert_non_null(v);
	json_decref(v);
	memset(text, '[', 2 * JSON_DEPTH_MAX);
	assert_null(read_copy(text, &err));
	assert_string_equal(err.text, "f:1: nested too deep");
}

/* Every prefix of a text is read without a crash, and none but the whole is
 * taken for whole. */
static void cut_anywhere(void **state)
{
	static const char text[] = "{\"a\": [1, 2.5e3, \"x\\u00e4\\n\"], "
		"\"b\": {\"c\": [true, false, null]}}";

	(void)state;
	for (size_t len = 0; len < sizeof(text); len++) {
		char cut[sizeof(text)];
		struct err err = ERR_INIT;
		json_t *v;

		memcpy(cut, text, len);
		cut[len] = '\0';
		v = read_copy(cut, &err);
		assert_int_equal(v != NULL, len == sizeof(text) - 1);
		json_decref(v);
	}
}

static uint64_t next_random(void)
{
	static uint64_t x = 88172645463325252u;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}

/* A number's text of the kind "kind" into "s". */
static void random_number(char *s, size_t size, unsigned int kind)
{
	uint64_t a = next_random(), bits = next_random();
	double d;

	memcpy(&d, &bits, sizeof(d));
	if (kind == 0 && isfinite(d))
		snprintf(s, size, "%.17g", d);
	else if (kind == 1)
		snprintf(s, size, "%.*f", (int)(a % 18 + 1),
			 (double)(bits % 1000000) / (double)(1 + a % 1000));
	else if (kind == 2)
		snprintf(s, size, "%llue%d", (unsigned long long)bits,
			 (int)(a % 90) - 40);
	else if (kind == 3)	/* half way between two doubles */
		snprintf(s, size, "%llue%d", (unsigned long long)
			 ((UINT64_C(1) << 54) + (bits >> 11) * 2 + 1),
			 (int)(a % 30) - 10);
	else if (kind == 4)
		snprintf(s, size, "%lld", (long long)bits >> a % 64);
	else if (kind == 5)	/* what most numbers are like */
		snprintf(s, size, "%s%u.%0*u", a & 1 ? "-" : "",
			 (unsigned int)(bits >> 40) >> a % 24, (int)(a % 9 + 1),
			 (unsigned int)bits >> a % 32);
	else
		snprintf(s, size, "0.%0*llu", (int)(a % 25 + 1),
			 (unsigned long long)bits >> a % 60);
}

static void numbers_are_rounded_as_strtod_does(void **state)
{
	char s[128];

	(void)state;
	for (unsigned int i = 0; i < 30000; i++) {
		enum cell_type type;
		const char *end;
		union cell cell;
		double want;

		memset(s, 0, sizeof(s));
		random_number(s, sizeof(s) - NUMBER_PAD, i % 7);
		end = number_parse(s, &cell, &type);
		want = strtod(s, NULL);
		if (isinf(want)) {
			assert_null(end);
			continue;
		}
		assert_ptr_equal(end, s + strlen(s));
		if (type == CELL_INT)
			assert_true(cell.i == strtoll(s, NULL, 10));
		else if (memcmp(&cell.f, &want, sizeof(want)))
			fail_msg("%s read as %.17g", s, cell.f);
	}
}

static void what_is_no_number(void **state)
{
	static const char *const cases[] = {
		"", "-", "+1", "a", ".5", "-.5", "1.", "1.,", "1.e5", "1e",
		"1e+", "00", "01", "-01", "00.5", "01.5", "0000000001", "1e999",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char text[64] = "";
		enum cell_type type;
		union cell cell;

		strcpy(text, cases[i]);
		assert_null(number_parse(text, &cell, &type));
	}
}

static void integers_are_told_from_floats(void **state)
{
	static const struct {
		const char *text;
		enum cell_type type;
	} cases[] = {
		{ "0", CELL_INT }, { "-0", CELL_INT }, { "12", CELL_INT },
		{ "0.0", CELL_FLOAT }, { "1e2", CELL_FLOAT },
		{ "1E2", CELL_FLOAT }, { "9223372036854775807", CELL_INT },
		{ "9223372036854775808", CELL_FLOAT },
		{ "-9223372036854775808", CELL_INT },
		{ "-9223372036854775809", CELL_FLOAT },
		{ "18446744073709551616", CELL_FLOAT },
		{ "123456789012345678901234567890", CELL_FLOAT },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char text[64] = "";
		enum cell_type type;
		union cell cell;

		strcpy(text, cases[i].text);
		assert_non_null(number_parse(text, &cell, &type));
		assert_int_equal(type, cases[i].type);
	}
}

/* Read a row of a matrix from a text. */
static int read_row(const char *text, struct cells *cells, struct scan **s)
{
	*s = scan_open_text(text, strlen(text), "f");
	assert_int_equal(scan_next(*s), SCAN_ARRAY);
	return scan_cells(*s, cells);
}

static void rows_keep_what_is_odd_apart(void **state)
{
	struct cells c = { .n = 0 };
	struct scan *s;
	int line;

	(void)state;
	assert_int_equal(read_row("[1, 2.5, null,\nNaN, \"7\", [8, [9]], "
				  "{\"a\": 1}, true, 1e999, 3]", &c, &s), 0);
	assert_int_equal(c.n, 10);
	assert_int_equal(c.type[0], CELL_INT);
	assert_int_equal(c.type[1], CELL_FLOAT);
	assert_int_equal(c.type[2], CELL_NONE);
	for (size_t i = 3; i < 9; i++)
		assert_int_equal(c.type[i], CELL_TEXT);
	assert_int_equal(c.cell[9].i, 3);
	assert_int_equal(cells_type(&c), CELL_MIXED);
	assert_string_equal(scan_first_odd(s, &line), "'NaN' is no number");
	assert_int_equal(line, 2);
	assert_int_equal(scan_next(s), SCAN_END);
	scan_close(s);
	cells_reset(&c);
	assert_int_equal(read_row("[1, 2", &c, &s), -1);
	scan_close(s);
	cells_reset(&c);
	assert_int_equal(read_row("[1 2]", &c, &s), -1);
	scan_close(s);
	cells_reset(&c);
	assert_int_equal(read_row("[ ]", &c, &s), 0);
	assert_int_equal(c.n, 0);
	assert_int_equal(cells_type(&c), CELL_NONE);
	scan_close(s);
	cells_release(&c);
}

/* A file larger than the reader's window, its parts moved by one byte each
 * time, reads the same wherever the window ends. */
static void windows_end_anywhere(void **state)
{
	char path[] = "/tmp/test-json-XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd != -1);
	close(fd);
	for (int shift = 0; shift < 60; shift += 3) {
		struct buf text = BUF_INIT((size_t)1 << 20);
		struct err err = ERR_INIT;
		json_t *v, *row;

		buf_addf(&text, "%*s{\"first\": [\n", shift, "");
		for (int i = 0; i < 9000; i++)
			buf_addf(&text, "  %d.25,\n", i);
		buf_addf(&text, "0.5], \"long\": \"%0100000d\\n\xc2\xb1\",\n"
			 "\"name with \\\" \\u00e4\": [", 7);
		for (int i = 0; i < 9000; i++)
			buf_addf(&text, "\"text %d\\n\",\t", i);
		buf_addstr(&text, "\n\nnull]}\n");
		assert_int_equal(file_write(path, text.s, text.len, &err), 0);
		v = json_read_file(path, (size_t)1 << 20, &err);
		assert_non_null(v);
		row = json_object_get(v, "first");
		assert_int_equal(json_array_size(row), 9001);
		for (size_t i = 0; i < 9000; i++)
			assert_true(json_real_value(json_array_get(row, i)) ==
				    (double)i + 0.25);
		assert_int_equal(json_string_length(json_object_get(v, "long")),
				 100003);
		row = json_object_get(v, "name with \" \xc3\xa4");
		assert_string_equal(json_string_value(json_array_get(row, 77)),
				    "text 77\n");
		json_decref(v);
		text.s[text.len - 3] = 'x';	/* for ']' */
		assert_int_equal(file_write(path, text.s, text.len, &err), 0);
		assert_null(json_read_file(path, (size_t)1 << 20, &err));
		assert_non_null(strstr(err.text, ":9005: "));
		buf_release(&text);
	}
	unlink(path);
}

static void size_is_capped(void **state)
{
	char path[] = "/tmp/test-json-XXXXXX";
	struct err err = ERR_INIT;
	int fd = mkstemp(path);

	(void)state;
	assert_int_equal(file_write_fd(fd, path, "[1, 2, 3]", 9, &err), 0);
	close(fd);
	assert_null(json_read_file(path, 8, &err));
	assert_int_equal(err.code, ERR_INPUT);
	json_decref(json_read_file(path, 9, &err));
	unlink(path);
	assert_null(json_read_file(path, 9, &err));
	assert_int_equal(err.code, ERR_SYSTEM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_come_back),
		cmocka_unit_test(strings_are_decoded),
		cmocka_unit_test(mistakes_have_a_line),
		cmocka_unit_test(depth_is_capped),
		cmocka_unit_test(cut_anywhere),
		cmocka_unit_test(numbers_are_rounded_as_strtod_does),
		cmocka_unit_test(what_is_no_number),
		cmocka_unit_test(integers_are_told_from_floats),
		cmocka_unit_test(rows_keep_what_is_odd_apart),
		cmocka_unit_test(windows_end_anywhere),
		cmocka_unit_test(size_is_capped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
