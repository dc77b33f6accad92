#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "bot/judge.h"
#include "bot/lease.h"
#include "bot/mbox.h"
#include "mail/message.h"
#include "stats/stats.h"

static void figure(struct figure *f, const double *v, size_t n)
{
	*f = (struct figure){ .n = n, .value = v, .mean = stats_mean(v, n) };
}

static void verdicts_follow_from_intervals(void **state)
{
	static const struct {
		double base[4], reported[4], asked[4];
		enum outcome_verdict verdict;
		int part;	/* percent */
	} t[] = {
		/* Higher is better, and it fell. */
		{ { 100, 101, 99, 100 }, { 50, 51, 49, 50 },
		  { 100, 99, 101, 100 }, JUDGED_RECOVERED, 100 },
		{ { 100, 101, 99, 100 }, { 50, 51, 49, 50 },
		  { 120, 121, 119, 120 }, JUDGED_RECOVERED, 140 },
		{ { 100, 101, 99, 100 }, { 50, 51, 49, 50 },
		  { 75, 76, 74, 75 }, JUDGED_PARTLY, 50 },
		{ { 100, 101, 99, 100 }, { 50, 51, 49, 50 },
		  { 50, 51, 49, 51 }, JUDGED_NO_CHANGE, 0 },
		/* Told apart from nothing, but next to nothing. */
		{ { 100, 101, 99, 100 }, { 50, 50.1, 49.9, 50 },
		  { 53, 53.1, 52.9, 53 }, JUDGED_NO_CHANGE, 6 },
		{ { 100, 101, 99, 100 }, { 50, 51, 49, 50 },
		  { 30, 31, 29, 30 }, JUDGED_WORSE, -40 },
		{ { 100, 101, 99, 100 }, { 50, 51, 49, 50 },
		  { 20, 130, 90, 40 }, JUDGED_INCONCLUSIVE, 40 },
		/* Lower is better, and it rose. */
		{ { 5, 5.1, 4.9, 5 }, { 20, 21, 19, 20 },
		  { 5, 5.2, 4.9, 5 }, JUDGED_RECOVERED, 99 },
		{ { 5, 5.1, 4.9, 5 }, { 20, 21, 19, 20 },
		  { 21, 20, 19, 20 }, JUDGED_NO_CHANGE, 0 },
		/* The change itself is not there. */
		{ { 100, 90, 110, 100 }, { 95, 105, 99, 101 },
		  { 100, 100, 100, 100 }, JUDGED_INCONCLUSIVE, -1000 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++) {
		struct figure base, reported, asked;
		struct judgement j;

		figure(&base, t[i].base, 4);
		figure(&reported, t[i].reported, 4);
		figure(&asked, t[i].asked, 4);
		judge_recovery(&j, &base, &reported, &asked);
		if (j.verdict != t[i].verdict)
			fail_msg("%zu: %s, %.2f (%.2f to %.2f)", i,
				 judged_name(j.verdict), j.part, j.low, j.high);
		if (t[i].part != -1000)
			assert_true(fabs(100 * j.part - t[i].part) < 2);
		if (j.verdict == JUDGED_INCONCLUSIVE)
			assert_true(*j.why);
	}
}

static void few_runs_tell_nothing(void **state)
{
	static const double one[] = { 100 }, two[] = { 50, 51 };
	struct figure base, reported, asked;
	struct judgement j;

	(void)state;
	figure(&base, one, 1);
	figure(&reported, two, 2);
	figure(&asked, two, 2);
	judge_recovery(&j, &base, &reported, &asked);
	assert_int_equal(j.verdict, JUDGED_INCONCLUSIVE);
	assert_true(isnan(j.part));
}

static void mboxes_are_split(void **state)
{
	static const struct {
		const char *text;
		size_t n;
		const char *last;
	} t[] = {
		{ "", 0, "" },
		{ "Subject: x\n\nbody\n", 1, "Subject: x\n\nbody\n" },
		{ "From a@b Mon\nSubject: x\n\nbody\n", 1,
		  "Subject: x\n\nbody\n" },
		{ "From a Mon\nA: 1\n\nx\nFrom b Mon\nB: 2\n\ny", 2,
		  "B: 2\n\ny" },
		/* No header below it: a sentence. */
		{ "From a Mon\nA: 1\n\nFrom here on\nit is text\n", 1,
		  "A: 1\n\nFrom here on\nit is text\n" },
		{ "diff --git a/x b/x\n", 1, "diff --git a/x b/x\n" },
		{ "From ", 1, "From " },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++) {
		size_t size = strlen(t[i].text), pos = 0, len = 0, n = 0;
		char *copy = malloc(size ? size : 1);
		const char *msg = copy;

		memcpy(copy, t[i].text, size);
		while (mbox_next(copy, size, &pos, &msg, &len))
			n++;
		assert_int_equal(n, t[i].n);
		assert_int_equal(len, strlen(t[i].last));
		assert_memory_equal(msg, t[i].last, len);
		free(copy);
	}
}

static void a_patch_becomes_a_message(void **state)
{
	const struct patch bare = { .text = "--- a/x\n+++ b/x\n" };
	const struct patch whole = {
		.text = "", .whole = "From 123 Mon Sep 17\nSubject: s\n\n"
				     "text\nFrom here\n---\ndiff\n",
	};
	struct message m = { .message_id = "a@b", .subject = "Re: x\x01",
			     .from = { "Ann", "ann@dev.example.org" },
			     .date = INT64_MIN };
	struct buf out = BUF_INIT(10000);

	(void)state;
	mbox_add(&out, &bare, &m);
	assert_non_null(strstr(out.s, "From: Ann <ann@dev.example.org>\n"));
	assert_non_null(strstr(out.s, "Subject: [PATCH] from a mail\n"));
	assert_non_null(strstr(out.s, "\n---\n--- a/x\n+++ b/x\n"));
	assert_null(strstr(out.s, "Date:"));
	buf_reset(&out);
	mbox_add(&out, &whole, &m);
	assert_memory_equal(out.s, "From 0000000000", 15);
	assert_non_null(strstr(out.s, "\nSubject: s\n"));
	assert_non_null(strstr(out.s, "\n>From here\n"));
	assert_null(strstr(out.s, "From 123"));
	buf_release(&out);
}

static void leases_of_the_dead_are_told_apart(void **state)
{
	char owner[OWNER_MAX], child[OWNER_MAX] = "";
	int fd[2], status;
	pid_t pid;

	(void)state;
	lease_owner(owner);
	assert_false(lease_is_dead(owner));
	assert_false(lease_is_dead("another-host.1 1 1"));
	assert_false(lease_is_dead(""));
	assert_int_equal(pipe(fd), 0);
	pid = fork();
	if (pid == 0) {
		lease_owner(child);
		_exit(write(fd[1], child, OWNER_MAX) != OWNER_MAX);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(read(fd[0], child, OWNER_MAX), OWNER_MAX);
	assert_true(lease_is_dead(child));
	/* The same number, used again by another. */
	*strrchr(owner, ' ') = '\0';
	strcat(owner, " 1");
	assert_true(lease_is_dead(owner));
	close(fd[0]);
	close(fd[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verdicts_follow_from_intervals),
		cmocka_unit_test(few_runs_tell_nothing),
		cmocka_unit_test(mboxes_are_split),
		cmocka_unit_test(a_patch_becomes_a_message),
		cmocka_unit_test(leases_of_the_dead_are_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
