#include "mail-copy.h"

#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "mail/mailbox.h"
#include "mail/mime.h"

#define COUNT(t) (sizeof(t) / sizeof(t[0]))
#define DIFF "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"

static void reads_a_header(void **state)
{
	struct message m;

	(void)state;
	read_text(&m, "From: =?utf-8?q?J=C3=B6rg?= <joerg@Example.org>\n"
		  "To: a@example.org\nTo: b@example.org\nCc: c@example.org\n"
		  "Reply-To: d@example.org\nSender: e@example.org\n"
		  "Subject: =?utf-8?q?na?=\n\tja\n"
		  "Date: Tue, 03 Mar 2026 10:15:00 +0000\n"
		  "Message-Id: <m@example.org>\n"
		  "In-Reply-To: =?us-ascii?Q?=3Cp=40example=2Eorg=3E?=\n"
		  "References: <o@example.org>\n <p@example.org>\n"
		  "List-ID: The list <perf.lists.example.org>\n\nbody\n");
	assert_string_equal(m.from.name, "J\xc3\xb6rg");
	assert_string_equal(m.from.address, "joerg@example.org");
	assert_int_equal(m.to.n, 2);
	assert_string_equal(m.to.v[1].address, "b@example.org");
	assert_string_equal(m.cc.v[0].address, "c@example.org");
	assert_string_equal(m.reply_to.v[0].address, "d@example.org");
	assert_string_equal(m.sender.v[0].address, "e@example.org");
	assert_string_equal(m.subject, "na ja");
	assert_int_equal(m.date, 1772532900);
	assert_string_equal(m.message_id, "m@example.org");
	assert_string_equal(m.in_reply_to.v[0], "p@example.org");
	assert_int_equal(m.references.n, 2);
	assert_string_equal(m.references.v[0], "o@example.org");
	assert_string_equal(m.list_id, "perf.lists.example.org");
	assert_string_equal(m.body, "body\n");
	assert_false(m.automatic);
	assert_string_equal(message_header(&m, "subject"), "na ja");
	assert_null(message_header(&m, "X-None"));
	message_release(&m);
}

/* Ids that stand without brackets: all of a list, the first of a sentence. */
static void reads_bare_ids(void **state)
{
	static const struct {
		const char *value;
		size_t n;
		const char *last;
	} t[] = {
		{ "a@x.example b@x.example", 2, "b@x.example" },
		{ "a@x.example,b@x.example", 2, "b@x.example" },
		{ "a@x.example (Ann's mail)", 1, "a@x.example" },
		{ "mail of ann@x.example, id b@x.example", 1, "ann@x.example" },
		{ "a@x.example <b@x.example>", 1, "b@x.example" },
		{ "none", 0, NULL }, { "", 0, NULL },
	};
	char text[200];
	struct message m;

	(void)state;
	for (size_t i = 0; i < COUNT(t); i++) {
		snprintf(text, sizeof(text), "References: %s\n\nx\n",
			 t[i].value);
		read_text(&m, text);
		assert_int_equal(m.references.n, t[i].n);
		if (t[i].n)
			assert_string_equal(m.references.v[t[i].n - 1],
					    t[i].last);
		message_release(&m);
	}
}

static void reads_nothing_at_all(void **state)
{
	static const char *const t[] = { "", "\n", "\r\n\r\n", "From ", ":\n",
					 "\xef\xbb\xbf", "x" };
	struct message m;

	(void)state;
	for (size_t i = 0; i < COUNT(t); i++) {
		read_text(&m, t[i]);
		assert_string_equal(m.message_id, "");
		assert_string_equal(m.from.address, "");
		assert_true(m.date == INT64_MIN);
		assert_int_equal(m.npatch, 0);
		message_release(&m);
	}
}

struct body_case {
	const char *name, *head, *body;	/* head: after From */
	const char *want;
};

static void check_body(const struct body_case *c)
{
	struct buf text = BUF_INIT(100000);
	struct message m;

	buf_addf(&text, "From: ann@example.org\n%s\n%s", c->head, c->body);
	read_bytes(&m, text.s, text.len);
	if (strcmp(m.body, c->want))
		fail_msg("%s: want '%s', got '%s'", c->name, c->want, m.body);
	message_release(&m);
	buf_release(&text);
}

#define MIXED "Content-Type: multipart/mixed; boundary=b\n"

static void finds_the_body(void **state)
{
	static const struct body_case t[] = {
		{ "plain", "", "a\n", "a\n" },
		{ "CRLF", "X: 1\r\n", "a\r\nb\r\n", "a\nb\n" },
		{ "no type at all", "Content-Type: text\n", "a\n", "a\n" },
		{ "nonsense type", "Content-Type: ;;;\n", "a\n", "a\n" },
		{ "two parts", MIXED, "pre\n--b\n\na\n--b\n\nb\n--b--\npost\n",
		  "a\nb" },
		{ "last boundary missing", MIXED, "--b\n\na\n--b\n\nb\n",
		  "a\nb\n" },
		{ "no boundary at all", MIXED, "a\n", "a\n" },
		{ "no boundary at all, within", MIXED, "--b\nContent-Type: "
		  "multipart/mixed; boundary=c\nContent-Transfer-Encoding: "
		  "base64\n\nYQo=\n--b--\n", "a\n" },
		{ "blanks after the boundary", MIXED, "--b  \n\na\n--b-- \n",
		  "a" },
		{ "a longer one is another", MIXED, "--b\n\na\n--bb\nc\n--b--\n",
		  "a\n--bb\nc" },
		{ "no boundary named", "Content-Type: multipart/mixed\n",
		  "--b\n\na\n--b--\n", "--b\n\na\n--b--\n" },
		{ "byte order marks", MIXED, "--b\n\n\xef\xbb\xbf" "a\n--b\n"
		  "Content-Transfer-Encoding: base64\n\n77u/Yg==\n--b--\n",
		  "a\nb" },
		{ "an invitation is no body", "Content-Type: multipart/"
		  "alternative; boundary=b\n", "--b\nContent-Type: text/html\n\n"
		  "<p>h\n--b\nContent-Type: text/x-amp-html\n\n<amp>\n--b\n"
		  "Content-Type: text/calendar\n\nBEGIN:VCALENDAR\n--b--\n",
		  "h\n" },
		{ "headers of another mail are no body", "Content-Type: multipart/"
		  "report; boundary=b\n", "--b\n\na\n--b\nContent-Type: text/"
		  "rfc822-headers\n\nSubject: x\n--b--\n", "a" },
		{ "an unknown kind of text is one", "Content-Type: text/x-new\n",
		  "a\n", "a\n" },
		{ "quoted boundary", "Content-Type: multipart/mixed; boundary="
		  "\"=_b:1 x\"\n", "--=_b:1 x\n\na\n--=_b:1 x--\n", "a" },
		{ "alternative", "Content-Type: multipart/alternative; "
		  "boundary=b\n", "--b\nContent-Type: text/html\n\n<p>h\n--b\n"
		  "Content-Type: text/plain\n\np\n--b--\n", "p" },
		{ "alternative with an empty plain part", "Content-Type: "
		  "multipart/alternative; boundary=b\n", "--b\nContent-Type: "
		  "text/plain\n\n \n--b\nContent-Type: text/html\n\n<p>h\n"
		  "--b--\n", "h\n" },
		{ "alternative with blank lines, encoded", "Content-Type: "
		  "multipart/alternative; boundary=b\n", "--b\nContent-Type: "
		  "text/plain; charset=utf-8\nContent-Transfer-Encoding: "
		  "quoted-printable\n\n=C2=A0\n =20\n\n--b\nContent-Type: "
		  "text/html\n\n<p>h\n--b--\n", "h\n" },
		{ "html only", "Content-Type: text/html\n", "<p>a<p>b\n",
		  "a\n\nb\n" },
		{ "attached text is no body", MIXED, "--b\n\na\n--b\n"
		  "Content-Disposition: attachment\n\nb\n--b--\n", "a" },
		{ "named text is no body", MIXED, "--b\n\na\n--b\nContent-Type: "
		  "text/x-log; name=dmesg\n\nb\n--b--\n", "a" },
		{ "a mail within is no body", MIXED, "--b\n\na\n--b\n"
		  "Content-Type: message/rfc822\n\nFrom: x@example.org\n\nb\n"
		  "--b--\n", "a" },
		{ "digest", "Content-Type: multipart/digest; boundary=b\n",
		  "--b\n\nFrom: x@example.org\n\nb\n--b--\n", "" },
		{ "signed", "Content-Type: multipart/signed; boundary=b\n",
		  "--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\na\n"
		  "--c--\n\n--b\nContent-Type: application/pgp-signature\n\nx\n"
		  "--b--\n", "a" },
		{ "flowed only when told", "", "a \nb\n", "a \nb\n" },
		{ "flowed", "Content-Type: text/plain; format=flowed\n",
		  "a \nb\n", "a b\n" },
		{ "dash escapes", "", "-----BEGIN PGP SIGNED MESSAGE-----\n"
		  "Hash: SHA1\n\n- - a\n-----BEGIN PGP SIGNATURE-----\n\n- x\n"
		  "-----END PGP SIGNATURE-----\n- y\n",
		  "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA1\n\n- a\n"
		  "-----BEGIN PGP SIGNATURE-----\n\n- x\n"
		  "-----END PGP SIGNATURE-----\n- y\n" },
		{ "encoding with a comment", "Content-Transfer-Encoding: base64 "
		  "(really)\n", "YQo=\n", "a\n" },
		{ "encoding after a comment", "Content-Transfer-Encoding: (really)"
		  " base64\n", "YQo=\n", "a\n" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(t); i++)
		check_body(&t[i]);
}

/* A patch in each of its carriers: how many, where from, its name. */
static void finds_patches(void **state)
{
	static const struct {
		const char *part;	/* header and body of the second part */
		size_t n;
		bool attached;
		const char *name;
	} t[] = {
		{ "\n" DIFF, 1, false, NULL },
		{ "Content-Type: text/x-patch\n\n" DIFF, 1, true, NULL },
		{ "Content-Type: text/x-diff; name=a.diff\n\n" DIFF, 1, true,
		  "a.diff" },
		{ "Content-Type: text/plain; name=\"a.patch\"\n\n" DIFF, 1,
		  true, "a.patch" },
		{ "Content-Type: application/octet-stream; name=a.patch\n"
		  "Content-Transfer-Encoding: base64\n\n"
		  "LS0tIGEveAorKysgYi94CkBAIC0xICsxIEBACi1hCitiCg==\n", 1, true,
		  "a.patch" },
		{ "Content-Type: application/octet-stream\n\n" DIFF, 1, true,
		  NULL },
		{ "Content-Type: text/x-patch; name=a.patch\n\n\xef\xbb\xbf" DIFF,
		  1, true, "a.patch" },
		{ "Content-Type: application/octet-stream\n"
		  "Content-Disposition: attachment; filename*=utf-8''a%20b\n"
		  "Content-Transfer-Encoding: quoted-printable\n\n"
		  "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a=3D\n+b\n", 1, true, "a b" },
		{ "Content-Type: application/x-patch; name*0=\"a\"; "
		  "name*1=\".patch\"\n\n" DIFF, 1, true, "a.patch" },
		{ "Content-Type: application/gzip; name=a.patch.gz\n"
		  "Content-Transfer-Encoding: base64\n\n"
		  "H4sIAAAAAAAC/9PV1VVI1K/g0tbWVkgC0g4OCrqGCtqGCg4OXLqJXNpJXAB6nw"
		  "noIgAAAA==\n", 1, true, "a.patch.gz" },
		{ "Content-Type: application/octet-stream; name=a.patch\n"
		  "Content-Transfer-Encoding: base64\n\n"
		  "//4tAC0ALQAgAGEALwB4AA0ACgArACsAKwAgAGIALwB4AA0ACgBAAEAAIAAt"
		  "ADEAIAArADEAIABAAEAADQAKAC0AYQANAAoAKwBiAA0ACgA=\n", 1, true,
		  "a.patch" },
		{ "Content-Type: text/plain; name=a.patch; charset=us-ascii\n"
		  "Content-Transfer-Encoding: base64\n\n"
		  "/v8ALQAtAC0AIABhAC8AeAANAAoAKwArACsAIABiAC8AeAANAAoAQABAACAA"
		  "LQAxACAAKwAxACAAQABAAA0ACgAtAGEADQAKACsAYgANAAo=\n", 1, true,
		  "a.patch" },
		{ "Content-Type: text/x-patch; charset=utf-16le\n"
		  "Content-Transfer-Encoding: base64\n\n"
		  "LQAtAC0AIABhAC8AeAAKACsAKwArACAAYgAvAHgACgBAAEAAIAAtADEAIAAr"
		  "ADEAIABAAEAACgAtAGEACgArAGIACgA=\n", 1, true, NULL },
		{ "Content-Type: message/rfc822\n\nFrom: bob@example.org\n"
		  "Subject: [PATCH] x\n\nwords\n---\n" DIFF, 1, true, NULL },
		{ "Content-Type: text/plain; name=both.mbox\n\n"
		  "From 1111111111111111111111111111111111111111 Mon Sep 17 "
		  "00:00:00 2001\nFrom: a@example.org\nSubject: [PATCH 1/2] x\n"
		  "\n---\n" DIFF "-- \n2.44.0\n\n"
		  "From 2222222222222222222222222222222222222222 Mon Sep 17 "
		  "00:00:00 2001\nFrom: b@example.org\nSubject: [PATCH 2/2] y\n"
		  "\n---\n" DIFF "-- \n2.44.0\n", 2, true, "both.mbox" },
		{ "Content-Type: message/external-body; access-type=URL; "
		  "URL=\"https://example.org/x\"\n\nContent-Type: text/x-patch\n"
		  "\n" DIFF, 0, 0, NULL },
		{ "Content-Type: application/pdf; name=fix.pdf\n\nPDF\n", 0, 0,
		  NULL },
		{ "Content-Type: text/html\n\n<pre>" DIFF "</pre>\n", 1,
		  false, NULL },
		{ "Content-Type: text/html\n\n<p>" DIFF "</p>\n", 0, 0,
		  NULL },
		{ "Content-Type: image/png\n\n" DIFF, 0, 0, NULL },
	};
	struct message m;

	(void)state;
	for (size_t i = 0; i < COUNT(t); i++) {
		struct buf text = BUF_INIT(100000);

		buf_addf(&text, "From: ann@example.org\n" MIXED "\n--b\n\n"
			 "please test\n--b\n%s\n--b--\n", t[i].part);
		read_bytes(&m, text.s, text.len);
		if (m.npatch != t[i].n)
			fail_msg("%zu: %zu patches", i, m.npatch);
		if (m.npatch && (m.patch[0].attached != t[i].attached ||
		    strcmp(m.patch[0].name ? m.patch[0].name : "",
			   t[i].name ? t[i].name : "")))
			fail_msg("%zu: source or name", i);
		assert_true(!m.npatch || m.patch[0].verdict == PATCH_OK);
		message_release(&m);
		buf_release(&text);
	}
}

static void keeps_a_whole_patch_mail(void **state)
{
	struct message m;

	(void)state;
	read_text(&m, "From: ann@example.org\n" MIXED "\n--b\n\ntest\n--b\n"
		  "Content-Type: text/x-patch; name=0001.patch\n\n"
		  "From 1111111111111111111111111111111111111111 Mon Sep 17 "
		  "00:00:00 2001\nFrom: Ada <ada@dev.example.org>\n"
		  "Subject: [PATCH] mm: touch\n once\n\nWords.\n---\n x | 2 +-\n"
		  "\n" DIFF "-- \n2.44.0\n\n--b--\n");
	assert_int_equal(m.npatch, 1);
	assert_string_equal(m.patch[0].subject, "[PATCH] mm: touch once");
	assert_string_equal(m.patch[0].author, "ada@dev.example.org");
	assert_string_equal(m.patch[0].text, DIFF);
	assert_non_null(m.patch[0].whole);
	assert_ptr_equal(strstr(m.patch[0].whole, "From 1111"),
			 m.patch[0].whole);
	message_release(&m);
}

static void tells_who_is_no_person(void **state)
{
	static const struct {
		const char *head;
		bool automatic;
	} t[] = {
		{ "From: ann@example.org\n", false },
		{ "From: ann@example.org\nPrecedence: bulk\nList-Id: <l>\n",
		  false },
		{ "From: ann@example.org\nPrecedence: list\n", false },
		{ "From: ann@example.org\nAuto-Submitted: no\n", false },
		{ "From: ann@example.org\nAuto-Submitted: auto-replied\n",
		  true },
		{ "From: ann@example.org\nAuto-Submitted: auto-generated; "
		  "owner-email=x\n", true },
		{ "From: ann@example.org\nReturn-Path: <>\n", true },
		{ "From: ann@example.org\nReturn-Path: < >\n", true },
		{ "From: ann@example.org\nReturn-Path: <bounces>\n", false },
		{ "From: syzbot <syzbot+1f@example.org>\n", true },
		{ "From: Ann <syzbott@example.org>\n", false },
		{ "From: ann@example.org\nPrecedence: auto-reply\n", true },
		{ "From: ann@example.org\nX-MS-Exchange-Message-Is-Ndr:\n",
		  true },
		{ "From: MAILER-DAEMON <>\n", true },
		{ "From: ann@example.org\nPrecedence: junk\n", true },
		{ "From: ann@example.org\nSubject: Automatische Antwort: x\n",
		  true },
		{ "From: ann@example.org\nSubject: =?utf-8?q?R=C3=A9ponse_"
		  "automatique_?= : x\n", true },
		{ "From: ann@example.org\nSubject: Re: Automatic reply: x\n",
		  false },
		{ "From: ann@example.org\nReturn-Path: <ann@example.org>\n",
		  false },
		{ "From: MAILER-DAEMON@example.org\n", true },
		{ "From: Postmaster <postmaster@example.org>\n", true },
		{ "From: noreply@example.org\n", true },
		{ "From: ann@example.org\nPrecedence: auto_reply\n", true },
		{ "From: ann@example.org\nX-Auto-Response-Suppress: All\n",
		  true },
		{ "From: ann@example.org\nX-Autoreply: yes\n", true },
		{ "From: ann@example.org\nContent-Type: multipart/report; "
		  "boundary=b\n", true },
		{ "From: ann@example.org\nSubject: Automatic reply: x\n", true },
	};
	struct message m;

	(void)state;
	for (size_t i = 0; i < COUNT(t); i++) {
		read_text(&m, t[i].head);
		if (m.automatic != t[i].automatic)
			fail_msg("%s: %d", t[i].head, m.automatic);
		message_release(&m);
	}
}

static void sees_nul_bytes(void **state)
{
	static const char raw[] = "From: a@example.org\n\none\0two\nthree\n";
	struct message m;

	(void)state;
	read_bytes(&m, raw, sizeof(raw) - 1);
	assert_true(m.body_nul);
	assert_string_equal(m.body, "one\xef\xbf\xbdtwo\nthree\n");
	message_release(&m);
}

/* Structure beyond every limit: no stack used up, no time lost. */
static void survives_depth(void **state)
{
	struct buf text = BUF_INIT((size_t)64 << 20);
	struct message m;

	(void)state;
	buf_addstr(&text, "From: a@example.org\nContent-Type: multipart/mixed; "
		   "boundary=b0\n\n");
	for (int i = 0; i < 200000; i++)
		buf_addf(&text, "--b%d\nContent-Type: multipart/mixed; "
			 "boundary=b%d\n\n", i, i + 1);
	read_bytes(&m, text.s, text.len);
	assert_in_range(m.npart, 1, MIME_DEPTH_MAX);
	message_release(&m);

	buf_reset(&text);
	buf_addstr(&text, "From: a@example.org\n");
	for (int i = 0; i < 200000; i++)
		buf_addstr(&text, "Content-Type: message/rfc822\n\n");
	read_bytes(&m, text.s, text.len);
	assert_in_range(m.npart, 1, MIME_DEPTH_MAX);
	message_release(&m);

	buf_reset(&text);
	buf_addstr(&text, "From: a@example.org\n" MIXED "\n");
	for (int i = 0; i < 200000; i++)
		buf_addstr(&text, "--b\n\nx\n");
	read_bytes(&m, text.s, text.len);
	assert_in_range(m.npart, 500, MIME_PARTS_MAX);
	message_release(&m);
	buf_release(&text);
}

static void refuses_what_is_too_long(void **state)
{
	struct err err = ERR_INIT;
	struct message m;

	(void)state;
	assert_int_equal(message_read(&m, "x", MAIL_MAX + 1, &err), -1);
	assert_int_equal(err.code, ERR_INPUT);
	message_release(&m);
}

/* Every prefix of a message is read, too. */
static void reads_cut_messages(void **state)
{
	static const char whole[] = "From: =?utf-8?q?J=C3=B6?= <j@example.org>\n"
		"Subject: x\n" MIXED "\n--b\nContent-Type: text/html\n\n"
		"<p>a &amp; b</p>\n--b\nContent-Transfer-Encoding: base64\n\n"
		"LS0tIGEveAorKysgYi94CkBAIC0xICsxIEBACi1hCitiCg==\n--b--\n";
	struct message m;

	(void)state;
	for (size_t len = 0; len < sizeof(whole); len++) {
		read_bytes(&m, whole, len);
		message_release(&m);
	}
}

/* All messages of a file, as "place=subject;". */
static void check_mailbox(const char *content, const char *want)
{
	char path[] = "/tmp/test-message-XXXXXX";
	struct buf bytes = BUF_INIT(100), got = BUF_INIT(10000);
	struct err err = ERR_INIT;
	struct mailbox *box;
	int fd = mkstemp(path), rc;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, content, strlen(content)),
			 strlen(content));
	close(fd);
	box = mailbox_open(path, &err);
	assert_non_null(box);
	while ((rc = mailbox_next(box, &bytes, &err)))
		if (rc == 1)
			buf_addf(&got, "%s[%s]", mailbox_place(box) +
				 strlen(path), bytes.s);
		else
			buf_addstr(&got, "error;");
	mailbox_close(box);
	unlink(path);
	if (strcmp(got.s, want))
		fail_msg("want '%s', got '%s'", want, got.s);
	buf_release(&got);
	buf_release(&bytes);
}

static void walks_a_mailbox(void **state)
{
#define FROM_LINE "From a@example.org Tue Mar  3 10:15:00 2026\n"
	char *big = malloc(300000);

	(void)state;
	check_mailbox("", "");
	check_mailbox("A: 1\n\nx\n", "[A: 1\n\nx\n]");
	check_mailbox(FROM_LINE "A: 1\n\nx\n\n" FROM_LINE "A: 2\n\ny\n\n",
		      ":1[A: 1\n\nx\n]:6[A: 2\n\ny\n]");
	check_mailbox(FROM_LINE "A: 1\n\nFrom here on\n\nFrom a\n>From b\n>>From"
		      " c\n", ":1[A: 1\n\nFrom here on\n\nFrom a\nFrom b\n"
		      ">From c\n]");
	check_mailbox(FROM_LINE "A: 1\n\nx\n" FROM_LINE,
		      ":1[A: 1\n\nx\n" FROM_LINE "]");
	/* One too long for us: said, and the next one is read. */
	memset(big, 'x', 200000);
	strcpy(big, FROM_LINE);
	big[strlen(FROM_LINE)] = 'x';
	strcpy(big + 200000, "\n\n" FROM_LINE "A: 2\n");
	check_mailbox(big, "error;:4[A: 2\n]");
	free(big);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_a_header),
		cmocka_unit_test(reads_bare_ids),
		cmocka_unit_test(reads_nothing_at_all),
		cmocka_unit_test(finds_the_body),
		cmocka_unit_test(finds_patches),
		cmocka_unit_test(keeps_a_whole_patch_mail),
		cmocka_unit_test(tells_who_is_no_person),
		cmocka_unit_test(sees_nul_bytes),
		cmocka_unit_test(survives_depth),
		cmocka_unit_test(refuses_what_is_too_long),
		cmocka_unit_test(reads_cut_messages),
		cmocka_unit_test(walks_a_mailbox),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
