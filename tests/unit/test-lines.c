#include "mail-copy.h"

#include <stdio.h>

#include "base/buf.h"

/* One letter a line: what it is. */
static void kinds(const struct message *m, char *to, size_t size)
{
	static const char letter[] = {
		[LINE_NEW] = 'n', [LINE_QUOTED] = 'q', [LINE_ATTRIBUTION] = 'a',
		[LINE_SIGNATURE] = 's', [LINE_FOOTER] = 'f',
		[LINE_PATCH] = 'p', [LINE_PGP] = 'g',
	};
	size_t n = 0;

	for (size_t i = 0; i < m->nline && n + 1 < size; i++)
		to[n++] = m->line[i].len ? letter[m->line[i].kind] : '.';
	to[n] = '\0';
}

struct lines_case {
	const char *name, *body, *kinds;
};

static void check(const struct lines_case *c)
{
	struct buf text = BUF_INIT(100000);
	struct message m;
	char got[500];

	buf_addf(&text, "From: ann@example.org\nContent-Type: text/plain; "
		 "charset=utf-8\n\n%s", c->body);
	read_bytes(&m, text.s, text.len);
	kinds(&m, got, sizeof(got));
	if (strcmp(got, c->kinds))
		fail_msg("%s: want %s, got %s", c->name, c->kinds, got);
	message_release(&m);
	buf_release(&text);
}

#define CHECK_ALL(t) \
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) \
		check(&t[i])

static void quotation_in_any_style(void **state)
{
	static const struct lines_case t[] = {
		{ "plain", "> a\n>> b\n> > > c\nnew\n", "qqqn" },
		{ "indented", " > a\n  > b\nnew\n", "qqn" },
		{ "colons", ": > a\n:\n: b\n\nnew\n: new\n:) new\n", "qqq.nnn" },
		{ "a mark before it", "} > a\n}b\n\n} c\n", "qq.n" },
		{ "bars", "| a\n|b is no quotation\n|> c\n||| d\n", "qnqq" },
		{ "a table is none", "| x | y |\n| 1 | 2 |\n", "nn" },
		{ "initials", "AB> a\nAnn> b\nAB>> c\nx->y\nA>B\n", "qqqnn" },
		{ "Supercite", ">>>>> \"ann\" == Ann Lee <ann@example.org> "
		  "writes:\n\n    ann> a\n    ann> b\n\nnew\nbob> x\n",
		  "q.qq.nn" },
		{ "no-break blanks", ">\xc2\xa0" "a\n", "q" },
		{ "angle marks", "\xc2\xbb a\n\xe2\x80\xba b\n", "qq" },
		{ "wide marks, marks of HTML", "\xef\xbc\x9e a\n&gt; b\n", "qq" },
		{ "broken by a mailer", "> a line that was as long as lines in "
		  "mails are when they are full and\nso on\n> b\nnew\n", "qqqn" },
		{ "an answer to a full line", "> a line that was as long as lines "
		  "in mails are when they are full.\nno\n> b\nYes\n", "qnqn" },
		{ "after the text", "new\n> a\nnew\n> b\n", "nqnq" },
		{ "only quotation", "> a\n>\n> b\n", "qqq" },
	};

	(void)state;
	CHECK_ALL(t);
}

static void attributions(void **state)
{
	static const struct lines_case t[] = {
		{ "one line", "On Tue, 3 Mar 2026 at 10:15, Ann <ann@example.org>"
		  " wrote:\n> a\nnew\n", "aqn" },
		{ "wrapped", "On Tue, 3 Mar 2026 10:15:00 +0200\nkernel test "
		  "robot <lkp@example.org> wrote:\n\n> a\n\nnew\n",
		  "aa.q.n" },
		{ "wrapped twice", "On Tue, Mar 3, 2026 at 10:15 AM Ann Lee\n"
		  "<ann.lee@example.org>\nwrote:\n> a\n", "aaaq" },
		{ "right below a line of the author's", "Could you rerun?\nOn Tue,"
		  " 3 Mar 2026 at 10:15, Ann <ann@example.org> wrote:\n> a\n",
		  "naq" },
		{ "the same, wrapped, without a full stop", "please rerun\nOn Tue,"
		  " 3 Mar 2026 at 10:15, Ann Lee\n<ann@example.org> wrote:\n"
		  "> a\n", "naaq" },
		{ "wrapped behind a full stop", "On Tue, 3 Mar 2026 at 10:15 a.m.\n"
		  "Ann <ann@example.org> wrote:\n> a\n", "aaq" },
		{ "wrapped behind a name", "Ann Lee\n<ann@example.org> wrote on "
		  "Tue, 3 Mar 2026:\n> a\n", "aaq" },
		{ "none: trailers with a link, what changed", "Save a call.\n\n"
		  "Closes: https://example.org/r/12.a5@example.org/\n"
		  "Signed-off-by: Ann <ann@example.org>\n---\n"
		  "Changes in v3:\n- a name\n", "n.nnnnn" },
		{ "none: a trailer right above", "Signed-off-by: Ann Lee "
		  "<ann@example.org>\nv2, 2026-03-03:\n- a name\n", "nnn" },
		{ "none: a diff of the author's follows", "On 2026-03-01 Ann "
		  "<ann@example.org> asked for this, on 6.9-rc4:\n\n"
		  "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n"
		  "+b\n", "n.pppppp" },
		{ "none: figures that are no date", "On 6.9-rc4, as Ann "
		  "<ann@example.org> has it:\n\nhttps://example.org/x.git\n",
		  "n.n" },
		{ "none: somebody is asked", "Ann <ann@example.org> came in on "
		  "2026-03-01, so please rerun with:\n\nrebalance=0\n", "n.n" },
		{ "Hebrew, marks of direction", "\xe2\x80\xab\xd7\x91 2 \xd7\x91"
		  "\xd7\x9e 2026 \xe2\x80\xaa" "Ann\xe2\x80\xac <ann@example.org>"
		  ":\xe2\x80\xac\n> a\n", "aq" },
		{ "none: a link with an id", "Changes since v2 (2026-03-03, "
		  "https://example.org/r/12.a5@example.org):\n- a name\n",
		  "nn" },
		{ "weekday only", "On Mon, Petra Holm wrote:\n> a\nnew\n",
		  "aqn" },
		{ "name only", "Petra Holm writes:\n\n> a\n", "a.q" },
		{ "stars", "* Ann <ann@example.org> [2026-03-03 10:15]:\n\n"
		  "> a\n", "a.q" },
		{ "German", "Am 03.03.26 um 10:15 schrieb Ann Lee:\n> a\n",
		  "aq" },
		{ "German, name after", "Am 3. M\xc3\xa4rz 2026 10:15:00 MEZ "
		  "schrieb Ann <ann@example.org>:\n>a\nja\n", "aqn" },
		{ "French", "Le mar. 3 mars 2026 \xc3\xa0 10:15, Ann "
		  "<ann@example.org> a \xc3\xa9" "crit\xc2\xa0:\n> a\n", "aq" },
		{ "Spanish", "El mar, 3 mar 2026 a las 10:15, Ann "
		  "(<ann@example.org>) escribi\xc3\xb3:\n> a\n", "aq" },
		{ "Chinese", "\xe5\x9c\xa8 2026/3/3 10:15, Ann \xe5\x86\x99"
		  "\xe9\x81\x93:\n> a\n", "aq" },
		{ "Chinese, wide colon", "Ann <ann@example.org> \xe4\xba\x8e"
		  "2026\xe5\xb9\xb4" "3\xe6\x9c\x88" "3\xe6\x97\xa5"
		  "\xe5\x91\xa8\xe4\xba\x8c \xe5\x86\x99\xe9\x81\x93"
		  "\xef\xbc\x9a\n> a\n", "aq" },
		{ "Japanese", "2026\xe5\xb9\xb4" "3\xe6\x9c\x88" "3\xe6\x97"
		  "\xa5(\xe7\x81\xab) 10:15 Ann <ann@example.org>:\n> a\n",
		  "aq" },
		{ "Russian", "\xd0\x92\xd1\x82, 3 \xd0\xbc\xd0\xb0\xd1\x80. "
		  "2026 \xd0\xb3. \xd0\xb2 10:15, Ann <ann@example.org>:\n"
		  "> a\n", "aq" },
		{ "no marks, text above", "I agree.\n\nOn Tue, 3 Mar 2026 at "
		  "10:15, Ann <ann@example.org> wrote:\n\nPlease rerun.\n\n"
		  "Thanks\n", "n.a.q.q" },
		{ "Yahoo: but the first line below is indented", " No.\n    On "
		  "Tuesday, March 3, 2026 at 10:15:00 AM GMT+1, Ann "
		  "<ann@example.org> wrote:  \n \n Hi,\nplease rerun.\n\n"
		  "Soon.\n", "naqqq.q" },
		{ "indented quotation", "On Tue, 3 Mar 2026 10:15, Ann "
		  "<ann@example.org> wrote:\n\n   Please rerun.\n   Soon.\n\n"
		  "No.\n", "a.qq.n" },
		{ "odd marks", "On Tue, 3 Mar 2026 10:15, Ann "
		  "<ann@example.org> wrote:\n: Please\n: rerun.\n\nNo.\n",
		  "aqq.n" },
		{ "a date and no address, no marks", "No.\n\nOn 3/3/26 10:15, "
		  "Petra Holm wrote:\n\nPlease rerun.\n", "n.a.q" },
		{ "an address and no date, no marks", "No.\n\nPetra Holm "
		  "<petra@example.org> writes:\n\nPlease rerun.\n", "n.a.q" },
		{ "no colon", "Quoting Ann Lee (2026-03-03 10:15:00)\n> a\nnew\n",
		  "aqn" },
		{ "no word for it", "Excerpts from Ann's message of March 3, "
		  "2026 10:15 am:\n> a\nnew\n", "aqn" },
		{ "a time in prose", "It ran at 10:15 and again\nlater, see "
		  "this:\n> a\nnew\n", "nnqn" },
		{ "a time in short prose", "It ran like this at 10:15:\n\nrun "
		  "it\n", "n.n" },
		{ "prose with a colon", "I wrote to the list on 3 Mar at "
		  "10:15:\n\nplease rerun\n", "n.n" },
		{ "a sentence is none", "Please do as the manual wrote:\nrun "
		  "it\n", "nn" },
	};

	(void)state;
	CHECK_ALL(t);
}

static void dividers(void **state)
{
	static const struct lines_case t[] = {
		{ "Outlook", "FYI\n\n-----Original Message-----\nFrom: Ann\n"
		  "Sent: Monday\nTo: Bob\nSubject: x\n\nPlease rerun.\n",
		  "n.aaaaa.q" },
		{ "Outlook, new", "FYI\n\n________________________________\n"
		  "From: Ann\nSent: Monday\nTo: Bob\nSubject: x\n\nrerun\n",
		  "n.aaaaa.q" },
		{ "header block alone", "FYI\n\nFrom: Ann <a@example.org>\n"
		  "Sent: Monday\nTo: Bob\nSubject: x\n\nrerun\n\nagain\n",
		  "n.aaaa.q.q" },
		{ "bold", "FYI\n\n*From:* Ann\n*Sent:* Monday\n*To:* Bob\n\n"
		  "rerun\n", "n.aaa.q" },
		{ "German", "ok\n\n-----Urspr\xc3\xbcngliche Nachricht-----\n"
		  "Von: Ann\nGesendet: Montag\nAn: Bob\nBetreff: x\n\nrerun\n",
		  "n.aaaaa.q" },
		{ "German, no rule", "ok\n\nVon: Ann\nGesendet: Montag\nAn: Bob\n"
		  "Betreff: x\n\nrerun\n", "n.aaaa.q" },
		{ "French", "ok\n\n-----Message d'origine-----\nDe : Ann\n"
		  "Envoy\xc3\xa9 : lundi\n\xc3\x80 : Bob\nObjet : x\n\nrerun\n",
		  "n.aaaaa.q" },
		{ "French, no rule, no-break blanks", "ok\n\nDe\xc2\xa0: Ann\n"
		  "Envoy\xc3\xa9\xc2\xa0: lundi\n\xc3\x80\xc2\xa0: Bob\n"
		  "Objet\xc2\xa0: x\n\nrerun\n", "n.aaaa.q" },
		{ "Notes", "ok\n\n-----Ann Lee <a@example.org> wrote: -----\n\n"
		  "To: Bob\nFrom: Ann\nDate: 03/03/2026\n\nrerun\n",
		  "n.a.aaa.q" },
		{ "a rule, the sender not first", "ok\n\n--------------------"
		  "----------\n\nMessage: 1\nDate: Tue\nFrom: Ann\nTo: Bob\n"
		  "\nrerun\n\n------------------------------\n\nMessage: 2\n",
		  "n.a.aaaa.q.q.q" },
		{ "a rule and no mail", "ok\n\n------------------------------\n"
		  "Date: Tue\nSubject: x\nrerun\n", "n.nnnn" },
		{ "Chinese", "ok\n\n-----\xe9\x82\xae\xe4\xbb\xb6\xe5\x8e\x9f"
		  "\xe4\xbb\xb6-----\n\xe5\x8f\x91\xe4\xbb\xb6\xe4\xba\xba: Ann"
		  "\n\xe5\x8f\x91\xe9\x80\x81\xe6\x97\xb6\xe9\x97\xb4: 1\n\xe6"
		  "\x94\xb6\xe4\xbb\xb6\xe4\xba\xba: Bob\n\nrerun\n",
		  "n.aaaa.q" },
		{ "Apple", "FYI\n\nBegin forwarded message:\n\nFrom: Ann\n"
		  "Date: Monday\nTo: Bob\n\nold\n", "n.a.aaa.q" },
		{ "Greek", "ok\n\n\xce\x91\xcf\x80\xcf\x8c: Ann\n\xce\xa3\xcf\x84"
		  "\xce\xac\xce\xbb\xce\xb8\xce\xb7\xce\xba\xce\xb5: x\n"
		  "\xce\xa0\xcf\x81\xce\xbf\xcf\x82: Bob\n\nold\n",
		  "n.aaa.q" },
		{ "a copied patch mail of Outlook's", "no\n\nFrom: Ann\nSent: Mon\n"
		  "To: Bob\nSubject: [PATCH v2] x\n\nold\n\ndiff --git a/x b/x\n"
		  "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
		  "n.aaaa.q.qqqqqq" },
		{ "a patch with git's header", "here\n\nFrom: Ann "
		  "<a@example.org>\nDate: Mon\nSubject: [PATCH v2] x\n"
		  "To: b@example.org\n\ndiff --git a/x b/x\n"
		  "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
		  "n.pppp.pppppp" },
		{ "Arabic", "ok\n\n\xd9\x85\xd9\x86: Ann\n\xd8\xa5\xd9\x84"
		  "\xd9\x89: Bob\n\xd8\xa7\xd9\x84\xd9\x85\xd9\x88\xd8\xb6"
		  "\xd9\x88\xd8\xb9: x\n\nold\n", "n.aaa.q" },
		{ "forwarded", "see below\n\n---------- Forwarded message "
		  "---------\nFrom: Ann <a@example.org>\nDate: Mon\nSubject: x\n"
		  "To: Bob\n\nrerun\n", "n.aaaaa.q" },
		{ "first of all, the answer below", "-----Original Message-----\n"
		  "From: Ann\nSent: Fri\nTo: Bob\nSubject: x\n\nPlease rerun\n\n"
		  "I did.\n", "aaaaa.q.n" },
		{ "own header above the text", "From: Ann\nSent: Fri\nTo: Bob\n"
		  "Subject: x\n\nPlease rerun\n\nThanks\n", "aaaa.n.n" },
		{ "diff below is quoted", "no\n\n-----Original Message-----\n"
		  "From: Ann\nSent: Fri\nTo: Bob\n\nrerun\n\ndiff --git a/x b/x\n"
		  "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
		  "n.aaaa.q.qqqqqq" },
		{ "Proton", "ok\n\n------- Original Message -------\nOn "
		  "Tuesday, March 3rd, 2026 at 10:00 AM, Ann <a@example.org> "
		  "wrote:\n\n\n> old\n", "n.aa..q" },
		{ "with an attribution, no marks", "ok\n\n---- Original Message "
		  "----\nOn Tue, 3 Mar 2026 10:15 Ann <a@example.org> wrote\n"
		  "below:\n\nold\n\nolder\n", "n.aaa.q.q" },
		{ "a heading is none", "---- Results ----\nfine\n", "nn" },
	};

	(void)state;
	CHECK_ALL(t);
}

static void signatures_and_footers(void **state)
{
	static const struct lines_case t[] = {
		{ "signature", "hi\n-- \nAnn\nExample\n", "nsss" },
		{ "blank lost", "hi\n--\nAnn\n", "nss" },
		{ "top posted", "hi\n-- \nAnn\n\nOn Mon, 3 Mar 2026 10:15, Bob "
		  "<b@example.org> wrote:\n> a\n", "nss.aq" },
		{ "diff after it", "hi\n-- \nAnn\ndiff --git a/x b/x\n--- a/x\n"
		  "+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "nsspppppp" },
		{ "scissors after it", "hi\n-- \nAnn\n--- 8< ---\nFrom: Ann <a@"
		  "example.org>\nSubject: [PATCH] x\n\nwords\n---\n x | 2 +-\n"
		  " 1 file changed, 1 insertion(+)\n\ndiff --git a/x b/x\n"
		  "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n-- \n2.44.0\n",
		  "nssppp.pppp.pppppppp" },
		{ "telephone", "yes\n\nSent from my iPhone\n", "n.s" },
		{ "list footer", "hi\n\n_______________________________________"
		  "________\nperf mailing list -- perf@lists.example.org\nTo "
		  "unsubscribe send an email to perf-leave@example.org\n",
		  "n.fff" },
		{ "majordomo", "hi\n--\nTo unsubscribe from this list: send the "
		  "line \"unsubscribe x\" in\nthe body of a message\n", "nsss" },
		{ "unsubscribe, meant", "unsubscribe\n", "n" },
		{ "lawyers", "hi\n\nThis e-mail and any attachments are "
		  "confidential and intended solely\nfor the addressee.\n",
		  "n.ff" },
		{ "lawyers below a rule", "hi\n\n________________________________"
		  "\nIf you are not the intended recipient please delete it.\n",
		  "n.ff" },
		{ "lawyers below a rule, nothing between", "hi\nho\n"
		  "---------------------\nExample Poland sp. z o.o.\nThis e-mail "
		  "and any attachments may be\nread by nobody.\n", "nnffff" },
		{ "lawyers in a box", "hi\n\n-----------\nThis message is "
		  "confidential.\n-----------\n", "n.fff" },
		{ "lawyers above a rule", "hi\n\nThis message is "
		  "confidential.\n-----------\n", "n.ff" },
		{ "lawyers quoted below", "hi\n\nThis message is confidential.\n"
		  "\nOn Mon, 3 Mar 2026 10:15, Bob <b@example.org> wrote:\n> a\n",
		  "n.f.aq" },
		{ "Groups.io", "hi\n\n-=-=-=-=-=-=-\nLinks: You receive all "
		  "messages sent to this group.\nView/Reply Online (#1): x\n"
		  "-=-=-=-=-=-=-\n", "n.ffff" },
		{ "a company", "hi\n\n\nExample Germany GmbH\nEingetragen am "
		  "Amtsgericht Berlin unter HRB 1\n", "n..ff" },
		{ "speaking of secrets", "The field is confidential and must not "
		  "leak.\n\nPlease rerun.\n", "n.n" },
		{ "a table's rule", "a b\n=====\n1 2\n", "nnn" },
	};

	(void)state;
	CHECK_ALL(t);
}

static void what_mailman_scrubbed(void **state)
{
	static const struct lines_case t[] = {
		{ "a note in place of a part", "Please rerun with this.\n"
		  "-------------- next part --------------\n"
		  "A non-text attachment was scrubbed...\nName: a.patch\n"
		  "Type: text/x-patch\nURL: <https://l.example.org/a.bin>\n"
		  "so it is\n", "nfffffn" },
		{ "a text part", "one\n-------------- next part --------------\n"
		  "two\n", "nfn" },
		{ "at the end", "one\n-------------- next part --------------\n"
		  "An HTML attachment was scrubbed...", "nff" },
		{ "a gateway's name without its link", "x://urldefense\n", "n" },
		{ "a rule of one's own", "------- next part -------\nx\n", "nn" },
	};

	(void)state;
	CHECK_ALL(t);
}

static void diffs_among_text(void **state)
{
	static const struct lines_case t[] = {
		{ "words around", "try:\n\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n"
		  "+b\n\nthanks\n", "n.ppppp.n" },
		{ "hunk text is no quotation", "--- a/x\n+++ b/x\n@@ -1,4 +1,4 "
		  "@@\n > a\n-----Original Message-----\n+-- \n | b\n AB> c\n"
		  "done\n", "ppppppppn" },
		{ "patch mail", "Save a call.\n\nSigned-off-by: Ann <a@example."
		  "org>\n---\nv2: please rebase\n\n x | 2 +-\n 1 file changed, "
		  "1 insertion(+)\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n"
		  "@@ -1 +1 @@\n-a\n+b\n-- \n2.44.0\n",
		  "n.nnn.pp.pppppppp" },
		{ "quoted diff", "> diff --git a/x b/x\n> --- a/x\n> +++ b/x\n"
		  "> @@ -1 +1 @@\n> -a\nwhy?\n", "qqqqqn" },
		{ "pgp", "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n"
		  "hi\n\n- -- \nAnn\n-----BEGIN PGP SIGNATURE-----\n\nabc\n"
		  "-----END PGP SIGNATURE-----\n", "gg.n.ssg.gg" },
	};

	(void)state;
	CHECK_ALL(t);
}

static void new_text_is_squeezed(void **state)
{
	struct message m;

	(void)state;
	read_text(&m, "From: a@example.org\n\n\n\n> q\n\nOne.\n\n\n\nTwo.\n"
		  "> q\nThree.\n\n-- \nAnn\n");
	assert_string_equal(m.new_text, "One.\n\nTwo.\n\nThree.\n");
	message_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quotation_in_any_style),
		cmocka_unit_test(attributions),
		cmocka_unit_test(dividers),
		cmocka_unit_test(signatures_and_footers),
		cmocka_unit_test(what_mailman_scrubbed),
		cmocka_unit_test(diffs_among_text),
		cmocka_unit_test(new_text_is_squeezed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
