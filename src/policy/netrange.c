#include "policy/netrange.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

/* An address or the beginning of one; IPv4 stands as ::ffff:a.b.c.d. */
struct range {
	unsigned char byte[16];
	unsigned int bits;
};

static const unsigned char mapped[12] = { [10] = 0xff, [11] = 0xff };

static bool parse(const char *text, struct range *r)
{
	char address[64], *end;
	size_t len = strcspn(text, "/");
	unsigned int max = 128, off = 0;
	long bits;

	if (len >= sizeof(address))
		return false;
	memcpy(address, text, len);
	address[len] = '\0';
	if (inet_pton(AF_INET, address, r->byte + 12) == 1) {
		memcpy(r->byte, mapped, sizeof(mapped));
		max = 32;
		off = 96;
	} else if (inet_pton(AF_INET6, address, r->byte) != 1) {
		return false;
	}
	bits = text[len] ? strtol(text + len + 1, &end, 10) : (long)max;
	if (text[len] && (!text[len + 1] || *end))
		return false;
	if (bits < 0 || bits > (long)max)
		return false;
	r->bits = off + (unsigned int)bits;
	return true;
}

static bool within(const unsigned char *address, const struct range *r)
{
	unsigned int whole = r->bits / 8, rest = r->bits % 8;
	unsigned int mask = 0xff00u >> rest & 0xff;

	return !memcmp(address, r->byte, whole) &&
	       (!rest || (address[whole] & mask) == (r->byte[whole] & mask));
}

static bool in_list(const unsigned char *address, const char *const *list)
{
	struct range r;

	for (; list && *list; list++)
		if (parse(*list, &r) && within(address, &r))
			return true;
	return false;
}

int netrange_check(const char *range, struct err *err)
{
	struct range r;

	if (!parse(range, &r))
		return err_set(err, ERR_USAGE, "'%s' is no range of addresses",
			       range);
	return 0;
}

/* IANA's special-purpose registries (RFC 6890 and later). */
static const char *const special[] = {
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8",
	"169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
	"192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "224.0.0.0/3", NULL
};

/* Of IPv6 only what is routed at all, less what carries an IPv4 address. */
static const char *const global6[] = { "2000::/3", NULL };
static const char *const special6[] = {
	"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", NULL
};

bool netrange_permits(const struct sockaddr *sa, const char *const *allowed)
{
	unsigned char address[16];

	if (sa->sa_family == AF_INET) {
		struct sockaddr_in in;

		memcpy(&in, sa, sizeof(in));
		memcpy(address, mapped, sizeof(mapped));
		memcpy(address + 12, &in.sin_addr, 4);
	} else if (sa->sa_family == AF_INET6) {
		struct sockaddr_in6 in6;

		memcpy(&in6, sa, sizeof(in6));
		memcpy(address, &in6.sin6_addr, 16);
	} else {
		return false;
	}
	if (in_list(address, allowed))
		return true;
	if (!memcmp(address, mapped, sizeof(mapped)))
		return !in_list(address, special);
	return in_list(address, global6) && !in_list(address, special6);
}
