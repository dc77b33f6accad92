#include "report/failure.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "compare/comparison.h"
#include "stats/stats.h"

enum { NAME_COLUMNS = 60 };

static bool starts(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

/* What the kernel said, or NULL. */
static const char *message(const char *stat)
{
	return starts(stat, "dmesg.") ? stat + 6 :
	       starts(stat, "kmsg.")  ? stat + 5 :
					NULL;
}

/* What a kernel says when it is broken, wherever it stands in the message; the
 * first that fits decides.  Other lines, such as those of a device that did not
 * answer at boot, come and go with no commit: 0. */
static int weight_of_message(const char *text)
{
	static const struct {
		const char *part;
		int weight;
	} t[] = {
		{ "RIP:", 0 },			 { "Call_Trace", 0 },
		{ "Kernel_panic", 7 },		 { "BUG:", 9 },
		{ "KASAN:", 9 },		 { "UBSAN:", 9 },
		{ "KCSAN:", 9 },		 { "KMSAN:", 9 },
		{ "kernel_BUG", 9 },		 { "general_protection", 9 },
		{ "Unable_to_handle", 9 },	 { "invalid_opcode", 9 },
		{ "divide_error", 9 },		 { "double_fault", 9 },
		{ "stack_segment", 9 },		 { "Oops", 8 },
		{ "lockup", 8 },		 { "INFO:", 6 },
		{ "WARNING:", 5 },		 { "Out_of_memory", 5 },
		{ "oom-killer", 5 },		 { "page_allocation_failure", 5 },
		{ "Corruption", 5 },
	};

	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++)
		if (strstr(text, t[i].part))
			return t[i].weight;
	return 0;
}

static int weight_of(const char *stat)
{
	const char *text = message(stat);
	size_t len = strlen(stat);

	if (text)
		return weight_of_message(text);
	if (starts(stat, "last_state.") || starts(stat, "stderr.") ||
	    (len > 5 && !strcmp(stat + len - 5, ".pass")))
		return 0;
	return 3;
}

/* Of the runs that have it, those that did not complete. */
static size_t died_of(const struct side *s, const struct figure *f)
{
	size_t n = 0;

	for (size_t i = 0; f->value && s->is_incomplete && i < f->n; i++) {
		size_t run = figure_run(f, i);

		n += f->value[i] > 0 && run < s->result->runs &&
		     s->is_incomplete[run];
	}
	return n;
}

static bool is_before(const struct failure *a, const struct failure *b)
{
	if (a->weight != b->weight)
		return a->weight > b->weight;
	return a->head + a->base > b->head + b->base;
}

static void insert(struct failure *list, size_t *n, size_t max,
		   const struct failure *f)
{
	size_t at = *n < max ? (*n)++ : max;

	if (at == max && (!max || !is_before(f, &list[--at])))
		return;
	for (; at && is_before(f, &list[at - 1]); at--)
		list[at] = list[at - 1];
	list[at] = *f;
}

/* Chance explains a difference with less than that. */
#define FAILURE_LEVEL 0.01

static bool is_counted(const struct row *row, size_t side)
{
	return row->kind == ROW_FAILURE && weight_of(row->name) &&
	       row->figure[0].runs && row->figure[side].runs;
}

static bool names_failure(const char *stat)
{
	const char *text = message(stat);

	return text ? weight_of_message(text) : strstr(stat, ".fail") ||
	       strstr(stat, ".error") || strstr(stat, ".warn");
}

static bool has_hit(const struct series *s)
{
	const struct summary *summary = s ? series_summary(s) : NULL;

	if (summary)
		return summary->fails > 0;
	for (size_t i = 0; s && i < s->n; i++) {
		enum cell_type type = series_type(s, i);

		if ((type == CELL_INT || type == CELL_FLOAT) &&
		    series_value(s, i) > 0)
			return true;
	}
	return false;
}

/* How many failures both sides have, whether they changed or not: each is a
 * chance to be misled. */
static size_t count_shared(const struct group *g, size_t side)
{
	const struct result *base = g->side[0].result;
	const struct result *head = g->side[side].result;
	size_t n = 0;

	for (size_t i = 0; i < base->nseries; i++)
		n += names_failure(series_name(base, &base->series[i])) &&
		     has_hit(&base->series[i]) &&
		     has_hit(result_series_id(head, series_id(base, i)));
	return n ? n : 1;
}

/* Is "b" above what chance gives it? */
static bool is_beyond_chance(const struct group *g, size_t side,
			     const struct share *a, const struct share *b)
{
	double p = stats_more_often(a, b);

	return p <= FAILURE_LEVEL &&
	       p <= FAILURE_LEVEL / (double)count_shared(g, side);
}

static struct share share_of(const struct figure *f)
{
	size_t hits = (size_t)f->fails;

	return (struct share){ hits < f->runs ? hits : f->runs, f->runs };
}

static bool changed_so(const struct group *g, const struct row *row,
		       size_t side, enum failure_change change)
{
	struct share a = share_of(&row->figure[0]);
	struct share b = share_of(&row->figure[side]);

	switch (change) {
	case FAILURE_NEW:
		return !a.hits && b.hits;
	case FAILURE_GONE:
		return a.hits && !b.hits;
	case FAILURE_MORE:
		return a.hits && b.hits && is_beyond_chance(g, side, &a, &b);
	case FAILURE_LESS:
		return a.hits && b.hits && is_beyond_chance(g, side, &b, &a);
	}
	return false;
}

size_t failures_of(const struct group *g, size_t side,
		   enum failure_change change, struct failure *list,
		   size_t max)
{
	bool of_base = change == FAILURE_GONE || change == FAILURE_LESS;
	size_t n = 0, all = 0;

	for (size_t i = 0; i < g->nrow; i++) {
		const struct row *row = &g->row[i];
		const struct figure *a = &row->figure[0];
		const struct figure *b = &row->figure[side];
		struct failure f = { row, (size_t)a->fails, (size_t)b->fails,
				     0, weight_of(row->name) };

		if (!is_counted(row, side) ||
		    !changed_so(g, row, side, change))
			continue;
		f.died = of_base ? died_of(&g->side[0], a)
				 : died_of(&g->side[side], b);
		insert(list, &n, max, &f);
		all++;
	}
	return all;
}

bool failure_decides(const struct group *g, size_t side,
		     const struct failure *f)
{
	return 2 * f->died >= g->side[side].runs;
}

/* Words of a message stand with "_" between them, up to the function or file
 * that it names: "BUG:KASAN:slab-use-after-free_in_foo_bar". */
static void add_message(struct buf *out, const char *s)
{
	static const char *const places[] = { " in ", " at ", " of " };
	bool in_place = false;
	const char *start = s;

	for (; *s && !starts(s, "-CPU#") && !starts(s, "##"); s++) {
		const char *last = out->len > 3 ? out->s + out->len - 4 : "";

		for (size_t i = 0; i < 3; i++)
			in_place = in_place || !strcmp(last, places[i]);
		buf_addch(out, *s == '_' && !in_place ? ' ' : *s);
		if (*s == ':' && !in_place && s > start &&
		    !isdigit((unsigned char)s[1]) && s[1] && s[1] != '#')
			buf_addch(out, ' ');
	}
}

void failure_name(struct buf *out, const char *stat)
{
	struct buf ascii = BUF_INIT(4 * strlen(stat) + 1);
	struct buf words = BUF_INIT(8 * strlen(stat) + 1);

	utf8_ascii(&ascii, stat, strlen(stat));
	if (message(ascii.s))
		add_message(&words, message(ascii.s));
	else
		buf_addstr(&words, ascii.s);
	utf8_middle(out, words.s, words.len, NAME_COLUMNS);
	buf_release(&ascii);
	buf_release(&words);
}
