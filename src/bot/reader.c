#include "bot/reader.h"

#include <string.h>

#include "base/buf.h"
#include "base/confined.h"
#include "base/err.h"
#include "base/log.h"
#include "bot/screen.h"
#include "bot/wire.h"

#define READ_MS 120000		/* a machine may be busy */
#define READ_CPU 60		/* seconds; a mail takes milliseconds */
#define READ_MEMORY ((size_t)2 << 30)
#define SAID_MAX ((size_t)512 << 20)	/* of a mail of MAIL_MAX */

struct task {
	const struct bot *bot;
	const void *bytes;
	size_t len;
	bool requests;
};

static void wire_bounces(struct wire *w, struct bounces *b)
{
	for (size_t i = 0; i < BOUNCES_MAX; i++) {
		struct bounce *one = &b->v[i];

		wire_text(w, &one->address);	/* NULL after the last */
		if (!one->address)
			break;
		wire_text(w, &one->status);
		b->n = i + 1;
	}
	wire_text(w, &b->message_id);
}

/* In the confined process.  What it holds is gone with it. */
static void read_it(void *arg, struct buf *out)
{
	struct task *t = arg;
	const struct settings *s = t->bot->settings;
	struct reading r = { .bounced.n = 0 };
	struct wire w = { .out = out };
	struct arena a = ARENA_INIT;

	if (s->secret)
		explicit_bzero(s->secret, s->secret_len);
	if (message_read(&r.message, t->bytes, t->len, NULL) == -1) {
		out->over = true;
		return;
	}
	wire_message(&w, &r.message);
	if (!t->requests)
		return;
	requests_find(&r.requests, &r.message, t->bot->grammar, &s->robot);
	screen_bounces(&r.bounced, &r.message, t->bytes, t->len, &a);
	wire_requests(&w, &r.requests);
	wire_bounces(&w, &r.bounced);
}

/* Without a word from the operator mails are not read without seccomp. */
static void say_what_lacks(void)
{
	static bool said;
	const char *lacks = confined_lacks();

	if (lacks && !said)
		log_warn("the process that reads mails is not confined by %s: "
			 "this kernel has none", lacks);
	said = true;
}

static int ask(struct reading *r, struct task *t, struct err *err)
{
	const struct confined_spec spec = {
		.work = read_it, .arg = t, .timeout_ms = READ_MS,
		.memory_max = READ_MEMORY, .cpu_max = READ_CPU,
		.without_filter = t->bot->settings->without_seccomp,
	};
	struct buf said = BUF_INIT(SAID_MAX);
	struct wire w = { .a = &r->message.arena };
	int rc;

	*r = (struct reading){ .message = { .arena = ARENA_INIT },
			       .requests = { .arena = ARENA_INIT } };
	say_what_lacks();
	rc = confined_run(&spec, &said, err);
	w.in = said.s;
	w.left = said.len;
	if (rc == 0) {
		wire_message(&w, &r->message);
		if (t->requests) {
			wire_requests(&w, &r->requests);
			wire_bounces(&w, &r->bounced);
		}
		if (w.bad || w.left)
			rc = err_set(err, ERR_INPUT, "it makes no sense");
	}
	buf_release(&said);
	return rc == -1 ? err_in(err, "the process that reads a mail") : 0;
}

int reader_read(struct reading *r, const struct bot *bot, const void *bytes,
		size_t len, struct err *err)
{
	return ask(r, &(struct task){ bot, bytes, len, true }, err);
}

int reader_message(struct message *m, const struct bot *bot,
		   const void *bytes, size_t len, struct err *err)
{
	struct reading r;
	int rc = ask(&r, &(struct task){ bot, bytes, len, false }, err);

	*m = r.message;
	return rc;
}

void reader_release(struct reading *r)
{
	message_release(&r->message);
	requests_release(&r->requests);
}
