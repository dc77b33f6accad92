#include "recv/recv.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "data/conf.h"
#include "mail/message.h"
#include "recv/imap-session.h"
#include "recv/pending.h"

/*
 * A folder on an IMAP server.  The connection lives in a child process, asked
 * one thing after the other over a socket pair and ended when it does not
 * answer in time.
 *
 * With a folder for what is done the mails that are still in the first one
 * are those to read; without, the cursor "UIDVALIDITY:UID" says.  Behind it
 * stand the mails at which connections broke (pending.h).
 */

enum { ASK_NEXT = 'n', ASK_ONE = 'o', ASK_DONE = 'd', ASK_FAILED = 'f',
       ASK_PROBE = 'p' };

struct question {
	char what;
	struct imap_place place;
	struct imap_skip skip;	/* when asking for the next */
};

struct answer {
	int rc;
	struct err err;
	uint64_t len;		/* of the mail that follows */
};

struct imap {
	struct arena arena;
	struct imap_options options;
	struct buf password;
	struct imap_place place;	/* read up to here */
	struct imap_place last;		/* the mail that was given out last */
	struct imap_place *at;	/* the mail that the child works on: shared
				 * with it, to be known when it dies */
	pid_t pid;		/* of the child, 0: there is none */
	int fd;
	struct pending pending;	/* of the folder that "place" speaks of */
	struct pending_rules rules;
	struct buf cursor;
	char where[600];
};

#define CURSOR_MAX 10000

static bool is_this_machine(const char *host)
{
	struct in_addr a;

	return !strcmp(host, "localhost") || !strcmp(host, "::1") ||
	       (inet_pton(AF_INET, host, &a) == 1 &&
		!strncmp(host, "127.", 4));
}

static int read_options(struct imap *m, const struct conf *conf,
			struct err *err)
{
	const char *tls = conf_text(conf, "receive.imap.tls");
	int64_t port = conf_int(conf, "receive.imap.port");

	m->options = (struct imap_options){
		.host = conf_text(conf, "receive.imap.host"),
		.port = (uint16_t)port,
		.tls = !strcmp(tls, "tls") ? IMAP_TLS :
		       !strcmp(tls, "starttls") ? IMAP_STARTTLS : IMAP_PLAIN,
		.ca_file = conf_text(conf, "receive.imap.ca_file"),
		.user = conf_text(conf, "receive.imap.user"),
		.folder = conf_text(conf, "receive.imap.folder"),
		.done = conf_text(conf, "receive.imap.done"),
		.failed = conf_text(conf, "receive.imap.failed"),
		.timeout = conf_time(conf, "receive.timeout"),
		.max = MAIL_MAX,
	};
	m->rules = (struct pending_rules){
		conf_time(conf, "receive.imap.retry"),
		conf_int(conf, "receive.imap.tries"),
	};
	if (!m->options.host || !m->options.user)
		return err_set(err, ERR_CONFIG, "receive.imap.host and "
			       "receive.imap.user are needed");
	if (port < 1 || port > 65535)
		return err_set(err, ERR_CONFIG, "receive.imap.port: no port");
	if (m->options.tls == IMAP_PLAIN && !is_this_machine(m->options.host))
		return err_set(err, ERR_CONFIG, "receive.imap.tls: 'none' is "
			       "for a server on this machine");
	if (conf_secret(conf, "receive.imap.password", &m->password,
			err) == -1)
		return -1;
	m->options.password = m->password.s;
	return 0;
}

static void read_cursor(struct imap *m, const char *cursor)
{
	int len = 0;

	if (sscanf(cursor, "%" SCNu32 ":%" SCNu32 "%n", &m->place.validity,
		   &m->place.uid, &len) != 2) {
		m->place = (struct imap_place){ 0, 0 };
		return;
	}
	pending_read(&m->pending, cursor + len);
	if (m->options.done)
		m->place.uid = 0;
}

static void imap_close(void *state);

static void *imap_open(const struct conf *conf, const char *where,
		       const char *cursor, struct err *err)
{
	struct imap *m = calloc(1, sizeof(*m));

	(void)where;
	if (!m)
		die_no_memory();
	m->password = (struct buf)BUF_INIT(4096);
	m->cursor = (struct buf)BUF_INIT(CURSOR_MAX);
	m->at = mmap(NULL, sizeof(*m->at), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (m->at == MAP_FAILED)
		die_no_memory();
	if (read_options(m, conf, err) == -1) {
		imap_close(m);
		return NULL;
	}
	if (cursor)
		read_cursor(m, cursor);
	return m;
}

/* ---------------------------------------------------------- the child */

static bool put(int fd, const void *data, size_t len)
{
	const char *s = data;
	ssize_t n;

	for (; len; s += n, len -= (size_t)n) {
		n = send(fd, s, len, MSG_NOSIGNAL);
		if (n == -1 && errno == EINTR)
			n = 0;
		else if (n == -1)
			return false;
	}
	return true;
}

static int act(struct imap_session *s, const struct question *q,
	       struct imap_place *at, struct buf *bytes, struct err *err)
{
	switch (q->what) {
	case ASK_NEXT:
		return imap_session_next(s, at, &q->skip, bytes, err);
	case ASK_ONE:
		return imap_session_one(s, q->place.uid, at, bytes, err);
	case ASK_DONE:
	case ASK_FAILED:
		return imap_session_settle(s, &q->place, q->what == ASK_DONE,
					   err);
	}
	return 0;		/* it is open: that was the question */
}

/* An address sanitizer maps terabytes, and has things to say. */
#if defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED true
#else
#define IS_SANITIZED false
#endif
#define MEMORY_MAX ((rlim_t)10 * MAIL_MAX)

/* A server may send without end; a core would hold the password; libetpan
 * writes to standard error what we say better. */
static void set_limits(void)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	if (IS_SANITIZED)
		return;
	setrlimit(RLIMIT_AS, &(struct rlimit){ MEMORY_MAX, MEMORY_MAX });
	if (null != -1)
		dup2(null, STDERR_FILENO);
}

static void serve(const struct imap_options *o, struct imap_place *at, int fd)
{
	struct buf bytes = BUF_INIT(o->max);
	struct imap_session *s = NULL;
	struct question q;
	struct answer a;

	while (recv(fd, &q, sizeof(q), MSG_WAITALL) == sizeof(q)) {
		memset(&a, 0, sizeof(a));
		buf_reset(&bytes);
		if (!s)
			s = imap_session_open(o, &a.err);
		a.rc = s ? act(s, &q, at, &bytes, &a.err) : -1;
		a.len = a.rc == 1 ? bytes.len : 0;
		if (!put(fd, &a, sizeof(a)) || !put(fd, bytes.s, a.len))
			break;
		if (a.rc == -1 && a.err.code != ERR_INPUT)
			_exit(0);	/* start afresh */
	}
	if (s)
		imap_session_close(s);
	_exit(0);
}

/* --------------------------------------------------------- the parent */

static int start(struct imap *m, struct err *err)
{
	int fd[2];

	if (m->pid)
		return 0;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) == -1)
		return err_sys(err, "cannot make a socket pair");
	m->pid = fork();
	if (m->pid == 0) {
		dup2(fd[1], STDIN_FILENO);
		close_range(STDERR_FILENO + 1, ~0U, 0);
		signal(SIGTERM, SIG_DFL);
		signal(SIGINT, SIG_DFL);
		set_limits();
		serve(&m->options, m->at, STDIN_FILENO);
	}
	close(fd[1]);
	if (m->pid != -1) {
		m->fd = fd[0];
		return 0;
	}
	m->pid = 0;
	close(fd[0]);
	return err_sys(err, "cannot start a process");
}

static void stop(struct imap *m, bool hard)
{
	int status;

	if (!m->pid)
		return;
	if (hard)
		kill(m->pid, SIGKILL);
	close(m->fd);
	while (waitpid(m->pid, &status, 0) == -1 && errno == EINTR)
		;
	m->pid = 0;
}

/* All of "len" bytes before "end". */
static bool get(struct imap *m, void *data, size_t len, int64_t end)
{
	struct pollfd p = { .fd = m->fd, .events = POLLIN };
	char *s = data;
	ssize_t n;

	while (len) {
		int64_t left = end - clock_monotonic_ms();

		if (left <= 0 || (poll(&p, 1, (int)left) == -1 &&
				  errno != EINTR))
			return false;
		if (!(p.revents & (POLLIN | POLLHUP)))
			continue;
		n = recv(m->fd, s, len, 0);
		if (n == 0 || (n == -1 && errno != EINTR))
			return false;
		if (n > 0) {
			s += n;
			len -= (size_t)n;
		}
	}
	return true;
}

static int get_mail(struct imap *m, uint64_t len, struct buf *bytes,
		    int64_t end)
{
	char chunk[65536];

	while (len) {
		size_t n = len < sizeof(chunk) ? (size_t)len : sizeof(chunk);

		if (!get(m, chunk, n, end))
			return -1;
		buf_add(bytes, chunk, n);
		len -= n;
	}
	return 0;
}

static void skip_what_is_aside(struct imap *m, struct imap_skip *skip)
{
	for (size_t i = 0; i < m->pending.n; i++)
		if (pending_is_aside(&m->pending.v[i]))
			skip->uid[skip->n++] = m->pending.v[i].uid;
}

/* How long to wait for an answer, in ms: a mail that did not come in time gets
 * more of it. */
static int64_t patience(const struct imap *m, const struct question *q)
{
	const struct pending_mail *p = q->what == ASK_ONE ?
		pending_find(&m->pending, q->place.uid) : NULL;

	return m->options.timeout * 1000 *
	       (!p || p->breaks < 2 ? 1 : p->breaks < 4 ? p->breaks : 4);
}

/*
 * Ask, and wait for the answer no longer than the deadline.  m->at->uid is 0
 * unless it is about a mail.
 */
static int ask(struct imap *m, char what, const struct imap_place *place,
	       struct buf *bytes, struct err *err)
{
	struct question q;
	struct answer a;
	int64_t end;

	memset(&q, 0, sizeof(q));
	q.what = what;
	q.place = *m->at = *place;
	if (what == ASK_NEXT)
		skip_what_is_aside(m, &q.skip);
	else
		m->at->uid = 0;
	end = clock_monotonic_ms() + patience(m, &q);
	if (start(m, err) == -1)
		return -1;
	if (!put(m->fd, &q, sizeof(q)) || !get(m, &a, sizeof(a), end) ||
	    (a.rc == 1 && get_mail(m, a.len, bytes, end) == -1)) {
		stop(m, true);
		return err_set(err, ERR_TEMP, "%s: %s", m->options.host,
			       clock_monotonic_ms() >= end ?
			       "no answer in time" : "the connection broke");
	}
	if (a.rc != -1)
		return a.rc;
	if (err)
		*err = a.err;
	if (a.err.code != ERR_INPUT)
		stop(m, false);
	return -1;
}

/* The folder was made anew: its old numbers say nothing. */
static void follow(struct imap *m)
{
	if (m->at->validity == m->place.validity)
		return;
	m->place = (struct imap_place){ m->at->validity, 0 };
	m->pending.n = 0;
}

/* It broke a connection again and again, with others coming through: it is
 * marked as one that cannot be had. */
static int give_up(struct imap *m, const struct imap_place *mail,
		   struct err *err)
{
	if (ask(m, ASK_FAILED, mail, NULL, NULL) == -1)
		return -1;	/* it stays pending */
	pending_drop(&m->pending, mail->uid);
	if (m->place.uid < mail->uid)
		m->place.uid = mail->uid;
	err->code = ERR_INPUT;
	return err_in(err, "mail %u is given up", mail->uid);
}

/* The connection broke; "err" says how.  Was it at a mail? */
static int note_trouble(struct imap *m, uint32_t before, struct err *err)
{
	struct imap_place mail = *m->at;

	if (!mail.uid || (mail.uid == before &&
			  mail.validity == m->place.validity))
		return -1;
	follow(m);
	err_in(err, "mail %u", mail.uid);
	if (pending_broke(&m->pending, &m->rules, mail.uid, clock_now()))
		return give_up(m, &mail, err);
	return -1;
}

static int read_next(struct imap *m, struct buf *bytes, struct err *err)
{
	int rc = ask(m, ASK_NEXT, &m->place, bytes, err);

	if (rc == -1 && err->code != ERR_INPUT)
		return note_trouble(m, m->place.uid, err);
	follow(m);
	m->place = m->last = *m->at;
	if (rc == 1)
		pending_came(&m->pending, m->place.uid);
	else if (rc == -1)
		pending_drop(&m->pending, m->place.uid);
	return rc;
}

/*
 * There is nothing new: one of those that were set aside.  The server is there
 * and answers, so that one that breaks the connection again is no reason to
 * stay away from it for long.
 */
static int read_again(struct imap *m, struct buf *bytes, struct err *err)
{
	const struct pending_mail *p = pending_due(&m->pending, clock_now());
	struct imap_place mail = m->place;
	bool at_mail;
	int rc;

	if (!p)
		return 0;
	mail.uid = p->uid;
	rc = ask(m, ASK_ONE, &mail, bytes, err);
	if (rc == -1 && err->code != ERR_INPUT) {
		at_mail = m->at->uid;
		note_trouble(m, 0, err);
		if (!at_mail || err->code == ERR_INPUT)
			return -1;
		log_warn("imap: %s", err->text);
		return 0;
	}
	m->last = mail;
	if (rc == 1)
		pending_came(&m->pending, mail.uid);
	else
		pending_drop(&m->pending, mail.uid);
	return rc;
}

static int imap_next(void *state, struct buf *bytes, struct err *err)
{
	struct imap *m = state;
	int rc = read_next(m, bytes, err);

	return rc == 0 ? read_again(m, bytes, err) : rc;
}

static int imap_settle(void *state, int well, struct err *err)
{
	struct imap *m = state;

	return ask(m, well ? ASK_DONE : ASK_FAILED, &m->last, NULL, err);
}

static const char *imap_place(void *state)
{
	struct imap *m = state;

	snprintf(m->where, sizeof(m->where), "imap %s %s %u",
		 m->options.host, m->options.folder, m->last.uid);
	return m->where;
}

static const char *imap_cursor(void *state)
{
	struct imap *m = state;

	buf_reset(&m->cursor);
	buf_addf(&m->cursor, "%u:%u", m->place.validity, m->place.uid);
	pending_write(&m->pending, &m->cursor);
	return m->cursor.s;
}

static int imap_probe(void *state, struct err *err)
{
	struct imap *m = state;

	return ask(m, ASK_PROBE, &m->place, NULL, err);
}

static void imap_close(void *state)
{
	struct imap *m = state;

	stop(m, false);
	if (m->password.len)
		explicit_bzero(m->password.s, m->password.len);
	buf_release(&m->password);
	buf_release(&m->cursor);
	munmap(m->at, sizeof(*m->at));
	arena_release(&m->arena);
	free(m);
}

const struct recv_driver recv_imap = {
	.name = "imap",
	.is_remote = 1,
	.open = imap_open,
	.next = imap_next,
	.settle = imap_settle,
	.place = imap_place,
	.cursor = imap_cursor,
	.probe = imap_probe,
	.close = imap_close,
};
