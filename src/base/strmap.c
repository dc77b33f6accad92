#include "base/strmap.h"

#include <stdbool.h>
#include <string.h>

#include "base/arena-int.h"
#include "base/hash.h"

void strmap_init(struct strmap *m, struct arena *a)
{
	*m = (struct strmap){ .arena = a };
}

/* The slot that holds "key", or the empty one where it would go. */
static unsigned int *find_slot(const struct strmap *m, const char *key,
			       size_t len, uint32_t h)
{
	size_t mask = m->nslot - 1;

	for (size_t i = h & mask;; i = (i + 1) & mask) {
		const struct strmap_entry *e;

		if (!m->slot[i])
			return &m->slot[i];
		e = &m->entry[m->slot[i] - 1];
		if (e->hash == h && e->len == len && !memcmp(e->key, key, len))
			return &m->slot[i];
	}
}

static void rehash(struct strmap *m, size_t nslot)
{
	arena_give_back(m->arena, m->slot, m->nslot * sizeof(*m->slot));
	m->slot = arena_array(m->arena, nslot, sizeof(*m->slot));
	m->nslot = nslot;
	for (size_t i = 0; i < m->n; i++) {
		const struct strmap_entry *e = &m->entry[i];

		*find_slot(m, e->key, e->len, e->hash) = (unsigned int)i + 1;
	}
}

void **strmap_find(const struct strmap *m, const char *key, size_t len)
{
	unsigned int *slot;

	if (!m->n)
		return NULL;
	slot = find_slot(m, key, len, hash_text(key, len));
	return *slot ? &m->entry[*slot - 1].value : NULL;
}

void *strmap_get(const struct strmap *m, const char *key)
{
	void **value = strmap_find(m, key, strlen(key));

	return value ? *value : NULL;
}

/* Have room for one more. */
static void grow_entries(struct strmap *m)
{
	struct strmap_entry *old = m->entry;
	size_t size = m->cap * sizeof(*old);

	m->entry = arena_grow(m->arena, old, &m->cap, m->n + 1, sizeof(*old));
	if (m->entry != old)
		arena_give_back(m->arena, old, size);
}

static void **put(struct strmap *m, const char *key, size_t len, bool copy)
{
	uint32_t h = hash_text(key, len);
	unsigned int *slot;

	if (m->n * 4 >= m->nslot * 3)
		rehash(m, m->nslot ? m->nslot * 2 : 32);
	slot = find_slot(m, key, len, h);
	if (!*slot) {
		grow_entries(m);
		m->entry[m->n] = (struct strmap_entry){
			.key = copy ? arena_strndup(m->arena, key, len) : key,
			.len = (uint32_t)len, .hash = h };
		*slot = (unsigned int)++m->n;
	}
	return &m->entry[*slot - 1].value;
}

void **strmap_put(struct strmap *m, const char *key, size_t len)
{
	return put(m, key, len, false);
}

void **strmap_put_copy(struct strmap *m, const char *key, size_t len)
{
	return put(m, key, len, true);
}

size_t strmap_index(const struct strmap *m, void **place)
{
	const char *entry = (const char *)place -
		offsetof(struct strmap_entry, value);

	return (size_t)((const struct strmap_entry *)(const void *)entry -
			m->entry);
}
