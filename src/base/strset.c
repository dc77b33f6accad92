#include "base/strset.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/hash.h"

void strset_init(struct strset *s, struct arena *a)
{
	*s = (struct strset){ .arena = a };
}

void strset_release(struct strset *s)
{
	free(s->text);
	free(s->slot);
	strset_init(s, s->arena);
}

static bool is_text(const char *known, const char *text, size_t len)
{
	return !strncmp(known, text, len) && !known[len];
}

/* The slot that holds "text", or the empty one where it would go. */
static struct strset_slot *find_slot(const struct strset *s, const char *text,
				     size_t len, uint32_t hash)
{
	size_t mask = s->nslot - 1;

	for (size_t i = hash & mask;; i = (i + 1) & mask) {
		struct strset_slot *slot = &s->slot[i];

		if (!slot->number ||
		    (slot->hash == hash &&
		     is_text(s->text[slot->number - 1], text, len)))
			return slot;
	}
}

size_t strset_find(const struct strset *s, const char *text, size_t len)
{
	if (!s->n)
		return STRSET_NONE;
	return find_slot(s, text, len, hash_text(text, len))->number -
	       (size_t)1;
}

static void rehash(struct strset *s, size_t nslot)
{
	struct strset_slot *slot = calloc(nslot, sizeof(*slot));
	size_t mask = nslot - 1;

	if (!slot)
		die_no_memory();
	for (size_t i = 0; i < s->nslot; i++) {
		size_t to = s->slot[i].hash & mask;

		if (!s->slot[i].number)
			continue;
		while (slot[to].number)
			to = (to + 1) & mask;
		slot[to] = s->slot[i];
	}
	free(s->slot);
	s->slot = slot;
	s->nslot = nslot;
}

/* Have room for one more. */
static void grow(struct strset *s)
{
	if (s->n * 8 >= s->nslot * 7)
		rehash(s, s->nslot ? s->nslot * 2 : 16);
	if (s->n & (s->n - 1))	/* full at 0, 1, 2, 4, 8 ... */
		return;
	s->text = reallocarray(s->text, s->n ? 2 * s->n : 1,
			       sizeof(*s->text));
	if (!s->text || s->n >= UINT32_MAX / 2)
		die_no_memory();
}

size_t strset_add(struct strset *s, const char *text, size_t len)
{
	uint32_t hash = hash_text(text, len);
	struct strset_slot *slot;

	grow(s);
	slot = find_slot(s, text, len, hash);
	if (!slot->number) {
		s->text[s->n] = arena_strndup(s->arena, text, len);
		*slot = (struct strset_slot){ (uint32_t)++s->n, hash };
	}
	return slot->number - (size_t)1;
}
