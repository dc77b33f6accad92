#ifndef POLICY_NETRANGE_H
#define POLICY_NETRANGE_H

#include <stdbool.h>
#include <sys/socket.h>

struct err;

/*
 * May we connect to this address?  Asked of every address that a name came to
 * when it was looked up, so that a name cannot point into our own network.
 * By default no private, loopback, link-local, shared, multicast, reserved or
 * embedded (IPv4 in IPv6) one; "allowed" opens ranges: "10.1.0.0/16",
 * "fd00:1::/32", "192.0.2.1".  NULL-terminated, or NULL.
 */
bool netrange_permits(const struct sockaddr *sa, const char *const *allowed);

/* Is the text a range?  0, or -1 with "err". */
int netrange_check(const char *range, struct err *err);

#endif
