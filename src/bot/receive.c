#include "bot/receive.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "bot/pulse.h"
#include "mail/id.h"
#include "mail/message.h"
#include "recv/recv.h"
#include "store/mails.h"

struct receiving {
	const struct bot *bot;
	struct arena arena;
	struct recv_source *source;
	struct receiver **receiver;	/* one a source */
	size_t n;
	struct buf bytes;
	int64_t due;		/* monotonic ms: not to be looked at before */
};

/* Where the source was read to, as the store has it. */
static struct receiver *open_one(struct receiving *r, size_t i,
				 struct err *err)
{
	const struct bot *bot = r->bot;
	const char *cursor;
	int rc = cursor_get(bot->store, r->source[i].name, &r->arena, &cursor,
			    err);

	if (rc == -1)
		return NULL;
	return receiver_open(bot->settings->conf, &r->source[i],
			     rc == 1 ? cursor : NULL, err);
}

struct receiving *receiving_open(const struct bot *bot, struct err *err)
{
	struct receiving *r = calloc(1, sizeof(*r));

	if (!r)
		die_no_memory();
	r->bot = bot;
	r->bytes = (struct buf)BUF_INIT(MAIL_MAX);
	if (recv_sources(bot->settings->conf, &r->arena, &r->source, &r->n,
			 err) == -1) {
		r->n = 0;
		receiving_close(r);
		return NULL;
	}
	r->receiver = arena_array(&r->arena, r->n + 1, sizeof(*r->receiver));
	for (size_t i = 0; i < r->n; i++) {
		r->receiver[i] = open_one(r, i, err);
		if (!r->receiver[i]) {
			receiving_close(r);
			return NULL;
		}
	}
	return r;
}

void receiving_close(struct receiving *r)
{
	if (!r)
		return;
	for (size_t i = 0; r->receiver && i < r->n; i++)
		receiver_close(r->receiver[i]);
	buf_release(&r->bytes);
	arena_release(&r->arena);
	free(r);
}

static int save_cursor(struct receiving *r, size_t i, struct err *err)
{
	const char *cursor = receiver_cursor(r->receiver[i]);

	if (!cursor)
		return 0;
	return cursor_set(r->bot->store, r->source[i].name, cursor, err);
}

/* The mail and the source's place, in one stroke.  1: it is new, 0, -1. */
static int keep(struct receiving *r, size_t i, struct err *err)
{
	char hash[DIGEST_HEX];
	struct stored_mail m = {
		.hash = hash, .source = receiver_place(r->receiver[i]),
		.received = clock_now(), .bytes = r->bytes.s,
		.len = r->bytes.len,
	};
	int rc;

	digest_bytes(r->bytes.s, r->bytes.len, hash);
	if (store_begin(r->bot->store, err) == -1)
		return -1;
	rc = mail_add(r->bot->store, &m, err);
	if (rc == -1 || save_cursor(r, i, err) == -1) {
		store_rollback(r->bot->store);
		return -1;
	}
	return store_commit(r->bot->store, err) == -1 ? -1 : rc;
}

static void settle(struct receiving *r, size_t i, int well)
{
	struct err why = ERR_INIT;

	if (receiver_settle(r->receiver[i], well, &why) == -1)
		log_warn("%s: %s", r->source[i].name, why.text);
}

/* All of one source.  How many were new, or -1: the store failed. */
static int take_all(struct receiving *r, size_t i, struct err *err)
{
	struct err why = ERR_INIT;
	int did = 0, got, rc;

	while (!pulse() && (got = receiver_next(r->receiver[i], &r->bytes,
						&why)) != 0) {
		if (got == -1) {
			log_warn("%s: %s", r->source[i].name, why.text);
			if (why.code != ERR_INPUT)
				return did;	/* it is away */
			settle(r, i, 0);
			continue;
		}
		rc = keep(r, i, err);
		if (rc == -1)
			return -1;
		settle(r, i, 1);
		did += rc;
	}
	/* An archive may have been found to end further on. */
	return save_cursor(r, i, err) == -1 ? -1 : did;
}

int receiving_all(struct receiving *r, struct err *err)
{
	int64_t every = conf_time(r->bot->settings->conf, "receive.every");
	int did = 0, one;

	if (clock_monotonic_ms() < r->due)
		return 0;
	for (size_t i = 0; i < r->n; i++) {
		one = take_all(r, i, err);
		if (one == -1)
			return -1;
		did += one;
	}
	r->due = clock_monotonic_ms() + every * 1000;
	return did;
}
