#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/child.h"
#include "base/err.h"
#include "base/file.h"
#include "data/conf.h"
#include "send/lines.h"
#include "send/send.h"

/*
 * The sendmail command that every MTA brings, by argv: recipients stand behind
 * "--", "-i" keeps a line of one dot from ending the text, and -t is never
 * used: who gets a mail is said by the envelope alone.
 */

enum { MAIL_BYTES_MAX = 64 << 20 };

struct sendmail {
	const char *const *command;	/* the configuration's */
	int64_t timeout_ms;
};

static void *sendmail_open(const struct conf *conf, struct err *err)
{
	struct sendmail *s = calloc(1, sizeof(*s));

	if (!s)
		die_no_memory();
	s->command = conf_list(conf, "send.sendmail.command");
	s->timeout_ms = sender_deadline(conf) * 1000;
	if (*s->command)
		return s;
	err_set(err, ERR_CONFIG, "send.sendmail.command is empty");
	free(s);
	return NULL;
}

static void sendmail_close(void *state)
{
	free(state);
}

static const char **make_argv(const struct sendmail *s,
			      const struct send_mail *m)
{
	size_t n = 0;
	const char **argv;

	while (s->command[n])
		n++;
	argv = arena_array(m->arena, n + m->n + 5, sizeof(*argv));
	for (n = 0; s->command[n]; n++)
		argv[n] = s->command[n];
	argv[n++] = "-i";
	argv[n++] = "-f";
	argv[n++] = *m->sender ? m->sender : "<>";
	argv[n++] = "--";
	for (size_t i = 0; i < m->n; i++)
		if (m->to[i].outcome == SEND_LATER)
			argv[n++] = m->to[i].address;
	return argv;
}

/* sysexits(3): these are about today, all others about this mail. */
static enum send_outcome outcome(int status)
{
	switch (status) {
	case EX_OK:
		return SEND_TAKEN;
	case EX_TEMPFAIL:
	case EX_OSERR:
	case EX_OSFILE:
	case EX_CANTCREAT:
	case EX_IOERR:
	case EX_SOFTWARE:
	case EX_CONFIG:
	case 126:	/* our own child could not start it */
	case 127:
		return SEND_LATER;
	}
	return status == -1 ? SEND_LATER : SEND_REFUSED;
}

static void settle(struct send_mail *m, enum send_outcome what,
		   const char *reply)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->to[i].outcome == SEND_LATER) {
			m->to[i].outcome = what;
			m->to[i].reply = reply;
		}
}

static int sendmail_send(void *state, struct send_mail *m, struct err *err)
{
	struct sendmail *s = state;
	struct buf bytes = BUF_INIT(MAIL_BYTES_MAX), said = BUF_INIT(4096);
	struct err why = ERR_INIT;
	int status;

	(void)err;
	lines_lf(&bytes, m->bytes, m->len);
	status = child_run(&(struct child_spec){
		.argv = make_argv(s, m), .input = bytes.s,
		.input_len = bytes.len, .errout = &said,
		.timeout_ms = s->timeout_ms,
	}, &why);
	settle(m, outcome(status), status == -1 ?
	       arena_strdup(m->arena, why.text) :
	       arena_printf(m->arena, "%s ended with %d%s%.*s", s->command[0],
			    status, said.len ? ": " : "",
			    (int)strcspn(said.s, "\r\n"), said.s));
	buf_release(&bytes);
	buf_release(&said);
	return 0;
}

/* Is it a program that we may start?  Asking it costs nobody anything. */
static int sendmail_probe(void *state, struct err *err)
{
	const struct sendmail *s = state;
	const char *program = s->command[0];

	if (!strchr(program, '/'))
		return 0;	/* execvp() will look for it */
	if (access(program, X_OK) == -1)
		return err_sys(err, "cannot start '%s'", program);
	if (file_is_folder(program))
		return err_set(err, ERR_CONFIG, "'%s' is a folder", program);
	return 0;
}

const struct send_driver send_sendmail = {
	.name = "sendmail",
	.open = sendmail_open,
	.send = sendmail_send,
	.probe = sendmail_probe,
	.close = sendmail_close,
};
