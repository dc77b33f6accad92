#ifndef POLICY_TOKEN_H
#define POLICY_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

/*
 * Proof that somebody reads the mail of an address: a word that we send there
 * and that comes back, "c17-6a4f8e20-k3s...".  It names the request and the
 * moment it ends, and is signed (HMAC-SHA-256) together with the address.
 * All of it is letters, digits and "-", case does not matter, so that it can
 * stand behind the + of our address.
 */

#define TOKEN_SECRET_MIN 16	/* bytes */

/* Append the word for row "request", good until "expires" (seconds since 1970,
 * as "now" below). */
void token_make(struct buf *out, const void *secret, size_t len,
		int64_t request, const char *address, int64_t expires);

enum token_verdict {
	TOKEN_GOOD, TOKEN_NONE,	/* it does not look like one */
	TOKEN_FORGED, TOKEN_EXPIRED,
};

/* Which request does the word speak of (0 when it is none)? */
int64_t token_request(const char *word);

/* Was it made with this secret, for this address, and does it still hold? */
enum token_verdict token_check(const char *word, const void *secret,
			       size_t len, const char *address, int64_t now);

#endif
