/* 8. Rows that say the same twice: active_objs and num_objs. */
#include "report/finding.h"

#include <math.h>
#include <string.h>

#include "report/words.h"

enum { NAMED = 3, AHEAD = 50 };

/* Small numbers are equal by chance. */
static const double least_value = 100;

static bool same_monitor(const char *a, const char *b)
{
	size_t len = strcspn(a, ".");

	return a[len] && !strncmp(a, b, len + 1);
}

/* Both print as the same number, on a side that has them. */
static bool same_figure(const struct figure *a, const struct figure *b)
{
	struct buf x = BUF_INIT(400), y = BUF_INIT(400);
	bool same;

	if (a->n != b->n || a->runs != b->runs)
		return false;
	if (!a->n)
		return true;
	if (fabs(a->mean) < least_value)
		return false;
	words_value(&x, a->mean);
	words_value(&y, b->mean);
	same = !strcmp(x.s, y.s) &&
	       fabs(a->stddev - b->stddev) <= .005 * fabs(a->mean);
	buf_release(&x);
	buf_release(&y);
	return same;
}

static bool same_row(const struct group *g, const struct row *a,
		     const struct row *b)
{
	bool data = false;

	if (a->kind != ROW_PERF || b->kind != ROW_PERF ||
	    !same_monitor(a->name, b->name))
		return false;
	for (size_t i = 0; i < g->nside; i++) {
		if (!same_figure(&a->figure[i], &b->figure[i]))
			return false;
		data = data || a->figure[i].n;
	}
	return data;
}

const struct row *row_repeated(const struct group *g, size_t i)
{
	size_t first = i > AHEAD ? i - AHEAD : 0;

	for (size_t k = first; k < i; k++)
		if (same_row(g, &g->row[k], &g->row[i]))
			return &g->row[k];
	return NULL;
}

void find_same_rows(struct report *r)
{
	size_t count = 0;
	struct note n;

	note_start(&n, r);
	for (size_t i = 0; i < r->group->nrow; i++) {
		const struct row *first = row_repeated(r->group, i);

		if (!first)
			continue;
		note_stat(&n, r->group->row[i].name);
		note_hide(&n, &r->group->row[i]);
		json_object_set_new(n.numbers, r->group->row[i].name,
				    json_text(first->name));
		if (count++ >= NAMED)
			continue;
		buf_addstr(&n.text, count > 1 ? ", " : "Rows that repeat "
						      "another: ");
		note_name(&n, r->group->row[i].name);
		buf_addstr(&n.text, " is ");
		note_name(&n, first->name);
	}
	if (!count) {
		note_drop(&n);
		return;
	}
	if (count > NAMED)
		buf_addf(&n.text, " and %zu more", count - NAMED);
	buf_addch(&n.text, '.');
	note_aside(&n, FINDING_SAME_ROWS);
}
