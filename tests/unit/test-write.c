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
#include "mail/check.h"
#include "mail/encode.h"
#include "mail/id.h"
#include "mail/write.h"

#define N(array) (sizeof(array) / sizeof(*(array)))

/* A letter that is well, for the cases to spoil. */
static struct address ann = { "Ann Example", "ann@example.org" };
static struct letter good(void)
{
	return (struct letter){
		.from = { "Perf Test Robot", "perfbot@ci.example.org" },
		.to = { &ann, 1 },
		.subject = "[mm] 5c0a85fad9: unixbench.score -6.3% regression",
		.message_id = "report.5c1e77a90b3d.1@ci.example.org",
		.date = 1700000000,
		.body = "Hello,\n\nthe score fell.\n",
	};
}

static void headers_are_checked(void **state)
{
	static const struct { const char *value; int rc; } value[] = {
		{ "plain", 0 },
		{ "M\xc3\xbcller", 0 },
		{ "", 0 },
		{ "a\nBcc: eve@example.net", -1 },
		{ "a\rBcc: eve@example.net", -1 },
		{ "a\r\n\r\nbody", -1 },
		{ "a\tb", -1 },
		{ "\x7f", -1 },
		{ "latin \xfc", -1 },
		{ "\xc0\x8a", -1 },		/* an overlong newline */
		{ "\xed\xa0\x80", -1 },		/* a surrogate */
	}, name[] = {
		{ "X-Perfpost-Report", 0 }, { "", -1 }, { "X Y", -1 },
		{ "X:", -1 }, { "X\n", -1 }, { "X\xc3\xbc", -1 },
	};
	struct err err = ERR_INIT;

	(void)state;
	for (size_t i = 0; i < N(value); i++) {
		char *copy = strdup(value[i].value);

		assert_int_equal(header_value(copy, &err), value[i].rc);
		free(copy);
	}
	for (size_t i = 0; i < N(name); i++)
		assert_int_equal(header_name(name[i].value, &err), name[i].rc);
}

static void long_values_are_refused(void **state)
{
	struct err err = ERR_INIT;
	char *s = calloc(5000, 1);

	(void)state;
	memset(s, 'x', 4096);
	assert_int_equal(header_value(s, &err), 0);
	s[4096] = 'x';
	assert_int_equal(header_value(s, &err), -1);
	assert_int_equal(address_check(s, &err), -1);
	assert_int_equal(msgid_check(s, &err), -1);
	free(s);
}

static void addresses_are_parsed(void **state)
{
	static const struct { const char *text, *name, *address; } c[] = {
		{ "ann@example.org", "", "ann@example.org" },
		{ "<ann@Example.ORG>", "", "ann@example.org" },
		{ "Ann <Ann@example.org>", "Ann", "Ann@example.org" },
		{ " Ann  B.  < ann@example.org > ", "Ann  B.",
		  "ann@example.org" },
		{ "\"Example, Ann\" <ann@example.org>", "Example, Ann",
		  "ann@example.org" },
		{ "\"a \\\"b\\\" \\\\c\" <ann@example.org>", "a \"b\" \\c",
		  "ann@example.org" },
		{ "M\xc3\xbcller <m@example.org>", "M\xc3\xbcller",
		  "m@example.org" },
		{ "a+b_c=d@x-y.example.org", "", "a+b_c=d@x-y.example.org" },
		{ "root@localhost", "", "root@localhost" },
		{ "", NULL, NULL },
		{ "ann", NULL, NULL },
		{ "@example.org", NULL, NULL },
		{ "ann@", NULL, NULL },
		{ "a b@example.org", NULL, NULL },
		{ "a..b@example.org", NULL, NULL },
		{ ".a@example.org", NULL, NULL },
		{ "a@example..org", NULL, NULL },
		{ "a@-example.org", NULL, NULL },
		{ "a@example-.org", NULL, NULL },
		{ "a@b@example.org", NULL, NULL },
		{ "ann@example.org, eve@example.net", NULL, NULL },
		{ "<ann@example.org>, <eve@example.net>", NULL, NULL },
		{ "Ann <ann@example.org", NULL, NULL },
		{ "Ann <ann@example.org> x", NULL, NULL },
		{ "Ann <eve@example.net> <ann@example.org>", NULL, NULL },
		{ "\"Ann <ann@example.org>", NULL, NULL },
		{ "Ann \"B\" <ann@example.org>", NULL, NULL },
		{ "Ann\n<ann@example.org>", NULL, NULL },
		{ "m\xc3\xbcller@example.org", NULL, NULL },
		{ "a@example.org>\r\nRCPT TO:<eve@example.net", NULL, NULL },
		{ "u@host.(none)", NULL, NULL },
		{ "group: a@example.org;", NULL, NULL },
	};
	struct arena a = ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < N(c); i++) {
		struct err err = ERR_INIT;
		struct address got;
		char *copy = strdup(c[i].text);
		int rc = address_parse(copy, &a, &got, &err);

		free(copy);
		if (rc != (c[i].address ? 0 : -1))
			fail_msg("'%s': %d %s", c[i].text, rc, err.text);
		if (rc == -1)
			continue;
		assert_string_equal(got.name, c[i].name);
		assert_string_equal(got.address, c[i].address);
	}
	arena_release(&a);
}

static void ids_are_checked(void **state)
{
	static const struct { const char *id; int rc; } c[] = {
		{ "report.5c1e77a90b3d.1@ci.example.org", 0 },
		{ "20160606022724.GA26227@yexl-desktop", 0 },
		{ "a/b+c@example.org", 0 },
		{ "<a@b>", -1 }, { "a@b c", -1 }, { "a", -1 }, { "", -1 },
		{ "a@b@c", -1 }, { "a@b\n", -1 }, { "a@b> <c@d", -1 },
	};
	struct err err = ERR_INIT;

	(void)state;
	for (size_t i = 0; i < N(c); i++)
		assert_int_equal(msgid_check(c[i].id, &err), c[i].rc);
}

static void text_is_encoded_and_folded(void **state)
{
	static const struct { const char *value, *line; } c[] = {
		{ "short", "X: short\n" },
		{ "two  blanks", "X: two  blanks\n" },
		{ "\xc2\xb1", "X: =?utf-8?b?wrE=?=\n" },
		{ "plain then M\xc3\xbcller then plain",
		  "X: plain then =?utf-8?q?M=C3=BCller?= then plain\n" },
		{ "=?utf-8?q?trap?=",
		  "X: =?utf-8?q?=3D=3Futf-8=3Fq=3Ftrap=3F=3D?=\n" },
		{ "a=?b", "X: =?utf-8?q?a=3D=3Fb?=\n" },
		{ "\xe6\x97\xa5\xe6\x9c\xac", "X: =?utf-8?b?5pel5pys?=\n" },
		{ "\xc3\xbc one \xc3\xb6",
		  "X: =?utf-8?q?=C3=BC_one_=C3=B6?=\n" },
		{ "[linux-next:master] [vmsplice]  e2c0b23680: "
		  "stress-ng.vm-splice.vm-splice_calls_per_sec 10.2% "
		  "regression",
		  "X: [linux-next:master] [vmsplice]  e2c0b23680:\n"
		  " stress-ng.vm-splice.vm-splice_calls_per_sec 10.2% "
		  "regression\n" },
	};
	struct buf out = BUF_INIT(10000);

	(void)state;
	for (size_t i = 0; i < N(c); i++) {
		encode_text(&out, "X", c[i].value);
		assert_string_equal(out.s, c[i].line);
		buf_reset(&out);
	}
	buf_release(&out);
}

static size_t longest_line(const char *s)
{
	size_t most = 0, len;

	for (; *s; s += len + (s[len] == '\n')) {
		len = strcspn(s, "\n");
		most = len > most ? len : most;
	}
	return most;
}

/* Whatever the text, lines stay short and no character is cut in two. */
static void long_text_keeps_lines_short(void **state)
{
	static const char *const unit[] = {
		"\xc3\xbc", "\xe6\x97\xa5", "\xf0\x9f\x90\xa7", "x\xc3\xbc",
		"ab \xc3\xbc", "=?",
	};
	struct buf text = BUF_INIT(5000), out = BUF_INIT(100000);

	(void)state;
	for (size_t i = 0; i < N(unit); i++)
		for (size_t n = 1; n < 200; n++) {
			buf_reset(&text);
			buf_reset(&out);
			for (size_t k = 0; k < n; k++)
				buf_addstr(&text, unit[i]);
			encode_text(&out, "Subject", text.s);
			assert_true(longest_line(out.s) <= 85);
		}
	buf_reset(&text);
	buf_reset(&out);
	for (int k = 0; k < 4000; k++)
		buf_addch(&text, 'x');
	encode_text(&out, "Subject", text.s);
	assert_true(longest_line(out.s) <= 998);
	buf_release(&text);
	buf_release(&out);
}

static void names_are_phrases(void **state)
{
	static const struct { struct address a; const char *line; } c[] = {
		{ { "", "a@example.org" }, "To: a@example.org\n" },
		{ { "Ann Example", "a@example.org" },
		  "To: Ann Example <a@example.org>\n" },
		{ { "Kirill A. S", "a@example.org" },
		  "To: \"Kirill A. S\" <a@example.org>\n" },
		{ { "Huang, Ying \"x\" \\", "a@example.org" },
		  "To: \"Huang, Ying \\\"x\\\" \\\\\" <a@example.org>\n" },
		{ { "M\xc3\xbcller, Zo\xc3\xab", "a@example.org" },
		  "To: =?utf-8?q?M=C3=BCller=2C_Zo=C3=AB?= "
		  "<a@example.org>\n" },
		{ { "eve@example.net", "a@example.org" },
		  "To: \"eve@example.net\" <a@example.org>\n" },
	};
	struct buf out = BUF_INIT(10000);

	(void)state;
	for (size_t i = 0; i < N(c); i++) {
		struct address a = c[i].a;

		encode_addresses(&out, "To", &(struct addresses){ &a, 1 });
		assert_string_equal(out.s, c[i].line);
		buf_reset(&out);
	}
	encode_addresses(&out, "Cc", &(struct addresses){ NULL, 0 });
	assert_string_equal(out.s, "");
	buf_release(&out);
}

static void many_recipients_are_folded(void **state)
{
	struct address a[40];
	struct buf out = BUF_INIT(100000);

	(void)state;
	for (size_t i = 0; i < N(a); i++)
		a[i] = (struct address){ "A Person of Name", "p@example.org" };
	encode_addresses(&out, "To", &(struct addresses){ a, N(a) });
	assert_true(longest_line(out.s) <= 78);
	assert_null(strstr(out.s, ",,"));
	buf_release(&out);
}

static void ids_are_functions_of_their_parts(void **state)
{
	struct id_parts p = { "report", "5c1e77a90b3d00000000", "1", NULL,
			      "ci.example.org" };
	const char *ab[] = { "a", "b" }, *other[] = { "ab", "" };
	char one[DIGEST_HEX], two[DIGEST_HEX];
	struct buf x = BUF_INIT(200), y = BUF_INIT(200);

	(void)state;
	msgid_make(&x, &p);
	assert_string_equal(x.s, "report.5c1e77a90b3d.1@ci.example.org");
	p.request = "someone@example.net";
	msgid_make(&y, &p);
	assert_true(y.len == x.len + 13);
	buf_reset(&x);
	msgid_make(&x, &p);
	assert_string_equal(x.s, y.s);
	assert_int_equal(msgid_check(x.s, NULL), 0);
	digest(ab, 2, one);
	digest(other, 2, two);
	assert_string_not_equal(one, two);
	buf_release(&x);
	buf_release(&y);
}

static char *written(const struct letter *l, enum line_end end)
{
	struct buf out = BUF_INIT(1 << 20);
	struct err err = ERR_INIT;

	if (letter_write(l, end, &out, &err) == -1)
		fail_msg("%s", err.text);
	return buf_detach(&out);
}

static void ascii_stays_plain(void **state)
{
	struct letter l = good();
	char *s = written(&l, LINE_END_LF);

	(void)state;
	assert_string_equal(s,
		"From: Perf Test Robot <perfbot@ci.example.org>\n"
		"To: Ann Example <ann@example.org>\n"
		"Subject: [mm] 5c0a85fad9: unixbench.score -6.3% regression\n"
		"Date: Tue, 14 Nov 2023 22:13:20 +0000\n"
		"Message-ID: <report.5c1e77a90b3d.1@ci.example.org>\n"
		"MIME-Version: 1.0\n"
		"Content-Type: text/plain; charset=utf-8\n"
		"Content-Transfer-Encoding: 7bit\n"
		"\n"
		"Hello,\n\nthe score fell.\n");
	free(s);
}

static void other_text_is_quoted_printable(void **state)
{
	static const struct { const char *body, *want; } c[] = {
		{ "14321 \xc2\xb1  0%\n", "14321 =C2=B1  0%\n" },
		{ "From me \n", "=46rom me=20\n" },
		{ "bell \a\n", "bell =07\n" },
	};

	(void)state;
	for (size_t i = 0; i < N(c); i++) {
		struct letter l = good();
		char *s;

		l.body = c[i].body;
		s = written(&l, LINE_END_LF);
		assert_non_null(strstr(s, "Encoding: quoted-printable\n"));
		assert_string_equal(strstr(s, "\n\n") + 2, c[i].want);
		free(s);
	}
}

static void crlf_is_crlf_everywhere(void **state)
{
	const struct attachment a[] = {
		{ "job.yaml", "application/yaml", "a: 1\nb: 2\n", 10 },
		{ "bin", "application/octet-stream", "\0\r\n\xff", 4 },
	};
	struct letter l = good();
	char *s, *t;

	(void)state;
	l.attachment = a;
	l.nattachment = N(a);
	l.body = "\xc2\xb1 one\ntwo without end";
	s = written(&l, LINE_END_CRLF);
	for (const char *p = s; *p; p++) {
		if (*p == '\n')
			assert_true(p > s && p[-1] == '\r');
		if (*p == '\r')
			assert_true(p[1] == '\n');
		assert_true((unsigned char)*p < 0x80);
	}
	t = written(&l, LINE_END_CRLF);
	assert_string_equal(s, t);
	free(s);
	free(t);
}

static void file_names_are_rfc2231(void **state)
{
	const struct attachment a = { "Gr\xc3\xb6\xc3\x9f" "e; x=\"y\".yaml",
				      "text/plain", "x\n", 2 };
	struct letter l = good();
	char *s;

	(void)state;
	l.attachment = &a;
	l.nattachment = 1;
	s = written(&l, LINE_END_LF);
	assert_non_null(strstr(s, "filename*=UTF-8''Gr%C3%B6%C3%9Fe%3B"));
	free(s);
}

static void unfit_letters_are_refused(void **state)
{
	struct address bad = { "Ann", "ann@example.org>\r\nx: y" };
	struct address evil = { "Ann\nBcc: eve@example.net",
				"ann@example.org" };
	const char *bad_ref = "a@b>\nX: y";
	struct field taken = { "bcc", "eve@example.net" };
	struct field split = { "X-A", "b\nBcc: eve@example.net" };
	struct field colon = { "X-A: b\nBcc", "eve@example.net" };
	struct field mime = { "content-type", "text/html" };
	struct attachment folder = { "../x", "text/plain", "x", 1 };
	struct attachment name = { "x\ny", "text/plain", "x", 1 };
	struct letter c[15];
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < N(c); i++)
		c[i] = good();
	c[n++].to = (struct addresses){ &bad, 1 };
	c[n++].cc = (struct addresses){ &evil, 1 };
	c[n++].from = evil;
	c[n++].subject = "x\r\nBcc: eve@example.net";
	c[n++].subject = "";
	c[n++].body = "";
	c[n++].body = "latin \xfc\n";
	c[n++].message_id = "<a@b>";
	c[n++].in_reply_to = "a@b\n";
	c[n++].references = (struct strings){ &bad_ref, 1 };
	c[n].nfield = 1, c[n++].field = &taken;
	c[n].nfield = 1, c[n++].field = &split;
	c[n].nfield = 1, c[n++].field = &colon;
	c[n].nfield = 1, c[n++].field = &mime;
	c[n++].date = -1;
	for (size_t i = 0; i < n; i++) {
		struct buf out = BUF_INIT(1 << 20);
		struct err err = ERR_INIT;

		if (letter_write(&c[i], LINE_END_LF, &out, &err) != -1)
			fail_msg("case %zu went through", i);
		assert_int_equal(err.code, ERR_INPUT);
		assert_int_equal(out.len, 0);
		buf_release(&out);
	}
	for (size_t i = 0; i < 2; i++) {
		struct buf out = BUF_INIT(1 << 20);
		struct letter l = good();

		l.attachment = i ? &folder : &name;
		l.nattachment = 1;
		assert_int_equal(letter_write(&l, LINE_END_LF, &out, NULL), -1);
	}
}

static void nobody_named_is_said(void **state)
{
	struct buf out = BUF_INIT(1 << 20);
	struct letter l = good();
	struct err err = ERR_INIT;

	(void)state;
	l.to.n = l.cc.n = 0;
	assert_int_equal(letter_write(&l, LINE_END_LF, &out, &err), 0);
	assert_non_null(strstr(out.s, "\nTo: undisclosed-recipients:;\n"));
	buf_release(&out);
}

static void size_has_a_limit(void **state)
{
	struct buf out = BUF_INIT(500);
	struct letter l = good();
	struct err err = ERR_INIT;
	char *body = calloc(401, 1);

	(void)state;
	memset(body, 'x', 400);
	l.body = body;
	assert_int_equal(letter_write(&l, LINE_END_LF, &out, &err), -1);
	assert_int_equal(out.len, 0);
	free(body);
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(headers_are_checked),
		cmocka_unit_test(long_values_are_refused),
		cmocka_unit_test(addresses_are_parsed),
		cmocka_unit_test(ids_are_checked),
		cmocka_unit_test(text_is_encoded_and_folded),
		cmocka_unit_test(long_text_keeps_lines_short),
		cmocka_unit_test(names_are_phrases),
		cmocka_unit_test(many_recipients_are_folded),
		cmocka_unit_test(ids_are_functions_of_their_parts),
		cmocka_unit_test(ascii_stays_plain),
		cmocka_unit_test(other_text_is_quoted_printable),
		cmocka_unit_test(crlf_is_crlf_everywhere),
		cmocka_unit_test(file_names_are_rfc2231),
		cmocka_unit_test(unfit_letters_are_refused),
		cmocka_unit_test(nobody_named_is_said),
		cmocka_unit_test(size_has_a_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
