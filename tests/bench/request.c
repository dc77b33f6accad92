/*
 * What does a line of a megabyte cost that is made to hurt?  Each piece of
 * text is repeated to one line of a mail's body, and to many lines, and
 * compared with a plain scan of the same bytes, a counting of its words.  A
 * line may cost ten times that, lest a mail of them stop the bot.
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

static const char *const pieces[] = {
	"x", "a ", "please ", "could you could you ", "((((((((",
	"https://x.example/", "1a", "could you please run it. ", "\"a: ",
	"Ann, Bob, ", "with the with the ", "\xe3\x80\x82", "a@b1.c2 ", "<1a2b",
	"please give me the profile of the ", "v1 v2 v3 ", "is it the ",
	"#robot ", "can could would will may might mind chance please ",
};

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void make_mail(struct buf *mail, const char *piece, bool lines)
{
	size_t n = strlen(piece);

	buf_addstr(mail, "From: a@example.com\nTo: robot@ci.example.org\n"
			 "Subject: x\n\n");
	for (size_t i = 0; i < SIZE; i++)
		buf_addch(mail, lines && i % 72 == 71 ? '\n' : piece[i % n]);
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

static bool measure(const char *piece, bool lines, const struct grammar *g,
		    const struct robot *robot)
{
	volatile size_t count = 0;
	struct buf mail = BUF_INIT(4 * SIZE);
	struct err err = ERR_INIT;
	struct message m;
	double find, scan;

	make_mail(&mail, piece, lines);
	message_read(&m, mail.s, mail.len, &err);
	scan = time_scan(&m, &count);
	find = time_find(&m, g, robot);
	printf("%-5s %5.1f ms, scan %4.1f ms: %4.1f times  '%.30s'\n",
	       lines ? "lines" : "line", find, scan, find / scan, piece);
	message_release(&m);
	buf_release(&mail);
	return lines || find <= LIMIT * scan;
}

int main(void)
{
	static const char *own[] = { "robot@ci.example.org" };
	const struct strings addresses = { own, 1 };
	struct arena a = ARENA_INIT;
	struct err err = ERR_INIT;
	struct grammar *g = grammar_load(NULL, &err);
	struct robot robot;
	bool good = true;

	if (!g) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	robot_init(&robot, &a, &addresses);
	printf("requests in a megabyte made to hurt, against a plain scan\n");
	for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++) {
		good &= measure(pieces[i], false, g, &robot);
		good &= measure(pieces[i], true, g, &robot);
	}
	grammar_free(g);
	arena_release(&a);
	if (!good)
		fprintf(stderr, "a line costs more than %d scans\n", LIMIT);
	return !good;
}
