#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "compose/lint.h"
#include "compose/tags.h"

#define N(array) (sizeof(array) / sizeof(*(array)))

#define HEADERS \
	"From: Perf Test Robot <perfbot@ci.example.org>\n" \
	"To: Ann Example <ann@example.org>\n" \
	"Cc: list@example.org\n"
#define REST \
	"Date: Tue, 03 Mar 2026 10:15:00 +0000\n" \
	"Message-ID: <report.1@ci.example.org>\n" \
	"MIME-Version: 1.0\n" \
	"Content-Type: text/plain; charset=utf-8\n" \
	"Auto-Submitted: auto-generated\n"
#define SUBJECT "Subject: [mm] 5c0a85fad9: unixbench.score -6.3% regression\n"
#define OPENING \
	"FYI, we noticed a -6.3% regression of unixbench.score due to commit:\n" \
	"\n" \
	"commit: 5c0a85fad949212b3e059692deecdeed74ae7ec7 (\"mm: x\")\n\n"
#define TABLE \
	"==================================================================\n" \
	"compiler/testcase:\n" \
	"  gcc-4.9/unixbench\n\n" \
	"commit: \n" \
	"  4b50bcc7ed\n  5c0a85fad9\n\n" \
	"4b50bcc7eda4d3cc 5c0a85fad949212b3e059692de \n" \
	"---------------- -------------------------- \n" \
	"         %stddev     %change         %stddev\n" \
	"             \\          |                \\  \n" \
	"     14321            -6.3%      13425        unixbench.score\n"
#define ANSWER "In-Reply-To: <a@example.org>\nReferences: <a@example.org>\n"
#define GOOD HEADERS SUBJECT REST

struct lint_case {
	const char *mail;
	const char *reason;	/* part of one; NULL: the mail is well */
};

static void run(const struct lint_case *c, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(c[i].mail);
		char *copy = malloc(len + !len);
		struct buf all = BUF_INIT(1 << 16);
		struct lint l = LINT_INIT;

		memcpy(copy, c[i].mail, len);
		lint_mail(&l, copy, len, NULL);
		lint_print(&l, "f", &all);
		if (c[i].reason ? !strstr(all.s, c[i].reason) : all.len != 0)
			fail_msg("case %zu, wanted '%s', got:\n%s", i,
				 c[i].reason ? c[i].reason : "", all.s);
		free(copy);
		buf_release(&all);
		lint_release(&l);
	}
}

static void good_mails_pass(void **state)
{
	static const struct lint_case c[] = {
		{ GOOD "\n" OPENING TABLE, NULL },
		{ GOOD "\nReported-by: Robot <r@example.org>\n\n" OPENING TABLE,
		  NULL },
		{ HEADERS "Subject: Re: x\n" REST ANSWER "\n"
		  "done\n\n| Tested-by: R <r@example.org>\n"
		  "  Tested-by: R <r@example.org>\n", NULL },
		{ GOOD "\n> From: quoted\n> {{x}}\n> Tested-by: a <b@c>\n"
		  "the answer\n", NULL },
		{ GOOD "\n  5c0a85fad9 (\"x: print {{a}}, (null) and nan\")  <-\n"
		  "  0:4  25%  1:4  dmesg.BUG:at(null)\n", NULL },
		{ GOOD "\ncommand: docker inspect -f '{{.State}} {{ .Id }}' x\n",
		  NULL },
		{ GOOD "\nwe fixed the inf loop and nanosleep (\"x {{ y\")\n",
		  NULL },
	};

	(void)state;
	run(c, N(c));
}

static void bytes_are_checked(void **state)
{
	static const struct lint_case c[] = {
		{ "", "empty file" },
		{ GOOD "\ntext \xc2\xb1\n", "line 11: bytes beyond ASCII" },
		{ GOOD "\nte\rxt\n", "carriage return alone" },
		{ GOOD "\r\ntext\n", "LF here, in CRLF there" },
		{ GOOD, "no empty line" },
		{ "From a Mon\n" GOOD "\nx\n", "no header: 'From a Mon'" },
		{ " x: y\n" GOOD "\nx\n", "blank where a header begins" },
		{ GOOD "X-A: b\n \n\nx\n", "blanks alone" },
		{ GOOD "Subject: other\n\nx\n", "a second Subject" },
		{ GOOD "TO: b@example.org\n\nx\n", "a second To" },
		{ GOOD "Bcc: eve@example.net\n\nx\n", "Bcc" },
		{ GOOD "X\x1b[31m\n\nx\n", "\\x1b" },
	};

	(void)state;
	run(c, N(c));
}

static void long_lines_and_nuls_are_told(void **state)
{
	struct buf mail = BUF_INIT(10000);
	struct lint l = LINT_INIT;

	(void)state;
	buf_addstr(&mail, GOOD "\n");
	for (int i = 0; i < 999; i++)
		buf_addch(&mail, 'x');
	buf_addch(&mail, '\n');
	buf_addch(&mail, '\0');
	lint_mail(&l, mail.s, mail.len, NULL);
	assert_true(l.n >= 2);
	assert_string_equal(l.reason[0], "line 12: a NUL byte");
	assert_string_equal(l.reason[1], "line 11: longer than 998 bytes");
	lint_release(&l);
	buf_release(&mail);
}

static void headers_are_checked(void **state)
{
	static const struct lint_case c[] = {
		{ "To: a@example.org\n" SUBJECT REST "\nx\n", "no From" },
		{ "From: a@example.org\n" SUBJECT REST "\nx\n",
		  "no recipients" },
		{ "From: a@example.org\nTo: ann\n" SUBJECT REST "\nx\n",
		  "To names nobody" },
		{ "From: a@example.org\nTo: a+x@example.org\nCc: A@example.org\n"
		  SUBJECT REST "\nx\n",
		  "To and Cc name nobody but the sender" },
		{ HEADERS REST "\nx\n", "no Subject" },
		{ HEADERS "Subject: \n" REST "\nx\n", "an empty Subject" },
		{ HEADERS "Subject: Re: x\n" REST "\nx\n",
		  "no header says to what" },
		{ HEADERS "Subject: Re: Re: x\n" REST ANSWER "\nx\n",
		  "more than one Re:" },
		{ GOOD "In-Reply-To: <report.1@ci.example.org>\n\nx\n",
		  "answers itself" },
		{ GOOD "In-Reply-To: <a@b>\nReferences: <c@d>\n\nx\n",
		  "leave out what In-Reply-To names" },
		{ "From: a@example.org\nTo: B@example.org\nCc: b@Example.org\n"
		  SUBJECT REST "\nx\n", "stands twice" },
		{ "From: a@example.org\nTo: a..b@example.org\n" SUBJECT REST
		  "\nx\n", "malformed before its @" },
		{ HEADERS SUBJECT "Date: yesterday\nMessage-ID: <a@b>\n"
		  "Auto-Submitted: auto-generated\n\nx\n",
		  "Date cannot be read" },
		{ HEADERS SUBJECT "Date: Tue, 03 Mar 2196 10:15:00 +0000\n"
		  "Message-ID: <a@b>\nAuto-Submitted: auto-generated\n\nx\n",
		  "in the future" },
		{ HEADERS SUBJECT "Date: Tue, 03 Mar 2026 10:15:00 +0000\n"
		  "Message-ID: report\nAuto-Submitted: auto-generated\n\nx\n",
		  "Message-ID is malformed" },
		{ HEADERS SUBJECT "Date: Tue, 03 Mar 2026 10:15:00 +0000\n"
		  "Message-ID: <a@b>\n\nx\n", "no Auto-Submitted" },
		{ HEADERS SUBJECT "Date: Tue, 03 Mar 2026 10:15:00 +0000\n"
		  "Message-ID: <a@b>\nAuto-Submitted: auto-generated\n"
		  "MIME-Version: 1.0\nContent-Type: text/html\n\n<p>x\n",
		  "HTML" },
		{ HEADERS SUBJECT "Date: Tue, 03 Mar 2026 10:15:00 +0000\n"
		  "Message-ID: <a@b>\nAuto-Submitted: auto-generated\n"
		  "MIME-Version: 1.0\nContent-Type: text/plain; "
		  "format=flowed\n\nx\n", "format=flowed" },
	};

	(void)state;
	run(c, N(c));
}

static void the_text_is_checked(void **state)
{
	static const struct lint_case c[] = {
		{ GOOD "\n\n\n", "no text" },
		{ GOOD "\n\nBCC: a@example.org\nCC: b@example.org\n\nHi,\n",
		  "header-like lines at start of body" },
		{ GOOD "\nIn-Reply-To: <a@b>\n", "header-like lines" },
		{ GOOD "\nthe {{metric}} fell\n", "placeholder" },
		{ GOOD "\nthe {{{ a.b }}} fell\n", "placeholder" },
		{ GOOD "\n{{#rows}}\n", "placeholder" },
		{ GOOD "\non (null) today\n", "placeholder" },
		{ GOOD "\n  12  nan%  13 x\n", "no number" },
		{ GOOD "\n  12  +inf  13 x\n", "no number" },
		{ GOOD "\na (-nan)\n", "no number" },
		{ GOOD ANSWER "\nTested-by: R <r@example.org>\n",
		  "suggested tag" },
		{ HEADERS "Subject: Re: [PATCH v2] mm: x\n" REST ANSWER
		  "\nok\n\nFixes: 123456789012 (\"x\")\n", "suggested tag" },
		{ HEADERS SUBJECT "Date: Tue, 03 Mar 2026 10:15:00 +0000\n"
		  "Message-ID: <a@b>\nAuto-Submitted: auto-generated\n"
		  "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
		  "Content-Transfer-Encoding: quoted-printable\n\na=1Bb\n",
		  "control character 0x1b" },
		{ HEADERS SUBJECT "Date: Tue, 03 Mar 2026 10:15:00 +0000\n"
		  "Message-ID: <a@b>\nAuto-Submitted: auto-generated\n"
		  "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
		  "Content-Transfer-Encoding: quoted-printable\n\n"
		  "a=E2=80=AEb\n", "turns text around" },
	};

	(void)state;
	run(c, N(c));
}

static void empty_sections_are_told(void **state)
{
	static const struct lint_case c[] = {
		{ GOOD "\n" OPENING
		  "==========================================================\n"
		  "\n\n\nDisclaimer: results have been estimated.\n",
		  "empty section: comparison table" },
		{ GOOD "\n" OPENING, "empty section: comparison table" },
		{ GOOD "\nFYI, we noticed a -6.3% regression of unixbench.score"
		  " due to commit:\n\n" TABLE, "empty section: commit" },
		{ GOOD "\n" OPENING "in testcase: \n" TABLE,
		  "empty section: in testcase" },
		{ GOOD "\n" OPENING "with following parameters:\n\n"
		  "test-url: x\n" TABLE, "with following parameters" },
		{ GOOD "\n" OPENING TABLE "To reproduce:\n\nDisclaimer:\nx\n",
		  "empty section: reproduce steps" },
		{ GOOD "\n" OPENING TABLE "Details are as below:\n\n\n",
		  "empty section: Details" },
		{ GOOD "\nlog excerpt:\n\n-- \nrobot\n",
		  "empty section: log excerpt" },
	};

	(void)state;
	run(c, N(c));
}

static void numbers_agree(void **state)
{
	static const struct lint_case c[] = {
		{ HEADERS "Subject: [mm] x: unixbench.score -6.4% regression\n"
		  REST "\n" OPENING TABLE, "the subject says -6.4" },
		{ HEADERS "Subject: [mm] x: unixbench.score +6.3% regression\n"
		  REST "\n" OPENING TABLE, "the subject says +6.3" },
		{ HEADERS "Subject: [mm] x: unixbench.score 6.3% regression\n"
		  REST "\n" OPENING TABLE, NULL },
		{ HEADERS "Subject: [mm] x: unixbench.score -6.3% improvement\n"
		  REST "\n" OPENING TABLE, "improvement, the text" },
		{ HEADERS "Subject: [mm] x: other.score -6.3% regression\n"
		  REST "\n" OPENING TABLE, "the text speaks of" },
		{ HEADERS "Subject: [mm] x: unixbench.score -16.3% regression\n"
		  REST "\nwe noticed a -16.3% regression of unixbench.score "
		  "due to commit:\n\ncommit: 5c0a85fad9\n\n" TABLE,
		  "the table's row of unixbench.score" },
		{ HEADERS "Subject: [mm] x: unixbench.score -.3% regression\n"
		  REST "\nwe noticed a -.3% regression of unixbench.score "
		  "due to commit:\n\ncommit: 5c0a85fad9\n\n" TABLE,
		  "the table's row of unixbench.score" },
	};

	(void)state;
	run(c, N(c));
}

static void plans_are_kept(void **state)
{
	struct recipients who = RECIPIENTS_INIT;
	const struct lint_plan plan = { .who = &who };
	static const char mail[] = GOOD "\nx\n";
	struct lint l = LINT_INIT;

	(void)state;
	recipients_add_text(&who, "Ann <ann@example.org>", true, "", NULL);
	recipients_add_text(&who, "list@example.org", false, "", NULL);
	lint_mail(&l, mail, sizeof(mail) - 1, &plan);
	assert_int_equal(l.n, 0);
	recipients_add_text(&who, "list@example.org", true, "", NULL);
	recipients_add_text(&who, "bob@example.org", false, "", NULL);
	lint_mail(&l, mail, sizeof(mail) - 1, &plan);
	assert_int_equal(l.n, 3);
	recipients_release(&who);
	lint_release(&l);
}

static void tags_are_guarded(void **state)
{
	static const struct { const char *text, *want; } c[] = {
		{ "a\nTested-by: R <r@x>\nb", "a\n| Tested-by: R <r@x>\nb" },
		{ "Reported-and-tested-by: R\n",
		  "| Reported-and-tested-by: R\n" },
		{ "  Tested-by: R\n| Acked-by: R\n",
		  "  Tested-by: R\n| Acked-by: R\n" },
		{ "fixes: 123\nCLOSES: x", "| fixes: 123\n| CLOSES: x" },
		{ "Thereby: we\nTested-by:R\n-by: x\ncommit: 1\n\n",
		  "Thereby: we\nTested-by:R\n-by: x\ncommit: 1\n\n" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < N(c); i++) {
		struct buf out = BUF_INIT(1000);

		tags_guard(&out, c[i].text);
		assert_string_equal(out.s, c[i].want);
		buf_release(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_mails_pass),
		cmocka_unit_test(bytes_are_checked),
		cmocka_unit_test(long_lines_and_nuls_are_told),
		cmocka_unit_test(headers_are_checked),
		cmocka_unit_test(the_text_is_checked),
		cmocka_unit_test(empty_sections_are_told),
		cmocka_unit_test(numbers_agree),
		cmocka_unit_test(plans_are_kept),
		cmocka_unit_test(tags_are_guarded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
