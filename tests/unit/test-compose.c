#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/err.h"
#include "compose/attach.h"
#include "compose/compose.h"

#define N(array) (sizeof(array) / sizeof(*(array)))

/* A report as compare and report would fill it. */
struct sample {
	struct axis axis[2];
	struct side side[2];
	struct figure figure[2];
	double base[3], head[3];
	struct row row;
	const struct row *shown[1];
	struct body body;
	struct group group;
	struct results results;
	struct report report;
};

static void sample_init(struct sample *s, enum verdict verdict, double percent)
{
	memset(s, 0, sizeof(*s));
	s->axis[0] = (struct axis){ "testcase", "unixbench" };
	s->axis[1] = (struct axis){ "tbox_group", "box" };
	s->side[0] = (struct side){
		.name = "4b50bcc7eda4d3cc9e3f2a0aa60e590fedf728c5", .runs = 3 };
	s->side[1] = (struct side){
		.name = "5c0a85fad949212b3e059692deecdeed74ae7ec7", .runs = 3 };
	for (int i = 0; i < 3; i++) {
		s->base[i] = 14300 + i;
		s->head[i] = 13400 + i;
	}
	s->figure[0] = (struct figure){ .runs = 3, .n = 3,
					.value = s->base, .mean = 14301 };
	s->figure[1] = (struct figure){ .runs = 3, .n = 3,
					.value = s->head, .mean = 13401 };
	s->figure[1].change = (struct change){
		.absolute = -900, .percent = percent, .verdict = verdict };
	s->row = (struct row){ .name = "unixbench.score", .kpi = true,
			       .figure = s->figure };
	s->shown[0] = &s->row;
	s->body = (struct body){ &s->group, s->shown, 1 };
	s->group = (struct group){ .axis = s->axis, .naxis = 2,
				   .side = s->side, .nside = 2,
				   .row = &s->row, .nrow = 1 };
	s->results.facts = json_pack("{ssss}", "branch", "master",
				     "subsystem", "mm");
	s->report = (struct report){
		.results = &s->results, .group = &s->group,
		.headline = &s->row, .side = 1,
		.change = &s->figure[1].change, .verdict = verdict,
		.body = &s->body, .nbody = 1,
	};
}

static void sample_release(struct sample *s)
{
	json_decref(s->results.facts);
}

static void identity_is_what_was_compared(void **state)
{
	char one[65], two[65], rev1[65], rev2[65];
	struct sample s;

	(void)state;
	sample_init(&s, VERDICT_REGRESSION, -6.3);
	report_identity(&s.report, one);
	report_revision(&s.report, rev1);
	s.head[1]++;			/* other facts, the same report */
	report_identity(&s.report, two);
	report_revision(&s.report, rev2);
	assert_string_equal(one, two);
	assert_string_not_equal(rev1, rev2);
	s.axis[1].value = "other-box";	/* another report */
	report_identity(&s.report, two);
	assert_string_not_equal(one, two);
	sample_release(&s);
}

#define SUBJECT "[mm] 5c0a85fad9: unixbench.score -6.3% regression"
#define OPENING \
	"we noticed a -6.3% regression of unixbench.score due to commit:\n" \
	"commit: 5c0a85fad9 (\"mm: x\")\n"

#define TABLE \
	"==================================================================\n" \
	"---------------- -------------------------- \n" \
	"     14301            -6.3%      13401        unixbench.score\n"

static char *composed(const struct compose_options *o, const char *text)
{
	struct recipients who = RECIPIENTS_INIT;
	struct buf out = BUF_INIT(100000);
	struct err err = ERR_INIT;
	struct sample s;

	sample_init(&s, VERDICT_REGRESSION, -6.3);
	recipients_add(&who, &(struct address){ "Ann", "ann@example.org" },
		       true, "author");
	recipients_add(&who, &(struct address){ "", "list@example.org" },
		       false, "list");
	if (compose_report(&s.report, text, &who, o, &out, &err) == -1)
		fail_msg("%s", err.text);
	recipients_release(&who);
	sample_release(&s);
	return buf_detach(&out);
}

static void a_report_becomes_a_mail(void **state)
{
	const char *ref = "patch@example.org";
	const struct compose_options o = {
		.from = { "Perf Test Robot", "perfbot@ci.example.org" },
		.reply_to = { "", "perfbot+r1@ci.example.org" },
		.in_reply_to = ref,
		.revision = "2", .date = 1700000000, .token = true,
		.subject = SUBJECT,
	};
	char *mail = composed(&o, OPENING "14301 \xc2\xb1  0%\n"
				  "Tested-by: R <r@example.org>\n");

	(void)state;
	assert_non_null(strstr(mail, "<perfbot+r"));
	assert_non_null(strstr(mail, "To: Ann <ann@example.org>\n"
				     "Cc: list@example.org\n"
				     "Reply-To: perfbot+r1@ci.example.org\n"
				     "Subject: [mm] 5c0a85fad9: "));
	assert_non_null(strstr(mail, ".2@ci.example.org>\n"
				     "In-Reply-To: <patch@example.org>\n"
				     "References: <patch@example.org>\n"
				     "Auto-Submitted: auto-generated\n"
				     "X-Perfpost-Report: "));
	assert_non_null(strstr(mail, "X-Perfpost-Verdict: regression\n"
		"X-Perfpost-Commit: "
		"5c0a85fad949212b3e059692deecdeed74ae7ec7\n"
		"X-Perfpost-Base: 4b50bcc7eda4d3cc9e3f2a0aa60e590fedf728c5\n"
		"X-Perfpost-Stat: unixbench.score\n"
		"X-Perfpost-Test: testcase=unixbench; tbox_group=box\n"));
	assert_non_null(strstr(mail, "14301 =C2=B1  0%\n"
				     "| Tested-by: R <r@example.org>\n"));
	free(mail);
}

static void attachments_come_along(void **state)
{
	struct attachments a = ATTACHMENTS_INIT;
	struct result result = { .source = "/no/such" };
	struct comparison all = { .ngroup = 1 };
	struct row rows[2];
	struct sample s;

	(void)state;
	sample_init(&s, VERDICT_REGRESSION, -6.3);
	result.job = json_pack("{ss,s[s,s],s{ss}}", "testcase", "unixbench",
			       "axes", "commit", "5", "pp", "nr", "100%");
	s.side[0].result = s.side[1].result = &result;
	json_object_set_new(s.results.facts, "test",
			    json_pack("{s[s,s]}", "reproduce", "cd x",
				      "./Run \"it\""));
	attachments_make(&a, &s.report, false);
	assert_int_equal(a.n, 2);
	assert_string_equal(a.v[0].name, "job.yaml");
	assert_string_equal(a.v[0].data, "testcase: unixbench\n"
			    "axes: [commit, 5]\npp:\n  nr: 100%\n");
	assert_string_equal(a.v[1].name, "reproduce");
	assert_string_equal(a.v[1].data,
			    "#!/bin/sh\ncd x\n./Run \"it\"\n");
	attachments_release(&a);
	/* a part of the table alone: all of it goes along */
	rows[0] = rows[1] = s.row;
	s.group.row = rows;
	s.group.nrow = 2;
	all.group = &s.group;
	s.report.comparison = &all;
	attachments_make(&a, &s.report, true);
	assert_int_equal(a.n, 3);
	assert_string_equal(a.v[2].name, "comparison.txt");
	assert_non_null(strstr(a.v[2].data, "unixbench.score"));
	attachments_release(&a);
	json_decref(result.job);
	sample_release(&s);
}

/* What does not agree with the report never gets out. */
static void a_bad_text_is_refused(void **state)
{
	static const struct { const char *text, *reason; } c[] = {
		{ OPENING, "comparison table" },
		{ "we noticed a -6.4% regression of unixbench.score on:\n"
		  "commit: 5c0a85fad9\n" TABLE, "6.3% regression" },
		{ "From: x\n" OPENING TABLE, "header-like" },
		{ OPENING TABLE "{{footer}}\n", "placeholder" },
	};
	const struct compose_options o = {
		.from = { "Robot", "perfbot@ci.example.org" },
		.date = 1700000000, .subject = SUBJECT,
	};

	(void)state;
	for (size_t i = 0; i < N(c); i++) {
		struct recipients who = RECIPIENTS_INIT;
		struct buf out = BUF_INIT(100000);
		struct err err = ERR_INIT;
		struct sample s;

		sample_init(&s, VERDICT_REGRESSION, -6.3);
		recipients_add_text(&who, "a@example.org", true, "", NULL);
		assert_int_equal(compose_report(&s.report, c[i].text, &who, &o,
						&out, &err), -1);
		assert_int_equal(err.code, ERR_INPUT);
		assert_int_equal(out.len, 0);
		if (!strstr(err.text, c[i].reason))
			fail_msg("%zu: %s", i, err.text);
		buf_release(&out);
		recipients_release(&who);
		sample_release(&s);
	}
}

static void ascii_is_ascii(void **state)
{
	const struct compose_options o = {
		.from = { "Zo\xc3\xab", "perfbot@ci.example.org" },
		.ascii = true, .date = 1700000000, .subject = SUBJECT,
	};
	char *mail = composed(&o, OPENING TABLE "14301 \xc2\xb1  7% \xc2\xb1" "141%\n"
				  "\xe2\x80\x9cM\xc3\xbcller\xe2\x80\x9d "
				  "\xe6\x97\xa5 10 \xc2\xb5s\n");

	(void)state;
	assert_non_null(strstr(mail, "From: =?utf-8?q?Zo=C3=AB?="));
	assert_non_null(strstr(mail, "Encoding: 7bit\n"));
	assert_non_null(strstr(mail, "\n14301 +- 7% +-141%\n"
				     "\"Muller\" ? 10 us\n"));
	free(mail);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(identity_is_what_was_compared),
		cmocka_unit_test(a_report_becomes_a_mail),
		cmocka_unit_test(attachments_come_along),
		cmocka_unit_test(a_bad_text_is_refused),
		cmocka_unit_test(ascii_is_ascii),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
