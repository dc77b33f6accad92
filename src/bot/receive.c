#include "bot/receive.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "mail/id.h"
#include "recv/recv.h"
#include "store/mails.h"
#include "store/overview.h"

#define AT_ONCE 100		/* mails of one source before the next */

struct inlet {
	const struct recv_source *source;
	struct receiver *receiver;
	int64_t due;		/* clock_monotonic_ms() of the next look */
	unsigned int failures;	/* in a row */
};

struct intake {
	const struct bot *bot;
	struct arena arena;
	struct inlet *v;
	size_t n;
	struct buf bytes;
};

/* Where the store says that it was read to. */
static int open_inlet(struct intake *in, struct inlet *i, struct err *err)
{
	struct arena a = ARENA_INIT;
	const char *cursor = NULL;

	if (!i->receiver && cursor_get(in->bot->store, i->source->name, &a,
				       &cursor, err) != -1)
		i->receiver = receiver_open(in->bot->settings->conf, i->source,
					    cursor, err);
	arena_release(&a);
	return i->receiver ? 0 : -1;
}

struct intake *intake_open(const struct bot *bot, struct err *err)
{
	struct intake *in = calloc(1, sizeof(*in));
	struct recv_source *v;
	size_t n;

	if (!in)
		die_no_memory();
	in->bot = bot;
	in->bytes = (struct buf)BUF_INIT(MAIL_MAX);
	if (recv_sources(bot->settings->conf, &in->arena, &v, &n, err) == -1) {
		intake_close(in);
		return NULL;
	}
	in->v = arena_array(&in->arena, n + 1, sizeof(*in->v));
	for (; in->n < n; in->n++) {
		in->v[in->n].source = &v[in->n];
		if (open_inlet(in, &in->v[in->n], err) == -1) {
			intake_close(in);
			return NULL;
		}
	}
	return in;
}

void intake_close(struct intake *in)
{
	if (!in)
		return;
	for (size_t i = 0; i < in->n; i++)
		receiver_close(in->v[i].receiver);
	buf_release(&in->bytes);
	arena_release(&in->arena);
	free(in);
}

static int save_cursor(struct intake *in, const struct inlet *i,
		       struct err *err)
{
	const char *cursor = receiver_cursor(i->receiver);

	if (!cursor || !*cursor)
		return 0;
	return cursor_set(in->bot->store, i->source->name, cursor, err);
}

/* The mail and the cursor in one stroke; the store knows it if it is there. */
static int keep(struct intake *in, const struct inlet *i, struct err *err)
{
	char hash[DIGEST_HEX];
	struct stored_mail m = {
		.hash = hash, .source = receiver_place(i->receiver),
		.received = clock_now(), .bytes = in->bytes.s,
		.len = in->bytes.len,
	};
	int rc;

	digest_bytes(in->bytes.s, in->bytes.len, hash);
	if (store_begin(in->bot->store, err) == -1)
		return -1;
	rc = mail_add(in->bot->store, &m, err);
	if (rc == -1 || save_cursor(in, i, err) == -1) {
		store_rollback(in->bot->store);
		return -1;
	}
	return store_commit(in->bot->store, err);
}

/* What was not stored must come again: the source starts over from where the
 * store says. */
static int start_over(struct inlet *i)
{
	receiver_close(i->receiver);
	i->receiver = NULL;
	return -1;
}

/* A source that is not there: said once, then tried ever less often, and
 * "perfpost status" has the last time. */
static void put_off(struct intake *in, struct inlet *i, const struct err *err)
{
	struct err own = *err;

	err_in(&own, "%s", i->source->name);
	if (!i->failures)
		log_warn("%s", own.text);
	overview_note(in->bot->store, "receive", in->bot->owner, clock_now(),
		      own.text, NULL);
	i->failures++;
	i->due = clock_monotonic_ms() + recv_delay(i->failures) * 1000 + 100;
}

/* There is none now, or the source is not there: how far we are is kept. */
static int rest(struct intake *in, struct inlet *i, int rc,
		const struct err *why, struct err *err)
{
	if (rc == -1) {
		put_off(in, i, why);
		return save_cursor(in, i, err);
	}
	i->failures = 0;
	if (i->source->driver->is_remote)
		i->due = clock_monotonic_ms() + 1000 *
			conf_time(in->bot->settings->conf, "receive.every");
	return save_cursor(in, i, err);
}

/* One mail of a source. 1: there was one, 0: none now, -1: the store. */
static int take_one(struct intake *in, struct inlet *i, struct err *err)
{
	struct err own = ERR_INIT;
	int rc = receiver_next(i->receiver, &in->bytes, &own);

	if (rc == -1 && own.code == ERR_INPUT) {
		log_warn("%s: %s", i->source->name, own.text);
		return save_cursor(in, i, err) == -1 ? -1 : 1;
	}
	if (rc != 1)
		return rest(in, i, rc, &own, err);
	i->failures = 0;
	if (keep(in, i, err) == -1)
		return start_over(i);
	if (receiver_settle(i->receiver, 1, &own) == -1)
		log_warn("%s: %s", i->source->name, own.text);
	return 1;
}

int intake_take(struct intake *in, struct err *err)
{
	int did = 0, rc;

	for (size_t i = 0; i < in->n; i++) {
		if (clock_monotonic_ms() < in->v[i].due)
			continue;
		if (open_inlet(in, &in->v[i], err) == -1)
			return -1;
		for (int k = 0; k < AT_ONCE; k++) {
			rc = take_one(in, &in->v[i], err);
			if (rc == -1)
				return -1;
			if (rc == 0)
				break;
			did++;
		}
	}
	return did;
}
