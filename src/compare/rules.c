#include "compare/rules.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "compare/names.h"
#include "compare/rules-int.h"

static const struct { size_t list; enum anchor anchor; } lists[] = {
#define LIST(name, anchor) { offsetof(struct rules, name), anchor }
	LIST(failure, ANCHOR_START),
	LIST(pass, ANCHOR_START),
	LIST(noise, ANCHOR_NONE),
	LIST(keep, ANCHOR_NONE),
	LIST(sensitive, ANCHOR_NONE),
	LIST(sensitive_start, ANCHOR_START),
	LIST(floor_name, ANCHOR_FULL),
	LIST(directed, ANCHOR_FULL),
	LIST(strict, ANCHOR_FULL),
	LIST(metric_name, ANCHOR_FULL),
#undef LIST
};

static struct pattern_list *list_at(struct rules *r, size_t i)
{
	return (struct pattern_list *)((char *)r + lists[i].list);
}

static void rules_init(struct rules *r)
{
	struct strmap *maps[] = { &r->test, &r->functional, &r->never_kpi,
				  &r->learnt };

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		pattern_list_init(list_at(r, i), lists[i].anchor, &r->arena);
	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		strmap_init(maps[i], &r->arena);
}

struct rules *rules_new(const char *lkp_src, struct err *err)
{
	struct rules *r = calloc(1, sizeof(*r));

	if (!r)
		die_no_memory();
	rules_init(r);
	r->lkp = lkp_src != NULL;
	if (rules_read_own(r, err) == -1 ||
	    (lkp_src && rules_read_lkp(r, lkp_src, err) == -1)) {
		rules_free(r);
		return NULL;
	}
	return r;
}

void rules_free(struct rules *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		pattern_list_release(list_at(r, i));
	free(r->metric);
	arena_release(&r->arena);
	free(r);
}

void rules_add_floor(struct rules *r, struct floor f)
{
	size_t n = r->floor_name.n;

	r->floor = arena_grow(&r->arena, r->floor, &r->floor_cap, n,
			      sizeof(*r->floor));
	r->floor[n - 1] = f;
}

void rules_add_test(struct strmap *m, const char *name, size_t len)
{
	const char *copy = arena_strndup(m->arena, name, len);

	*strmap_put(m, copy, len) = m;
}

static int learn_metric(struct rules *r, const char *name, const json_t *fact,
			struct err *err)
{
	struct metric *m = arena_alloc(&r->arena, sizeof(*m));
	const char *better = json_member_text(fact, "better");
	const char *unit = json_member_text(fact, "unit");
	const char *meaning = json_member_text(fact, "meaning");
	const json_t *kpi = json_object_get(fact, "kpi");

	*m = rules_metric(r, name);
	if (!json_is_object(fact))
		return err_set(err, ERR_INPUT, "metrics: '%s' is no object",
			       name);
	if (better && strcmp(better, "higher") && strcmp(better, "lower"))
		return err_set(err, ERR_INPUT,
			       "metrics: '%s': better is neither \"higher\" "
			       "nor \"lower\"", name);
	if (better)
		m->better = *better == 'h' ? BETTER_HIGHER : BETTER_LOWER;
	if (unit)
		m->unit = arena_strdup(&r->arena, unit);
	if (meaning)
		m->meaning = arena_strdup(&r->arena, meaning);
	if (kpi)
		m->kpi = json_is_true(kpi);
	name = arena_strdup(&r->arena, name);
	*strmap_put(&r->learnt, name, strlen(name)) = m;
	return 0;
}

int rules_learn(struct rules *r, const json_t *metrics, struct err *err)
{
	const char *name;
	json_t *fact;

	if (!metrics)
		return 0;
	if (!json_is_object(metrics))
		return err_set(err, ERR_INPUT, "metrics: no object");
	json_object_foreach((json_t *)metrics, name, fact)
		if (learn_metric(r, name, fact, err) == -1)
			return -1;
	return 0;
}

struct metric rules_metric(const struct rules *r, const char *name)
{
	const struct metric *learnt = strmap_get(&r->learnt, name);
	struct metric m = { BETTER_UNKNOWN, NULL, NULL, false };
	int own, lkp;

	if (learnt)
		return *learnt;
	own = pattern_first(&r->metric_name, name);
	if (own != -1)
		m = r->metric[own];
	lkp = pattern_first(&r->directed, name);
	if (lkp != -1) {
		m.better = r->better[lkp];
		m.kpi |= rules_kpi(r, name);
	}
	return m;
}

static bool never_failure(const char *name)
{
	return strstr(name, ".time.") || strstr(name, ".timestamp:") ||
	       strstr(name, ".bootstage:");
}

bool rules_failure(const struct rules *r, const char *name)
{
	const struct metric *learnt = strmap_get(&r->learnt, name);

	/* "sort.errors", if it is what the test measures. */
	if (learnt && learnt->kpi)
		return false;
	return (pattern_first(&r->failure, name) != -1 ||
		pattern_first(&r->pass, name) != -1) && !never_failure(name);
}

bool rules_failure_2021(const struct rules *r, const char *name)
{
	if (rules_failure(r, name))
		return true;
	return (strstr(name, ".error") || strstr(name, ".warn") ||
		strstr(name, ".fail")) && !never_failure(name);
}

bool rules_test(const struct rules *r, const char *base, size_t len)
{
	return strmap_find(&r->test, base, len);
}

bool rules_kpi(const struct rules *r, const char *name)
{
	const struct metric *learnt = strmap_get(&r->learnt, name);
	size_t base = stat_base_length(name);
	const char *rest = name[base] ? name + base + 1 : "";

	if (learnt && learnt->kpi)
		return true;
	return rules_test(r, name, base) && strncmp(rest, "time.", 5) != 0 &&
	       !strmap_get(&r->never_kpi, name);
}

bool rules_kpi_strict(const struct rules *r, const char *name)
{
	if (r->lkp)
		return pattern_first(&r->strict, name) != -1;
	return rules_metric(r, name).kpi;
}

bool rules_noise(const struct rules *r, const char *name)
{
	return pattern_first(&r->noise, name) != -1 &&
	       pattern_first(&r->keep, name) == -1;
}

bool rules_sensitive(const struct rules *r, const char *name)
{
	size_t base = stat_base_length(name);

	if (pattern_first(&r->sensitive, name) != -1 ||
	    pattern_first(&r->sensitive_start, name) != -1)
		return true;
	return name[base] && strmap_find(&r->test, name, base) &&
	       !strmap_find(&r->functional, name, base);
}

/* What the reference knows without its files, in the order it asks. */
static bool reasonable_by_monitor(const char *name, struct number delta,
				  struct number max)
{
	static const struct {
		const char *name;
		bool anywhere, by_delta;
		int64_t above;
	} t[] = {
		{ "iostat", false, false, 1 },
		{ "pagetypeinfo", false, true, 100 },
		{ "buddyinfo", false, true, 100 },
		{ "slabinfo", false, true, 100 },
		{ "proc-vmstat", false, false, 1000 },
		{ "meminfo", true, false, 1000 },
		{ "lock_stat", false, true, 10000 },
		{ "interrupts", false, false, 10000 },
		{ "softirqs", false, false, 10000 },
	};

	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		const char *at = strstr(name, t[i].name);
		int64_t above = t[i].above;

		if (!at || (!t[i].anywhere && at != name))
			continue;
		if (!strcmp(t[i].name, "lock_stat") && strstr(name, "time"))
			above = 1000;
		return number_compare(t[i].by_delta ? delta : max,
				      number_int(above)) > 0;
	}
	return true;
}

bool rules_reasonable(const struct rules *r, const char *name,
		      struct number delta, struct number max)
{
	int i = pattern_first(&r->floor_name, name);

	if (i == -1)
		return !r->lkp || reasonable_by_monitor(name, delta, max);
	return number_compare(max, r->floor[i].max) >= 0 &&
	       (!r->floor[i].has_delta ||
		number_compare(delta, r->floor[i].delta) >= 0);
}

bool rules_points(const char *name)
{
	size_t len = strlen(name);

	return !strncmp(name, "perf-profile", 12) ||
	       (len && name[len - 1] == '%');
}
