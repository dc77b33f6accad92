#include "base/hash.h"

#include <string.h>
#include <sys/random.h>
#include <time.h>

static size_t seed(void)
{
	static size_t s;

	if (!s && getrandom(&s, sizeof(s), GRND_NONBLOCK) != sizeof(s))
		s = (size_t)time(NULL) * 2654435761u;
	if (!s)
		s = 1;
	return s;
}

uint32_t hash_text(const char *text, size_t len)
{
	uint64_t h = seed() ^ len * 0x9e3779b97f4a7c15u, w;

	for (; len >= 8; text += 8, len -= 8) {
		memcpy(&w, text, 8);
		h = (h ^ w) * 0xff51afd7ed558ccdu;
		h ^= h >> 32;
	}
	w = 0;
	if (len)
		memcpy(&w, text, len);
	h = (h ^ w) * 0xff51afd7ed558ccdu;
	h ^= h >> 29;
	h *= 0xc4ceb9fe1a85ec53u;
	return (uint32_t)(h ^ h >> 32);
}
