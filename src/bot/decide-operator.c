/* What an operator says to a request that is held. */
#include "bot/decide.h"

#include "base/clock.h"
#include "base/err.h"
#include "bot/decide-int.h"
#include "store/audit.h"
#include "store/requests.h"

/* 0 with "q" filled, or -1: it is not held. */
static int get_held(const struct bot *bot, int64_t request, struct asked *q,
		    struct arena *a, struct err *err)
{
	int rc = asked_get(bot->store, request, a, q, err);

	if (rc == 0 || (rc == 1 && q->state != ASKED_HELD))
		return err_set(err, ERR_INPUT, "no request %lld is held",
			       (long long)request);
	return rc == 1 ? 0 : -1;
}

int decide_approve(const struct bot *bot, int64_t request, struct err *err)
{
	const struct plan_options yes = { .approved = true };
	struct arena a = ARENA_INIT;
	struct asked q;
	int rc = get_held(bot, request, &q, &a, err);

	if (rc == 0)
		rc = decide_again(bot, q.mail, &yes, err);
	arena_release(&a);
	return rc;
}

static int write_rejected(const struct bot *bot, struct asked *q,
			  struct err *err)
{
	int64_t now = clock_now();

	q->state = ASKED_DENIED;
	if (store_begin(bot->store, err) == -1)
		return -1;
	if (asked_save(bot->store, q, now, err) == -1 ||
	    audit_add(bot->store, now, "operator", "rejected", "request",
		      q->id, "", err) == -1) {
		store_rollback(bot->store);
		return -1;
	}
	return store_commit(bot->store, err);
}

int decide_reject(const struct bot *bot, int64_t request, struct err *err)
{
	struct arena a = ARENA_INIT;
	struct asked q;
	int rc = get_held(bot, request, &q, &a, err);

	if (rc == 0)
		rc = write_rejected(bot, &q, err);
	arena_release(&a);
	return rc;
}
