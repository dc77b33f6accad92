#include "bot/measured.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "bot/settings.h"
#include "render/table.h"
#include "report/words.h"

static const struct group *best_group(struct measured *m, const char *stat)
{
	struct group *best = NULL;

	for (size_t i = 0; i < m->comparison.ngroup; i++) {
		struct group *g = &m->comparison.group[i];

		if (group_row(&m->comparison, g, stat) &&
		    (!best || g->nside > best->nside))
			best = g;
	}
	m->group = best;
	return best;
}

static int compare_all(struct measured *m, const struct settings *s,
		       const char *stat, enum measured_rows rows,
		       struct err *err)
{
	struct compare_options o;

	m->rules = rules_new(NULL, err);
	if (!m->rules)
		return -1;
	if (json_object_get(m->results.facts, "metrics") &&
	    rules_learn(m->rules, json_object_get(m->results.facts, "metrics"),
			err) == -1)
		return -1;
	compare_options_init(&o);
	o.kpi = rows == MEASURED_KPI;
	o.select = o.kpi ? SELECT_ALL : SELECT_CHANGED;
	o.rules = m->rules;
	o.smallest = s->smallest_change;
	if (compare(&m->comparison, &m->results, &o, err) == -1)
		return -1;
	if (!best_group(m, stat))
		return err_set(err, ERR_INPUT, "no result has %.200s", stat);
	m->row = group_row(&m->comparison, m->group, stat);
	return 0;
}

int measured_open(struct measured *m, const struct settings *s,
		  const char *const *path, size_t n, const char *stat,
		  enum measured_rows rows, struct err *err)
{
	*m = (struct measured){ .arena = ARENA_INIT };
	results_init(&m->results);
	if (!n)
		return err_set(err, ERR_INPUT, "there are no results");
	for (size_t i = 0; i < n; i++)
		if (results_read(&m->results, path[i], err) == -1)
			return -1;
	return compare_all(m, s, stat, rows, err);
}

void measured_release(struct measured *m)
{
	comparison_release(&m->comparison);
	results_release(&m->results);
	rules_free(m->rules);
	arena_release(&m->arena);
}

size_t measured_paths(const char *list, struct arena *a, const char ***path)
{
	json_t *v = json_read_text(list, strlen(list), "results", NULL), *one;
	size_t i, n = 0;

	*path = arena_array(a, json_array_size(v) + 1, sizeof(**path));
	json_array_foreach(v, i, one)
		if (json_is_string(one))
			(*path)[n++] = arena_strdup(a, json_string_value(one));
	json_decref(v);
	return n;
}

int measured_side(const struct measured *m, const char *commit)
{
	size_t len = strlen(commit);

	for (size_t i = 0; i < m->group->nside; i++)
		if (!strcmp(m->group->side[i].name, commit))
			return (int)i;
	for (size_t i = 0; len >= 8 && i < m->group->nside; i++) {
		size_t n = strlen(m->group->side[i].name);

		if (n >= 8 && !strncmp(m->group->side[i].name, commit,
				       n < len ? n : len))
			return (int)i;
	}
	return -1;
}

static void add_list(json_t *one, const struct figure *f)
{
	struct buf list = BUF_INIT(4000), spread = BUF_INIT(64);

	if (!f->value)
		words_value(&list, f->mean);
	for (size_t i = 0; f->value && i < f->n && i < 100; i++) {
		if (i)
			buf_addch(&list, ' ');
		words_value(&list, f->value[i]);
	}
	if (f->value && f->n > 100)
		buf_addf(&list, " ... (%zu in all)", f->n);
	if (f->n > 1 && f->mean != 0 && !isnan(f->stddev))
		buf_addf(&spread, "%.1f%%", fabs(100 * f->stddev / f->mean));
	json_object_set_new(one, "list", json_string(list.s));
	json_object_set_new(one, "spread", spread.len ? json_string(spread.s)
						      : json_null());
	buf_release(&list);
	buf_release(&spread);
}

json_t *measured_values(const struct measured *m, const char *const *role)
{
	struct buf name = BUF_INIT(512), mean = BUF_INIT(64);
	json_t *v = json_array(), *one;

	for (size_t i = 0; i < m->group->nside; i++) {
		const struct figure *f = &m->row->figure[i];

		buf_reset(&name);
		buf_reset(&mean);
		if (role[i])
			buf_addf(&name, "%s ", role[i]);
		table_side_name(&name, &m->group->side[i]);
		words_mean(&mean, m->row, i);
		one = json_pack("{s:s,s:I,s:s}", "name", name.s, "runs",
				(json_int_t)f->n, "mean", mean.s);
		add_list(one, f);
		json_array_append_new(v, one);
	}
	buf_release(&name);
	buf_release(&mean);
	return v;
}

const char *measured_interval(const char *what, double low, double high,
			      int digits, struct arena *a)
{
	const char *from = arena_printf(a, "%+.*f%%", digits, low);
	const char *to = arena_printf(a, "%+.*f%%", digits, high);

	if (isnan(low) || isnan(high) || !strcmp(from, to))
		return "";
	return arena_printf(a, "; the %g%% interval of %s is %s to %s",
			    100 * CHANGE_LEVEL, what, from, to);
}

const char *measured_change(const struct measured *m, size_t side,
			    struct arena *a)
{
	const struct change *c = &m->row->figure[side].change;
	double base = fabs(m->row->figure[0].mean);
	struct buf words = BUF_INIT(100);
	const char *text;

	if (isnan(c->low) || base == 0)
		return NULL;
	words_judged(&words, m->row, side);
	text = arena_printf(a, "That is %s %s%s%s.",
			    words_article(words.s), words.s,
			    measured_interval("the change", 100 * c->low / base,
					      100 * c->high / base, 1, a),
			    c->low > 0 || c->high < 0 ? "" :
			    ", so it may be none at all");
	if (c->runs_needed)
		text = arena_printf(a, "%s About %zu runs a side would "
				    "decide.", text, c->runs_needed);
	buf_release(&words);
	return text;
}

const char *measured_table(const struct measured *m, const char *prefix,
			   size_t max, struct arena *a)
{
	const struct group *g = m->group;
	const struct row **row = arena_array(a, max + 1, sizeof(*row));
	struct buf out = BUF_INIT((size_t)4 << 20);
	const char *text;
	size_t n = 0;

	for (size_t i = 0; i < g->nrow && n < max; i++)
		if (!strncmp(g->row[i].name, prefix, strlen(prefix)))
			row[n++] = &g->row[i];
	if (!n && *prefix)
		return NULL;
	if (!n)
		row[n++] = m->row;
	table_head(&out, &m->comparison, g, false, NULL);
	table_rows(&out, &m->comparison, g, row, NULL, n, false);
	while (out.len && out.s[out.len - 1] == '\n')
		out.s[--out.len] = '\0';
	text = arena_strndup(a, out.s, out.len);
	buf_release(&out);
	return text;
}
