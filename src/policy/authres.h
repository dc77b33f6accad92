#ifndef POLICY_AUTHRES_H
#define POLICY_AUTHRES_H

#include <stddef.h>

#include "base/arena.h"

/*
 * The body of an Authentication-Results field (RFC 8601 2.2), read: who says
 * it, and what was found by which method.
 */

#define AUTHRES_MAX 64		/* results; RFC 8601 knows a dozen methods */

struct authres_property {
	const char *name;	/* "header.d", lower case */
	const char *value;
};

struct authres_result {
	const char *method;	/* "dkim", lower case, without a version */
	const char *result;	/* "pass", lower case */
	struct authres_property *property;
	size_t nproperty;
};

struct authres {
	const char *server;	/* authserv-id, lower case; "" when unreadable */
	struct authres_result *result;
	size_t nresult;
};

/* Never fails: what cannot be read is left out, with all behind it. */
void authres_parse(struct authres *r, const char *body, struct arena *a);

/* The value of property "name" of a result, or NULL. */
const char *authres_get(const struct authres_result *r, const char *name);

#endif
