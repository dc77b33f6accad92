#include "recv/recv.h"

#include <stddef.h>

#include "base/err.h"
#include "mail/mailbox.h"

/*
 * Standard input: one mail (or an mbox) that procmail, sieve or a postfix pipe
 * hands over.  What was not stored must be told by the exit code, so that they
 * keep it.
 */

static void *stdin_open(const struct conf *conf, const char *where,
			const char *cursor, struct err *err)
{
	(void)conf;
	(void)where;
	(void)cursor;
	return mailbox_open("-", err);
}

static int stdin_next(void *state, struct buf *bytes, struct err *err)
{
	return mailbox_next(state, bytes, err);
}

static int stdin_settle(void *state, int well, struct err *err)
{
	(void)state;
	(void)well;
	(void)err;
	return 0;
}

static const char *stdin_place(void *state)
{
	(void)state;
	return "standard input";
}

static void stdin_close(void *state)
{
	mailbox_close(state);
}

const struct recv_driver recv_stdin = {
	.name = "stdin",
	.open = stdin_open,
	.next = stdin_next,
	.settle = stdin_settle,
	.place = stdin_place,
	.close = stdin_close,
};
