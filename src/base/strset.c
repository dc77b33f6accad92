#include "base/strset.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/grow.h"
#include "base/hash.h"

void strset_release(struct strset *s)
{
	for (size_t i = 0; i < s->nblock; i++)
		free(s->block[i]);
	free(s->block);
	free(s->at);
	free(s->slot);
	free(s->tag);
	*s = (struct strset)STRSET_INIT;
}

/* The bits of a hash that do not say where to begin to look. */
static uint8_t tag_of(uint32_t hash)
{
	return (uint8_t)(hash >> 24);
}

static bool is_text(const char *known, const char *text, size_t len)
{
	return !strncmp(known, text, len) && !known[len];
}

/* The slot that holds "text", or the empty one where it would go. */
static size_t find_slot(const struct strset *s, const char *text, size_t len,
			uint32_t hash)
{
	size_t mask = s->nslot - 1;

	for (size_t i = hash & mask;; i = (i + 1) & mask)
		if (!s->slot[i] ||
		    (s->tag[i] == tag_of(hash) &&
		     is_text(strset_text(s, s->slot[i] - 1), text, len)))
			return i;
}

size_t strset_find(const struct strset *s, const char *text, size_t len)
{
	if (!s->n)
		return STRSET_NONE;
	return s->slot[find_slot(s, text, len, hash_text(text, len))] -
	       (size_t)1;
}

static void rehash(struct strset *s, size_t nslot)
{
	size_t mask = nslot - 1;

	free(s->slot);
	free(s->tag);
	s->slot = calloc(nslot, sizeof(*s->slot));
	s->tag = calloc(nslot, sizeof(*s->tag));
	s->nslot = nslot;
	if (!s->slot || !s->tag)
		die_no_memory();
	for (size_t i = 0; i < s->n; i++) {
		const char *text = strset_text(s, i);
		uint32_t hash = hash_text(text, strlen(text));
		size_t to = hash & mask;

		while (s->slot[to])
			to = (to + 1) & mask;
		s->slot[to] = (uint32_t)i + 1;
		s->tag[to] = tag_of(hash);
	}
}

static void add_block(struct strset *s, size_t size)
{
	if (s->nblock > UINT32_MAX / STRSET_BLOCK)
		die_no_memory();
	s->block = grow_array(s->block, s->nblock, sizeof(*s->block));
	s->block[s->nblock] = malloc(size);
	if (!s->block[s->nblock++])
		die_no_memory();
	s->used = 0;
}

/* Copy "text" into the last block, or a new one; returns where it stands. */
static uint32_t keep(struct strset *s, const char *text, size_t len)
{
	size_t place;
	char *to;

	if (!s->nblock || s->used + len >= STRSET_BLOCK)
		add_block(s, len < STRSET_BLOCK ? STRSET_BLOCK : len + 1);
	place = (s->nblock - 1) * STRSET_BLOCK + s->used;
	to = s->block[s->nblock - 1] + s->used;
	memcpy(to, text, len);
	to[len] = '\0';
	s->used += len + 1;
	return (uint32_t)place;
}

size_t strset_add(struct strset *s, const char *text, size_t len)
{
	uint32_t hash = hash_text(text, len);
	size_t slot;

	if (s->n * 8 >= s->nslot * 7)
		rehash(s, s->nslot ? s->nslot * 2 : 16);
	slot = find_slot(s, text, len, hash);
	if (!s->slot[slot]) {
		s->at = grow_array(s->at, s->n, sizeof(*s->at));
		s->at[s->n] = keep(s, text, len);
		s->slot[slot] = (uint32_t)++s->n;
		s->tag[slot] = tag_of(hash);
	}
	return s->slot[slot] - (size_t)1;
}
