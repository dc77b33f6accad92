#include "bot/item-answer.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "bot/letter.h"
#include "bot/measured.h"
#include "report/words.h"
#include "run/folder.h"
#include "store/jobs.h"
#include "store/requests.h"

/* "Is it reproducible?": by all measurements of the report's two commits. */

#define MEASUREMENTS_MAX 20

struct seen {
	struct plan *p;
	const struct item *i;
	json_t *lines;
	size_t n, shown;	/* measurements as the report's; those that
				 * show its change */
	double sign;		/* of the report's change, 0: not known yet */
};

static bool is_change(const struct change *c)
{
	return c->low > 0 || c->high < 0;
}

/* "4.64 at the base, 20.17 tested: 335.0% regression (10 and 10 runs)" */
static const char *words_of_sides(const struct measured *m, int base,
				  int tested, struct arena *a)
{
	const struct figure *f = m->row->figure;
	struct buf text = BUF_INIT(500);
	const char *copy;

	words_mean(&text, m->row, (size_t)base);
	buf_addstr(&text, " at the base, ");
	words_mean(&text, m->row, (size_t)tested);
	buf_addstr(&text, " tested: ");
	words_judged(&text, m->row, (size_t)tested);
	if (!is_change(&f[tested].change))
		buf_addstr(&text, ", within noise");
	buf_addf(&text, " (%zu and %zu runs)", f[base].n, f[tested].n);
	copy = arena_strndup(a, text.s, text.len);
	buf_release(&text);
	return copy;
}

/* One measurement.  With other parameters it is told, but says nothing of
 * whether the report's came back. */
static void look_at(struct seen *s, const char *const *path, size_t n,
		    const char *name, bool same)
{
	const struct stored_report *r = s->i->report;
	struct arena *a = &s->p->arena;
	const struct change *c;
	struct measured m;
	int base = -1, tested = -1;

	if (measured_open(&m, s->p->bot->settings, path, n, r->stat,
			  MEASURED_KPI, NULL) == 0) {
		base = measured_side(&m, r->base);
		tested = measured_side(&m, r->tested);
	}
	if (base != 0 || tested < 1 || !m.row->figure[base].n ||
	    !m.row->figure[tested].n) {
		measured_release(&m);
		return;
	}
	c = &m.row->figure[tested].change;
	if (same && s->sign == 0)
		s->sign = c->absolute > 0 ? 1 : -1;
	s->n += same;
	s->shown += same && is_change(c) && c->absolute * s->sign > 0;
	json_array_append_new(s->lines, json_pack("{s:s}", "line",
		arena_printf(a, "%s: %s", name,
			     words_of_sides(&m, base, tested, a))));
	measured_release(&m);
}

/* " with cpufreq_governor=schedutil", "" */
static const char *parameters_of(const json_t *spec, struct arena *a)
{
	const char *text = "", *key;
	json_t *value;

	json_object_foreach(json_object_get(spec, "parameters"), key, value)
		text = arena_printf(a, "%s%s %s=%s", text, *text ? "," :
				    ", asked for with", key,
				    json_string_value(value));
	return letter_safe(text, 200, a);
}

/* Both commits anew? */
static bool is_anew(const json_t *spec)
{
	json_t *one;
	size_t k;

	json_array_foreach(json_object_get(spec, "sides"), k, one) {
		const char *name = json_member_text(one, "name");

		if (name && !strcmp(name, "reported"))
			return true;
	}
	return false;
}

static int look_at_job(struct seen *s, const struct asked *q, struct err *err)
{
	struct arena *a = &s->p->arena;
	const char **path, *with;
	struct job j;
	json_t *spec;
	int n, rc = job_get(s->p->bot->store, q->job, a, &j, err);

	if (rc != 1 || j.state != JOB_DONE)
		return rc == -1 ? -1 : 0;
	spec = json_read_text(j.spec, strlen(j.spec), "spec", NULL);
	with = parameters_of(spec, a);
	n = is_anew(spec) ? folder_results(j.folder, a, &path, NULL) : 0;
	json_decref(spec);
	if (n > 0)
		look_at(s, path, (size_t)n, arena_printf(a, "job %lld, %s%s",
			(long long)j.id, letter_date(j.created, a), with),
			!*with);
	return 0;
}

static int look_at_jobs(struct seen *s, struct err *err)
{
	struct asked *v;
	size_t n, done = 0;

	if (asked_list(s->p->bot->store, 0, s->i->report->id, 0, &s->p->arena,
		       &v, &n, err) == -1)
		return -1;
	for (size_t k = 0; k < n && done < MEASUREMENTS_MAX; k++) {
		bool before = !v[k].job;

		for (size_t e = 0; e < k && !before; e++)
			before = v[e].job == v[k].job;
		if (before)
			continue;
		done++;
		if (look_at_job(s, &v[k], err) == -1)
			return -1;
	}
	return 0;
}

static const char *yes_or_no(const struct seen *s, struct arena *a)
{
	if (s->n == 1 && s->shown)
		return "Yes, from run to run; but it was measured only once, for "
		       "the report.";
	if (s->n == 1)
		return "No: the values that there are do not tell it from "
		       "noise.";
	if (s->shown == s->n && s->n == 2)
		return "Yes: both measurements show it.";
	if (s->shown == s->n)
		return arena_printf(a, "Yes: all %zu measurements show it.",
				    s->n);
	if (!s->shown)
		return arena_printf(a, "No: none of %zu measurements shows it.",
				    s->n);
	return arena_printf(a, "Not always: %zu of %zu measurements show it.",
			    s->shown, s->n);
}

/* What a job file says of reboots between the runs. */
static const char *reboots(struct plan *p, const struct item *i)
{
	const char *text = "Whether the machine was booted anew between the "
		"runs is not recorded.", *key;
	const char **path;
	size_t n = measured_paths(i->report->results, &p->arena, &path);
	struct measured m;
	json_t *job = NULL, *value;

	if (measured_open(&m, p->bot->settings, path, n,
			  i->report->stat, MEASURED_KPI, NULL) == 0)
		job = m.group->side[m.group->nside - 1].result->job;
	json_object_foreach(job, key, value) {
		struct buf said = BUF_INIT(100);

		if (!strcasestr(key, "reboot"))
			continue;
		json_write(&said, value, 0);
		text = arena_printf(&p->arena, "Reboots between the runs: the "
			"job file says %s: %s.", letter_safe(key, 60,
			&p->arena), letter_safe(said.s, 60, &p->arena));
		buf_release(&said);
	}
	measured_release(&m);
	return letter_fold(text, &p->arena);
}

int answer_repeat(struct plan *p, struct item *i, struct err *err)
{
	struct seen s = { .p = p, .i = i, .lines = json_array() };
	const char **path;
	size_t n = measured_paths(i->report->results, &p->arena, &path);
	bool values = item_tell_values(p, i);

	i->reason = "the values of each run";
	if (values)
		look_at(&s, path, n, "the report", true);
	if (look_at_jobs(&s, err) == -1) {
		json_decref(s.lines);
		return -1;
	}
	if (s.n) {
		json_object_set_new(i->told, "answer", json_text(letter_fold(
			yes_or_no(&s, &p->arena), &p->arena)));
		json_object_set(i->told, "seen", s.lines);
		json_object_set_new(i->told, "was_seen", json_true());
		json_object_set_new(i->told, "reboots",
				    json_text(reboots(p, i)));
	}
	json_object_set_new(i->told, "wants_values", json_boolean(s.n < 2));
	json_decref(s.lines);
	if (values || s.n)
		return 0;
	answer_missing(p, i, "the values of the runs");
	i->reason = "the values are not here; an operator is told";
	return 0;
}
