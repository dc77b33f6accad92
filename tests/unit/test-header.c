#include "mail-copy.h"

#include "base/arena.h"
#include "base/buf.h"
#include "mail/address.h"
#include "mail/date.h"
#include "mail/header.h"
#include "mail/msgid.h"

#define COUNT(t) (sizeof(t) / sizeof(t[0]))

static void words(void **state)
{
	static const struct {
		const char *raw, *want;
	} t[] = {
		{ "plain", "plain" },
		{ "=?utf-8?q?M=C3=BCller?=", "M\xc3\xbcller" },
		{ "=?UTF-8?B?SGVsbG8=?=", "Hello" },
		/* A character cut in two, RFC 2047 5 forbids it. */
		{ "=?utf-8?q?M=C3?= =?utf-8?q?=BCller?=", "M\xc3\xbcller" },
		/* Each word padded on its own. */
		{ "=?utf-8?B?SGVsbG8=?= =?utf-8?B?IFdvcmxk?=", "Hello World" },
		{ "=?utf-8?B?w?= =?utf-8?B?7w=?=", "\xc3\xbc" },
		{ "a =?utf-8?q?b?= =?iso-8859-1?q?=E4?= c", "a b\xc3\xa4 c" },
		{ "=?utf-8?q?a?==?utf-8?q?b?=", "ab" },
		{ "x=?utf-8?q?b?=y", "xby" },
		{ "=?utf-8?q?with blank?=", "with blank" },
		{ "=?utf-8?q?a?b?=", "a?b" },
		{ "=?utf-8*en?q?lang?=", "lang" },
		{ "=?x-unknown?q?a=E4?=", "a\xc3\xa4" },
		{ "=?gb2312?B?xOO6ww==?=", "\xe4\xbd\xa0\xe5\xa5\xbd" },
		{ "=?utf-8?q?bad=ZZ=4?=", "bad=ZZ=4" },
		{ "=?utf-8?q?=00x?=", "?x" },
		{ "=?utf-8?q?a=0Ab?=", "a b" },
		{ "=?utf-8?q?open", "=?utf-8?q?open" },
		{ "=?utf-8?x?a?=", "=?utf-8?x?a?=" },
		{ "=??q?x?=", "=??q?x?=" },
		{ "=?", "=?" }, { "=?=?=?=?", "=?=?=?=?" },
		{ "J\xf6rg", "J\xc3\xb6rg" },
		{ "J\xc3\xb6rg", "J\xc3\xb6rg" },
		{ "folded\twith a tab", "folded with a tab" },
	};
	struct arena a = ARENA_INIT;
	char *copy, *got;

	(void)state;
	for (size_t i = 0; i < COUNT(t); i++) {
		copy = malloc(strlen(t[i].raw));
		memcpy(copy, t[i].raw, strlen(t[i].raw));
		got = words_decode(&a, copy, strlen(t[i].raw));
		if (strcmp(got, t[i].want))
			fail_msg("'%s': want '%s', got '%s'", t[i].raw,
				 t[i].want, got);
		free(copy);
	}
	arena_release(&a);
}

static void addresses(void **state)
{
	static const struct {
		const char *raw, *want;
	} t[] = {
		{ "ann@example.org", "|ann@example.org;" },
		{ "Ann Lee <Ann@Example.ORG>", "Ann Lee|Ann@example.org;" },
		{ "ann@example.org (Ann Lee)", "Ann Lee|ann@example.org;" },
		{ "\"Lee, Ann\" <a@example.org>", "Lee, Ann|a@example.org;" },
		{ "Lee, Ann <a@example.org>", "Lee, Ann|a@example.org;" },
		{ "Lee, Ann <a@example.org>, Doe, Bob <b@example.org>",
		  "Lee, Ann|a@example.org;Doe, Bob|b@example.org;" },
		{ "a@example.org, Ann <b@example.org>",
		  "|a@example.org;Ann|b@example.org;" },
		{ "\"A \\\"B\\\" C\" <a@example.org>",
		  "A \"B\" C|a@example.org;" },
		{ "=?utf-8?q?M=C3=BCller=2C_Zo=C3=AB?= <z@example.org>",
		  "M\xc3\xbcller, Zo\xc3\xab|z@example.org;" },
		{ "\"=?utf-8?q?M=C3=BCller=2C_Zo=C3=AB?=\" <z@example.org>",
		  "M\xc3\xbcller, Zo\xc3\xab|z@example.org;" },
		{ "J\xf6rg <j@example.org>", "J\xc3\xb6rg|j@example.org;" },
		{ "undisclosed-recipients:;", "" },
		{ "Team: a@example.org, B <b@example.org>;, c@example.org",
		  "|a@example.org;B|b@example.org;|c@example.org;" },
		{ "<a@example.org", "|a@example.org;" },
		{ "a@example.org>", "|a@example.org;" },
		{ "Ann Lee ann@example.org", "Ann Lee|ann@example.org;" },
		{ "Ann (x (y) z) <a@example.org>", "Ann|a@example.org;" },
		{ "<@r.example.org:a@example.org>", "|a@example.org;" },
		{ "a@example.org;b@example.org",
		  "|a@example.org;|b@example.org;" },
		{ " , ,a@example.org,", "|a@example.org;" },
		{ "Ann <a@example.org> <b@example.org>",
		  "Ann|a@example.org;|b@example.org;" },
		{ "Ann [x] <a@example.org>", "Ann [x]|a@example.org;" },
		{ "kernel test.robot <lkp@example.org>",
		  "kernel test.robot|lkp@example.org;" },
		{ "mailto:a@example.org", "|a@example.org;" },
		{ "<mailto:a@example.org>", "|a@example.org;" },
		{ "'Ann' <a@example.org>", "Ann|a@example.org;" },
		{ "'Ann Lee' via perf <perf@lists.example.org>",
		  "'Ann Lee' via perf|perf@lists.example.org;" },
		{ "\"unterminated <a@example.org>",
		  "unterminated|a@example.org;" },
		{ "\"a b\"@example.org", "|\"a b\"@example.org;" },
		{ "=?utf-8?q?Ann_=3Ca=40example=2Eorg=3E?=",
		  "Ann|a@example.org;" },
		{ "Ann =?a@b?q?x?=", "Ann|=?a@b?q?x?=;" },
		/* Two readers would see two people here: it is nobody. */
		{ "a@example.net@example.org", "" },
		{ "<a@example.net@example.org>", "" },
		{ "ann at example.org", "" }, { "a b c", "" }, { "<>", "" },
		{ "<@>", "" }, { "@", "" }, { "", "" }, { "((((", "" },
		{ "<<a@example.org>>", "|a@example.org;" },
	};
	struct arena a = ARENA_INIT;
	struct addresses list;
	struct buf got = BUF_INIT(10000);
	char *copy;

	(void)state;
	for (size_t i = 0; i < COUNT(t); i++) {
		copy = strdup(t[i].raw);
		addresses_read(&list, &a, copy);
		free(copy);
		buf_reset(&got);
		for (size_t k = 0; k < list.n; k++)
			buf_addf(&got, "%s|%s;", list.v[k].name,
				 list.v[k].address);
		if (strcmp(got.s, t[i].want))
			fail_msg("'%s': want '%s', got '%s'", t[i].raw,
				 t[i].want, got.s);
	}
	buf_release(&got);
	arena_release(&a);
}

static void same_addresses(void **state)
{
	(void)state;
	assert_true(address_is_same("A@example.org", "a@example.org"));
	assert_false(address_is_same("a@example.org", "a@example.net"));
	assert_true(address_is_same_untagged("bot+r1@example.org",
					     "bot@example.org"));
	assert_true(address_is_same_untagged("Bot+r+1@example.org",
					     "bot@EXAMPLE.org"));
	assert_false(address_is_same_untagged("bot+r1@example.net",
					      "bot@example.org"));
	assert_false(address_is_same_untagged("bott+r1@example.org",
					      "bot@example.org"));
	assert_false(address_is_same_untagged("+x@example.org",
					      "@example.org"));
	assert_false(address_is_same_untagged("", "bot@example.org"));
}

static void dates(void **state)
{
	static const struct {
		const char *raw;
		int64_t want;
	} t[] = {
		{ "Tue, 03 Mar 2026 10:15:00 +0000", 1772532900 },
		{ "Tue, 3 Mar 2026 11:15:00 +0100", 1772532900 },
		{ "Tue, 03 Mar 2026 11:15:00 +01:00", 1772532900 },
		{ "3 Mar 26 05:15 EST", 1772532900 },
		{ "3 Mar 126 05:15 EST", 1772532900 },
		{ "Tue, 3 Mar 2026 10:15:00", 1772532900 },
		{ "Tue, 3 Mar 2026 10:15:00 GMT", 1772532900 },
		{ "Tue, 3 Mar 2026 10:15:00 -0000 (UTC)", 1772532900 },
		{ "Tue, 03 Mar 2026 10:15:00 (it is) +0000", 1772532900 },
		{ "Tue Mar  3 10:15:00 2026", 1772532900 },
		{ "2026-03-03T10:15:00Z", 1772532900 },
		{ "2026-03-03 11:15:00 +0100", 1772532900 },
		{ "2026-03-03T10:15:00.123456Z", 1772532900 },
		{ "Tue, 03 Mar 2026 10.15.00 +0000", 1772532900 },
		{ "Tue,03 Mar 2026 10:15:00+0000", 1772532900 },
		{ "Tuesday, March 3, 2026 10:15 AM", 1772532900 },
		{ "Tue, 03 Mar 2026 10:15:00 PM +0000", 1772576100 },
		{ "Di, 03 Mrz 2026 11:15:00 +0100", 1772532900 },
		{ "Tue, 03 Mar 2026 10:15:00 +9999", 1772532900 },
		{ "Thu, 29 Feb 2024 00:00:00 +0000", 1709164800 },
		{ "Thu, 01 Jan 1970 00:00:00 +0000", 0 },
		{ "Wed, 31 Dec 1969 16:00:00 -0800", DATE_NONE },
		{ "Sun, 29 Feb 2026 00:00:00 +0000", DATE_NONE },
		{ "Tue, 32 Mar 2026 10:15:00 +0000", DATE_NONE },
		{ "Tue, 03 Mar 2026 25:15:00 +0000", DATE_NONE },
		{ "Tue, 03 Mar 99999 10:15:00 +0000", DATE_NONE },
		{ "Tue, 03 Mar 999999999999999999999 10:15:00", DATE_NONE },
		{ "", DATE_NONE }, { "soon", DATE_NONE }, { "((((", DATE_NONE },
		{ "10:15", DATE_NONE },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(t); i++) {
		char *copy = strdup(t[i].raw);
		int64_t got = date_read(copy);

		free(copy);
		if (got != t[i].want)
			fail_msg("'%s': want %lld, got %lld", t[i].raw,
				 (long long)t[i].want, (long long)got);
	}
}

static void ids(void **state)
{
	static const struct {
		const char *raw, *want;
	} t[] = {
		{ "<a@b>", "a@b;" },
		{ " <a@b>\t<c@d>", "a@b;c@d;" },
		{ "<a@b><c@d>", "a@b;c@d;" },
		{ "<a@b>,<c@d>", "a@b;c@d;" },
		{ "<m-i d@x>", "m-id@x;" },
		{ "<a@b> (message from\n Ann <ann@example.org> on Mon)", "a@b;" },
		{ "\"Ann <ann@example.org>\" <a@b>", "a@b;" },
		{ "Your message of Mon <a@b>", "a@b;" },
		{ "<a(comment)@b>", "a@b;" },
		{ "(<no@id>", "no@id;" },	/* never closed: no comment */
		{ "<no-at>", "" }, { "<a@b", "a@b;" }, { "<<a@b>", "a@b;" },
		{ "a@b c@d", "a@b;c@d;" },
		{ "Message from ann of Mon: a@b", "a@b;" },
		{ "", "" }, { ">", "" }, { "<>", "" }, { "@", "" },
	};
	struct buf id = BUF_INIT(2000), got = BUF_INIT(10000);

	(void)state;
	for (size_t i = 0; i < COUNT(t); i++) {
		char *copy = strdup(t[i].raw);
		const char *pos = copy;

		buf_reset(&got);
		while (msgid_next(&pos, &id))
			buf_addf(&got, "%s;", id.s);
		pos = copy;
		while (!got.len && msgid_next_bare(&pos, &id)) {
			buf_addf(&got, "%s;", id.s);
			while (msgid_next_bare(&pos, &id))
				buf_addf(&got, "%s;", id.s);
		}
		if (strcmp(got.s, t[i].want))
			fail_msg("'%s': want '%s', got '%s'", t[i].raw,
				 t[i].want, got.s);
		free(copy);
	}
	buf_release(&id);
	buf_release(&got);
}

static void id_of_any_length_is_skipped(void **state)
{
	char big[3000];
	const char *pos = big;
	struct buf id = BUF_INIT(2000);

	(void)state;
	memset(big, 'x', sizeof(big));
	big[0] = '<';
	big[5] = '@';
	big[2000] = '>';
	strcpy(big + 2001, "<a@b>");
	assert_int_equal(msgid_next(&pos, &id), 1);
	assert_string_equal(id.s, "a@b");
	buf_release(&id);
}

struct block_case {
	const char *name, *raw, *want;	/* "Name=value;" ... "|" and the body */
};

static void blocks(void **state)
{
	static const struct block_case t[] = {
		{ "plain", "A: 1\nB: 2\n\nbody\n", "A=1;B=2;|body\n" },
		{ "CRLF", "A: 1\r\nB: 2\r\n\r\nbody\r\n", "A=1;B=2;|body\r\n" },
		{ "folded", "A: 1\n 2\n\t3\nB: 4\n\nb", "A=1 2\t3;B=4;|b" },
		{ "blank before colon", "A : 1\n\nb", "A=1;|b" },
		{ "empty value", "A:\nB: 2\n\nb", "A=;B=2;|b" },
		{ "no body", "A: 1\n", "A=1;|" },
		{ "no line end", "A: 1", "A=1;|" },
		{ "a line without colon", "From: a\nnonsense here\nSubject: b\n"
		  "\nbody", "From=a;Subject=b;|body" },
		{ "a folded one", "From: a\nnonsense\n more\nSubject: b\n\nbody",
		  "From=a;Subject=b;|body" },
		{ "mbox escape within", "From: a\n>From x\nTo: b\n\nbody",
		  "From=a;To=b;|body" },
		{ "body without empty line", "From: a\nHello Ann,\nwords\n\nx",
		  "From=a;|Hello Ann,\nwords\n\nx" },
		{ "none", "just text\nmore\n", "|just text\nmore\n" },
		{ "empty first line", "\nA: 1\n", "|A: 1\n" },
		{ "blank line of blanks", "A: 1\n \nbody\n", "A=1;|body\n" },
		{ "NUL", "A: x%y\n\nb", "A=x?y;|b" },
	};
	struct arena a = ARENA_INIT;
	struct buf got = BUF_INIT(10000);
	struct header_block h;

	(void)state;
	for (size_t i = 0; i < COUNT(t); i++) {
		size_t len = strlen(t[i].raw), body;
		char *copy = malloc(len);

		memcpy(copy, t[i].raw, len);
		for (size_t k = 0; k < len; k++)
			if (copy[k] == '%')
				copy[k] = '\0';
		body = header_block_read(&h, &a, copy, len);
		buf_reset(&got);
		for (size_t k = 0; k < h.n; k++)
			buf_addf(&got, "%s=%s;", h.v[k].name, h.v[k].value);
		buf_addch(&got, '|');
		buf_add(&got, copy + body, len - body);
		if (strcmp(got.s, t[i].want))
			fail_msg("%s: want '%s', got '%s'", t[i].name,
				 t[i].want, got.s);
		free(copy);
	}
	buf_release(&got);
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words),
		cmocka_unit_test(addresses),
		cmocka_unit_test(same_addresses),
		cmocka_unit_test(dates),
		cmocka_unit_test(ids),
		cmocka_unit_test(id_of_any_length_is_skipped),
		cmocka_unit_test(blocks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
