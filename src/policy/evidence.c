#include "policy/evidence.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "mail/address.h"
#include "policy/authres.h"

const char *proof_name(enum proof proof)
{
	static const char *const name[] = {
		[PROOF_NONE] = "none", [PROOF_FAILED] = "failed",
		[PROOF_ASSUMED] = "assumed", [PROOF_DOMAIN] = "domain",
		[PROOF_PASSED] = "passed",
	};

	return name[proof];
}

static const char *domain_of(const char *address)
{
	const char *at = strrchr(address, '@');

	return at ? at + 1 : "";
}

bool domain_aligned(const char *signer, const char *domain)
{
	size_t ls = strlen(signer), ld = strlen(domain);

	if (!ls || ls > ld || strcasecmp(signer, domain + ld - ls))
		return false;
	return ls == ld || (domain[ld - ls - 1] == '.' && strchr(signer, '.'));
}

static bool listed(const char *const *list, const char *word)
{
	for (; list && *list; list++)
		if (!strcasecmp(*list, word))
			return true;
	return false;
}

/* Did a host of ours write this Received line: "... by HOST ..."? */
static bool received_by(const char *body, const char *const *hosts)
{
	const char *p = body;
	char host[256];
	size_t len;

	while ((p = strcasestr(p, "by"))) {
		bool word = p == body || isspace((unsigned char)p[-1]);

		p += 2;
		if (!word || !isspace((unsigned char)*p))
			continue;
		p += strspn(p, " \t");
		len = strcspn(p, " \t;(");
		if (len >= sizeof(host))
			return false;
		memcpy(host, p, len);
		host[len] = '\0';
		return listed(hosts, host);
	}
	return false;
}

/* The topmost field of ours, or NULL. */
static const char *witness(const struct message *m,
			   const struct evidence_rules *rules, struct arena *a)
{
	struct authres r;

	for (size_t i = 0; i < m->nheader; i++) {
		const struct header *h = &m->header[i];

		if (!strcasecmp(h->name, "Received") &&
		    !received_by(h->value, rules->servers))
			return NULL;
		if (strcasecmp(h->name, "Authentication-Results"))
			continue;
		authres_parse(&r, h->value, a);
		if (listed(rules->servers, r.server))
			return h->value;
	}
	return NULL;
}

/* The value of tag "key" of a DKIM-Signature (RFC 6376 3.2) in "out". */
static bool signature_tag(const char *body, const char *key, char *out,
			  size_t size)
{
	size_t n;

	for (const char *p = body; *p; p += strcspn(p, ";"), p += *p == ';') {
		p += strspn(p, " \t\r\n");
		if (strncmp(p, key, strlen(key)))
			continue;
		p += strlen(key);
		p += strspn(p, " \t\r\n");
		if (*p != '=')
			continue;
		p++;
		p += strspn(p, " \t\r\n");
		n = strcspn(p, "; \t\r\n");
		if (n >= size)
			n = size - 1;
		memcpy(out, p, n);
		out[n] = '\0';
		return true;
	}
	return false;
}

/*
 * Is there a signature of the author's domain that covers only the beginning
 * of the body (l=, RFC 6376 8.2)?  Anybody can write the rest of such a mail.
 */
static bool signed_in_part(const struct message *m, const char *domain)
{
	char signer[256], length[32];

	for (size_t i = 0; i < m->nheader; i++) {
		const struct header *h = &m->header[i];

		if (!strcasecmp(h->name, "DKIM-Signature") &&
		    signature_tag(h->value, "d", signer, sizeof(signer)) &&
		    domain_aligned(signer, domain) &&
		    signature_tag(h->value, "l", length, sizeof(length)))
			return true;
	}
	return false;
}

/* Is "address" the list's own: perf@lists.example.org of a list whose id is
 * perf.lists.example.org (RFC 2919), with or without a phrase before it? */
static bool is_list_address(const char *address, const char *list_id)
{
	const char *open = strchr(list_id, '<');
	size_t len = strlen(address);

	list_id = open ? open + 1 : list_id;
	if (strcspn(list_id, "> \t") != len)
		return false;
	for (size_t i = 0; i < len; i++)
		if (tolower((unsigned char)list_id[i]) !=
		    (address[i] == '@' ? '.' :
		     tolower((unsigned char)address[i])))
			return false;
	return true;
}

/*
 * A list that rewrites the From puts an address of its own there ("Ann via
 * the list <list@lists.example.org>"), which its own domain then vouches for.
 */
static bool is_munged(const struct message *m)
{
	const char *post = message_header(m, "List-Post");

	if (message_header(m, "X-Original-From") ||
	    message_header(m, "Original-From"))
		return true;
	return m->list_id &&
	       ((post && strcasestr(post, m->from.address)) ||
		strcasestr(m->from.name, " via ") ||
		is_list_address(m->from.address, m->list_id));
}

static size_t count_headers(const struct message *m, const char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < m->nheader; i++)
		n += !strcasecmp(m->header[i].name, name);
	return n;
}

/* "i=" names a user: it must be this one. */
static bool same_user(const struct authres_result *r, const char *address)
{
	const char *i = authres_get(r, "header.i");

	return !i || *i == '@' || !strchr(i, '@') || !strcasecmp(i, address);
}

static void judge_dkim(struct evidence *e, const struct authres_result *r,
		       struct arena *a)
{
	const char *d = authres_get(r, "header.d");
	const char *i = authres_get(r, "header.i");
	const char *domain = domain_of(e->address);

	if (!d && i && strchr(i, '@'))
		d = domain_of(i);
	if (!d || strcmp(r->result, "pass"))
		return;
	if (!domain_aligned(d, domain)) {
		if (e->proof < PROOF_ASSUMED)
			e->reason = arena_printf(a, "dkim domain %s not "
						 "aligned with %s", d, domain);
		return;
	}
	if (!same_user(r, e->address)) {
		if (e->proof < PROOF_ASSUMED)
			e->reason = arena_printf(a, "dkim signs for %s, not "
						 "for %s", i, e->address);
		return;
	}
	e->proof = PROOF_PASSED;
	e->method = "dkim";
	e->reason = arena_printf(a, "dkim of %s passed", d);
}

/* DMARC's own word, which a DKIM result does not overrule. */
static bool judge_dmarc(struct evidence *e, const struct authres_result *r,
			struct arena *a)
{
	const char *from = authres_get(r, "header.from");
	const char *domain = domain_of(e->address);

	if (!strcmp(r->result, "pass") &&
	    (!from || !strcasecmp(from, domain) ||
	     domain_aligned(from, domain))) {
		e->proof = PROOF_PASSED;
		e->method = "dmarc";
		e->reason = arena_printf(a, "dmarc of %s passed", domain);
		return true;
	}
	if (strcmp(r->result, "fail"))
		return false;
	e->proof = PROOF_FAILED;
	e->method = "dmarc";
	return true;
}

static void judge(struct evidence *e, const struct authres *r, struct arena *a)
{
	static const char nothing[] = "our server found no dmarc or aligned "
				      "dkim pass";
	bool settled = false;

	e->method = "none";
	e->reason = nothing;
	for (size_t i = 0; i < r->nresult; i++)
		if (!strcmp(r->result[i].method, "dkim"))
			judge_dkim(e, &r->result[i], a);
	for (size_t i = 0; i < r->nresult && !settled; i++)
		if (!strcmp(r->result[i].method, "dmarc"))
			settled = judge_dmarc(e, &r->result[i], a);
	if (e->proof == PROOF_FAILED && e->reason == nothing)
		e->reason = arena_printf(a, "dmarc of %s failed",
					 domain_of(e->address));
}

static bool is_among(const struct addresses *list, const char *address)
{
	for (size_t i = 0; i < list->n; i++)
		if (address_is_same(list->v[i].address, address))
			return true;
	return false;
}

/* An answer wanted in another domain than the author's, by somebody who does
 * not get the mail anyway. */
static bool answers_elsewhere(const struct message *m)
{
	const char *domain = domain_of(m->from.address);

	for (size_t i = 0; i < m->reply_to.n; i++) {
		const char *to = m->reply_to.v[i].address;

		if (strcasecmp(domain_of(to), domain) &&
		    !is_among(&m->to, to) && !is_among(&m->cc, to))
			return true;
	}
	return false;
}

static void judge_silence(struct evidence *e, const struct message *m,
			  const struct evidence_rules *rules)
{
	e->reason = "no Authentication-Results of ours";
	if (!rules->assume)
		return;
	if (answers_elsewhere(m)) {
		e->reason = "no Authentication-Results, and Reply-To is no "
			    "identity";
		return;
	}
	e->proof = PROOF_ASSUMED;
	e->method = "assumed";
	e->reason = "no Authentication-Results; the configuration assumes "
		    "them good";
}

/* RFC 7489 6.6.1: of several authors nobody can say which one was checked. */
static bool has_several_authors(const struct message *m, struct arena *a)
{
	const char *from = message_header(m, "From");
	struct addresses all = { .n = 0 };

	if (from)
		addresses_read(&all, a, from);
	return all.n > 1 || count_headers(m, "From") > 1;
}

/* Take back what cannot be held up whatever the server said. */
static void doubt(struct evidence *e, const struct message *m,
		  const struct evidence_rules *rules, struct arena *a)
{
	const char *domain = domain_of(e->address);

	if (e->proof <= PROOF_FAILED)
		return;
	if (e->munged)
		e->reason = "a mailing list put itself into the From";
	else if (has_several_authors(m, a))
		e->reason = "more than one From";
	else if (signed_in_part(m, domain))
		e->reason = "the signature covers a part of the body only (l=)";
	else if (e->proof == PROOF_PASSED && listed(rules->providers, domain)) {
		e->proof = PROOF_DOMAIN;
		return;
	} else
		return;
	e->proof = PROOF_NONE;
	e->method = "none";
}

void evidence_find(struct evidence *e, const struct message *m,
		   const struct evidence_rules *rules, struct arena *a)
{
	const char *said = witness(m, rules, a);
	struct authres r;

	*e = (struct evidence){ .proof = PROOF_NONE, .method = "none",
				.address = m->from.address,
				.munged = is_munged(m) };
	if (!strchr(e->address, '@')) {
		e->reason = "no usable From";
		return;
	}
	if (said) {
		authres_parse(&r, said, a);
		judge(e, &r, a);
	} else if (message_header(m, "Authentication-Results")) {
		e->reason = "Authentication-Results only of others or below "
			    "the first foreign hop";
	} else {
		judge_silence(e, m, rules);
	}
	doubt(e, m, rules, a);
}
