/* The answer to our question which report is meant. */
#include "bot/decide-int.h"

#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "store/inquiries.h"

#define QUESTIONS_MAX 2		/* about one request */

/* "Never mind", in whatever words. */
static bool calls_off(const struct bot *bot, const struct reading *r)
{
	size_t n = 0;

	while (n < r->requests.n &&
	       r->requests.request[n].kind == REQUEST_CANCEL)
		n++;
	return (r->requests.n && n == r->requests.n) ||
	       (!r->requests.n &&
		decide_says_no(r->message.new_text,
			       bot->settings->robot.prefix));
}

/* "For the Icelake machine", "the one on mainline": a wish, or the report's
 * name? */
static bool only_names(const struct request *one,
		       const struct stored_report *r)
{
	const char *said = one->tree ? one->tree : one->branch ? one->branch
			 : one->commit;

	if (one->nparam)
		return one->nparam == 1 && !strcmp(one->param[0].key,
						   "machine");
	if (!said)	/* "the one on that tree" */
		return one->kind == REQUEST_RERUN_WITH_TREE && !one->url &&
		       !one->title;
	return strcasestr(r->tree, said) || strcasestr(r->branch, said) ||
	       !strncasecmp(r->tested, said, strlen(said));
}

/* Does the answer to our question ask for anything but what was asked? */
static bool asks_more(const struct reading *r, const struct choice *c)
{
	if (r->message.npatch)
		return true;
	for (size_t i = 0; i < r->requests.n; i++) {
		const struct request *one = &r->requests.request[i];
		bool again = one->kind == REQUEST_RERUN ||
			!strcmp(request_kind_name(one->kind), c->asked.kind);

		if (one->count || one->revert)
			return true;
		if ((!again || one->nparam || one->tree || one->branch) &&
		    (!c->which.n || !only_names(one, &c->which.report[0])))
			return true;
	}
	return false;
}

static int call_off(const struct bot *bot, struct stored_mail *mail,
		    const struct message *m, const struct choice *c,
		    struct arena *a, struct err *err)
{
	if (store_begin(bot->store, err) == -1)
		return -1;
	if (inquiry_settle(c, bot, false, a, err) == -1) {
		store_rollback(bot->store);
		return -1;
	}
	if (store_commit(bot->store, err) == -1)
		return -1;
	return decide_settle(bot, mail, m, MAIL_DECIDED, "cancel",
			     "the question is answered: never mind", err);
}

/* Ask once more, but not for ever.  1: settled, 0: go on, -1. */
static int ask_again(const struct bot *bot, struct stored_mail *mail,
		     const struct reading *r, const struct choice *c,
		     struct err *err)
{
	const struct plan_options options = { .choice = c };
	int64_t asked;

	if (inquiry_count(bot->store, c->asked.id, &asked, err) == -1)
		return -1;
	if (asked >= QUESTIONS_MAX)
		return 0;
	return decide_plan(bot, r, mail, false, &options, err) == -1 ? -1 : 1;
}

/* What was asked is planned again, for the reports that are named. */
static int take_up(const struct bot *bot, struct stored_mail *mail,
		   const struct message *m, const struct choice *c,
		   struct err *err)
{
	const struct plan_options options = { .choice = c };

	if (c->how == CHOICE_CLEAR &&
	    decide_again(bot, c->asked.mail, &options, err) == -1)
		return -1;
	if (c->which.n)
		mail->report = c->which.report[0].id;
	return decide_settle(bot, mail, m, MAIL_DECIDED, "choose",
			     "it says which report is meant", err);
}

int decide_choice(const struct bot *bot, struct stored_mail *mail,
		  const struct reading *r, struct choice *c,
		  struct plan_options *options, struct arena *a,
		  struct err *err)
{
	const struct message *m = &r->message;
	int rc = inquiry_read(c, bot, mail, m, a, err);

	if (rc != 1)
		return rc;
	if (c->how == CHOICE_CLEAR && asks_more(r, c)) {
		options->choice = c;
		return 0;
	}
	if (c->how == CHOICE_CLEAR || c->how == CHOICE_TAKEN)
		rc = take_up(bot, mail, m, c, err);
	else if (calls_off(bot, r))
		rc = call_off(bot, mail, m, c, a, err);
	else
		return c->how == CHOICE_UNCLEAR && !asks_more(r, c)
			? ask_again(bot, mail, r, c, err) : 0;
	return rc == -1 ? -1 : 1;
}
