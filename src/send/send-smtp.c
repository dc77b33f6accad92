#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "data/conf.h"
#include "mail/check.h"
#include "send/lines.h"
#include "send/send.h"
#include "send/talk.h"

/*
 * SMTP by libcurl, which carries the mail and nothing else: the message is
 * whole, with CRLF; libcurl doubles leading dots.  What it does otherwise than
 * one would think:
 *
 *  - without CURLOPT_UPLOAD it says VRFY instead of sending;
 *  - CURLUSESSL_TRY goes on in the clear when STARTTLS is taken away;
 *  - it takes proxies from the environment;
 *  - after its timeout it says QUIT and waits for the answer, two minutes
 *    unless CURLOPT_SERVER_RESPONSE_TIMEOUT says less;
 *  - a connection that it keeps for the next mail brings that mail the replies
 *    that came too late or too early for this one: each has its own;
 *  - it fails at the first refused recipient unless told otherwise, and tells
 *    only the last code: we listen to the conversation ourselves (talk.h).
 */

enum { MAIL_BYTES_MAX = 64 << 20, SECRET_MAX = 4096 };

struct smtp {
	CURL *curl;
	char error[CURL_ERROR_SIZE];
	struct talk talk;
	struct buf secret;	/* the password */
	const char *bytes;	/* not sent yet */
	size_t left;
};

static void smtp_close(void *state)
{
	struct smtp *s = state;

	curl_easy_cleanup(s->curl);
	explicit_bzero(s->secret.s, s->secret.len);
	buf_release(&s->secret);
	free(s);
}

static size_t give(char *to, size_t size, size_t n, void *data)
{
	struct smtp *s = data;
	size_t len = size * n;

	len = len < s->left ? len : s->left;
	memcpy(to, s->bytes, len);
	s->bytes += len;
	s->left -= len;
	return len;
}

static int listen_in(CURL *curl, curl_infotype type, char *text, size_t len,
		     void *data)
{
	struct smtp *s = data;

	(void)curl;
	if (type == CURLINFO_HEADER_OUT)
		talk_said(&s->talk, text, len);
	else if (type == CURLINFO_HEADER_IN)
		talk_heard(&s->talk, text, len);
	return 0;
}

/* "smtp://host:port/our-name" */
static int set_url(struct smtp *s, const struct conf *conf, struct err *err)
{
	const char *host = conf_text(conf, "send.smtp.host");
	const char *helo = conf_text(conf, "send.smtp.helo");
	bool tls = !strcmp(conf_text(conf, "send.smtp.tls"), "tls");
	int64_t port = conf_int(conf, "send.smtp.port");
	struct buf url = BUF_INIT(1000), at = BUF_INIT(600);
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
	buf_addf(&url, "%s://%s:%lld/%s", tls ? "smtps" : "smtp", host,
		 (long long)port, helo ? helo : "");
	curl_easy_setopt(s->curl, CURLOPT_URL, url.s);
	buf_release(&url);
	buf_release(&at);
	return rc;
}

/* A password goes over TLS or not at all. */
static int set_login(struct smtp *s, const struct conf *conf, struct err *err)
{
	const char *user = conf_text(conf, "send.smtp.user");
	int rc;

	if (!user)
		return 0;
	if (!strcmp(conf_text(conf, "send.smtp.tls"), "none"))
		return err_set(err, ERR_CONFIG, "send.smtp.user: no password "
			       "without TLS");
	rc = conf_secret(conf, "send.smtp.password", &s->secret, err);
	if (rc == 0)
		rc = err_set(err, ERR_CONFIG, "send.smtp.user is set, and no "
			     "send.smtp.password");
	if (rc == 1) {
		curl_easy_setopt(s->curl, CURLOPT_USERNAME, user);
		curl_easy_setopt(s->curl, CURLOPT_PASSWORD, s->secret.s);
	}
	return rc == -1 ? -1 : 0;
}

static void set_tls(struct smtp *s, const struct conf *conf)
{
	const char *tls = conf_text(conf, "send.smtp.tls");
	const char *ca = conf_text(conf, "send.smtp.ca_file");

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

static void set_rest(struct smtp *s, const struct conf *conf)
{
	long ms = (long)sender_deadline(conf) * 1000;

	curl_easy_setopt(s->curl, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
	curl_easy_setopt(s->curl, CURLOPT_PROXY, "");
	curl_easy_setopt(s->curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(s->curl, CURLOPT_NOPROGRESS, 1L);
	curl_easy_setopt(s->curl, CURLOPT_FORBID_REUSE, 1L);
	curl_easy_setopt(s->curl, CURLOPT_TIMEOUT_MS, ms);
	curl_easy_setopt(s->curl, CURLOPT_CONNECTTIMEOUT_MS,
			 ms < 30000 ? ms : 30000);
	curl_easy_setopt(s->curl, CURLOPT_SERVER_RESPONSE_TIMEOUT,
			 (long)sender_deadline(conf));
	curl_easy_setopt(s->curl, CURLOPT_ERRORBUFFER, s->error);
	curl_easy_setopt(s->curl, CURLOPT_VERBOSE, 1L);
	curl_easy_setopt(s->curl, CURLOPT_DEBUGFUNCTION, listen_in);
	curl_easy_setopt(s->curl, CURLOPT_DEBUGDATA, s);
}

static size_t ignore(char *text, size_t size, size_t n, void *data)
{
	(void)text;
	(void)data;
	return size * n;
}

static void *smtp_open(const struct conf *conf, struct err *err)
{
	struct smtp *s = calloc(1, sizeof(*s));

	curl_global_init(CURL_GLOBAL_DEFAULT);
	if (!s || !(s->curl = curl_easy_init()))
		die_no_memory();
	s->secret = (struct buf)BUF_INIT(SECRET_MAX);
	set_rest(s, conf);
	set_tls(s, conf);
	curl_easy_setopt(s->curl, CURLOPT_WRITEFUNCTION, ignore);
	if (set_url(s, conf, err) == 0 && set_login(s, conf, err) == 0)
		return s;
	smtp_close(s);
	return NULL;
}

/* "<ann@example.org>"s of those who are still to be served. */
static struct curl_slist *recipients(const struct send_mail *m)
{
	struct curl_slist *list = NULL, *more;
	struct buf one = BUF_INIT(300);

	for (size_t i = 0; i < m->n; i++) {
		if (m->to[i].outcome != SEND_LATER)
			continue;
		buf_reset(&one);
		buf_addf(&one, "<%s>", m->to[i].address);
		more = curl_slist_append(list, one.s);
		if (!more)
			die_no_memory();
		list = more;
	}
	buf_release(&one);
	return list;
}

static CURLcode perform(struct smtp *s, struct send_mail *m,
			const struct buf *bytes)
{
	struct curl_slist *list = recipients(m);
	struct buf from = BUF_INIT(300);
	CURLcode rc;

	buf_addf(&from, "<%s>", m->sender);
	s->bytes = bytes->s;
	s->left = bytes->len;
	s->error[0] = '\0';
	talk_begin(&s->talk, m, s->secret.s);
	curl_easy_setopt(s->curl, CURLOPT_NOBODY, 0L);
	curl_easy_setopt(s->curl, CURLOPT_UPLOAD, 1L);
	curl_easy_setopt(s->curl, CURLOPT_READFUNCTION, give);
	curl_easy_setopt(s->curl, CURLOPT_READDATA, s);
	curl_easy_setopt(s->curl, CURLOPT_INFILESIZE_LARGE,
			 (curl_off_t)bytes->len);
	curl_easy_setopt(s->curl, CURLOPT_MAIL_FROM, from.s);
	curl_easy_setopt(s->curl, CURLOPT_MAIL_RCPT, list);
	curl_easy_setopt(s->curl, CURLOPT_MAIL_RCPT_ALLLOWFAILS, 1L);
	rc = curl_easy_perform(s->curl);
	curl_easy_setopt(s->curl, CURLOPT_MAIL_RCPT, NULL);
	curl_slist_free_all(list);
	buf_release(&from);
	return rc;
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

static int smtp_send(void *state, struct send_mail *m, struct err *err)
{
	struct smtp *s = state;
	struct buf bytes = BUF_INIT(MAIL_BYTES_MAX);
	CURLcode rc;

	lines_crlf(&bytes, m->bytes, m->len);
	if (buf_over(&bytes)) {
		buf_release(&bytes);
		return err_set(err, ERR_INPUT, "a mail of more than %d bytes",
			       MAIL_BYTES_MAX);
	}
	rc = perform(s, m, &bytes);
	talk_end(&s->talk, rc == CURLE_OK, trouble(s, rc));
	buf_release(&bytes);
	return 0;
}

/* EHLO, STARTTLS and AUTH happen before any command; NOOP is harmless. */
static int smtp_probe(void *state, struct err *err)
{
	struct smtp *s = state;
	struct send_mail nobody = { .n = 0 };
	CURLcode rc;

	talk_begin(&s->talk, &nobody, s->secret.s);
	s->error[0] = '\0';
	curl_easy_setopt(s->curl, CURLOPT_UPLOAD, 0L);
	curl_easy_setopt(s->curl, CURLOPT_NOBODY, 1L);
	curl_easy_setopt(s->curl, CURLOPT_CUSTOMREQUEST, "NOOP");
	rc = curl_easy_perform(s->curl);
	curl_easy_setopt(s->curl, CURLOPT_CUSTOMREQUEST, NULL);
	if (rc == CURLE_OK)
		return 0;
	return err_set(err, ERR_TEMP, "%s", s->talk.code >= 400 ?
		       s->talk.reply : trouble(s, rc));
}

const struct send_driver send_smtp = {
	.name = "smtp",
	.open = smtp_open,
	.send = smtp_send,
	.probe = smtp_probe,
	.close = smtp_close,
};
