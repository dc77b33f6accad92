#include <curl/curl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "data/conf.h"
#include "mail/check.h"
#include "send/dialog.h"
#include "send/hello.h"
#include "send/lines.h"
#include "send/send.h"

/*
 * SMTP.  libcurl connects, protects, greets and logs in (CURLOPT_CONNECT_ONLY),
 * and carries the bytes; the mails are given by our own dialog.h, as libcurl
 * does not tell which reply came when.  One connection has many mails.  What
 * libcurl does otherwise than one would think:
 *
 *  - CURLUSESSL_TRY goes on in the clear when STARTTLS is taken away;
 *  - it takes proxies from the environment;
 *  - when the greeting takes too long it says QUIT and waits for the answer,
 *    two minutes unless CURLOPT_SERVER_RESPONSE_TIMEOUT says less;
 *  - what it has decrypted already no poll() will tell of: read first.
 */

enum { MAIL_BYTES_MAX = 64 << 20, SECRET_MAX = 4096, URL_SIZE = 1000,
       HURRY_MS = 10000, BREATH_MAX_MS = 100 };

struct smtp {
	const struct conf *conf;
	CURL *curl;		/* the connection; NULL: there is none */
	char url[URL_SIZE], error[CURL_ERROR_SIZE];
	struct buf secret;	/* the password */
	struct hello hello;
	struct wire wire;
	struct dialog dialog;
	int64_t mails;		/* that the connection had */
	int64_t end;		/* clock_monotonic_ms() when time is up */
};

/* ---------------------------------------------------------- the wire */

static int64_t time_left(const struct smtp *s)
{
	int64_t left = s->end - clock_monotonic_ms();

	return left < 0 ? 0 : left;
}

/* Wait for the socket, or for some of the time. */
static void await(struct smtp *s, short what, int64_t ms)
{
	struct pollfd p = { .fd = -1, .events = what };
	curl_socket_t fd = -1;

	curl_easy_getinfo(s->curl, CURLINFO_ACTIVESOCKET, &fd);
	p.fd = fd;
	poll(&p, 1, (int)(ms < 60000 ? ms : 60000));
}

/* How long a packet takes to the other side and back. */
static int64_t breath(struct smtp *s)
{
	struct tcp_info info = { .tcpi_rtt = 0 };
	socklen_t len = sizeof(info);
	curl_socket_t fd = -1;
	int64_t ms = 2;

	if (curl_easy_getinfo(s->curl, CURLINFO_ACTIVESOCKET, &fd) ==
	    CURLE_OK && getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info,
				   &len) == 0)
		ms += info.tcpi_rtt / 1000;
	return ms < BREATH_MAX_MS ? ms : BREATH_MAX_MS;
}

static int lost(struct smtp *s, const char *why)
{
	snprintf(s->error, sizeof(s->error), "%s", why);
	return -1;
}

static int wire_put(void *arg, const char *text, size_t len)
{
	struct smtp *s = arg;
	size_t n;
	CURLcode rc;

	while (len) {
		n = 0;
		rc = curl_easy_send(s->curl, text, len, &n);
		text += n;
		len -= n;
		if (rc != CURLE_OK && rc != CURLE_AGAIN)
			return lost(s, "the connection broke");
		if (!time_left(s))
			return lost(s, "no answer in time");
		if (rc == CURLE_AGAIN)
			await(s, POLLOUT, time_left(s));
	}
	return 0;
}

static ssize_t wire_get(void *arg, char *to, size_t size, enum wire_wait wait)
{
	struct smtp *s = arg;
	int64_t end = wait == WIRE_WAIT ? s->end : clock_monotonic_ms() +
		      (wait == WIRE_BREATH ? breath(s) : 0), left;
	size_t n;
	CURLcode rc;

	for (;;) {
		n = 0;
		rc = curl_easy_recv(s->curl, to, size, &n);
		if (n)
			return (ssize_t)n;
		if (rc != CURLE_AGAIN)
			return lost(s, rc == CURLE_OK ? "the server closed the "
				    "connection" : "the connection broke");
		left = end - clock_monotonic_ms();
		if (left <= 0)
			return wait == WIRE_WAIT ?
			       lost(s, "no answer in time") : 0;
		await(s, POLLIN, left);
	}
}

static void wire_hurry(void *arg)
{
	struct smtp *s = arg;

	s->end = clock_monotonic_ms() + HURRY_MS;
}

static const char *wire_trouble(void *arg)
{
	struct smtp *s = arg;

	return s->error;
}

/* ------------------------------------------------------- the connection */

static int listen_in(CURL *curl, curl_infotype type, char *text, size_t len,
		     void *data)
{
	struct smtp *s = data;

	(void)curl;
	if (type == CURLINFO_HEADER_OUT)
		hello_said(&s->hello, text, len);
	else if (type == CURLINFO_HEADER_IN)
		hello_heard(&s->hello, text, len);
	return 0;
}

/* "smtp://host:port/our-name" */
static int make_url(struct smtp *s, struct err *err)
{
	const char *host = conf_text(s->conf, "send.smtp.host");
	const char *helo = conf_text(s->conf, "send.smtp.helo");
	bool tls = !strcmp(conf_text(s->conf, "send.smtp.tls"), "tls");
	int64_t port = conf_int(s->conf, "send.smtp.port");
	struct buf at = BUF_INIT(600);
	int rc = 0;

	buf_addf(&at, "x@%s", host);
	if (address_check(at.s, NULL) == -1)
		rc = err_set(err, ERR_CONFIG, "send.smtp.host: '%s' is no "
			     "host name", host);
	buf_reset(&at);
	buf_addf(&at, "x@%s", helo ? helo : host);
	if (rc == 0 && address_check(at.s, NULL) == -1)
		rc = err_set(err, ERR_CONFIG, "send.smtp.helo: '%s' is no "
			     "host name", helo);
	if (rc == 0 && (port < 1 || port > 65535))
		rc = err_set(err, ERR_CONFIG, "send.smtp.port: no port");
	snprintf(s->url, sizeof(s->url), "%s://%s:%lld/%s",
		 tls ? "smtps" : "smtp", host, (long long)port,
		 helo ? helo : "");
	buf_release(&at);
	return rc;
}

/* A password goes over TLS or not at all. */
static int read_secret(struct smtp *s, struct err *err)
{
	int rc;

	if (!conf_text(s->conf, "send.smtp.user"))
		return 0;
	if (!strcmp(conf_text(s->conf, "send.smtp.tls"), "none"))
		return err_set(err, ERR_CONFIG, "send.smtp.user: no password "
			       "without TLS");
	rc = conf_secret(s->conf, "send.smtp.password", &s->secret, err);
	if (rc == 0)
		return err_set(err, ERR_CONFIG, "send.smtp.user is set, and no "
			       "send.smtp.password");
	return rc == -1 ? -1 : 0;
}

static void set_login(struct smtp *s)
{
	const char *user = conf_text(s->conf, "send.smtp.user");

	if (!user)
		return;
	curl_easy_setopt(s->curl, CURLOPT_USERNAME, user);
	curl_easy_setopt(s->curl, CURLOPT_PASSWORD, s->secret.s);
}

static void set_tls(struct smtp *s)
{
	const char *tls = conf_text(s->conf, "send.smtp.tls");
	const char *ca = conf_text(s->conf, "send.smtp.ca_file");

	curl_easy_setopt(s->curl, CURLOPT_USE_SSL,
			 (long)(strcmp(tls, "none") ? CURLUSESSL_ALL
						    : CURLUSESSL_NONE));
	curl_easy_setopt(s->curl, CURLOPT_SSL_VERIFYPEER, 1L);
	curl_easy_setopt(s->curl, CURLOPT_SSL_VERIFYHOST, 2L);
	curl_easy_setopt(s->curl, CURLOPT_SSLVERSION,
			 (long)CURL_SSLVERSION_TLSv1_2);
	if (ca)
		curl_easy_setopt(s->curl, CURLOPT_CAINFO, ca);
}

static void set_rest(struct smtp *s)
{
	long ms = (long)time_left(s);

	curl_easy_setopt(s->curl, CURLOPT_URL, s->url);
	curl_easy_setopt(s->curl, CURLOPT_CONNECT_ONLY, 1L);
	curl_easy_setopt(s->curl, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
	curl_easy_setopt(s->curl, CURLOPT_PROXY, "");
	curl_easy_setopt(s->curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(s->curl, CURLOPT_NOPROGRESS, 1L);
	curl_easy_setopt(s->curl, CURLOPT_TIMEOUT_MS, ms);
	curl_easy_setopt(s->curl, CURLOPT_CONNECTTIMEOUT_MS,
			 ms < 30000 ? ms : 30000);
	curl_easy_setopt(s->curl, CURLOPT_SERVER_RESPONSE_TIMEOUT,
			 (long)sender_deadline(s->conf));
	curl_easy_setopt(s->curl, CURLOPT_ERRORBUFFER, s->error);
	curl_easy_setopt(s->curl, CURLOPT_VERBOSE, 1L);
	curl_easy_setopt(s->curl, CURLOPT_DEBUGFUNCTION, listen_in);
	curl_easy_setopt(s->curl, CURLOPT_DEBUGDATA, s);
}

/* "Failed to connect to HOST port N after 0 ms: Couldn't connect to server":
 * libcurl keeps to itself why. */
static const char *trouble(struct smtp *s, CURLcode rc)
{
	size_t len = strlen(s->error);
	char *after = strstr(s->error, " after ");
	long why = 0;

	if (!len)
		return curl_easy_strerror(rc);
	curl_easy_getinfo(s->curl, CURLINFO_OS_ERRNO, &why);
	if (rc != CURLE_COULDNT_CONNECT || !why)
		return s->error;
	len = after ? (size_t)(after - s->error) : len;
	snprintf(s->error + len, sizeof(s->error) - len, ": %s",
		 strerror((int)why));
	return s->error;
}

/* Let the connection go, without a word. */
static void hang_up(struct smtp *s)
{
	curl_easy_cleanup(s->curl);
	s->curl = NULL;
}

static int dial_up(struct smtp *s, struct err *err)
{
	CURLcode rc = CURLE_OPERATION_TIMEDOUT;

	s->curl = curl_easy_init();
	if (!s->curl)
		die_no_memory();
	s->error[0] = '\0';
	hello_begin(&s->hello, s->secret.s);
	set_rest(s);
	set_tls(s);
	set_login(s);
	if (time_left(s))
		rc = curl_easy_perform(s->curl);
	if (rc != CURLE_OK) {
		err_set(err, ERR_TEMP, "%s", s->hello.reply.code >= 400 ?
			s->hello.reply.text : trouble(s, rc));
		hang_up(s);
		return -1;
	}
	s->wire = (struct wire){
		.arg = s, .put = wire_put, .get = wire_get,
		.hurry = wire_hurry, .trouble = wire_trouble,
	};
	s->mails = 0;
	s->dialog = (struct dialog){ .wire = &s->wire, .secret = s->secret.s,
				     .size = s->hello.size };
	return 0;
}

static void smtp_close(void *state)
{
	struct smtp *s = state;

	if (s->curl) {
		dialog_leave(&s->dialog);
		hang_up(s);
	}
	explicit_bzero(s->secret.s, s->secret.len);
	buf_release(&s->secret);
	free(s);
}

static void *smtp_open(const struct conf *conf, struct err *err)
{
	struct smtp *s = calloc(1, sizeof(*s));

	curl_global_init(CURL_GLOBAL_DEFAULT);
	if (!s)
		die_no_memory();
	s->conf = conf;
	s->secret = (struct buf)BUF_INIT(SECRET_MAX);
	if (make_url(s, err) == 0 && read_secret(s, err) == 0)
		return s;
	smtp_close(s);
	return NULL;
}

/* ------------------------------------------------------------- a mail */

static void put_off(struct send_mail *m, const struct err *why)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->to[i].outcome == SEND_LATER)
			m->to[i].reply = arena_strdup(m->arena, why->text);
}

/* Over the connection that there is, or a new one. */
static enum dialog_end give(struct smtp *s, struct send_mail *m,
			    const struct dialog_text *text)
{
	struct err why = ERR_INIT;
	enum dialog_end end;

	if (!s->curl && dial_up(s, &why) == -1) {
		put_off(m, &why);
		return DIALOG_OVER;
	}
	s->dialog.kept = s->mails++ > 0;
	end = dialog_mail(&s->dialog, m, text, s->mails >=
			  conf_int(s->conf, "send.smtp.mails_per_connection"));
	if (end != DIALOG_GOOD)
		hang_up(s);
	return end;
}

static int smtp_send(void *state, struct send_mail *m, struct err *err)
{
	struct smtp *s = state;
	struct buf bytes = BUF_INIT(MAIL_BYTES_MAX);
	size_t dots = lines_smtp(&bytes, m->bytes, m->len);
	struct dialog_text text = { bytes.s, bytes.len, bytes.len - dots };

	if (buf_over(&bytes)) {
		buf_release(&bytes);
		return err_set(err, ERR_INPUT, "a mail of more than %d bytes",
			       MAIL_BYTES_MAX);
	}
	s->end = clock_monotonic_ms() + sender_deadline(s->conf) * 1000;
	if (give(s, m, &text) == DIALOG_STALE)
		give(s, m, &text);
	buf_release(&bytes);
	return 0;
}

/* EHLO, STARTTLS and AUTH happen before any command; NOOP is harmless. */
static int smtp_probe(void *state, struct err *err)
{
	struct smtp *s = state;
	int rc;

	s->end = clock_monotonic_ms() + sender_deadline(s->conf) * 1000;
	if (!s->curl && dial_up(s, err) == -1)
		return -1;
	rc = dialog_probe(&s->dialog);
	if (rc == -1)
		err_set(err, ERR_TEMP, "%s", s->dialog.reply.code ?
			s->dialog.reply.text : s->error);
	return rc;
}

const struct send_driver send_smtp = {
	.name = "smtp",
	.open = smtp_open,
	.send = smtp_send,
	.probe = smtp_probe,
	.close = smtp_close,
};
