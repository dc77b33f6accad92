/* "perfpost send": mails of the outbox, and what is said of them. */
#include "cli/send.h"

#include <stdio.h>
#include <string.h>
#include <sysexits.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/log.h"
#include "base/utf8.h"
#include "cli/cli.h"

static void say(struct send_run *r, const char *name, const struct outgoing *o)
{
	size_t sent = 0;

	for (size_t i = 0; i < o->ndelivery; i++)
		sent += o->delivery[i].state == DELIVERY_SENT;
	switch (o->state) {
	case OUTBOX_SENT:
		printf("%s: sent to %zu of %zu\n", name, sent, o->ndelivery);
		if (*o->error)
			log_warn("%s: %s", name, o->error);
		break;
	case OUTBOX_READY:
		log_error("%s: kept for another try: %s", name, o->error);
		send_worsen(r, EX_TEMPFAIL);
		break;
	default:
		log_error("%s: %s: %s", name, outbox_state_name(o->state),
			  o->error);
		send_worsen(r, EX_UNAVAILABLE);
	}
	fflush(stdout);
}

/* The lease is ours: one attempt. */
static int attempt(struct send_run *r, const char *name, struct outgoing *o,
		   struct arena *a, struct err *err)
{
	if (deliver(r->store, r->sender, o, conf_int(&r->conf, "send.tries"),
		    a, err) == -1)
		return -1;
	say(r, name, o);
	return 0;
}

/* It stood in the outbox before, or another has it: nothing to do here. */
static void say_standing(struct send_run *r, const char *name,
			 const struct outgoing *o)
{
	if (o->state == OUTBOX_SENT) {
		printf("%s: was sent before\n", name);
		return;
	}
	log_error("%s: stands in the outbox as %s%s%s", name,
		  o->state == OUTBOX_READY ? "being sent" :
		  outbox_state_name(o->state), *o->error ? ": " : "",
		  o->error);
	send_worsen(r, EX_TEMPFAIL);
}

bool send_is_held_back(struct send_run *r, const char *name)
{
	const char *stop = conf_text(&r->conf, "bot.stop_file");

	if (!stop || !file_exists(stop))
		return false;
	log_error("%s: %s: '%s' holds all mail back", name,
		  r->only_to ? "not sent" : "kept", stop);
	send_worsen(r, EX_TEMPFAIL);
	return true;
}

int send_one(struct send_run *r, const char *name, int64_t id,
	     struct err *err)
{
	struct arena a = ARENA_INIT;
	struct outgoing o = { .id = 0 };
	int rc = outbox_take_one(r->store, id, r->owner, clock_now(),
				 deliver_lease(&r->conf), &a, &o, err);

	if (rc == 1) {
		rc = attempt(r, name, &o, &a, err);
	} else if (rc == 0) {
		rc = outbox_get(r->store, id, &a, &o, err);
		if (rc == 1)
			say_standing(r, name, &o);
	}
	arena_release(&a);
	return rc == -1 ? -1 : 0;
}

/* What would be sent of it, and to whom of them that were not served yet. */
static void plan_queued(const struct send_run *r, const struct outgoing *o,
			struct buf *out)
{
	const char *label = "to";

	buf_addf(out, "mail %lld: would be sent by %s\n", (long long)o->id,
		 conf_text(&r->conf, "send.driver"));
	buf_addf(out, "  sender   %s\n", o->sender);
	for (size_t i = 0; i < o->ndelivery; i++) {
		if (o->delivery[i].state != DELIVERY_READY)
			continue;
		buf_addf(out, "  %-8s %s\n", label, o->delivery[i].address);
		label = "";
	}
	buf_addstr(out, "  subject  ");
	utf8_inert(out, o->subject, strlen(o->subject), false);
	buf_addf(out, "\n  id       <%s>\n", o->message_id);
}

/* How many mails of the outbox are due; a dry run says which. */
static int count_queued(struct send_run *r, int64_t now, struct err *err)
{
	const enum outbox_state ready = OUTBOX_READY;
	struct buf out = BUF_INIT((size_t)64 << 20);
	struct arena a = ARENA_INIT;
	struct outgoing *v;
	size_t n;
	int rc = outbox_list(r->store, &ready, &a, &v, &n, err);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		if (v[i].due > now || v[i].lease > now)
			continue;
		r->all++;
		if (r->dry_run)
			plan_queued(r, &v[i], &out);
	}
	if (rc == 0 && r->dry_run)
		cmd_print(out.s, out.len);
	arena_release(&a);
	buf_release(&out);
	return rc;
}

/* The next of the outbox that is due. 1, 0: there is none, -1. */
static int send_next(struct send_run *r, int64_t now, struct err *err)
{
	struct arena a = ARENA_INIT;
	struct outgoing o = { .id = 0 };
	int rc = outbox_take(r->store, r->owner, now, deliver_lease(&r->conf),
			     &a, &o, err);

	if (rc == 1 && attempt(r, o.message_id, &o, &a, err) == -1)
		rc = -1;
	if (rc == 1)
		send_progress(r);
	arena_release(&a);
	return rc;
}

void send_queued(struct send_run *r)
{
	int64_t now = clock_now();
	struct err err = ERR_INIT;
	int rc = count_queued(r, now, &err);

	if (rc == 0 && !r->dry_run)
		do
			rc = send_next(r, now, &err);
		while (rc == 1);
	if (rc == -1)
		send_worsen(r, cmd_fail(&err));
}
