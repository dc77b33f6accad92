#ifndef BASE_COMMIT_NAME_H
#define BASE_COMMIT_NAME_H

#include <stdbool.h>
#include <string.h>

/* Names of commits: hashes, their beginnings, tags. */

/* As many hex digits as name one commit among few. */
static inline bool is_part_of_hash(const char *s)
{
	size_t n = strspn(s, "0123456789abcdef");

	return n >= 7 && !s[n];
}

/* Does "key", under which something is known, mean the commit "name"?  It is
 * the beginning of it, or both are hashes and "name" is the shorter one. */
static inline bool key_means_commit(const char *key, const char *name)
{
	size_t n = strlen(key), m = strlen(name);

	if (n <= m)
		return n && !strncmp(name, key, n);
	return is_part_of_hash(name) && is_part_of_hash(key) &&
	       !strncmp(name, key, m);
}

#endif
