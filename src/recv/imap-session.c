#include "recv/imap-session.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <libetpan/libetpan.h>
#include <libetpan/mailstream_ssl.h>
#include <libetpan/uidplus.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "recv/dial.h"
#include "recv/imap-tls.h"

struct imap_session {
	const struct imap_options *o;
	mailimap *imap;
	uint32_t *uid;		/* found by the last search */
	size_t n, next;
};

/* What the server said, for an error. There are some that repeat what they
 * did not like, the password and all. */
static const char *said(const struct imap_session *s)
{
	const char *text = s->imap->imap_response;

	if (!text || !*text)
		return "no answer";
	if (*s->o->password && strstr(text, s->o->password))
		return "(its words repeat the password)";
	return text;
}

static bool went_well(int r)
{
	return r == MAILIMAP_NO_ERROR || r == MAILIMAP_NO_ERROR_AUTHENTICATED ||
	       r == MAILIMAP_NO_ERROR_NON_AUTHENTICATED;
}

/* The connection is of no more use after these. */
static bool is_broken(int r)
{
	return r == MAILIMAP_ERROR_STREAM || r == MAILIMAP_ERROR_PARSE ||
	       r == MAILIMAP_ERROR_MEMORY || r == MAILIMAP_ERROR_FATAL ||
	       r == MAILIMAP_ERROR_PROTOCOL || r == MAILIMAP_ERROR_BAD_STATE ||
	       r == MAILIMAP_ERROR_SSL;
}

static int broken(const struct imap_session *s, const char *doing,
		  struct err *err)
{
	return err_set(err, ERR_TEMP, "%s: %s: %s", s->o->host, doing,
		       said(s));
}

/* Servers with several names choose the certificate by it (RFC 6066 3). */
static void set_name(struct mailstream_ssl_context *context, void *data)
{
	mailstream_ssl_set_server_name(context, data);
}

/* The connection is there: begin to talk over it.  Returns libetpan's word for
 * the greeting, or -1. */
static int greet(struct imap_session *s, mailstream *stream, struct err *err)
{
	int r = mailimap_connect(s->imap, stream);

	if (went_well(r))
		return r;
	return err_set(err, ERR_TEMP, "'%s' port %u does not greet as an IMAP "
		       "server", s->o->host, s->o->port);
}

static int connect_tls(struct imap_session *s, struct err *err)
{
	int fd = dial(s->o->host, s->o->port, s->o->timeout, err);
	mailstream *stream;

	if (fd == -1)
		return -1;
	stream = mailstream_ssl_open_with_callback_timeout(
		fd, (time_t)s->o->timeout, set_name,
		(void *)(uintptr_t)s->o->host);
	if (!stream) {
		close(fd);
		return err_set(err, ERR_TEMP, "'%s' port %u does not speak "
			       "TLS", s->o->host, s->o->port);
	}
	if (imap_tls_verify(stream, s->o->host, s->o->ca_file, err) == -1) {
		mailstream_close(stream);
		return -1;
	}
	return greet(s, stream, err) == -1 ? -1 : 0;
}

/* In the clear.  As greet() has it. */
static int connect_socket(struct imap_session *s, struct err *err)
{
	int fd = dial(s->o->host, s->o->port, s->o->timeout, err);
	mailstream *stream;

	if (fd == -1)
		return -1;
	stream = mailstream_socket_open(fd);
	if (!stream)
		die_no_memory();
	return greet(s, stream, err);
}

/*
 * What stands in the buffer when the handshake begins came unprotected and
 * would be read as if it had come after it: nothing may (CVE-2020-15953).  A
 * server that greets us as logged in has no STARTTLS to offer: somebody who
 * sits in between may, to get around it (CVE-2011-4108 and its kin).
 */
static int connect_starttls(struct imap_session *s, struct err *err)
{
	int r = connect_socket(s, err);

	if (r == -1)
		return -1;
	if (r != MAILIMAP_NO_ERROR_NON_AUTHENTICATED)
		return err_set(err, ERR_DENIED, "%s: logged in before "
			       "STARTTLS", s->o->host);
	if (s->imap->imap_stream->read_buffer_len)
		return err_set(err, ERR_DENIED, "%s: text behind the "
			       "greeting", s->o->host);
	r = mailimap_socket_starttls_with_callback(
		s->imap, set_name, (void *)(uintptr_t)s->o->host);
	if (!went_well(r))
		return err_set(err, ERR_DENIED, "%s: no STARTTLS: %s",
			       s->o->host, said(s));
	if (s->imap->imap_stream->read_buffer_len)
		return err_set(err, ERR_DENIED, "%s: text behind the answer to "
			       "STARTTLS", s->o->host);
	return imap_tls_verify(s->imap->imap_stream, s->o->host,
			       s->o->ca_file, err);
}

static int connect_plain(struct imap_session *s, struct err *err)
{
	return connect_socket(s, err) == -1 ? -1 : 0;
}

/* What was told before the protection or the login is forgotten. */
static int ask_capabilities(struct imap_session *s, struct err *err)
{
	struct mailimap_capability_data *caps = NULL;
	int r = mailimap_capability(s->imap, &caps);

	if (caps)
		mailimap_capability_data_free(caps);
	return went_well(r) ? 0 : broken(s, "CAPABILITY", err);
}

static int log_in(struct imap_session *s, struct err *err)
{
	int r;

	if (ask_capabilities(s, err) == -1)
		return -1;
	r = mailimap_login(s->imap, s->o->user, s->o->password);
	if (r == MAILIMAP_ERROR_LOGIN)
		return err_set(err, ERR_DENIED, "%s: login refused: %s",
			       s->o->host, said(s));
	if (!went_well(r))
		return broken(s, "LOGIN", err);
	if (ask_capabilities(s, err) == -1)
		return -1;
	r = mailimap_select(s->imap, s->o->folder);
	if (r == MAILIMAP_ERROR_SELECT)
		return err_set(err, ERR_DENIED, "%s: cannot open folder '%s': "
			       "%s", s->o->host, s->o->folder, said(s));
	return went_well(r) ? 0 : broken(s, "SELECT", err);
}

struct imap_session *imap_session_open(const struct imap_options *o,
				       struct err *err)
{
	static int (*const connect[])(struct imap_session *, struct err *) = {
		[IMAP_TLS] = connect_tls, [IMAP_STARTTLS] = connect_starttls,
		[IMAP_PLAIN] = connect_plain,
	};
	struct imap_session *s = calloc(1, sizeof(*s));

	if (!s)
		die_no_memory();
	s->o = o;
	s->imap = mailimap_new(0, NULL);
	if (!s->imap)
		die_no_memory();
	mailstream_network_delay.tv_sec = (time_t)o->timeout;
	mailimap_set_timeout(s->imap, (time_t)o->timeout);
	if (connect[o->tls](s, err) == 0 && log_in(s, err) == 0)
		return s;
	mailimap_free(s->imap);
	free(s);
	return NULL;
}

void imap_session_close(struct imap_session *s)
{
	mailimap_logout(s->imap);
	mailimap_free(s->imap);
	free(s->uid);
	free(s);
}

static int by_value(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* "after:*" names the last mail even when it is older: keep what is newer. */
static void keep_newer(struct imap_session *s, clist *found, uint32_t after)
{
	size_t n = (size_t)clist_count(found);

	free(s->uid);
	s->uid = calloc(n + 1, sizeof(*s->uid));
	if (!s->uid)
		die_no_memory();
	s->n = s->next = 0;
	for (clistiter *i = clist_begin(found); i; i = clist_next(i)) {
		uint32_t *uid = clist_content(i);

		if (*uid > after)
			s->uid[s->n++] = *uid;
	}
	qsort(s->uid, s->n, sizeof(*s->uid), by_value);
}

static struct mailimap_search_key *undeleted(void)
{
	return mailimap_search_key_new(MAILIMAP_SEARCH_KEY_UNDELETED, NULL,
				       NULL, NULL, NULL, NULL, NULL, NULL,
				       NULL, NULL, NULL, NULL, NULL, NULL,
				       NULL, 0, NULL, NULL, NULL, NULL, NULL,
				       NULL, 0, NULL, NULL, NULL);
}

/* The UIDs after "after" that are not marked as deleted. */
static int search(struct imap_session *s, uint32_t after, struct err *err)
{
	struct mailimap_set *set = mailimap_set_new_interval(after + 1, 0);
	struct mailimap_search_key *key = mailimap_search_key_new_uid(set);
	struct mailimap_search_key *both =
		mailimap_search_key_new_multiple_empty();
	clist *found = NULL;
	int r;

	mailimap_search_key_multiple_add(both, key);
	mailimap_search_key_multiple_add(both,
					 undeleted());
	r = mailimap_uid_search(s->imap, NULL, both, &found);
	mailimap_search_key_free(both);
	if (!went_well(r))
		return broken(s, "UID SEARCH", err);
	keep_newer(s, found, after);
	mailimap_search_result_free(found);
	return 0;
}

/*
 * The item "type" of the one mail in a FETCH result, or NULL: other mails'
 * answers may stand among it.
 */
static struct mailimap_msg_att_static *
fetched(clist *result, uint32_t uid, int type)
{
	for (clistiter *i = clist_begin(result); i; i = clist_next(i)) {
		struct mailimap_msg_att *att = clist_content(i);
		struct mailimap_msg_att_static *hit = NULL;
		uint32_t is = 0;

		for (clistiter *k = clist_begin(att->att_list); k;
		     k = clist_next(k)) {
			struct mailimap_msg_att_item *item = clist_content(k);

			if (item->att_type != MAILIMAP_MSG_ATT_ITEM_STATIC)
				continue;
			if (item->att_data.att_static->att_type ==
			    MAILIMAP_MSG_ATT_UID)
				is = item->att_data.att_static->att_data.att_uid;
			else if (item->att_data.att_static->att_type == type)
				hit = item->att_data.att_static;
		}
		if (is == uid && hit)
			return hit;
	}
	return NULL;
}

static int fetch(struct imap_session *s, uint32_t uid,
		 struct mailimap_fetch_att *what, clist **result)
{
	struct mailimap_set *set = mailimap_set_new_single(uid);
	struct mailimap_fetch_type *type =
		mailimap_fetch_type_new_fetch_att_list_empty();
	int r;

	*result = NULL;
	mailimap_fetch_type_new_fetch_att_list_add(
		type, mailimap_fetch_att_new_uid());
	mailimap_fetch_type_new_fetch_att_list_add(type, what);
	r = mailimap_uid_fetch(s->imap, set, type, result);
	mailimap_fetch_type_free(type);
	mailimap_set_free(set);
	return r;
}

static int cannot_be_had(const struct imap_session *s, uint32_t uid,
			 const char *why, struct err *err)
{
	return err_set(err, ERR_INPUT, "%s: mail %u of '%s' cannot be had: %s",
		       s->o->host, uid, s->o->folder, why);
}

/* 1, 0: it is not there any more, -1. */
static int fetch_size(struct imap_session *s, uint32_t uid, struct err *err)
{
	struct mailimap_msg_att_static *att;
	clist *result;
	uint32_t size = 0;
	int r = fetch(s, uid, mailimap_fetch_att_new_rfc822_size(), &result);

	if (is_broken(r))
		return broken(s, "UID FETCH", err);
	if (!went_well(r))
		return cannot_be_had(s, uid, said(s), err);
	att = fetched(result, uid, MAILIMAP_MSG_ATT_RFC822_SIZE);
	if (att)
		size = att->att_data.att_rfc822_size;
	mailimap_fetch_list_free(result);
	if (size > s->o->max)
		return cannot_be_had(s, uid, "it is too long", err);
	return att != NULL;
}

static int fetch_mail(struct imap_session *s, uint32_t uid,
		      struct buf *bytes, struct err *err)
{
	struct mailimap_msg_att_static *att;
	struct mailimap_msg_att_body_section *body;
	clist *result;
	int r, there = fetch_size(s, uid, err);

	if (there != 1)
		return there;
	r = fetch(s, uid, mailimap_fetch_att_new_body_peek_section(
				mailimap_section_new(NULL)), &result);
	if (is_broken(r))
		return broken(s, "UID FETCH", err);
	if (!went_well(r))
		return cannot_be_had(s, uid, said(s), err);
	att = fetched(result, uid, MAILIMAP_MSG_ATT_BODY_SECTION);
	if (att) {
		body = att->att_data.att_body_section;
		buf_add(bytes, body->sec_body_part ? body->sec_body_part : "",
			body->sec_body_part ? body->sec_length : 0);
	}
	mailimap_fetch_list_free(result);
	if (buf_over(bytes))
		return cannot_be_had(s, uid, "it is too long", err);
	return att != NULL;
}

static uint32_t validity(const struct imap_session *s)
{
	return s->imap->imap_selection_info->sel_uidvalidity;
}

/* Fetch the mail "place"; one that cannot be had is settled as such. */
static int take(struct imap_session *s, const struct imap_place *place,
		struct buf *bytes, struct err *err)
{
	int rc = fetch_mail(s, place->uid, bytes, err);

	if (rc == -1 && err->code == ERR_INPUT)
		imap_session_settle(s, place, 0, NULL);
	return rc;
}

static bool is_skipped(const struct imap_skip *skip, uint32_t uid)
{
	for (uint32_t i = 0; i < skip->n; i++)
		if (skip->uid[i] == uid)
			return true;
	return false;
}

int imap_session_next(struct imap_session *s, struct imap_place *place,
		      const struct imap_skip *skip, struct buf *bytes,
		      struct err *err)
{
	static const struct imap_skip none;
	int rc;

	if (place->validity != validity(s)) {	/* it was made anew */
		*place = (struct imap_place){ validity(s), 0 };
		skip = &none;
	}
	if (s->next == s->n) {
		/* Servers tell of new mails only when nothing else goes on. */
		if (!went_well(mailimap_noop(s->imap)))
			return broken(s, "NOOP", err);
		if (search(s, place->uid, err) == -1)
			return -1;
	}
	while (s->next < s->n) {
		place->uid = s->uid[s->next++];
		if (is_skipped(skip, place->uid))
			continue;
		rc = take(s, place, bytes, err);
		if (rc)
			return rc;
	}
	return 0;
}

int imap_session_one(struct imap_session *s, uint32_t uid,
		     struct imap_place *place, struct buf *bytes,
		     struct err *err)
{
	if (place->validity != validity(s))
		return 0;
	place->uid = uid;
	return take(s, place, bytes, err);
}

static int add_flags(struct imap_session *s, struct mailimap_set *set,
		     struct mailimap_flag *one, struct mailimap_flag *other,
		     struct err *err)
{
	struct mailimap_flag_list *flags = mailimap_flag_list_new_empty();
	struct mailimap_store_att_flags *store;
	int r;

	mailimap_flag_list_add(flags, one);
	if (other)
		mailimap_flag_list_add(flags, other);
	store = mailimap_store_att_flags_new_add_flags_silent(flags);
	r = mailimap_uid_store(s->imap, set, store);
	mailimap_store_att_flags_free(store);
	return went_well(r) ? 0 : broken(s, "UID STORE", err);
}

static int copy_to(struct imap_session *s, struct mailimap_set *set,
		   const char *folder, struct err *err)
{
	int r = mailimap_uid_copy(s->imap, set, folder);

	if (!went_well(r) && !is_broken(r) &&
	    went_well(mailimap_create(s->imap, folder)))
		r = mailimap_uid_copy(s->imap, set, folder);
	return went_well(r) ? 0 : broken(s, "UID COPY", err);
}

int imap_session_settle(struct imap_session *s,
			const struct imap_place *place, int well,
			struct err *err)
{
	const char *folder = well ? s->o->done : s->o->failed;
	struct mailimap_set *set;
	int rc;

	if (place->validity != validity(s))
		return err_set(err, ERR_INPUT, "%s: the folder '%s' was made "
			       "anew", s->o->host, s->o->folder);
	set = mailimap_set_new_single(place->uid);
	rc = add_flags(s, set, mailimap_flag_new_seen(),
		       well ? NULL : mailimap_flag_new_flagged(), err);
	if (rc == 0 && folder)
		rc = copy_to(s, set, folder, err);
	if (rc == 0 && folder)
		rc = add_flags(s, set, mailimap_flag_new_deleted(), NULL, err);
	/* Without UIDPLUS an EXPUNGE would take what others marked, too: the
	 * mark has to do, and the search passes over it. */
	if (rc == 0 && folder && mailimap_has_uidplus(s->imap))
		mailimap_uid_expunge(s->imap, set);
	mailimap_set_free(set);
	return rc;
}
