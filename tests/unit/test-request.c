/*
 * The parts that requests are read with, and what whole answers ask for.  How
 * well it does on real language is measured by tests/e2e/requests.py.
 */
#include "mail-copy.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "mail/message.h"
#include "request/find.h"
#include "request/reading.h"
#include "request/request.h"
#include "request/sentence.h"
#include "request/split.h"

#define N(table) (sizeof(table) / sizeof(*(table)))
#define ROBOT "perf-robot@ci.example.org"
#define DIFF "--- a/mm/lru.c\n+++ b/mm/lru.c\n@@ -1,3 +1,3 @@\n {\n" \
	     "-\tslow();\n+\tfast();\n }\n"

#define QUOTED "On Monday, kernel test robot wrote:\n> Hi Eve,\n" \
	       "> It is slow.\n\n"

static struct grammar *grammar;
static struct arena names;
static struct robot robot;

static int load(void **state)
{
	static const char *own[] = { ROBOT };
	const struct strings addresses = { own, 1 };
	struct err err = ERR_INIT;

	(void)state;
	grammar = grammar_load(TESTDATA "/../src/request/requests.rules", &err);
	if (!grammar)
		fail_msg("%s", err.text);
	robot_init(&robot, &names, &addresses);
	return 0;
}

static int unload(void **state)
{
	(void)state;
	grammar_free(grammar);
	arena_release(&names);
	return 0;
}

/* Exactly these bytes, so that a step behind them is seen. */
static char *heap(const char *s, size_t len)
{
	char *copy = malloc(len ? len : 1);

	assert_non_null(copy);
	memcpy(copy, s, len);
	return copy;
}

static void read_answer(struct message *m, struct requests *r, const char *to,
			const char *text, size_t len)
{
	struct buf mail = BUF_INIT(1 << 24);

	buf_addf(&mail, "From: Ann Lee <ann@example.com>\nTo: %s\n"
		 "Subject: Re: [x] 1234567: netperf.x -4%% regression\n\n", to);
	buf_add(&mail, text, len);
	read_bytes(m, mail.s, mail.len);
	buf_release(&mail);
	requests_find(r, m, grammar, &robot);
}

static void sentences_end_where_they_do(void **state)
{
	static const struct {
		const char *text;
		size_t first;	/* bytes of the first sentence */
	} cases[] = {
		{ "", 0 },
		{ "One. Two.", 4 },
		{ "One two", 7 },
		{ "Really?! Yes.", 8 },
		{ "Use e.g. this. Then", 14 },
		{ "See foo.c and v6.1.2 now. Ok", 25 },
		{ "Wait... and see. Ok", 16 },
		{ "Wait... Then ok", 7 },
		{ "first; second", 6 },
		{ "1. Test it. 2. Go", 11 },
		{ "1) is it? 2) go", 9 },
		{ "1) this one  2) go on", 12 },
		{ "(He said \"no.\") Then", 15 },
		{ "\xe8\xaf\xb7\xe6\xb5\x8b\xe3\x80\x82\xe5\xa5\xbd", 9 },
	};
	char *copy;

	(void)state;
	for (size_t i = 0; i < N(cases); i++) {
		size_t len = strlen(cases[i].text);

		copy = heap(cases[i].text, len);
		if (split_sentence(copy, len) != cases[i].first)
			fail_msg("'%s': %zu", cases[i].text,
				 split_sentence(copy, len));
		free(copy);
	}
	copy = malloc(SENTENCE_MAX * 2);
	assert_non_null(copy);
	memset(copy, 'x', SENTENCE_MAX * 2);
	assert_int_equal(split_sentence(copy, SENTENCE_MAX * 2), SENTENCE_MAX);
	free(copy);
}

static void slips_are_mended_and_words_kept(void **state)
{
	static const struct {
		const char *word, *right;
	} cases[] = {
		{ "plaese", "please" }, { "pleas", "please" },
		{ "retset", "retest" }, { "rerrun", "rerun" },
		{ "measuer", "measure" }, { "attachd", "attached" },
		{ "reproducable", NULL }, { "please", NULL },
		{ "compared", NULL }, { "machines", NULL },
		{ "kernels", NULL }, { "parameter", NULL },
		{ "return", NULL }, { "reset", NULL }, { "batch", NULL },
		{ "lease", NULL }, { "path", NULL }, { "brunch", "branch" },
		{ "commet", "commit" }, { "comment", NULL },
		{ "averyveryverylongwordthatisnoword", NULL }, { "", NULL },
	};

	(void)state;
	for (size_t i = 0; i < N(cases); i++) {
		size_t len = strlen(cases[i].word);
		char *copy = heap(cases[i].word, len);
		const char *right = mend_word(&grammar->words, copy, len);

		if (!right != !cases[i].right ||
		    (right && strcmp(right, cases[i].right)))
			fail_msg("'%s': '%s'", cases[i].word,
				 right ? right : "nothing");
		free(copy);
	}
}

static void links_and_commits_become_marks(void **state)
{
	static const struct {
		const char *text, *reading;
	} cases[] = {
		{ "Try https://lore.example.org/r/1.2-a@example.org.",
		  "Try _patchurl." },
		{ "at <https://lore.example.org/mm/5@x.example/T/#t>, ok",
		  "at <_patchurl>, ok" },
		{ "git://git.example.org/a.git b", "_treeurl b" },
		{ "https://git.example.org/a.git", "_treeurl" },
		{ "https://git.example.org/a.git/log/?h=fix-1", "_treeurl" },
		{ "https://git.example.org/a.git/commit/?id=12", "_patchurl" },
		{ "https://www.example.org/doc", "_url" },
		{ "on v6.12-rc3 or 6.1-rc1", "on _tag or _tag" },
		{ "v2 of it", "_ver of it" },
		{ "12ab34cd56ef^ and deadbee", "_hash and deadbee" },
		{ "next-20310102", "_tag" },
		{ "v6.1..tip", "_range" },
		{ "with nr_task=50%, CONFIG_A=n", "with _kv, _config" },
		{ "say \"mm: do it\" (or 'fix: that')",
		  "say _quote (or _quote)" },
		{ "the \"old\" one", "the \"old\" one" },
		{ "<2031.1234-5@example.org>", "_msgid" },
		{ "ann@example.org", "_address" },
		{ "@lkp and @ann", "_robot and _who" },
		{ "the kernel test robot team can", "_robot can" },
		{ "patch-reviewer-bot", "patch-reviewer-bot" },
		{ "foo() in mm/lru.c", "_code in _code" },
		{ "the *parent* __and _url too", "the parent and url too" },
		{ "it\xe2\x80\x99s 2 \xe2\x80\x93 3", "it's 2 - 3" },
		{ "patch 3/7", "patch _part" },
		{ "plaese retset", "please retest" },
	};
	struct arena a = ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < N(cases); i++) {
		struct sentence s = { .text = cases[i].text };

		reading_make(&s, &a, grammar, &robot);
		if (strcmp(s.reading, cases[i].reading))
			fail_msg("'%s': '%s'", cases[i].text, s.reading);
	}
	arena_release(&a);
}

static void links_hold_ids(void **state)
{
	static const struct {
		const char *url, *id;
	} cases[] = {
		{ "https://lore.example.org/mm/1.2-a@example.org/",
		  "1.2-a@example.org" },
		{ "https://a.example/all/1%40example.org/T/#t",
		  "1@example.org" },
		{ "https://a.example/r/7@x?b=1", "7@x" },
		{ "https://ann@a.example/", NULL },
		{ "https://a.example/~ann@home/", NULL },
		{ "https://a.example/%", NULL },
		{ "https://a.example/1%20x@b/", NULL },
		{ "https://a.example/1%0ax@b/", NULL },
		{ "no link 1@x", NULL },
		{ "https://", NULL },
		{ "", NULL },
	};
	struct arena a = ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < N(cases); i++) {
		const char *id = link_msgid(&a, cases[i].url);

		if (!id != !cases[i].id || (id && strcmp(id, cases[i].id)))
			fail_msg("'%s': '%s'", cases[i].url, id ? id : "");
	}
	arena_release(&a);
}

static const char *or_dash(const char *s)
{
	return s ? s : "-";
}

/* "kind patch url|msgid tree branch commit count scope" of each, in a line. */
static void describe(struct buf *out, const struct requests *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct request *q = &r->request[i];

		buf_addf(out, "%s%s %s %s %s %s %s %d %s%s", i ? "; " : "",
			 request_kind_name(q->kind),
			 patch_source_name(q->patch),
			 or_dash(q->url ? q->url : q->msgid), or_dash(q->tree),
			 or_dash(q->branch), or_dash(q->commit), q->count,
			 or_dash(q->scope), q->confidence < 0.5 ? " ?" : "");
	}
}

struct answer {
	const char *text, *want;
};

static void expect(const struct answer *a)
{
	struct buf got = BUF_INIT(4096);
	struct message m;
	struct requests r;

	read_answer(&m, &r, ROBOT, a->text, strlen(a->text));
	describe(&got, &r);
	if (strcmp(got.s, a->want))
		fail_msg("'%s': '%s', not '%s'", a->text, got.s, a->want);
	buf_release(&got);
	requests_release(&r);
	message_release(&m);
}

static void commands_are_read(void **state)
{
	static const struct answer cases[] = {
		{ "#robot rerun 5\n", "rerun none - - - - 5 -" },
		{ "#ROBOT: rerun\n", "rerun none - - - - 0 -" },
		{ "#robot rerun nr_task=50% runs=10\n",
		  "change_params none - - - - 10 -" },
		{ "#robot test https://lore.example.org/r/1@x.example\n",
		  "rerun_with_patch url https://lore.example.org/r/1@x.example"
		  " - - - 0 -" },
		{ "#robot test\nhttps://lore.example.org/r/1@x.example\n",
		  "rerun_with_patch url https://lore.example.org/r/1@x.example"
		  " - - - 0 -" },
		{ "#robot test <12.34@x.example> v6.1\n",
		  "rerun_with_patch msgid 12.34@x.example - - v6.1 0 -" },
		{ "#robot test git://g.example/a.git topic\n",
		  "rerun_with_tree none - git://g.example/a.git topic - 0 -" },
		{ "#robot test\n\n" DIFF,
		  "rerun_with_patch inline - - - - 0 -" },
		{ "#robot rerun runtime=600s cpufreq_governor=performance \\\n"
		  "nr_task=1\n", "change_params none - - - - 0 -" },
		{ "#robot stop branch wip/*\n",
		  "stop none - - wip/* - 0 branch" },
		{ "#robot stop\n", "stop none - - - - 0 thread" },
		{ "#robot stop all\n", "stop none - - - - 0 all" },
		{ "#robot dup: <1.2@x.example>\n",
		  "dup none 1.2@x.example - - - 0 -" },
		{ "#robot fixed 12ab34cd56ef\n",
		  "fixed none - - - 12ab34cd56ef 0 -" },
		{ "#robot invalid: noise\n#robot help\n",
		  "invalid none - - - - 0 -; help none - - - - 0 -" },
		{ "lkp: status\n", "status none - - - - 0 -" },
		{ "#robot reurn\n", "rerun none - - - - 0 - ?" },
		{ "#robot dance\n", "help none - - - - 0 - ?" },
		{ "> #robot rerun\n\nok\n", "" },
		{ "  #robot rerun\n", "" },
		{ "Hi\n-- \n#robot rerun\n", "" },
		{ "#syz test\n#regzbot invalid: x\n", "" },
		{ "#robotics is fun\n", "" },
	};

	(void)state;
	for (size_t i = 0; i < N(cases); i++)
		expect(&cases[i]);
}

static void commands_are_kept_whole(void **state)
{
	static const struct {
		const char *text, *whole, *words;
		size_t line;
	} cases[] = {
		{ "#robot rerun 5\n", "#robot rerun 5", "rerun 5", 1 },
		{ "Hi,\n\n#Robot:  status\n", "#Robot: status", "status", 3 },
		{ "lkp:   dup\n1@x.org\n", "lkp: dup 1@x.org", "dup 1@x.org",
		  1 },
	};

	(void)state;
	for (size_t i = 0; i < N(cases); i++) {
		struct message m;
		struct requests r;

		read_answer(&m, &r, ROBOT, cases[i].text,
			    strlen(cases[i].text));
		assert_int_equal(r.ncommand, 1);
		assert_string_equal(r.command[0].text, cases[i].whole);
		assert_string_equal(r.command[0].words, cases[i].words);
		assert_int_equal(r.command[0].line, cases[i].line);
		requests_release(&r);
		message_release(&m);
	}
}

static void answers_are_understood(void **state)
{
	static const struct answer cases[] = {
		{ "Could you rerun that, please?\n", "rerun none - - - - 0 -" },
		{ "Does the below help?\n\n" DIFF,
		  "rerun_with_patch inline - - - - 0 -" },
		{ "delta fix below\n\n" DIFF,
		  "rerun_with_patch inline - - - - 0 -" },
		{ "Something like this, untested.\n\n" DIFF, "" },
		{ DIFF, "" },
		{ "Ben, could you test this?\n\n" DIFF, "" },
		{ "Does it make sense?\n\n" DIFF, "" },
		{ "Would this not be simpler?\n\n" DIFF, "" },
		{ "Changes: none.\nPlease rerun it.\n",
		  "rerun none - - - - 0 -" },
		{ "Re-test with [1], please.\n\n"
		  "[1] https://lore.example.org/r/1@x.example\n",
		  "rerun_with_patch url https://lore.example.org/r/1@x.example"
		  " - - - 0 -" },
		{ "Re-test with [2], please.\n\n"
		  "[1] https://lore.example.org/r/1@x.example\n"
		  "[2] https://lore.example.org/r/2@x.example\n",
		  "rerun_with_patch url https://lore.example.org/r/2@x.example"
		  " - - - 0 -" },
		{ "Please test branches a1 and a2 of "
		  "https://git.example.org/a/linux.git\n",
		  "rerun_with_tree none - https://git.example.org/a/linux.git "
		  "a1 - 0 -; rerun_with_tree none - "
		  "https://git.example.org/a/linux.git a2 - 0 -" },
		{ "The code is in branch for-lkp of "
		  "https://git.example.org/a.git.  Please test.\n",
		  "rerun_with_tree none - https://git.example.org/a.git "
		  "for-lkp - 0 -" },
		{ "Could you test this, Ben?\n\n" DIFF, "" },
		{ "Hi Ann,\n\nrerun please\n", "rerun none - - - - 0 -" },
		{ "Hi Ben,\n\nrerun please\n", "" },
		{ "On Monday, Ben Oak wrote:\n> It is slow.\n\n"
		  "Can you rerun it?\n", "" },
		{ "On Monday, kernel test robot wrote:\n> It is slow.\n\n"
		  "Can you rerun it?\n", "rerun none - - - - 0 -" },
		{ "On Monday, Ben Oak wrote:\n> we tested your patch\n\n"
		  "Hi Ben,\n\nCan you rerun it?\n", "rerun none - - - - 0 -" },
		{ QUOTED "Hi Odo,\n\ncould you rerun it?\n",
		  "rerun none - - - - 0 - ?" },
		{ "Can you rerun it?\n\n----- Original Message -----\n\nIt is "
		  "slow.\n", "rerun none - - - - 0 -" },
		{ QUOTED "Hi Ann,\n\ncould you rerun it?\n",
		  "rerun none - - - - 0 -" },
		{ QUOTED "Hi Eve,\n\ncould you rerun it?\n", "" },
		{ QUOTED "Hi Odo, Ida,\n\ncould you rerun it?\n", "" },
		{ QUOTED "Odo, could you rerun it?\n", "" },
		{ "On Monday, Eve wrote:\n> It is slow.\n\nYes.\n\n" QUOTED
		  "Hi Odo,\n\ncould you rerun it?\n", "" },
		{ "Hi Odo,\n\ncould you do the same test with v6.1?\n",
		  "rerun_with_tree none - - - v6.1 0 - ?" },
		{ "Hi Odo,\n\ncould you test that?\n\n" DIFF, "" },
		{ "Hi, could you rerun this test, please?\n",
		  "rerun none - - - - 0 -" },
		{ "Hello there, would you mind rerunning it, please?\n",
		  "rerun none - - - - 0 -" },
		{ "Hi, can you try https://lore.kernel.org/all/p1@x.example/\n",
		  "rerun_with_patch url https://lore.kernel.org/all/p1@x.example/"
		  " - - - 0 -" },
		{ QUOTED "Hi Will, could you rerun it, please?\n",
		  "rerun none - - - - 0 - ?" },
		{ QUOTED "Hi eve, could you rerun it, please?\n", "" },
		{ "Hi bob can you rerun this test, please?\n", "" },
		{ "Could you, please, rerun this test?\n",
		  "rerun none - - - - 0 -" },
		{ "Please, rerun this test.\n", "rerun none - - - - 0 -" },
		{ "Please, do not rerun this.\n", "" },
		{ "I'll rerun it myself.\n", "" },
		{ "The robot re-ran it, all is well.\n", "" },
		{ "No need to rerun this.\n", "" },
		{ "Please test git://g.example/a.git branch x-1 again.\n",
		  "rerun_with_tree none - git://g.example/a.git x-1 - 0 -" },
		{ "Please run it on\n - v6.1\n - v6.2\n",
		  "rerun_with_tree none - - - v6.1 0 -; "
		  "rerun_with_tree none - - - v6.2 0 -" },
		{ "Please run it with 10 runs.\n", "rerun none - - - - 10 -" },
		{ "Bitte teste diesen Patch.\n\n" DIFF,
		  "rerun_with_patch inline - - - - 0 - ?" },
		{ "Please stop mailing the lists about this tree.\n",
		  "stop none - - - - 0 list" },
		{ "Please don't test git://g.example/a.git branch x-1.\n",
		  "stop none - git://g.example/a.git x-1 - 0 branch" },
		{ "Bitte keine Mails zu wip/* mehr.\n",
		  "stop none - - wip/* - 0 branch ?" },
		{ "Please try these two, one at a time:\n"
		  "https://lore.example.org/r/1@x.org\n"
		  "https://lore.example.org/r/2@x.org\n",
		  "rerun_with_patch url https://lore.example.org/r/1@x.org - - - 0 -; "
		  "rerun_with_patch url https://lore.example.org/r/2@x.org - - - 0 -" },
		{ "Replaces the one above:\n\n" DIFF, "" },
		{ "New one for you, replaces the above:\n\n" DIFF,
		  "rerun_with_patch inline - - - - 0 -" },
		{ "It went out today, https://lore.example.org/r/1@x.org\n\n"
		  "Could you run it?\n",
		  "rerun_with_patch url https://lore.example.org/r/1@x.org - - - 0 -" },
		{ "Does it go away with this?\n\n" DIFF,
		  "rerun_with_patch inline - - - - 0 -" },
		{ "I doubt that this helps.\n\n" DIFF, "" },
		{ "When v3 is out, please test that.\n", "" },
		{ "Can you test the fix that I sent on Friday?\n"
		  "Message-ID: 20310307.12-1-x@example.com\n",
		  "rerun_with_patch msgid 20310307.12-1-x@example.com - - - "
		  "0 -" },
		{ "There is a fix out for review [1].  Can you see what you "
		  "get with it?\n\n[1] https://lore.example.org/r/1@x.org\n",
		  "rerun_with_patch url https://lore.example.org/r/1@x.org "
		  "- - - 0 -" },
		{ "Could you run\n\n  v6.1\n  v6.2\n\nwith that config?\n",
		  "rerun_with_tree none - - - v6.1 0 -; "
		  "rerun_with_tree none - - - v6.2 0 -" },
		{ "Pouvez-vous tester la branche x-1 de "
		  "https://g.example.net/a.git ?\n",
		  "rerun_with_tree none - https://g.example.net/a.git x-1 - "
		  "0 - ?" },
		{ "You can use #robot rerun for that.\n", "" },
		{ "Next time please test your patches first.\n", "" },
		{ "I propose to revert 1234567890ab for v6.13.\n", "" },
		{ "How can I ask you to test a branch?\n",
		  "help none - - - - 0 -" },
		{ "Hi Odo,\n\nthanks for the report.  Can you send the "
		  "dmesg?\n", "more_data none - - - - 0 - ?" },
		{ "Never mind, drop it.\n", "cancel none - - - - 0 -" },
		{ "please cancel\n", "cancel none - - - - 0 -" },
		{ "I'll drop it.\n", "" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < N(cases); i++)
		expect(&cases[i]);
}

/* What perfpost-requests(7) promises. */
static void the_manual_holds(void **state)
{
	static const struct {
		const char *text;
		enum request_kind kind;
	} cases[] = {
		{ "Could you rerun with https://lore.example.org/r/1@x.org ?",
		  REQUEST_RERUN_WITH_PATCH },
		{ "My patch from Monday, further up in this thread, please "
		  "test it.", REQUEST_RERUN_WITH_PATCH },
		{ "Please pull git://git.example.org/linux.git, branch topic",
		  REQUEST_RERUN_WITH_TREE },
		{ "Is it still there with v6.13-rc1?", REQUEST_RERUN_WITH_TREE },
		{ "v6.12 vs v6.13, please", REQUEST_RERUN_WITH_TREE },
		{ "Could you run it with 1234567890ab reverted?",
		  REQUEST_RERUN_WITH_TREE },
		{ "the whole series, please", REQUEST_RERUN_WITH_TREE },
		{ "Please use nr_task: 50% too", REQUEST_CHANGE_PARAMS },
		{ "Could you run it with mitigations=off?",
		  REQUEST_CHANGE_PARAMS },
		{ "Please test on a single-socket machine.",
		  REQUEST_CHANGE_PARAMS },
		{ "Please rerun without the debug config.",
		  REQUEST_CHANGE_PARAMS },
		{ "Can you rerun that, with 10 runs?", REQUEST_RERUN },
		{ "kernel test robot: could you rerun it, too?",
		  REQUEST_RERUN },
		{ "Could you send the dmesg of both kernels?",
		  REQUEST_MORE_DATA },
		{ "Which scheduler was that on?", REQUEST_MORE_DATA },
		{ "Is it stable across reboots?",
		  REQUEST_QUESTION_REPRODUCIBLE },
		{ "What is the noise of this test?",
		  REQUEST_QUESTION_REPRODUCIBLE },
		{ "Any news on the run with v2?", REQUEST_STATUS },
		{ "Please skip v2, v3 is out.", REQUEST_CANCEL },
		{ "Please don't test wip/* of my tree.", REQUEST_STOP },
		{ "Send these to me only, not to the list.", REQUEST_STOP },
		{ "This code is not built on that machine.", REQUEST_INVALID },
		{ "Same as the report of last week, "
		  "https://lore.example.org/r/1@x.org", REQUEST_DUP },
		{ "Fixed by 1234567890ab.", REQUEST_FIXED },
		{ "This slowdown is expected, correctness first.",
		  REQUEST_EXPECTED },
		{ "What does this metric mean?", REQUEST_HELP },
		{ "How do I run this by hand?", REQUEST_HELP },
	};

	(void)state;
	for (size_t i = 0; i < N(cases); i++) {
		struct message m;
		struct requests r;

		read_answer(&m, &r, ROBOT, cases[i].text,
			    strlen(cases[i].text));
		if (r.n != 1 || r.request[0].kind != cases[i].kind)
			fail_msg("'%s': %zu, %s", cases[i].text, r.n, r.n ?
				 request_kind_name(r.request[0].kind) : "");
		requests_release(&r);
		message_release(&m);
	}
}

static void others_mails_ask_nothing(void **state)
{
	static const char *const mails[] = {
		"From: " ROBOT "\nTo: " ROBOT "\n\nplease rerun\n",
		"From: Robot <perf-robot+r12@ci.example.org>\nTo: " ROBOT
			"\n\nplease rerun\n",
		"From: a@example.org\nTo: " ROBOT
			"\nAuto-Submitted: auto-replied\n\nplease rerun\n",
		"From: a@example.org\nTo: b@example.org\n\nplease rerun\n",
		"From: a@example.org\nTo: " ROBOT "\n\nplease rerun\0x\n",
	};
	static const size_t last = sizeof("From: a@example.org\nTo: " ROBOT
					  "\n\nplease rerun\0x\n") - 1;

	(void)state;
	for (size_t i = 0; i < N(mails); i++) {
		size_t len = i + 1 < N(mails) ? strlen(mails[i]) : last;
		struct message m;
		struct requests r;

		read_bytes(&m, mails[i], len);
		requests_find(&r, &m, grammar, &robot);
		if (r.n)
			fail_msg("mail %zu: %s", i,
				 request_kind_name(r.request[0].kind));
		requests_release(&r);
		message_release(&m);
	}
}

/* Text that is made to hurt: what is read is capped, and it says so. */
static void hostile_text_is_cut(void **state)
{
	static const char *const pieces[] = {
		"x", "a ", "please ", "could you could you ", "((((((((",
		"https://x.example/", "1a", "could you please run it. ",
		"\"a: ", "Ann, Bob, ", "with the with the ",
		"\xe3\x80\x82", "#robot ", "aaaaaaaaaaaaaaaa@", "<1a2b",
		"a1b2c3d\n\n", "--------\n", "please |\n", "Thanks,\n",
	};
	size_t len = 1 << 20;
	char *text = malloc(len);

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < N(pieces); i++) {
		size_t n = strlen(pieces[i]);
		int64_t start = clock_monotonic_ms();
		struct message m;
		struct requests r;
		bool cut = false;

		for (size_t k = 0; k < len; k++)
			text[k] = pieces[i][k % n];
		read_answer(&m, &r, ROBOT, text, len);
		for (size_t k = 0; k < r.nexplanation; k++)
			cut |= strstr(r.explanation[k].why, "not all was read")
			       != NULL;
		assert_true(cut);
		assert_true(r.n <= REQUESTS_MAX);
		/* With sanitizers, on a busy machine: an order of magnitude. */
		assert_true(clock_monotonic_ms() - start < 20000);
		requests_release(&r);
		message_release(&m);
	}
	free(text);
}

static void rules_that_are_wrong_say_where(void **state)
{
	static const struct {
		const char *rules, *why;
	} cases[] = {
		{ "let a x\nmark m {b}\n", ":2: no 'let b'" },
		{ "mark m x\nrule r nonsense 1 m\n", ":2: no kind 'nonsense'" },
		{ "mark m x\nrule r rerun 1 n\n", "no mark 'n'" },
		{ "mark m x\nrule r rerun 2 m\n", ":2: not between 0 and 1" },
		{ "mark m (x\n", "mark m: missing" },
		{ "\n# well\nfoo bar\n", ":3: no statement 'foo'" },
		{ "field f [\n", ":1: missing" },
		{ "mark m a\n  |b\nfoo\n", ":3: no statement" },
		{ "let a x\nlet b {a}\nmark m {b}{1,2}\n", NULL },
	};
	char path[] = "/tmp/test-request-XXXXXX";
	int fd = mkstemp(path);
	struct err err = ERR_INIT;

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	for (size_t i = 0; i < N(cases); i++) {
		struct grammar *g;

		assert_int_equal(file_write(path, cases[i].rules,
					    strlen(cases[i].rules), &err), 0);
		g = grammar_load(path, &err);
		if (!g != !!cases[i].why ||
		    (!g && !strstr(err.text, cases[i].why)))
			fail_msg("'%s': %s", cases[i].rules,
				 g ? "no error" : err.text);
		grammar_free(g);
	}
	unlink(path);
	assert_null(grammar_load("/no/such", &err));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sentences_end_where_they_do),
		cmocka_unit_test(slips_are_mended_and_words_kept),
		cmocka_unit_test(links_and_commits_become_marks),
		cmocka_unit_test(links_hold_ids),
		cmocka_unit_test(commands_are_read),
		cmocka_unit_test(commands_are_kept_whole),
		cmocka_unit_test(answers_are_understood),
		cmocka_unit_test(the_manual_holds),
		cmocka_unit_test(others_mails_ask_nothing),
		cmocka_unit_test(hostile_text_is_cut),
		cmocka_unit_test(rules_that_are_wrong_say_where),
	};
	return cmocka_run_group_tests(tests, load, unload);
}
