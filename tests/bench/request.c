/*
 * What does a megabyte cost that is made to hurt?  Each kind of text fills one
 * line of a mail's body, many lines, many short lines and many paragraphs, and
 * is compared with a plain scan of the same bytes, a counting of its words.
 * It may cost ten times that, lest a mail of it stop the bot.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "mail/message.h"
#include "request/request.h"

enum { SIZE = 1 << 20, TIMES = 5, LIMIT = 10 };

/* "|" stands between the words of a kind, of which each next one is taken by
 * chance; "%" is a number that is new each time. */
static const char *const kinds[] = {
	/* one thing again and again */
	"x", "a ", "((((((((", "\"", "'", "\"a: ", "*_", "_", ", ", ". ", "? ",
	"; ", "...", "e.g. ", "2) ", "(b) ", "\xe3\x80\x82", "\xef\xbc\x9f ",
	"\xe2\x80\x9c", "\xe2\x80\x9cx y\xe2\x80\x9d ", "\xe2\x80\x99", "\xc2\xa0",
	"\xc5\xbf", "\xe2\x84\xaa", "\xf0\x9f\x98\x80 ", "\xd0\xb4\xd0\xb0 ",
	"\xe8\xaf\xb7 ", "- ", "> ", "| ", "# ", "@ann ", "=", "+ ",
	"https://x.example/", "http://", "1a", "<1a2b", "a@b1.c2 ", "v1 v2 v3 ",
	"v6.1..", "v6.12-rc1 ", "a=b ", "1/2 ", "CONFIG_X=y ", "/proc/x ",
	"foo() ", "a.b ", "lkp ", "kernel test robot ", "#robot ", "robot: ",
	"please ", "could you could you ", "with the with the ", "is it the ",
	"Ann, Bob, ", "hi ", "hi ann, ", "could you please run it. ",
	"please give me the profile of the ",
	"can could would will may might mind chance please ",
	/* many of a kind */
	"https://lore.example.org/all/%@x.example/ ",
	"https://git.example.org/%/linux.git branch-% ", "%a%b%c%d%e%f ",
	"<2031%.%@x.example> ", "v%.%-rc% ", "key%=% ", "CONFIG_A%=y ", "foo%() ",
	"word% ", "Name% ", "Ann% Lee%, ", "\"title % of it\" ", "_%_ ", "%/%0 ",
	"Please rerun v%. ", "could you test %a%b%c%d? ", "is % stable? ",
	"#robot test v%.% ", "#robot rerun % ", "#robot fixed % \"title\" ",
	"\xe8\xaf\xb7\xe6\xb5\x8b\xe8\xaf\x95%\xe3\x80\x82", "%. ", "%? ", "%; ",
	"%) ", "please % ", "hi % ", "Ann%, please rerun it. ",
	/* words by chance */
	"please |could |you |run |the |patch |with |again |on |a |% |and |if |? ",
	"can |would |mind |if |test |this |below |attached |series |v%.1 |. |, ",
	"do |did |is |are |you |have |the |same |machine |config |governor |? ",
	"not |will |fixed |by |in |commit |_hash |was |already |the |. |same |as ",
	"we |tested |it |you |_% |they |would |like |to |see |if |_robot |lkp |,",
	"stop |sending |me |these |mails |only |to |list |branch |tree |please |%.",
	"bitte |test |nochmal |\xe8\xaf\xb7 |\xe6\xb5\x8b\xe8\xaf\x95 |pouvez-vous "
	"|svp |patch |\xe3\x83\x91\xe3\x83\x83\xe3\x83\x81 |% |. ",
	"(|)|[|]|\"|'|a|1|_|*|.|,|:|;|?|!|@|/|\\|<|>|=|-| | | ",
	/* lines of their own */
	"> we tested %\nyes\n", "On %, Ann wrote:\n> we ran\nyes\n",
	"> > > > we have %\n> we\n", "Hi Ann%,\n\n", "Thanks,\nAnn%\n\n",
	"- item %\n- rerun %\n", "#robot rerun %\n", "#robot\n", "#robot test \\\n",
	"Please rerun %.\n\n", "a%\n\n", "Changes in v%:\n- x\n\n", "-----------\n",
	"|a|b|c|%\n", "  1.0 2.0 %\n", "Signed-off-by: A <a@b.c>\n", "$ ls %\n",
	"diff --git a/% b/%\n--- a/%\n+++ b/%\n@@ -1 +1 @@\n-a\n+%\n\n",
	"@@ -1 +1 @@\n-a\n+%\nplease test\n", "From: a%\nTo: b\n\n> x\n",
};

struct shape {
	const char *name;
	size_t width;		/* of a line, 0: one line */
	bool paragraphs;	/* an empty line after each */
};

static const struct shape shapes[] = {
	{ "line", 0, false }, { "lines", 72, false }, { "short", 12, false },
	{ "para", 500, true },
};
#define NSHAPES (sizeof(shapes) / sizeof(*shapes))

/* Of the processor: others may be busy, too. */
static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* A word of the kind. */
static const char *any_word(const char *kind, unsigned int chance, size_t *n)
{
	unsigned int words = 1;

	for (const char *s = kind; *s; s++)
		words += *s == '|';
	for (unsigned int i = chance % words; i; i--)
		kind += strcspn(kind, "|") + 1;
	*n = strcspn(kind, "|");
	return kind;
}

static void add_word(struct buf *out, const char *s, size_t n)
{
	static unsigned int number;

	for (size_t i = 0; i < n; i++)
		if (s[i] == '%')
			buf_addf(out, "%u", number++);
		else
			buf_addch(out, s[i]);
}

/* Kinds that have lines of their own are taken as they are. */
static void make_mail(struct buf *mail, const char *kind, const struct shape *h)
{
	bool lines = strchr(kind, '\n');
	unsigned int chance = 1;
	size_t start = 0, n = strlen(kind);

	buf_addstr(mail, "From: a@example.com\nTo: robot@ci.example.org\n"
			 "Subject: x\n\n");
	start = mail->len;
	while (mail->len < SIZE) {
		const char *word = kind;

		chance = chance * 1103515245u + 12345;
		if (!lines)
			word = any_word(kind, chance >> 16, &n);
		add_word(mail, word, n);
		if (lines || !h->width || mail->len - start < h->width)
			continue;
		buf_addstr(mail, h->paragraphs ? "\n\n" : "\n");
		start = mail->len;
	}
}

/* Best of some: from the second on, patterns are compiled. */
static double time_find(const struct message *m, const struct grammar *g,
			const struct robot *robot)
{
	double best = 1e9;

	for (int i = 0; i < TIMES; i++) {
		struct requests r;
		double start = now_ms(), took;

		requests_find(&r, m, g, robot);
		took = now_ms() - start;
		best = took < best ? took : best;
		requests_release(&r);
	}
	return best;
}

/* Words and lines, a byte at a time, as wc(1) counts them. */
static double time_scan(const struct message *m, volatile size_t *count)
{
	double best = 1e9;

	for (int i = 0; i < TIMES; i++) {
		double start = now_ms(), took;
		bool inside = false;

		for (const char *s = m->body; *s; s++) {
			bool blank = isspace((unsigned char)*s);

			*count += !blank && !inside;
			inside = !blank;
		}
		took = now_ms() - start;
		best = took < best ? took : best;
	}
	return best;
}

static double measure(const char *kind, const struct shape *h,
		      const struct grammar *g, const struct robot *robot)
{
	volatile size_t count = 0;
	struct buf mail = BUF_INIT(4 * SIZE);
	struct err err = ERR_INIT;
	struct message m;
	double find, scan;

	make_mail(&mail, kind, h);
	message_read(&m, mail.s, mail.len, &err);
	scan = time_scan(&m, &count);
	find = time_find(&m, g, robot);
	message_release(&m);
	buf_release(&mail);
	return find / scan;
}

static void print_kind(const char *kind)
{
	printf("  ");
	for (size_t i = 0; kind[i] && i < 60; i++)
		if (kind[i] == '\n')
			printf("\\n");
		else
			putchar(kind[i]);
	printf("\n");
}

/* The worst of all shapes. */
static double measure_kind(const char *kind, const struct grammar *g,
			   const struct robot *robot)
{
	double worst = 0;

	for (size_t i = 0; i < NSHAPES; i++) {
		double cost = measure(kind, &shapes[i], g, robot);

		worst = cost > worst ? cost : worst;
		printf("%6.1f", cost);
	}
	print_kind(kind);
	fflush(stdout);
	return worst;
}

static double measure_all(const struct grammar *g, const struct robot *robot)
{
	double worst = 0;

	printf("requests in a megabyte made to hurt, in plain scans of it\n");
	for (size_t i = 0; i < NSHAPES; i++)
		printf("%6s", shapes[i].name);
	printf("\n");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		double cost = measure_kind(kinds[i], g, robot);

		worst = cost > worst ? cost : worst;
	}
	printf("%6.1f  the worst\n", worst);
	return worst;
}

/* Of one kind of text, or of all. */
int main(int argc, char **argv)
{
	static const char *own[] = { "robot@ci.example.org" };
	const struct strings addresses = { own, 1 };
	struct arena a = ARENA_INIT;
	struct err err = ERR_INIT;
	struct grammar *g = grammar_load(NULL, &err);
	struct robot robot;
	double worst;

	if (!g) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	robot_init(&robot, &a, &addresses);
	worst = argc > 1 ? measure_kind(argv[1], g, &robot)
			 : measure_all(g, &robot);
	grammar_free(g);
	arena_release(&a);
	if (worst > LIMIT)
		fprintf(stderr, "a text costs more than %d scans\n", LIMIT);
	return worst > LIMIT;
}
