#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "thread/series.h"
#include "thread/thread.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * Mails out of bytes, a line each: its first letter is the id, those up to a
 * blank are references, those up to the next In-Reply-To, the rest is the
 * subject.
 */
static struct strings letters(struct arena *a, const char **s)
{
	size_t n = strcspn(*s, " ");
	struct strings v = { arena_array(a, n + 1, sizeof(*v.v)), n };

	for (size_t i = 0; i < n; i++)
		v.v[i] = arena_strndup(a, *s + i, 1);
	*s += n + ((*s)[n] == ' ');
	return v;
}

static struct thread_mail mail_of(struct arena *a, const char *line)
{
	struct thread_mail m = { .date = (unsigned char)*line };

	m.id = arena_strndup(a, line, *line && *line != '-');
	line += *line != '\0';
	m.references = letters(a, &line);
	m.in_reply_to = letters(a, &line);
	m.subject = line;
	m.author = (struct address){ "", m.date & 1 ? "a@example.org" :
						      "b@example.org" };
	return m;
}

/* Every mail that is no copy stands in exactly one place. */
static void check_forest(const struct threads *t, size_t nmail)
{
	unsigned char *seen = calloc(t->n + 1, 1);
	size_t copies = 0, placed = 0;
	int depth;

	for (size_t r = 0; r < t->nroot; r++) {
		depth = 0;
		for (size_t i = t->root[r]; i != THREAD_NONE;
		     i = threads_next(t, i, &depth)) {
			if (seen[i]++ || depth < 0)
				abort();
			placed += t->node[i].mail != NULL;
			if (t->node[i].mail)
				copies += t->node[i].copies - 1;
			if (threads_root(t, i) != t->root[r])
				abort();
		}
	}
	if (placed + copies != nmail)
		abort();
	free(seen);
}

static void check_series(const struct threads *t)
{
	unsigned char *seen = calloc(t->n + 1, 1);
	struct series_list l;

	series_find(&l, t);
	for (size_t i = 0; i < l.n; i++)
		for (size_t k = 0; k <= l.v[i].total; k++) {
			size_t node = l.v[i].slot[k];

			if (node == THREAD_NONE)
				continue;
			if (node >= t->n || seen[node]++ ||
			    series_of(&l, node) != &l.v[i])
				abort();
		}
	series_release(&l);
	free(seen);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	struct threads t;
	char *text = arena_strndup(&a, (const char *)data, size), *save = NULL;
	struct thread_mail *mail = arena_array(&a, size + 1, sizeof(*mail));
	size_t n = 0;

	for (char *l = strtok_r(text, "\n", &save); l;
	     l = strtok_r(NULL, "\n", &save))
		mail[n++] = mail_of(&a, l);
	threads_build(&t, mail, n);
	check_forest(&t, n);
	check_series(&t);
	threads_release(&t);
	arena_release(&a);
	return 0;
}
