#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "policy/authres.h"
#include "policy/evidence.h"
#include "policy/netrange.h"
#include "policy/patch.h"
#include "policy/policy.h"
#include "policy/token.h"
#include "policy/url.h"

static void authres_is_read_tolerantly(void **state)
{
	static const struct {
		const char *body, *server;
		size_t n;
		const char *method, *result, *property, *value;
	} t[] = {
		{ "mx.example.org; dkim=pass header.d=a.org", "mx.example.org",
		  1, "dkim", "pass", "header.d", "a.org" },
		{ "MX.Example.org 1 ; DKIM/1 = Pass (good) header.d = \"a.org\"",
		  "mx.example.org", 1, "dkim", "pass", "header.d", "a.org" },
		{ "mx (our (own) server); spf=fail reason=\"no; way\" "
		  "smtp.mailfrom=x@b.org; dmarc=none", "mx", 2, "spf", "fail",
		  "smtp.mailfrom", "x@b.org" },
		{ "mx; none", "mx", 0, NULL, NULL, NULL, NULL },
		{ "mx", "mx", 0, NULL, NULL, NULL, NULL },
		{ "", "", 0, NULL, NULL, NULL, NULL },
		{ "mx; dkim", "mx", 0, NULL, NULL, NULL, NULL },
		{ "mx; dkim=\"pass", "mx", 0, NULL, NULL, NULL, NULL },
		{ "mx; (dkim=pass header.d=a.org)", "mx", 0, NULL, NULL, NULL,
		  NULL },
		{ "mx;;; dkim=pass", "mx", 1, "dkim", "pass", NULL, NULL },
	};
	struct arena a = ARENA_INIT;
	struct authres r;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++) {
		char *copy = strdup(t[i].body);

		authres_parse(&r, copy, &a);
		assert_string_equal(r.server, t[i].server);
		assert_int_equal(r.nresult, t[i].n);
		if (t[i].method) {
			assert_string_equal(r.result[0].method, t[i].method);
			assert_string_equal(r.result[0].result, t[i].result);
		}
		if (t[i].property)
			assert_string_equal(authres_get(&r.result[0],
							t[i].property),
					    t[i].value);
		free(copy);
	}
	arena_release(&a);
}

/* A message of header lines "Name: value", split by "|". */
static void make_message(struct message *m, struct arena *a, const char *text)
{
	char *all = arena_strdup(a, text), *save = NULL, *line;
	static struct address reply;

	*m = (struct message){ .message_id = "x@y", .subject = "" };
	m->from = (struct address){ "Ann", "ann@dev.example.org" };
	m->header = arena_array(a, 20, sizeof(*m->header));
	for (line = strtok_r(all, "|", &save); line;
	     line = strtok_r(NULL, "|", &save)) {
		char *colon = strchr(line, ':');

		*colon = '\0';
		m->header[m->nheader].name = line;
		m->header[m->nheader++].value = colon + 2;
		if (!strcmp(line, "List-Id"))
			m->list_id = colon + 2;
		if (!strcmp(line, "From"))
			m->from.address = colon + 2;
		if (!strcmp(line, "Reply-To")) {
			reply = (struct address){ "", colon + 2 };
			m->reply_to = (struct addresses){ &reply, 1 };
		}
	}
}

#define AR "Authentication-Results: mx.ci.example.org; "
#define OURS "Received: from x by mx.ci.example.org with ESMTPS"
#define THEIRS "Received: from y by out.dev.example.org with ESMTP"
#define FROM "From: ann@dev.example.org"

static void only_our_server_vouches(void **state)
{
	static const struct {
		const char *headers;
		bool assume;
		enum proof proof;
		const char *reason;
	} t[] = {
		{ AR "dmarc=pass header.from=dev.example.org|" FROM, false,
		  PROOF_PASSED, "dmarc of dev.example.org passed" },
		{ AR "dkim=pass header.d=dev.example.org|" FROM, false,
		  PROOF_PASSED, "dkim of dev.example.org" },
		{ AR "dkim=pass header.d=example.org|" FROM, false,
		  PROOF_PASSED, "dkim of example.org" },
		{ AR "dkim=pass header.d=org|" FROM, false, PROOF_NONE,
		  "not aligned" },
		{ AR "dkim=pass header.d=sub.dev.example.org|" FROM, false,
		  PROOF_NONE, "not aligned" },
		{ AR "dkim=pass header.d=evildev.example.org|" FROM, false,
		  PROOF_NONE, "not aligned" },
		{ AR "dkim=pass header.i=bob@dev.example.org "
		  "header.d=dev.example.org|" FROM, false, PROOF_NONE,
		  "not for ann@dev.example.org" },
		{ AR "dkim=fail header.d=dev.example.org|" FROM, false,
		  PROOF_NONE, "no dmarc or aligned dkim" },
		{ AR "spf=pass smtp.mailfrom=dev.example.org|" FROM, false,
		  PROOF_NONE, "no dmarc or aligned dkim" },
		{ AR "dkim=pass header.d=evil.example.net; spf=pass; dmarc=fail "
		  "header.from=dev.example.org|" FROM, true, PROOF_FAILED,
		  "dkim domain evil.example.net not aligned with "
		  "dev.example.org" },
		{ AR "dkim=pass header.d=dev.example.org; dmarc=fail|" FROM,
		  false, PROOF_FAILED, "" },
		{ AR "dmarc=pass header.from=evil.example.net|" FROM, false,
		  PROOF_NONE, "no dmarc" },
		/* Only the topmost of ours. */
		{ AR "dmarc=fail|" AR "dmarc=pass|" FROM, false, PROOF_FAILED,
		  "dmarc" },
		/* Others may say what they want. */
		{ "Authentication-Results: mx.evil.example.net; dmarc=pass|"
		  FROM, true, PROOF_NONE, "only of others" },
		{ "Authentication-Results: mx.evil.example.net; dmarc=pass|"
		  AR "dmarc=pass|" FROM, false, PROOF_PASSED, "dmarc" },
		/* Above, between and below the hops. */
		{ OURS "|" AR "dmarc=pass|" THEIRS "|" FROM, false,
		  PROOF_PASSED, "dmarc" },
		{ AR "dmarc=pass|" OURS "|" THEIRS "|" FROM, false,
		  PROOF_PASSED, "dmarc" },
		{ OURS "|" THEIRS "|" AR "dmarc=pass|" FROM, true, PROOF_NONE,
		  "below the first foreign hop" },
		{ "Received: from by mx.ci.example.org by out.dev.example.org|"
		  AR "dmarc=pass|" FROM, false, PROOF_PASSED, "dmarc" },
		/* A signature over a part of the body. */
		{ AR "dkim=pass header.d=dev.example.org|DKIM-Signature: v=1; "
		  "d=dev.example.org; l=12; b=x|" FROM, false, PROOF_NONE,
		  "part of the body" },
		{ AR "dkim=pass header.d=dev.example.org|DKIM-Signature: v=1; "
		  "d=lists.example.net; l=12; b=x|" FROM, false, PROOF_PASSED,
		  "" },
		/* Lists. */
		{ AR "dmarc=pass|List-Id: <perf.lists.example.org>|"
		  "From: perf@lists.example.org", false, PROOF_NONE,
		  "mailing list" },
		{ AR "dmarc=pass|List-Id: <perf.lists.example.org>|" FROM,
		  false, PROOF_PASSED, "" },
		{ AR "dmarc=pass|X-Original-From: ann@x.org|" FROM, false,
		  PROOF_NONE, "mailing list" },
		{ AR "dmarc=pass|" FROM "|From: bob@dev.example.org", false,
		  PROOF_NONE, "more than one From" },
		{ AR "dmarc=pass|From: Ann <ann@dev.example.org>, Bob "
		  "<bob@dev.example.org>", false, PROOF_NONE,
		  "more than one From" },
		{ AR "dmarc=pass|From: Ann <ann@dev.example.org> "
		  "<bob@x.example>", false, PROOF_NONE, "more than one From" },
		{ AR "dmarc=pass|From: =?utf-8?q?Example=2C?= Ann "
		  "<ann@dev.example.org>", false, PROOF_PASSED, "" },
		/* Where anybody has a mailbox. */
		{ AR "dmarc=pass|From: ann@mail.example.com", false,
		  PROOF_DOMAIN, "" },
		/* Nobody says anything. */
		{ FROM, false, PROOF_NONE, "no Authentication-Results" },
		{ FROM, true, PROOF_ASSUMED, "assumes" },
		{ FROM "|Reply-To: boss@maintainer.example.org", true,
		  PROOF_NONE, "Reply-To is no identity" },
		{ AR "dmarc=pass|" FROM "|Reply-To: boss@else.example.org",
		  false, PROOF_PASSED, "" },
		{ "From: nobody", true, PROOF_NONE, "no usable From" },
	};
	static const char *const servers[] = { "mx.ci.example.org", NULL };
	static const char *const providers[] = { "mail.example.com", NULL };

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++) {
		struct evidence_rules rules = { servers, providers,
						t[i].assume };
		struct arena a = ARENA_INIT;
		struct evidence e;
		struct message m;

		make_message(&m, &a, t[i].headers);
		evidence_find(&e, &m, &rules, &a);
		if (e.proof != t[i].proof || !strstr(e.reason, t[i].reason))
			print_message("%s: %s, %s\n", t[i].headers,
				      proof_name(e.proof), e.reason);
		assert_int_equal(e.proof, t[i].proof);
		assert_non_null(strstr(e.reason, t[i].reason));
		arena_release(&a);
	}
}

static void roles_come_from_data(void **state)
{
	static const struct standing v[] = {
		{ "ann@dev.example.org", ROLE_PARTICIPANT },
		{ "Ann@dev.example.org", ROLE_AUTHOR },
		{ "bob@dev.example.org", ROLE_MAINTAINER },
	};
	static const char *const deny[] = { "*@bad.example.net", "bob@*", NULL };
	static const char *const allow[] = { "good.example.org", NULL };
	static const char *const operators[] = { "op@bad.example.net", NULL };
	static const struct role_lists lists = { deny, allow, operators };
	static const struct {
		const char *address;
		enum role role;
		bool denied;
	} t[] = {
		{ "ann@DEV.example.org", ROLE_AUTHOR, false },
		{ "bob@dev.example.org", ROLE_MAINTAINER, true },
		{ "x@good.example.org", ROLE_ALLOWED, false },
		{ "x@sub.good.example.org", ROLE_STRANGER, false },
		{ "x@bad.example.net", ROLE_STRANGER, true },
		{ "op@bad.example.net", ROLE_OPERATOR, false },
		{ "nobody", ROLE_STRANGER, false },
	};
	bool denied;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++) {
		assert_int_equal(role_of(t[i].address, v, 3, &lists, &denied),
				 t[i].role);
		assert_int_equal(denied, t[i].denied);
	}
}

static void the_table_rules(void **state)
{
	static const struct {
		struct question q;
		enum ruling ruling;
		bool silent;
	} t[] = {
		{ { .verb = VERB_PATCH, .role = ROLE_AUTHOR,
		    .proof = PROOF_PASSED }, RULING_ALLOW, false },
		{ { .verb = VERB_PATCH, .role = ROLE_AUTHOR,
		    .proof = PROOF_NONE }, RULING_CONFIRM, false },
		{ { .verb = VERB_PATCH, .role = ROLE_AUTHOR,
		    .proof = PROOF_DOMAIN }, RULING_CONFIRM, false },
		{ { .verb = VERB_PATCH, .role = ROLE_AUTHOR, .known = true,
		    .proof = PROOF_DOMAIN }, RULING_ALLOW, false },
		{ { .verb = VERB_PATCH, .role = ROLE_PARTICIPANT,
		    .proof = PROOF_PASSED }, RULING_CONFIRM, false },
		{ { .verb = VERB_PATCH, .role = ROLE_PARTICIPANT, .known = true,
		    .proof = PROOF_PASSED }, RULING_ALLOW, false },
		{ { .verb = VERB_PATCH, .role = ROLE_PARTICIPANT, .known = true,
		    .proof = PROOF_NONE }, RULING_CONFIRM, false },
		{ { .verb = VERB_PATCH, .role = ROLE_PARTICIPANT,
		    .proof = PROOF_ASSUMED }, RULING_ALLOW, false },
		{ { .verb = VERB_PATCH, .role = ROLE_STRANGER, .known = true,
		    .proof = PROOF_PASSED }, RULING_CONFIRM, false },
		{ { .verb = VERB_PATCH, .role = ROLE_STRANGER,
		    .confirmed = true, .proof = PROOF_NONE }, RULING_ALLOW,
		  false },
		{ { .verb = VERB_PATCH, .role = ROLE_OPERATOR,
		    .proof = PROOF_FAILED }, RULING_DENY, true },
		{ { .verb = VERB_PATCH, .role = ROLE_ALLOWED, .denied = true,
		    .proof = PROOF_PASSED }, RULING_DENY, true },
		/* What runs on the build host. */
		{ { .verb = VERB_PATCH, .role = ROLE_AUTHOR, .host_files = true,
		    .proof = PROOF_PASSED }, RULING_OPERATOR, false },
		{ { .verb = VERB_PATCH, .role = ROLE_STRANGER,
		    .host_files = true, .confirmed = true,
		    .proof = PROOF_NONE }, RULING_OPERATOR, false },
		{ { .verb = VERB_PATCH, .role = ROLE_MAINTAINER,
		    .host_files = true, .proof = PROOF_PASSED },
		  RULING_ALLOW, false },
		{ { .verb = VERB_PATCH, .role = ROLE_AUTHOR, .host_files = true,
		    .approved = true, .proof = PROOF_PASSED }, RULING_ALLOW,
		  false },
		{ { .verb = VERB_TREE, .role = ROLE_STRANGER,
		    .proof = PROOF_PASSED }, RULING_OPERATOR, false },
		{ { .verb = VERB_TREE, .role = ROLE_STRANGER, .approved = true,
		    .proof = PROOF_PASSED }, RULING_ALLOW, false },
		/* What costs nothing, what changes the state. */
		{ { .verb = VERB_ASK, .role = ROLE_STRANGER,
		    .proof = PROOF_NONE }, RULING_ALLOW, false },
		{ { .verb = VERB_CLOSE, .role = ROLE_PARTICIPANT,
		    .proof = PROOF_PASSED }, RULING_NOTE, false },
		{ { .verb = VERB_CLOSE, .role = ROLE_AUTHOR,
		    .proof = PROOF_PASSED }, RULING_ALLOW, false },
		{ { .verb = VERB_CLOSE, .role = ROLE_AUTHOR,
		    .proof = PROOF_NONE }, RULING_NOTE, false },
		{ { .verb = VERB_STOP, .role = ROLE_STRANGER,
		    .proof = PROOF_PASSED }, RULING_NOTE, false },
		{ { .verb = VERB_CANCEL, .role = ROLE_STRANGER,
		    .proof = PROOF_NONE }, RULING_CONFIRM, false },
	};
	struct policy_rules rules = { .table = policy_default,
				      .confirm_first = true,
				      .host_files = ROLE_MAINTAINER };
	struct arena a = ARENA_INIT;
	struct decision d;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++) {
		struct question q = t[i].q;

		q.why_unproven = "nobody vouches";
		policy_decide(&d, &rules, &q, &a);
		if (d.ruling != t[i].ruling)
			print_message("%zu: %s, %s\n", i,
				      ruling_name(d.ruling), d.reason);
		assert_int_equal(d.ruling, t[i].ruling);
		assert_int_equal(d.silent, t[i].silent);
		assert_true(*d.reason);
	}
	arena_release(&a);
}

static void budgets_end(void **state)
{
	struct budget limit = { .person = 60, .report = 100 }, spent = { 0 };

	(void)state;
	assert_null(budget_broken(&limit, &spent, 60));
	assert_string_equal(budget_broken(&limit, &spent, 61), "person");
	spent.report = 90;
	assert_string_equal(budget_broken(&limit, &spent, 11), "report");
	spent.day = spent.domain = 1e9;
	assert_null(budget_broken(&limit, &spent, 10));
}

static void tokens_come_back(void **state)
{
	static const char secret[] = "sixteen bytes or more";
	struct buf t = BUF_INIT(100), upper = BUF_INIT(100);
	size_t len = strlen(secret);

	(void)state;
	token_make(&t, secret, len, 17, "Ann@dev.example.org", 1000);
	assert_true(t.len < 50);
	assert_int_equal(token_request(t.s), 17);
	assert_int_equal(token_check(t.s, secret, len, "ann@dev.example.org",
				     999), TOKEN_GOOD);
	assert_int_equal(token_check(t.s, secret, len, "ann@dev.example.org",
				     1000), TOKEN_EXPIRED);
	assert_int_equal(token_check(t.s, secret, len, "bob@dev.example.org",
				     999), TOKEN_FORGED);
	assert_int_equal(token_check(t.s, "another secret word", 19,
				     "ann@dev.example.org", 999), TOKEN_FORGED);
	for (size_t i = 0; i < t.len; i++)
		buf_addch(&upper, (char)(t.s[i] >= 'a' && t.s[i] <= 'z' ?
					 t.s[i] - 32 : t.s[i]));
	assert_int_equal(token_check(upper.s, secret, len,
				     "ann@dev.example.org", 1), TOKEN_GOOD);
	for (size_t i = 0; i < t.len; i++) {
		char was = t.s[i];

		t.s[i] = was == '7' ? '6' : '7';
		assert_int_not_equal(token_check(t.s, secret, len,
				     "ann@dev.example.org", 1), TOKEN_GOOD);
		t.s[i] = was;
	}
	assert_int_equal(token_check("r5c1e77a90b3d", secret, len, "a@b", 1),
			 TOKEN_NONE);
	assert_int_equal(token_check("c", secret, len, "a@b", 1), TOKEN_NONE);
	assert_int_equal(token_check("c99999999999999999999-1-x", secret, len,
				     "a@b", 1), TOKEN_NONE);
	buf_release(&t);
	buf_release(&upper);
}

#define FILE_A "diff --git a/mm/a.c b/mm/a.c\n"
#define HUNK "@@ -1,2 +1,2 @@\n x\n-y\n+z\n"
#define PAIR "--- a/mm/a.c\n+++ b/mm/a.c\n"

static void patches_are_looked_at(void **state)
{
	static const struct {
		const char *text;
		enum patch_flaw flaw;
		size_t line, files, host;
	} t[] = {
		{ FILE_A PAIR HUNK, FLAW_NONE, 0, 1, 0 },
		{ PAIR HUNK, FLAW_NONE, 0, 1, 0 },
		{ "From: x\n\ntext --- here\n--- a dash\n---\n" FILE_A PAIR
		  HUNK "-- \n2.40\n", FLAW_NONE, 0, 1, 0 },
		{ PAIR HUNK "--- a/mm/b.c\t2020-01-01\n+++ b/mm/b.c\t2020\n"
		  HUNK, FLAW_NONE, 0, 2, 0 },
		{ PAIR "@@ -1 +0,0 @@\n-x\n\\ No newline\n", FLAW_NONE, 0, 1,
		  0 },
		{ PAIR "@@ -1,3 +1,3 @@\n x\n\n-y\n+z\n", FLAW_NONE, 0, 1, 0 },
		{ "diff --git a/x b/x\nnew file mode 100644\nindex 0..1\n",
		  FLAW_NONE, 0, 1, 0 },
		{ "--- /dev/null\n+++ b/mm/n.c\n@@ -0,0 +1 @@\n+x\n",
		  FLAW_NONE, 0, 1, 0 },
		/* A line of the hunk may look like a header. */
		{ PAIR "@@ -1,2 +1,2 @@\n--- a/../x\n+++ b/../x\n x\n",
		  FLAW_NONE, 0, 1, 0 },
		{ "hello\n", FLAW_EMPTY, 0, 0, 0 },
		{ "", FLAW_EMPTY, 0, 0, 0 },
		/* Paths. */
		{ "--- a/../x\n+++ b/../x\n" HUNK, FLAW_PATH, 1, 0, 0 },
		{ "--- a/mm/../../x\n+++ b/y\n" HUNK, FLAW_PATH, 1, 0, 0 },
		{ "--- a/y\n+++ b/mm/../../x\n" HUNK, FLAW_PATH, 2, 1, 0 },
		{ "--- /etc/passwd\n+++ /etc/passwd\n" HUNK, FLAW_PATH, 1, 0,
		  0 },
		{ "--- a//etc/x\n+++ b//etc/x\n" HUNK, FLAW_PATH, 1, 0, 0 },
		{ "--- ../x\n+++ ../x\n" HUNK, FLAW_PATH, 1, 0, 0 },
		{ "--- x\n+++ x\n" HUNK, FLAW_PATH, 1, 0, 0 },
		{ "--- \"a/\\056\\056/x\"\n+++ b/x\n" HUNK, FLAW_PATH, 1, 0,
		  0 },
		{ "--- \"a/x\\000\"\n+++ b/x\n" HUNK, FLAW_PATH, 1, 0, 0 },
		{ "--- \"a/\\n\"\n+++ b/x\n" HUNK, FLAW_PATH, 1, 0, 0 },
		{ "--- \"a/x\n+++ b/x\n" HUNK, FLAW_PATH, 1, 0, 0 },
		{ "diff --git a/../x b/../x\nnew file mode 100644\n",
		  FLAW_PATH, 1, 0, 0 },
		{ FILE_A "rename from mm/a.c\nrename to ../../b\n", FLAW_PATH,
		  3, 1, 0 },
		{ FILE_A "copy to /tmp/x\n", FLAW_PATH, 2, 1, 0 },
		{ "--- a/.git/config\n+++ b/.git/config\n" HUNK, FLAW_GIT, 1, 0,
		  0 },
		{ "--- a/mm/.GiT/hooks/x\n+++ b/y\n" HUNK, FLAW_GIT, 1, 0, 0 },
		{ "--- a/.git. /x\n+++ b/y\n" HUNK, FLAW_GIT, 1, 0, 0 },
		{ "--- a/.g\xe2\x80\x8cit/x\n+++ b/y\n" HUNK, FLAW_GIT, 1, 0,
		  0 },
		{ "--- a/GIT~1/x\n+++ b/y\n" HUNK, FLAW_GIT, 1, 0, 0 },
		{ "--- a/.gitignore\n+++ b/.gitignore\n" HUNK, FLAW_NONE, 0, 1,
		  1 },
		/* Kinds of files. */
		{ FILE_A "new file mode 120000\n" PAIR "@@ -0,0 +1 @@\n+/etc\n",
		  FLAW_SYMLINK, 2, 1, 0 },
		{ FILE_A "index 1..2 120000\n" PAIR HUNK, FLAW_SYMLINK, 2, 1,
		  0 },
		{ FILE_A "old mode 100644\nnew mode 104755\n", FLAW_MODE, 3, 1,
		  0 },
		{ FILE_A "new file mode 160000\n", FLAW_MODE, 2, 1, 0 },
		{ FILE_A "old mode 100644\nnew mode 100755\n", FLAW_NONE, 0, 1,
		  1 },
		{ FILE_A "GIT binary patch\nliteral 4\nLcmZ\n", FLAW_BINARY, 2,
		  1, 0 },
		{ FILE_A "Binary files a/x and b/x differ\n", FLAW_NO_DATA, 2,
		  1, 0 },
		{ FILE_A "Binary file x has changed\n", FLAW_NO_DATA, 2, 1,
		  0 },
		{ PAIR HUNK "Index: x\n====\nCannot display: file marked as "
		  "a binary type.\n", FLAW_NO_DATA, 9, 1, 0 },
		{ "--- a/Makefile\n+++ b/Makefile\n" HUNK
		  "--- a/scripts/x\n+++ b/scripts/x\n" HUNK, FLAW_NONE, 0, 2,
		  2 },
		/* Tricks. */
		{ "--- a/x\r\n+++ b/x\n" HUNK, FLAW_CR, 1, 0, 0 },
		{ FILE_A "rename to ../x\r\n", FLAW_CR, 2, 1, 0 },
		{ PAIR "@@ -1,2 +1,2 @@\n x\r\n-y\r\n+z\r\n", FLAW_NONE, 0, 1,
		  0 },
		{ PAIR "@@ -1,2 +1,2 @@\n x\n-y\n", FLAW_SYNTAX, 5, 1, 0 },
		{ PAIR "@@ -1,2 +1,2 @@\n x\n?y\n", FLAW_SYNTAX, 5, 1, 0 },
		{ PAIR "@@ -1,2 +1,1 @@\n x\n+y\n", FLAW_SYNTAX, 5, 1, 0 },
		{ PAIR "@@ -x +1 @@\n", FLAW_SYNTAX, 3, 1, 0 },
		{ "diff --git a/x b/y\n@@ -1 +1 @@\n-x\n+y\n", FLAW_SYNTAX, 2,
		  0, 0 },
	};
	static const struct patch_rules rules = { 1000, 2, false,
						  patch_host_files };

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++) {
		struct arena a = ARENA_INIT;
		struct patch_finding f;
		size_t len = strlen(t[i].text);
		char *copy = malloc(len ? len : 1);

		memcpy(copy, t[i].text, len);
		patch_check(&f, copy, len, &rules, &a);
		if (f.flaw != t[i].flaw)
			print_message("%zu: %s: %s\n", i, patch_flaw_name(f.flaw),
				      f.reason);
		assert_int_equal(f.flaw, t[i].flaw);
		if (t[i].line)
			assert_int_equal(f.line, t[i].line);
		assert_int_equal(f.nfile, t[i].files);
		assert_int_equal(f.nhost_file, t[i].host);
		free(copy);
		arena_release(&a);
	}
}

static void patches_have_limits(void **state)
{
	static const char with_nul[] = PAIR "@@ -1,2 +1,2 @@\n x\n-y\n+\0\n";
	struct patch_rules rules = { 1000, 2, true, NULL };
	struct arena a = ARENA_INIT;
	struct patch_finding f;

	(void)state;
	patch_check(&f, with_nul, sizeof(with_nul) - 1, &rules, &a);
	assert_int_equal(f.flaw, FLAW_NUL);
	assert_int_equal(f.line, 6);
	rules.max_size = 10;
	patch_check(&f, with_nul, sizeof(with_nul) - 1, &rules, &a);
	assert_int_equal(f.flaw, FLAW_SIZE);
	rules = (struct patch_rules){ 1000, 1, true, NULL };
	patch_check(&f, "--- a/x\n+++ b/y\n" HUNK,
		    strlen("--- a/x\n+++ b/y\n" HUNK), &rules, &a);
	assert_int_equal(f.flaw, FLAW_FILES);
	patch_check(&f, FILE_A "GIT binary patch\n",
		    strlen(FILE_A "GIT binary patch\n"), &rules, &a);
	assert_int_equal(f.flaw, FLAW_NONE);
	arena_release(&a);
}

static void addresses_inside_stay_inside(void **state)
{
	static const struct {
		const char *address;
		bool permitted;
	} t[] = {
		{ "8.8.8.8", true }, { "10.0.0.1", false },
		{ "127.0.0.1", false }, { "0.0.0.0", false },
		{ "169.254.169.254", false }, { "172.31.255.255", false },
		{ "172.32.0.1", true }, { "192.168.1.1", false },
		{ "100.64.0.1", false }, { "224.0.0.1", false },
		{ "255.255.255.255", false }, { "192.0.2.1", false },
		{ "2600::1", true }, { "::1", false }, { "::", false },
		{ "fe80::1", false }, { "fc00::1", false }, { "fd00::1", false },
		{ "::ffff:10.0.0.1", false }, { "::ffff:8.8.8.8", true },
		{ "64:ff9b::a00:1", false }, { "2002:a00:1::", false },
		{ "2001:db8::1", false }, { "ff02::1", false },
		{ "10.1.2.3", true }, { "10.1.2.4", false },
		{ "fd00:1::7", true },
	};
	static const char *const allowed[] = { "10.1.2.3", "fd00:1::/32", NULL };
	struct err err;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++) {
		struct sockaddr_in6 six = { .sin6_family = AF_INET6 };
		struct sockaddr_in four = { .sin_family = AF_INET };
		bool is_six = strchr(t[i].address, ':');

		assert_int_equal(inet_pton(is_six ? AF_INET6 : AF_INET,
			t[i].address, is_six ? (void *)&six.sin6_addr :
			(void *)&four.sin_addr), 1);
		if (netrange_permits(is_six ? (struct sockaddr *)&six :
				     (struct sockaddr *)&four, allowed) !=
		    t[i].permitted)
			fail_msg("%s", t[i].address);
	}
	assert_int_equal(netrange_check("10.0.0.0/8", &err), 0);
	assert_int_equal(netrange_check("10.0.0.0/33", &err), -1);
	assert_int_equal(netrange_check("10.0.0/8", &err), -1);
	assert_int_equal(netrange_check("::/0", &err), 0);
	assert_int_equal(netrange_check("10.0.0.0/", &err), -1);
}

static void urls_are_read_strictly(void **state)
{
	static const struct {
		const char *text;
		bool insecure;
		int rc;		/* or an enum err_code */
		const char *patch, *msgid;
	} t[] = {
		{ "https://lore.example.org/all/20260301.fix%2Dv2%40dev.org/",
		  false, 0,
		  "https://lore.example.org/all/20260301.fix%2Dv2%40dev.org/raw",
		  "20260301.fix-v2@dev.org" },
		{ "https://lore.example.org/r/a@b/T/#u", false, 0,
		  "https://lore.example.org/r/a@b/raw", "a@b" },
		{ "https://lore.example.org/all/a@b/raw", false, 0,
		  "https://lore.example.org/all/a@b/raw", "a@b" },
		{ "https://lore.example.org/patchwork/patch/1030857/", false, 0,
		  "https://lore.example.org/patchwork/patch/1030857/mbox/",
		  NULL },
		{ "https://patchwork.example.org/project/mm/patch/a@b/", false,
		  0, "https://patchwork.example.org/project/mm/patch/a@b/mbox/",
		  "a@b" },
		{ "https://lore.example.org/all/1%20x%40example.org/", false,
		  0, NULL, NULL },
		{ "https://patchwork.example.org/series/7/", false, 0,
		  "https://patchwork.example.org/series/7/mbox/", NULL },
		{ "https://git.example.org/ann/linux/commit/0123abcd", false, 0,
		  "https://git.example.org/ann/linux/commit/0123abcd.patch",
		  NULL },
		{ "https://git.example.org/ann/linux/pull/12/files", false, 0,
		  "https://git.example.org/ann/linux/pull/12.patch", NULL },
		{ "https://git.example.org/ann/linux/-/merge_requests/12",
		  false, 0,
		  "https://git.example.org/ann/linux/-/merge_requests/12.patch",
		  NULL },
		{ "https://git.example.org/l.git/commit/?id=0123abcd", false, 0,
		  "https://git.example.org/l.git/patch/?id=0123abcd", NULL },
		{ "https://git.example.org/x/fix.patch", false, 0,
		  "https://git.example.org/x/fix.patch", NULL },
		{ "https://git.example.org/ann/linux", false, 0, NULL, NULL },
		{ "git://git.example.org/linux.git", false, 0, NULL, NULL },
		{ "HTTPS://GIT.example.org/x.diff", false, 0,
		  "https://git.example.org/x.diff", NULL },
		{ "http://git.example.org/x.diff", false, ERR_DENIED, NULL,
		  NULL },
		{ "file:///etc/passwd", false, ERR_DENIED, NULL, NULL },
		{ "ssh://git.example.org/x", false, ERR_DENIED, NULL, NULL },
		{ "ext::sh -c id", false, ERR_INPUT, NULL, NULL },
		{ "https://u:p@git.example.org/x", false, ERR_DENIED, NULL,
		  NULL },
		{ "https://git.example.org@evil.example.net/x", false,
		  ERR_DENIED, NULL, NULL },
		{ "https://git.example.org:8443/x", false, ERR_DENIED, NULL,
		  NULL },
		{ "https://127.0.0.1/x", false, ERR_DENIED, NULL, NULL },
		{ "https://2130706433/x", false, ERR_DENIED, NULL, NULL },
		{ "https://0x7f.1/x", false, ERR_DENIED, NULL, NULL },
		{ "https://[::1]/x", false, ERR_INPUT, NULL, NULL },
		{ "https://paste.example.net/x", false, ERR_DENIED, NULL, NULL },
		{ "https://git.example.org.evil.example.net/x", false,
		  ERR_DENIED, NULL, NULL },
		{ "https://git.example.org/x y", false, ERR_INPUT, NULL, NULL },
		{ "https://git.example.org/\nx", false, ERR_INPUT, NULL, NULL },
		{ "https://git.example.org\\@evil/", false, ERR_INPUT, NULL,
		  NULL },
		{ "https://-git.example.org/", false, ERR_INPUT, NULL, NULL },
		{ "https:///x", false, ERR_INPUT, NULL, NULL },
		{ "git.example.org", false, ERR_INPUT, NULL, NULL },
		{ "http://127.0.0.1:80801/x", true, 0, NULL, NULL },
		{ "http://127.0.0.1:8080/x.patch", true, 0,
		  "http://127.0.0.1:8080/x.patch", NULL },
	};
	static const char *const hosts[] = {
		"lore.example.org", "patchwork.example.org", "git.example.org",
		"127.0.0.1", NULL
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++) {
		struct url_rules rules = { hosts, t[i].insecure };
		struct arena a = ARENA_INIT;
		struct err err = ERR_INIT;
		char *copy = strdup(t[i].text);
		const char *patch, *msgid;
		struct url u;
		int rc = url_check(&u, copy, &rules, &a, &err);

		if ((rc == 0) != (t[i].rc == 0) ||
		    (rc == -1 && err.code != (enum err_code)t[i].rc))
			fail_msg("%s: %d %s", t[i].text, rc, err.text);
		if (rc == 0) {
			patch = url_of_patch(&u, &a);
			msgid = url_msgid(&u, &a);
			assert_int_equal(!patch, !t[i].patch);
			if (patch)
				assert_string_equal(patch, t[i].patch);
			assert_int_equal(!msgid, !t[i].msgid);
			if (msgid)
				assert_string_equal(msgid, t[i].msgid);
		}
		free(copy);
		arena_release(&a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(authres_is_read_tolerantly),
		cmocka_unit_test(only_our_server_vouches),
		cmocka_unit_test(roles_come_from_data),
		cmocka_unit_test(the_table_rules),
		cmocka_unit_test(budgets_end),
		cmocka_unit_test(tokens_come_back),
		cmocka_unit_test(patches_are_looked_at),
		cmocka_unit_test(patches_have_limits),
		cmocka_unit_test(addresses_inside_stay_inside),
		cmocka_unit_test(urls_are_read_strictly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
