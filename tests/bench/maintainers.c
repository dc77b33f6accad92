/*
 * How long does a MAINTAINERS file of the kernel's size take?  One of 20,000
 * lines is made up, in the proportions of the real one, parsed, and matched
 * against commits of 1, 20 and 500 files.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/arena.h"
#include "base/buf.h"
#include "people/maintainers.h"

enum { LINES = 20000, TIMES = 20 };

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Nine lines a section; every tenth has a pattern for names or contents. */
static void make_file(struct buf *out)
{
	for (int i = 0; i < LINES / 9; i++) {
		buf_addf(out, "SUBSYSTEM %d\nM:\tAnn Example %d "
			 "<ann%d@example.org>\nL:\tlist%d@lists.example.org\n"
			 "S:\tMaintained\nF:\tDocumentation/dir%d/\n"
			 "F:\tdrivers/dir%d/sub*/*.c\nF:\tinclude/linux/x%d*\n",
			 i, i, i, i % 300, i, i, i);
		if (i % 20 == 0)
			buf_addf(out, "N:\t[^a-z]chip%d[^a-z]\n", i);
		else if (i % 20 == 10)
			buf_addf(out, "K:\t\\bapi%d_(get|put)\\b\n", i);
		else
			buf_addf(out, "X:\tdrivers/dir%d/subx/\n", i);
		buf_addch(out, '\n');
	}
	buf_addstr(out, "THE REST\nL:\tall@lists.example.org\n"
			"F:\t*\nF:\t*/\n");
}

static void match(struct maintainers *m, size_t files, const char *changes)
{
	struct arena a = ARENA_INIT;
	struct strings list = { arena_array(&a, files, sizeof(*list.v)),
				files };
	double best = 1e9, start, took;
	size_t n = 0;

	for (size_t i = 0; i < files; i++)
		list.v[i] = arena_printf(&a, "drivers/dir%zu/sub%zu/file.c",
					 i * 4 % 2000, i);
	for (int i = 0; i < TIMES; i++) {
		start = now_ms();
		maintainers_match(m, &list, changes, &n);
		took = now_ms() - start;
		best = took < best ? took : best;
	}
	printf("  %3zu files: %6.2f ms, %zu sections\n", files, best, n);
	arena_release(&a);
}

int main(void)
{
	struct buf file = BUF_INIT(64 << 20), changes = BUF_INIT(1 << 20);
	struct maintainers *m = NULL;
	double best = 1e9, start, took;

	make_file(&file);
	for (int i = 0; i < 200; i++)
		buf_addf(&changes, "\tint value%d = something(%d);\n", i, i);
	for (int i = 0; i < TIMES; i++) {
		maintainers_free(m);
		start = now_ms();
		m = maintainers_parse(file.s, file.len);
		took = now_ms() - start;
		best = took < best ? took : best;
	}
	printf("MAINTAINERS of %d lines: parsed in %.2f ms, matched in\n",
	       LINES, best);
	match(m, 1, changes.s);
	match(m, 20, changes.s);
	match(m, 500, changes.s);
	maintainers_free(m);
	buf_release(&file);
	buf_release(&changes);
	return 0;
}
