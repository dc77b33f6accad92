/*
 * How long does it take to append a word?  Prints nanoseconds of processor
 * time an append: the best of several rounds with a pause between them, as
 * other work on the machine only ever adds, and comes and goes.
 */
#include <stdio.h>
#include <time.h>

#include "buffer.h"

#define ROUNDS 20
#define PAUSE_NS 8000000
#define FILLS 300

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double one_round(struct buffer *b)
{
	double begin = now();
	long appends = 0;

	for (int i = 0; i < FILLS; i++) {
		buffer_reset(b);
		while (buffer_add(b, "word ", 5) == 0)
			appends++;
	}
	return (now() - begin) / (double)appends;
}

int main(void)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };
	static struct buffer b;
	double best = one_round(&b), t;

	for (int i = 1; i < ROUNDS; i++) {
		nanosleep(&pause, NULL);
		t = one_round(&b);
		if (t < best)
			best = t;
	}
	printf("%.3f\n", best);
	return 0;
}
