#include "bot/deliver.h"

#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "store/audit.h"
#include "store/mails.h"

enum { MINUTE = 60, LONGEST = 4 * 3600, LEASE_MARGIN = 60 };

int64_t deliver_lease(const struct conf *conf)
{
	return 2 * sender_deadline(conf) + LEASE_MARGIN;
}

int64_t deliver_delay(int tries)
{
	int64_t delay = MINUTE;

	for (int i = 1; i < tries && delay < LONGEST; i++)
		delay *= 2;
	return delay < LONGEST ? delay : LONGEST;
}

static enum send_outcome outcome_of(enum delivery_state state)
{
	if (state == DELIVERY_SENT)
		return SEND_TAKEN;
	return state == DELIVERY_REFUSED ? SEND_REFUSED : SEND_LATER;
}

static enum delivery_state state_of(enum send_outcome outcome)
{
	if (outcome == SEND_TAKEN)
		return DELIVERY_SENT;
	return outcome == SEND_REFUSED ? DELIVERY_REFUSED : DELIVERY_READY;
}

static void make_mail(struct send_mail *m, const struct outgoing *o,
		      struct arena *a)
{
	*m = (struct send_mail){
		.sender = o->sender, .bytes = o->bytes, .len = o->len,
		.to = arena_array(a, o->ndelivery + 1, sizeof(*m->to)),
		.arena = a,
	};
	for (size_t i = 0; i < o->ndelivery; i++)
		if (!o->delivery[i].waits)
			m->to[m->n++] = (struct send_recipient){
				.address = o->delivery[i].address,
				.outcome = outcome_of(o->delivery[i].state),
				.reply = o->delivery[i].reply,
			};
}

/* How many recipients are where. */
struct census {
	size_t taken, refused, later;
	size_t waiting;		/* it is not their turn yet */
};

static struct census take_back(struct outgoing *o, const struct send_mail *m)
{
	struct census c = { 0 };

	for (size_t i = 0, k = 0; i < o->ndelivery; i++) {
		enum send_outcome what;

		if (o->delivery[i].waits) {
			c.waiting++;
			continue;
		}
		what = m->to[k].outcome;
		o->delivery[i].state = state_of(what);
		o->delivery[i].reply = m->to[k++].reply;
		c.taken += what == SEND_TAKEN;
		c.refused += what == SEND_REFUSED;
		c.later += what == SEND_LATER;
	}
	return c;
}

static void judge(struct outgoing *o, struct census c, enum err_code why,
		  int64_t tries)
{
	int64_t now = clock_now();

	o->tries++;
	if (why == ERR_INPUT) {
		o->state = OUTBOX_PARKED;
	} else if (c.later) {
		o->state = o->tries < tries || c.waiting ? OUTBOX_READY
							 : OUTBOX_FAILED;
		o->due = now + deliver_delay(o->tries);
	} else if (c.waiting) {
		o->state = OUTBOX_READY;
		o->due = now;
	} else if (c.taken) {
		o->state = OUTBOX_SENT;
		o->sent = now;
	} else {
		o->state = OUTBOX_PARKED;
	}
}

/* "550 5.1.1 no such user": about the address, not about what we wrote. */
static bool is_unknown(const struct delivery *d)
{
	return d->state == DELIVERY_REFUSED && d->reply[0] == '5' &&
	       strlen(d->reply) > 8 && !strncmp(d->reply + 4, "5.1.", 4);
}

static int note_unknown(struct store *s, const struct outgoing *o,
			struct err *err)
{
	for (size_t i = 0; i < o->ndelivery; i++)
		if (is_unknown(&o->delivery[i]) &&
		    address_fail(s, o->delivery[i].address,
				 o->delivery[i].reply, clock_now(), err) == -1)
			return -1;
	return 0;
}

static int write_down(struct store *s, const struct outgoing *o,
		      const char *driver, struct err *err)
{
	const char *detail = *o->error ? o->error : driver;

	if (store_begin(s, err) == -1)
		return -1;
	if (outbox_save(s, o, err) == -1 || note_unknown(s, o, err) == -1 ||
	    audit_add(s, clock_now(), "send", outbox_state_name(o->state),
		      "outbox", o->id, detail, err) == -1) {
		store_rollback(s);
		return -1;
	}
	return store_commit(s, err);
}

int deliver(struct store *s, struct sender *sender, struct outgoing *o,
	    int64_t tries, struct arena *a, struct err *err)
{
	struct err why = ERR_INIT;
	struct send_mail m;

	make_mail(&m, o, a);
	sender_send(sender, &m, &why);
	o->error = arena_strdup(a, why.text);
	judge(o, take_back(o, &m), why.code, tries);
	return write_down(s, o, sender_name(sender), err);
}
