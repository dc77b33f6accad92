#ifndef BASE_STRMAP_H
#define BASE_STRMAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/*
 * A hash table from strings to pointers that also keeps the order in which
 * keys came: entry[0 .. n-1].  Keys are not copied and must outlive the map;
 * the table itself lives in the arena given.  No removal.
 */
struct strmap {
	struct arena *arena;
	struct strmap_entry {
		const char *key;
		void *value;
		uint32_t len, hash;
	} *entry;
	size_t n, cap;
	unsigned int *slot;	/* index + 1 into entry, 0: empty */
	size_t nslot;		/* a power of two */
};

void strmap_init(struct strmap *m, struct arena *a);

/* The place of the value of "key", or NULL. */
void **strmap_find(const struct strmap *m, const char *key, size_t len);

/* The value of the NUL-terminated "key", or NULL. */
void *strmap_get(const struct strmap *m, const char *key);

/* The place of "key"'s value, good until the next put; NULL in a new one. */
void **strmap_put(struct strmap *m, const char *key, size_t len);

/* The same, but a new key is copied into the arena, with a NUL behind it. */
void **strmap_put_copy(struct strmap *m, const char *key, size_t len);

/* The index into entry[] of a value's place. */
size_t strmap_index(const struct strmap *m, void **place);

#endif
