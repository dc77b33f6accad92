#include "send/send.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "data/conf.h"
#include "mail/address.h"
#include "mail/check.h"
#include "mail/header.h"

enum { RECIPIENTS_MAX = 1000, LINE_MAX_BYTES = 998 };

struct sender {
	const struct send_driver *driver;
	void *state;
};

int64_t sender_deadline(const struct conf *conf)
{
	return conf_time(conf, "send.timeout");
}

struct sender *sender_open(const struct conf *conf, struct err *err)
{
	static const struct send_driver *const drivers[] = {
		&send_smtp, &send_sendmail, &send_maildir,
	};
	const char *name = conf_text(conf, "send.driver");
	struct sender *s = calloc(1, sizeof(*s));

	if (!s)
		die_no_memory();
	for (size_t i = 0; i < sizeof(drivers) / sizeof(*drivers); i++)
		if (!strcmp(drivers[i]->name, name))
			s->driver = drivers[i];
	s->state = s->driver->open(conf, err);
	if (s->state)
		return s;
	free(s);
	return NULL;
}

void sender_close(struct sender *s)
{
	if (!s)
		return;
	s->driver->close(s->state);
	free(s);
}

const char *sender_name(const struct sender *s)
{
	return s->driver->name;
}

int sender_probe(struct sender *s, struct err *err)
{
	return s->driver->probe ? s->driver->probe(s->state, err) : 0;
}

static int check_recipients(const struct send_mail *m, struct err *err)
{
	if (!m->n)
		return err_set(err, ERR_INPUT, "an envelope without "
			       "recipients");
	if (m->n > RECIPIENTS_MAX)
		return err_set(err, ERR_INPUT, "an envelope with %zu "
			       "recipients", m->n);
	for (size_t i = 0; i < m->n; i++) {
		if (address_check(m->to[i].address, err) == -1)
			return err_in(err, "recipient %zu", i + 1);
		for (size_t k = 0; k < i; k++)
			if (address_is_same(m->to[i].address,
					    m->to[k].address))
				return err_set(err, ERR_INPUT, "recipient '%s' "
					       "stands twice",
					       m->to[i].address);
	}
	return 0;
}

/*
 * 7 bits, and lines as RFC 5321 4.5.3.1.6 has them.  A CR that ends no line is
 * the end of one to some servers, and then what follows it may be a command.
 */
static int check_lines(const struct send_mail *m, struct err *err)
{
	const unsigned char *s = m->bytes;
	size_t n = 0;

	for (size_t i = 0; i < m->len; i++) {
		if (!s[i] || s[i] > 0x7f)
			return err_set(err, ERR_INPUT, "byte 0x%02x in a mail "
				       "of 7 bits", s[i]);
		if (s[i] == '\r' && (i + 1 == m->len || s[i + 1] != '\n'))
			return err_set(err, ERR_INPUT, "a CR inside a line");
		n = s[i] == '\n' ? 0 : n + (s[i] != '\r');
		if (n > LINE_MAX_BYTES)
			return err_set(err, ERR_INPUT, "a line of more than "
				       "%d bytes", LINE_MAX_BYTES);
	}
	return 0;
}

static int check_bytes(const struct send_mail *m, struct err *err)
{
	struct header_block headers;
	struct arena a = ARENA_INIT;
	int rc = 0;

	if (check_lines(m, err) == -1)
		return -1;
	header_block_read(&headers, &a, m->bytes, m->len);
	if (!header_block_get(&headers, "From") ||
	    !header_block_get(&headers, "Message-ID"))
		rc = err_set(err, ERR_INPUT, "no message: From or Message-ID "
			     "is missing");
	else if (header_block_get(&headers, "Bcc") ||
		 header_block_get(&headers, "Resent-Bcc"))
		rc = err_set(err, ERR_INPUT, "Bcc in the headers");
	arena_release(&a);
	return rc;
}

int send_check(const struct send_mail *m, struct err *err)
{
	if (*m->sender && address_check(m->sender, err) == -1)
		return err_in(err, "envelope sender");
	if (check_recipients(m, err) == -1)
		return -1;
	return check_bytes(m, err);
}

/* The worst that happened, in the words of whom it happened to first. */
static int summary(const struct send_mail *m, struct err *err)
{
	size_t later = 0, refused = 0;
	const struct send_recipient *first = NULL;

	for (size_t i = 0; i < m->n; i++) {
		const struct send_recipient *r = &m->to[i];

		later += r->outcome == SEND_LATER;
		refused += r->outcome == SEND_REFUSED;
		if (r->outcome != SEND_TAKEN &&
		    (!first || (r->outcome == SEND_LATER &&
				first->outcome == SEND_REFUSED)))
			first = r;
	}
	if (!first)
		return 0;
	return err_set(err, later ? ERR_TEMP : ERR_PERM, "%zu of %zu "
		       "recipients not served (%zu refused for good): %s: %s",
		       later + refused, m->n, refused, first->address,
		       *first->reply ? first->reply : "no reason given");
}

int sender_send(struct sender *s, struct send_mail *m, struct err *err)
{
	for (size_t i = 0; i < m->n; i++)
		if (!m->to[i].reply || m->to[i].outcome == SEND_LATER)
			m->to[i].reply = "";
	if (send_check(m, err) == -1)
		return -1;
	if (summary(m, NULL) == 0)
		return 0;
	if (s->driver->send(s->state, m, err) == -1)
		return -1;
	return summary(m, err);
}
