#ifndef RECV_FETCH_H
#define RECV_FETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

struct buf;
struct err;

/*
 * Fetch one page of the web, whose address a stranger gave us.
 */

struct fetch_rules {
	int64_t timeout_ms;	/* for all of it, redirects and all */
	bool insecure;		/* http, too: for tests */
	const char *ca_file;	/* instead of the system's; NULL: none */

	/* May this URL be fetched?  Asked of the first and of each redirect. */
	int (*url)(void *arg, const char *url, struct err *err);
	/* May we connect to this address?  Asked of each, after the name was
	 * looked up and before a packet is sent. */
	bool (*address)(void *arg, const struct sockaddr *address);
	void *arg;
};

/*
 * Append the page to "out", whose limit is the cap (after unpacking).  No
 * cookies, no passwords, no proxies, five redirects at most.  Returns 0, or -1
 * with "err": ERR_TEMP the other side does not answer or says later, ERR_DENIED
 * it is not for us, ERR_INPUT there is no such page or it is too large.
 */
int fetch_page(const char *url, const struct fetch_rules *rules,
	       struct buf *out, struct err *err);

#endif
