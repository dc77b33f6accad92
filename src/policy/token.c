#include "policy/token.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>

#include "base/buf.h"
#include "base/err.h"

#define MAC_BYTES 15	/* 24 letters of five bits */

/* RFC 4648 6 without padding, in lower case. */
static void base32(struct buf *out, const unsigned char *p, size_t len)
{
	static const char digits[] = "abcdefghijklmnopqrstuvwxyz234567";
	unsigned int bits = 0, n = 0;

	for (size_t i = 0; i < len; i++) {
		bits = (bits << 8 | p[i]) & 0xffff;
		for (n += 8; n >= 5; n -= 5)
			buf_addch(out, digits[bits >> (n - 5) & 31]);
	}
	if (n)
		buf_addch(out, digits[bits << (5 - n) & 31]);
}

static void sign(struct buf *out, const void *secret, size_t len,
		 int64_t request, const char *address, int64_t expires)
{
	struct buf text = BUF_INIT(1024);
	unsigned char mac[32];

	buf_addf(&text, "confirm %lld %lld ", (long long)request,
		 (long long)expires);
	for (const char *p = address; *p; p++)
		buf_addch(&text, (char)tolower((unsigned char)*p));
	if (gnutls_hmac_fast(GNUTLS_MAC_SHA256, secret, len, text.s, text.len,
			     mac) < 0)
		die_no_memory();	/* the only way it fails */
	base32(out, mac, MAC_BYTES);
	buf_release(&text);
}

void token_make(struct buf *out, const void *secret, size_t len,
		int64_t request, const char *address, int64_t expires)
{
	buf_addf(out, "c%lld-%llx-", (long long)request, (long long)expires);
	sign(out, secret, len, request, address, expires);
}

/* The parts of a word; false when it is none of ours. */
static bool split(const char *word, int64_t *request, int64_t *expires,
		  const char **mac)
{
	char *end;

	if (tolower((unsigned char)*word) != 'c' ||
	    !isdigit((unsigned char)word[1]))
		return false;
	errno = 0;
	*request = strtoll(word + 1, &end, 10);
	if (errno || *request <= 0 || *end != '-' ||
	    !isxdigit((unsigned char)end[1]))
		return false;
	*expires = strtoll(end + 1, &end, 16);
	if (errno || *end != '-')
		return false;
	*mac = end + 1;
	return strlen(*mac) == MAC_BYTES * 8 / 5;
}

int64_t token_request(const char *word)
{
	int64_t request, expires;
	const char *mac;

	return split(word, &request, &expires, &mac) ? request : 0;
}

enum token_verdict token_check(const char *word, const void *secret,
			       size_t len, const char *address, int64_t now)
{
	struct buf good = BUF_INIT(64);
	int64_t request, expires;
	unsigned int differs = 0;
	const char *mac;

	if (!split(word, &request, &expires, &mac))
		return TOKEN_NONE;
	sign(&good, secret, len, request, address, expires);
	for (size_t i = 0; i < good.len; i++)
		differs |= (unsigned int)(good.s[i] ^
					  tolower((unsigned char)mac[i]));
	buf_release(&good);
	if (differs)
		return TOKEN_FORGED;
	return now < expires ? TOKEN_GOOD : TOKEN_EXPIRED;
}
