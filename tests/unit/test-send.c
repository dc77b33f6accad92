#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/child.h"
#include "base/err.h"
#include "base/file.h"
#include "data/conf.h"
#include "send/dialog.h"
#include "send/hello.h"
#include "send/lines.h"
#include "send/send.h"

#define N(array) (sizeof(array) / sizeof(*(array)))
#define MAIL "From: r@example.org\nTo: a@example.org\n" \
	"Message-ID: <x@example.org>\n\n.\n..\ntext\n"

#define L10 "0123456789"
#define L90 L10 L10 L10 L10 L10 L10 L10 L10 L10
#define L998 L90 L90 L90 L90 L90 L90 L90 L90 L90 L90 L90 "01234567"

static void lines_end_as_wanted(void **state)
{
	static const struct { const char *in, *crlf, *lf, *smtp; } c[] = {
		{ "", "", "", "" },
		{ "a", "a\r\n", "a\n", "a\r\n" },
		{ "a\nb\r\nc", "a\r\nb\r\nc\r\n", "a\nb\nc\n",
		  "a\r\nb\r\nc\r\n" },
		{ "\n\r\n\n", "\r\n\r\n\r\n", "\n\n\n",
		  "\r\n\r\n\r\n" },
		{ "a\r\r\nb\n", "a\r\nb\r\n", "a\nb\n", "a\r\nb\r\n" },
		{ ".\n..a\r\nb.\n.", ".\r\n..a\r\nb.\r\n.\r\n",
		  ".\n..a\nb.\n.\n", "..\r\n...a\r\nb.\r\n..\r\n" },
	};

	(void)state;
	for (size_t i = 0; i < N(c); i++) {
		struct buf crlf = BUF_INIT(100), lf = BUF_INIT(100);
		struct buf smtp = BUF_INIT(100);
		size_t dots;
		size_t len = strlen(c[i].in);
		char *copy = malloc(len + !len);

		memcpy(copy, c[i].in, len);
		lines_crlf(&crlf, copy, len);
		lines_lf(&lf, copy, len);
		dots = lines_smtp(&smtp, copy, len);
		assert_int_equal(dots, smtp.len - crlf.len);
		assert_string_equal(crlf.s, c[i].crlf);
		assert_string_equal(lf.s, c[i].lf);
		assert_string_equal(smtp.s, c[i].smtp);
		free(copy);
		buf_release(&crlf);
		buf_release(&lf);
		buf_release(&smtp);
	}
}

static void envelopes_are_checked(void **state)
{
	static const struct {
		const char *sender, *to[3], *bytes;
		int rc;
	} c[] = {
		{ "r@example.org", { "a@example.org" }, MAIL, 0 },
		{ "", { "a@example.org", "b@example.org" }, MAIL, 0 },
		{ "r@example.org", { NULL }, MAIL, -1 },
		{ "r@example.org", { "a@example.org", "A@Example.org" }, MAIL,
		  -1 },
		{ "r@example.org", { "a@example.org>\r\nDATA" }, MAIL, -1 },
		{ "r@example.org", { "a@example.org\n" }, MAIL, -1 },
		{ "r@example.org> SIZE=1", { "a@example.org" }, MAIL, -1 },
		{ "r@example.org", { "\xc3\xbc@example.org" }, MAIL, -1 },
		{ "r@example.org", { "a b@example.org" }, MAIL, -1 },
		{ "r@example.org", { "a@example.org" }, "text\n", -1 },
		{ "r@example.org", { "a@example.org" }, "", -1 },
		{ "r@example.org", { "a@example.org" },
		  "Bcc: eve@example.net\n" MAIL, -1 },
		{ "r@example.org", { "a@example.org" }, MAIL "\xc2\xb1\n", -1 },
		{ "r@example.org", { "a@d\xc3\xa9v.example.org" }, MAIL, -1 },
		{ "r@example.org", { "-oQ@example.org" }, MAIL, 0 },
		{ "r@example.org", { "-oQ/tmp" }, MAIL, -1 },
		{ "r@example.org", { "\"a b\"@example.org" }, MAIL, -1 },
		{ "r@example.org", { "a@[127.0.0.1]" }, MAIL, -1 },
		{ "r@example.org", { "a@example.org\r" }, MAIL, -1 },
		{ "r@example.org", { "a@example.org" }, MAIL L998 "\n", 0 },
		{ "r@example.org", { "a@example.org" }, MAIL L998 "\r\n", 0 },
		{ "r@example.org", { "a@example.org" }, MAIL L998 "9\n", -1 },
		{ "r@example.org", { "a@example.org" }, MAIL L998 "9", -1 },
		{ "r@example.org", { "a@example.org" }, MAIL "a\r\nb\n", 0 },
		{ "r@example.org", { "a@example.org" }, MAIL "a\r.\r\nb\n",
		  -1 },
		{ "r@example.org", { "a@example.org" }, MAIL "a\r", -1 },
	};

	(void)state;
	for (size_t i = 0; i < N(c); i++) {
		struct send_recipient to[3] = { { NULL, SEND_LATER, "" } };
		struct send_mail m = { .sender = c[i].sender, .to = to,
				       .bytes = c[i].bytes,
				       .len = strlen(c[i].bytes) };
		struct err err = ERR_INIT;

		while (m.n < 3 && c[i].to[m.n]) {
			to[m.n].address = c[i].to[m.n];
			m.n++;
		}
		if (send_check(&m, &err) != c[i].rc)
			fail_msg("case %zu: %s", i, err.text);
		if (c[i].rc)
			assert_int_equal(err.code, ERR_INPUT);
	}
}

/*
 * A conversation: what we say after ">", what we hear after "<", "!" where the
 * connection ends.  What is heard can be read as soon as all before it is said.
 */
struct script {
	const char *at;		/* what comes next */
	size_t done;		/* of its line */
	bool wrong;		/* something else was said */
};

static int script_put(void *arg, const char *text, size_t len)
{
	struct script *s = arg;

	while (len) {
		size_t n = strcspn(s->at, "\n");

		if (*s->at == '!')
			return -1;
		if (*s->at != '>' || len < n + 1 ||
		    strncmp(text, s->at + 1, n - 1) ||
		    strncmp(text + n - 1, "\r\n", 2)) {
			s->wrong = true;
			return -1;
		}
		text += n + 1;
		len -= n + 1;
		s->at += n + 1;
	}
	return 0;
}

/* A byte at a time, "\n" as it stands: not all servers say CR LF. */
static ssize_t script_get(void *arg, char *to, size_t size,
			  enum wire_wait wait)
{
	struct script *s = arg;

	assert_true(size > 0);
	if (*s->at != '<')
		return *s->at == '!' || wait == WIRE_WAIT ? -1 : 0;
	*to = s->at[++s->done];
	if (*to == '\n') {
		s->at += s->done + 1;
		s->done = 0;
	}
	return 1;
}

static void script_hurry(void *arg)
{
	(void)arg;
}

static const char *script_trouble(void *arg)
{
	(void)arg;
	return "lost";
}

/* Outcomes: "T" taken, "L" later, "R" refused, of a@ and b@example.org, and
 * what becomes of the connection: "+" kept, "-" left, "?" a new one is to try. */
static void conversations_are_understood(void **state)
{
	static const struct {
		const char *lines, *outcomes, *reply;	/* reply: of a@ */
		bool kept, last;
	} c[] = {
#define FROM ">MAIL FROM:<r@example.org> SIZE=9\n<250 ok\n"
#define A ">RCPT TO:<a@example.org>\n"
#define B ">RCPT TO:<b@example.org>\n"
#define BOTH A "<250 ok\n" B "<250 ok\n"
#define TEXT ">DATA\n<354 go\n>a line.\n"
#define DOT ">.\n"
#define RSET ">RSET\n<250 ok\n"
#define QUIT ">QUIT\n<221 bye\n"
		{ FROM BOTH TEXT DOT "<250 2.0.0 q1\n" RSET, "TT+",
		  "250 2.0.0 q1", false, false },
		{ FROM BOTH TEXT DOT "<250 2.0.0 q1\n" RSET, "TT+",
		  "250 2.0.0 q1", true, false },
		{ FROM BOTH TEXT DOT "<250 q1\n" QUIT, "TT-", "250 q1", true,
		  true },
		{ FROM A "<550 no\n" B "<250 ok\n" TEXT DOT "<250 q\n" RSET,
		  "RT+", "550 no", false, false },
		{ FROM A "<450 grey\n" B "<250 ok\n" TEXT DOT "<250 q\n" RSET,
		  "LT+", "450 grey", true, false },
		{ FROM A "<550-no\n<550-really\n<550 no\n" B "<250 ok\n"
		  TEXT DOT "<250 q\n" RSET, "RT+", "550-no really no", false,
		  false },
		{ FROM A "<550 no\n" B "<551 no\n" RSET, "RR+", "550 no",
		  false, false },
		{ FROM A "<550 no\n" B "!", "RL-", "550 no", false, false },
		{ FROM BOTH TEXT DOT "<554 spam\n" RSET, "RR+", "554 spam",
		  false, false },
		{ FROM BOTH TEXT DOT "<452 full\n" RSET, "LL+", "452 full",
		  false, false },
		{ FROM BOTH TEXT DOT "!", "LL-", "no answer to the text, which "
		  "may have been taken: lost", false, false },
		{ FROM BOTH ">DATA\n<554 no\n" RSET, "RR+", "554 no", false,
		  false },
		{ FROM BOTH ">DATA\n<250 what\n" RSET, "LL+", "250 what",
		  false, false },
		{ ">MAIL FROM:<r@example.org> SIZE=9\n<550 not you\n" QUIT,
		  "RR-", "550 not you", false, true },
		{ ">MAIL FROM:<r@example.org> SIZE=9\n<421 bye\n>RSET\n!",
		  "LL-", "421 bye", false, false },
		{ "!", "LL-", "lost", false, false },
		{ FROM A "<garbage\x01\n<550 no\n" B "<25\n<250 ok\n" TEXT DOT
		  "<250 q\n" RSET, "RT+", "garbage? no", false, false },
		/* the server leaves after it */
		{ FROM BOTH TEXT DOT "<250 q\n!", "TT-", "250 q", false,
		  false },
		{ FROM BOTH TEXT DOT "<250 q\n>RSET\n<421 enough\n", "TT-",
		  "250 q", false, false },
		{ FROM BOTH TEXT DOT "<250 q\n>RSET\n<502 what\n", "TT-",
		  "250 q", false, false },
		/* the first reply to the text came too soon, as the second
		 * tells; one before its end says nothing */
		{ FROM BOTH TEXT DOT "<250 soon\n>RSET\n<554 spam\n", "RR-",
		  "554 spam", false, false },
		{ FROM BOTH TEXT DOT "<250 soon\n>QUIT\n<452 full\n", "LL-",
		  "452 full", false, true },
		{ FROM BOTH TEXT "<250 early\n>.\n>QUIT\n<554 spam\n", "RR-",
		  "554 spam", false, false },
		{ FROM BOTH TEXT "<250 early\n>.\n>QUIT\n<250 q\n<221 bye\n",
		  "TT-", "250 q", false, false },
		{ FROM BOTH TEXT "<250 early\n>.\n" QUIT, "LL-", "a reply "
		  "before the end of the text, and none after it: 221 bye",
		  false, false },
		{ FROM BOTH TEXT "<250 early\n>.\n>QUIT\n!", "LL-", "a reply "
		  "before the end of the text, and none after it: lost", true,
		  false },
		{ FROM BOTH TEXT "<552 too much\n", "RR-", "552 too much",
		  false, false },
		{ FROM BOTH TEXT "<421 too slow\n", "LL-", "421 too slow",
		  false, false },
		{ FROM BOTH ">DATA\n<354 go\n!", "LL-", "lost", false, false },
		/* on a connection that had a mail before */
		{ "!", "LL?", "", true, false },
		{ "<550 of the mail before\n", "LL?", "", true, false },
		{ ">MAIL FROM:<r@example.org> SIZE=9\n<550 before\n", "LL?",
		  "", true, false },
		{ ">MAIL FROM:<r@example.org> SIZE=9\n<421 bye\n", "LL?", "",
		  true, false },
		{ FROM A "<550 before\n" B "<550 no\n", "LL?", "", true,
		  false },
		{ FROM A "<550 before\n" B "!", "LL?", "", true, false },
		{ FROM A "<550 before\n" B "<250 ok\n>DATA\n<250 ok\n",
		  "LL?", "", true, false },
	};

	static const struct dialog_text text = { "a line.\r\n", 9, 9 };

	(void)state;
	for (size_t i = 0; i < N(c); i++) {
		struct arena a = ARENA_INIT;
		struct send_recipient to[] = {
			{ "a@example.org", SEND_LATER, "" },
			{ "x@example.org", SEND_TAKEN, "before" },
			{ "b@example.org", SEND_LATER, "" },
		};
		struct send_mail m = { .sender = "r@example.org", .to = to,
				       .n = 3, .arena = &a };
		struct script s = { .at = c[i].lines };
		struct wire wire = { &s, script_put, script_get, script_hurry,
				     script_trouble };
		struct dialog d = { .wire = &wire, .size = true,
				    .kept = c[i].kept };
		char got[4] = "";

		got[2] = "+-?"[dialog_mail(&d, &m, &text, c[i].last)];
		got[0] = "LTR"[to[0].outcome];
		got[1] = "LTR"[to[2].outcome];
		if (s.wrong || strcmp(got, c[i].outcomes) ||
		    strcmp(to[0].reply, c[i].reply) ||
		    strcmp(to[1].reply, "before"))
			fail_msg("case %zu: %s '%s' at '%s'", i, got,
				 to[0].reply, s.at);
		arena_release(&a);
	}
}

static void secrets_are_not_repeated(void **state)
{
	static const struct { const char *said, *heard, *reply; } c[] = {
		{ "AUTH PLAIN AGJvdABodW50ZXIy\r\n", "535 5.7.8 no\r\n",
		  "535 5.7.8 no" },
		{ "AUTH PLAIN AGJvdABodW50ZXIy\r\n",
		  "535 AGJvdABodW50ZXIy is not good\r\n",
		  "535 (its words repeat the password)" },
		{ "AUTH PLAIN AGJvdABodW50ZXIy\r\n",
		  "535 user bot, password hunter2\r\n",
		  "535 (its words repeat the password)" },
		{ "aHVudGVyMg==\r\n", "501 'aHVudGVyMg=='?\r\n",
		  "501 (its words repeat the password)" },
		{ "*\r\n", "501 *?\r\n", "501 *?" },
	};

	(void)state;
	for (size_t i = 0; i < N(c); i++) {
		struct hello h;

		hello_begin(&h, "hunter2");
		hello_said(&h, "AUTH PLAIN\r\n", 12);
		hello_heard(&h, "334 \r\n", 6);
		hello_said(&h, c[i].said, strlen(c[i].said));
		hello_heard(&h, c[i].heard, strlen(c[i].heard));
		assert_string_equal(h.reply.text, c[i].reply);
	}
}

/* What it failed for stays, whatever is said at parting; SIZE is seen. */
static void greetings_are_listened_to(void **state)
{
	static const struct { const char *lines, *reply; bool size; } c[] = {
		{ "<220 hi\n>EHLO x\n<250-x\n<250-SIZE 100\n<250 HELP\n",
		  "250-x SIZE 100 HELP", true },
		{ "<220 hi\n>EHLO x\n<250-x\n<250 size\n", "250-x size",
		  true },
		{ "<220 hi\n>EHLO x\n<250-SIZ\n<250 XSIZE\n",
		  "250-SIZ XSIZE", false },
		{ ">EHLO x\n<250 SIZE\n>STARTTLS\n<220 go\n>EHLO x\n"
		  "<250 x\n", "250 x", false },
		{ "<554 go away\n>QUIT\n<221 bye\n", "554 go away", false },
		{ ">EHLO x\n<502 what\n>HELO x\n<250 x\n", "250 x", false },
	};

	(void)state;
	for (size_t i = 0; i < N(c); i++) {
		struct hello h;

		hello_begin(&h, NULL);
		for (const char *s = c[i].lines; *s;) {
			size_t len = strcspn(s, "\n");
			char *copy = malloc(len);

			memcpy(copy, s + 1, len - 1);
			(*s == '>' ? hello_said : hello_heard)(&h, copy,
							       len - 1);
			free(copy);
			s += len + 1;
		}
		assert_string_equal(h.reply.text, c[i].reply);
		assert_int_equal(h.size, c[i].size);
	}
}

static void endless_replies_fit(void **state)
{
	struct reply r;

	(void)state;
	reply_begin(&r);
	for (int i = 0; i < 10000; i++)
		assert_false(reply_line(&r, "250-more and more and more\r\n",
					28));
	assert_int_equal(r.code, 0);
	assert_true(strlen(r.text) < sizeof(r.text));
}

static struct conf configured(const char *text)
{
	struct conf c;
	struct err err = ERR_INIT;

	if (conf_load_text(&c, text, strlen(text), "conf", &err) == -1)
		fail_msg("%s", err.text);
	return c;
}

/* Send MAIL to a@ and b@example.org; the outcomes, as above. */
static const char *sent(const char *conf_text, char reply[200], int *rc,
			enum err_code *code)
{
	static char got[3];
	struct conf conf = configured(conf_text);
	struct arena a = ARENA_INIT;
	struct send_recipient to[] = {
		{ "a@example.org", SEND_LATER, "" },
		{ "b@example.org", SEND_LATER, "" },
	};
	struct send_mail m = { .sender = "r@example.org", .to = to, .n = 2,
			       .bytes = MAIL, .len = strlen(MAIL),
			       .arena = &a };
	struct err err = ERR_INIT;
	struct sender *s = sender_open(&conf, &err);

	if (!s)
		fail_msg("%s", err.text);
	*rc = sender_send(s, &m, &err);
	*code = err.code;
	snprintf(reply, 200, "%s", to[0].reply);
	for (int i = 0; i < 2; i++)
		got[i] = "LTR"[to[i].outcome];
	sender_close(s);
	conf_release(&conf);
	arena_release(&a);
	return got;
}

static void sendmail_says_what_came_of_it(void **state)
{
	static const struct {
		const char *program, *outcomes;
		enum err_code code;
		const char *reply;	/* part of it */
	} c[] = {
		{ "exit 0", "TT", ERR_NONE, "ended with 0" },
		{ "echo deferred >&2; exit 75", "LL", ERR_TEMP,
		  "ended with 75: deferred" },
		{ "echo no such user >&2; exit 67", "RR", ERR_PERM,
		  "no such user" },
		{ "kill -9 $$", "LL", ERR_TEMP, "signal" },
		{ "sleep 60", "LL", ERR_TEMP, "longer than" },
		/* the arguments, and the text by standard input */
		{ "[ \\\"$*\\\" = '-i -f r@example.org -- a@example.org "
		  "b@example.org' ] && [ $(grep -c . ) = 6 ]", "TT", ERR_NONE,
		  "0" },
	};

	(void)state;
	for (size_t i = 0; i < N(c); i++) {
		struct buf conf = BUF_INIT(1000);
		char reply[200];
		enum err_code code;
		const char *got;
		int rc;

		buf_addf(&conf, "send: {driver: sendmail, timeout: 1, sendmail:"
			 " {command: [sh, -c, \"%s\", sh]}}\n", c[i].program);
		got = sent(conf.s, reply, &rc, &code);
		if (strcmp(got, c[i].outcomes) || code != c[i].code ||
		    !strstr(reply, c[i].reply))
			fail_msg("%s: %s %d '%s'", c[i].program, got, code,
				 reply);
		assert_int_equal(rc, code == ERR_NONE ? 0 : -1);
		buf_release(&conf);
	}
}

static size_t files_in(const char *dir, const char *sub)
{
	char path[200];
	struct dirent *e;
	size_t n = 0;
	DIR *d;

	snprintf(path, sizeof(path), "%s/%s", dir, sub);
	d = opendir(path);
	assert_non_null(d);
	while ((e = readdir(d)))
		n += e->d_name[0] != '.';
	closedir(d);
	return n;
}

static void a_maildir_holds_a_mail_once(void **state)
{
	char dir[40] = "/tmp/test-send-XXXXXX", conf[200], reply[200];
	char from[400], to[400];
	const char *rm[] = { "rm", "-rf", dir, NULL };
	enum err_code code;
	int rc;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(conf, sizeof(conf),
		 "send: {driver: maildir, maildir: {folder: %s/box}}\n", dir);
	assert_string_equal(sent(conf, reply, &rc, &code), "TT");
	assert_string_equal(sent(conf, reply, &rc, &code), "TT");
	strcat(dir, "/box");
	assert_int_equal(files_in(dir, "new"), 1);
	assert_int_equal(files_in(dir, "tmp"), 0);
	snprintf(from, sizeof(from), "%s/new/%s", dir, reply);
	snprintf(to, sizeof(to), "%s/cur/%s:2,S", dir, reply);
	assert_int_equal(rename(from, to), 0);	/* somebody read it */
	assert_string_equal(sent(conf, reply, &rc, &code), "TT");
	assert_int_equal(files_in(dir, "new"), 0);
	*strrchr(dir, '/') = '\0';
	child_run(&(struct child_spec){ .argv = rm }, NULL);
}

static void bad_configurations_are_told(void **state)
{
	static const char *const c[] = {
		"send: {driver: maildir}\n",
		"send: {driver: sendmail, sendmail: {command: []}}\n",
		"send: {driver: smtp, smtp: {host: 'a b'}}\n",
		"send: {driver: smtp, smtp: {host: \"a/b\"}}\n",
		"send: {driver: smtp, smtp: {helo: 'x y'}}\n",
		"send: {driver: smtp, smtp: {user: u}}\n",
		"send: {driver: smtp, smtp: {user: u, tls: none, "
		"password_command: [echo, x]}}\n",
	};

	(void)state;
	for (size_t i = 0; i < N(c); i++) {
		struct conf conf = configured(c[i]);
		struct err err = ERR_INIT;

		assert_null(sender_open(&conf, &err));
		assert_int_equal(err.code, ERR_CONFIG);
		conf_release(&conf);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_end_as_wanted),
		cmocka_unit_test(envelopes_are_checked),
		cmocka_unit_test(conversations_are_understood),
		cmocka_unit_test(greetings_are_listened_to),
		cmocka_unit_test(secrets_are_not_repeated),
		cmocka_unit_test(endless_replies_fit),
		cmocka_unit_test(sendmail_says_what_came_of_it),
		cmocka_unit_test(a_maildir_holds_a_mail_once),
		cmocka_unit_test(bad_configurations_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
