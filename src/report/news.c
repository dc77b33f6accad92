#include "report/news.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "report/failure.h"
#include "report/finding.h"
#include "report/report.h"
#include "report/setup.h"
#include "report/words.h"

enum { TEXT_MAX = 4096, NAME_MAX_COLUMNS = 150 };

static const char *keep(struct report *r, struct buf *b)
{
	const char *s = arena_strndup(&r->arena, b->s, b->len);

	buf_release(b);
	return s;
}

static void add_name(struct buf *b, const char *name)
{
	struct buf inert = BUF_INIT(TEXT_MAX * 8);

	utf8_inert(&inert, name, strlen(name), false);
	utf8_middle(b, inert.s, inert.len, NAME_MAX_COLUMNS);
	buf_release(&inert);
}

/* Same words in subject and sentence. */
static void say(struct report *r, enum news_kind kind, struct buf *words,
		const char *badge)
{
	r->news = (struct news){ .kind = kind, .badge = badge };
	r->news.subject = r->news.sentence = keep(r, words);
}

static bool is_settled(enum verdict v)
{
	return v == VERDICT_REGRESSION || v == VERDICT_IMPROVEMENT;
}

static bool of_other_sides(struct report *r)
{
	struct buf differs = BUF_INIT(TEXT_MAX), change = BUF_INIT(TEXT_MAX);
	struct buf subject = BUF_INIT(TEXT_MAX), text = BUF_INIT(TEXT_MAX);
	size_t count = setup_differs(r, &differs);
	bool told = count && r->headline->kind == ROW_PERF &&
		    !isnan(r->change->absolute);

	if (told) {
		words_change(&change, r->headline, r->side, WORDS_SIGNED);
		add_name(&subject, r->headline->name);
		buf_addf(&subject, " %s, not comparable: the %s differ%s",
			 change.s, differs.s, count == 1 ? "s" : "");
		buf_addf(&text, "a %s difference of ", change.s);
		add_name(&text, r->headline->name);
		buf_addf(&text, " (not comparable: the %s differ%s)", differs.s,
			 count == 1 ? "s" : "");
		r->news.kind = NEWS_NOT_COMPARABLE;
		r->news.subject = keep(r, &subject);
		r->news.sentence = keep(r, &text);
		buf_addstr(&change, ", not comparable");
		r->news.badge = keep(r, &change);
		r->verdict = VERDICT_INCONCLUSIVE;
	}
	buf_release(&differs);
	buf_release(&change);
	buf_release(&subject);
	buf_release(&text);
	return told;
}

/* The failure that is the news, and what of it is new; NULL. */
static const char *failure_news(const struct report *r, struct failure *f)
{
	bool settled = is_settled(r->verdict);

	if (failures_of(r->group, r->side, FAILURE_NEW, f, 1) &&
	    (!settled || failure_decides(r->group, r->side, f)))
		return "new failure";
	if (!settled && failures_of(r->group, r->side, FAILURE_MORE, f, 1))
		return "fails more often";
	return NULL;
}

/* "dmesg.Kernel_panic-not_syncing:Oops in 3 of 6 runs" */
static bool of_failure(struct report *r)
{
	struct buf subject = BUF_INIT(TEXT_MAX), text = BUF_INIT(TEXT_MAX);
	size_t runs = r->group->side[r->side].runs;
	struct failure f;
	const char *badge = failure_news(r, &f);

	if (!badge)
		return false;
	add_name(&subject, f.row->name);
	buf_addf(&subject, " in %zu of %zu run%s", f.head, runs,
		 runs == 1 ? "" : "s");
	buf_addf(&text, "%s (%zu of %zu before)", subject.s, f.base,
		 r->group->side[0].runs);
	r->news = (struct news){ .kind = NEWS_FAILURE, .badge = badge,
				 .blames = true };
	r->news.subject = keep(r, &subject);
	r->news.sentence = keep(r, &text);
	return true;
}

/* A failure that is the headline, as there is nothing else: it may be gone. */
static bool of_gone(struct report *r)
{
	const struct figure *base = &r->headline->figure[0];
	const struct figure *head = &r->headline->figure[r->side];
	struct buf text = BUF_INIT(TEXT_MAX);

	if (r->headline->kind != ROW_FAILURE)
		return false;
	add_name(&text, r->headline->name);
	buf_addf(&text, " in %.0f of %zu runs (%.0f of %zu before)",
		 head->fails, head->runs, base->fails, base->runs);
	say(r, NEWS_FAILURE, &text,
	    head->fails > base->fails ? "new failure" :
	    head->fails > 0 ? "fails less often" : "failures gone");
	r->news.blames = head->fails > base->fails;
	return true;
}

/* "no sort.throughput in any of 6 runs (base 6 of 6)" */
static bool of_missing(struct report *r)
{
	const struct figure *base = &r->headline->figure[0];
	const struct figure *head = &r->headline->figure[r->side];
	struct buf text = BUF_INIT(TEXT_MAX);

	/* The reference's style fills zeros in. */
	if ((base->n && head->n) || r->headline->lkp)
		return false;
	buf_addstr(&text, "no ");
	add_name(&text, r->headline->name);
	if (base->n)
		buf_addf(&text, " in any of %zu run%s (base %zu of %zu)",
			 head->runs, head->runs == 1 ? "" : "s", base->n,
			 base->runs);
	else
		buf_addf(&text, " in any of %zu run%s of the base (%zu of %zu "
			 "with the commit)", base->runs,
			 base->runs == 1 ? "" : "s", head->n, head->runs);
	say(r, NEWS_MISSING, &text, "no data");
	r->verdict = VERDICT_INCONCLUSIVE;
	return true;
}

bool report_is_dead(const struct report *r)
{
	const struct figure *base = &r->headline->figure[0];
	const struct figure *head = &r->headline->figure[r->side];

	return r->headline->kind == ROW_PERF &&
	       r->headline->better == BETTER_HIGHER && base->n && head->n &&
	       base->mean > 0 && !(base->min <= 0) && head->mean == 0 &&
	       !(head->max > 0);
}

static bool of_zero(struct report *r)
{
	const struct figure *base = &r->headline->figure[0];
	const struct figure *head = &r->headline->figure[r->side];
	struct buf subject = BUF_INIT(TEXT_MAX), text = BUF_INIT(TEXT_MAX);

	if (!report_is_dead(r))
		return false;
	add_name(&subject, r->headline->name);
	buf_addf(&subject, " is 0 in all %zu run%s", head->n,
		 head->n == 1 ? "" : "s");
	buf_addf(&text, "that %s (base ", subject.s);
	words_value(&text, base->mean);
	buf_addch(&text, ')');
	r->news = (struct news){ .kind = NEWS_ZERO, .badge = "0 in all runs" };
	r->news.subject = keep(r, &subject);
	r->news.sentence = keep(r, &text);
	r->verdict = VERDICT_INCONCLUSIVE;
	return true;
}

/* "1003 times as high": where percent do not read any more. */
static bool of_times(struct report *r)
{
	struct buf subject = BUF_INIT(TEXT_MAX), text = BUF_INIT(TEXT_MAX);
	struct buf times = BUF_INIT(100);
	const char *word = verdict_word(r->verdict);
	bool told = is_settled(r->verdict) &&
		    words_times(&times, r->headline, r->side);

	if (told) {
		add_name(&subject, r->headline->name);
		buf_addf(&subject, " %s (%s)", times.s, word);
		buf_addf(&text, "%s %s, %s, of ", words_article(word), word,
			 times.s);
		add_name(&text, r->headline->name);
		buf_addf(&times, " (%s)", word);
		r->news = (struct news){ .kind = NEWS_TIMES,
			.blames = r->verdict == VERDICT_REGRESSION };
		r->news.subject = keep(r, &subject);
		r->news.sentence = keep(r, &text);
		r->news.badge = keep(r, &times);
	}
	buf_release(&subject);
	buf_release(&text);
	buf_release(&times);
	return told;
}

static bool of_from_zero(struct report *r)
{
	struct buf subject = BUF_INIT(TEXT_MAX), text = BUF_INIT(TEXT_MAX);
	struct buf mean = BUF_INIT(100);
	const char *word = verdict_word(r->verdict);

	if (!is_settled(r->verdict) || r->headline->points ||
	    isfinite(r->change->percent))
		return false;
	words_mean(&mean, r->headline, r->side);
	add_name(&subject, r->headline->name);
	buf_addf(&subject, " from 0 to %s (%s)", mean.s, word);
	buf_addf(&text, "%s %s, from 0 to %s, of ", words_article(word), word,
		 mean.s);
	add_name(&text, r->headline->name);
	r->news = (struct news){ .kind = NEWS_FROM_ZERO, .badge = word,
		.blames = r->verdict == VERDICT_REGRESSION };
	r->news.subject = keep(r, &subject);
	r->news.sentence = keep(r, &text);
	buf_release(&mean);
	return true;
}

/* In doubt a subject says so. */
static void of_no_verdict(struct report *r, enum news_kind kind)
{
	bool decided = kind == NEWS_NO_CHANGE;
	struct buf subject = BUF_INIT(TEXT_MAX), text = BUF_INIT(TEXT_MAX);
	struct buf change = BUF_INIT(100);

	if (r->change->absolute == 0)
		buf_addstr(&change, "+0.0%");
	else
		words_change(&change, r->headline, r->side, WORDS_SIGNED);
	add_name(&subject, r->headline->name);
	buf_addf(&subject, " %s, %s", change.s,
		 decided ? "no significant change" : "not decided");
	buf_addf(&text, decided ? "no significant change (%s) of "
				: "a possible %s difference, not decided, of ",
		 change.s);
	add_name(&text, r->headline->name);
	r->news.kind = kind;
	r->news.subject = keep(r, &subject);
	r->news.sentence = keep(r, &text);
	buf_addf(&change, ", %s", decided ? "no significant change"
					  : "not decided");
	r->news.badge = keep(r, &change);
}

/* Beyond doubt where nobody knows which direction is the better one. */
static bool is_change(const struct report *r)
{
	const struct change *c = r->change;

	if (r->verdict == VERDICT_NONE)
		return c->low > 0 || c->high < 0;
	return is_settled(r->verdict);
}

/* "sort.throughput not decided: run 6 of 6 is far off" */
static bool of_outlier(struct report *r)
{
	const struct figure *f = &r->headline->figure[r->side];
	struct buf subject = BUF_INIT(TEXT_MAX), text = BUF_INIT(TEXT_MAX);
	struct buf change = BUF_INIT(100);
	double low, high;
	size_t at;

	if (!has_far_run(r))
		return false;
	if (!far_run(f, &at, &low, &high))
		f = &r->headline->figure[0];
	add_name(&subject, r->headline->name);
	buf_addf(&subject, " not decided: 1 run of %zu%s is far off", f->n,
		 f == r->headline->figure ? " of the base" : "");
	words_change(&change, r->headline, r->side, WORDS_SIGNED);
	buf_addf(&text, "a possible %s difference, not decided as 1 run of %zu "
		 "is far off, of ", change.s, f->n);
	add_name(&text, r->headline->name);
	buf_release(&change);
	r->news = (struct news){ .kind = NEWS_UNDECIDED,
				 .badge = "not decided" };
	r->news.subject = keep(r, &subject);
	r->news.sentence = keep(r, &text);
	return true;
}

static void of_change(struct report *r)
{
	struct buf b = BUF_INIT(200);

	if (r->verdict == VERDICT_NO_CHANGE) {
		of_no_verdict(r, NEWS_NO_CHANGE);
		return;
	}
	if (!is_change(r)) {
		if (of_outlier(r))
			return;
		of_no_verdict(r, NEWS_UNDECIDED);
		return;
	}
	words_judged(&b, r->headline, r->side);
	r->news = (struct news){ .kind = NEWS_CHANGE,
		.blames = r->verdict == VERDICT_REGRESSION };
	r->news.badge = keep(r, &b);
}

void news_find(struct report *r)
{
	if (of_other_sides(r) || of_failure(r) || of_gone(r) ||
	    of_missing(r) || of_zero(r) || of_times(r) || of_from_zero(r))
		return;
	of_change(r);
}

bool news_is_settled(const struct report *r)
{
	return r->news.kind == NEWS_FAILURE || is_change(r);
}
