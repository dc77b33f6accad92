#include "base/strset.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/grow.h"
#include "base/hash.h"

enum { SHARED_MAX = UINT8_MAX, TAG_SHIFT = 24 };

#define GROUP_MASK ((1u << TAG_SHIFT) - 1)

/* The text put together last, and where the next one stands. */
struct strset_now {
	size_t i;
	uint32_t next;
	char *text;
	size_t cap;
};

void strset_release(struct strset *s)
{
	if (s->now)
		free(s->now->text);
	free(s->now);
	free(s->text);
	free(s->group);
	free(s->slot);
	*s = (struct strset)STRSET_INIT;
}

/* --- Texts. ---------------------------------------------------------------
 *
 * Each is the number of bytes that it shares with the one before, one byte,
 * and the rest of it with its NUL.
 */

static void *room(void *old, size_t size)
{
	void *p = realloc(old, size);

	if (!p)
		die_no_memory();
	return p;
}

/* Under ASan each text has a place of its own, so that who keeps one for too
 * long is found out. */
static void move_away(struct strset_now *now)
{
#ifdef __SANITIZE_ADDRESS__
	char *copy;

	if (!now->text)
		return;
	copy = room(NULL, now->cap);
	memcpy(copy, now->text, now->cap);
	free(now->text);
	now->text = copy;
#else
	(void)now;
#endif
}

/* From text now->i to the one behind it. */
static void step(const struct strset *s, struct strset_now *now)
{
	const char *p = s->text + now->next;
	size_t shared = (uint8_t)*p++, len = strlen(p) + 1;

	if (shared + len > now->cap) {
		now->cap = 2 * (shared + len);
		now->text = room(now->text, now->cap);
	}
	memcpy(now->text + shared, p, len);
	now->next += (uint32_t)len + 1;
	now->i++;
}

const char *strset_text(const struct strset *s, size_t i)
{
	struct strset_now *now = s->now;

	if (now->i == i)
		return now->text;
	move_away(now);
	if (now->i > i || i / STRSET_GROUP > (now->i + 1) / STRSET_GROUP) {
		now->i = i / STRSET_GROUP * STRSET_GROUP - 1;
		now->next = s->group[i / STRSET_GROUP];
	}
	while (now->i != i)
		step(s, now);
	return now->text;
}

/* How many bytes of "text" the last one has too, if it is of the same group. */
static size_t shared_with_last(struct strset *s, const char *text, size_t len)
{
	const char *last;
	size_t n = 0;

	if (s->n % STRSET_GROUP == 0)
		return 0;
	last = strset_text(s, s->n - 1);
	while (n < len && n < SHARED_MAX && text[n] == last[n])
		n++;
	return n;
}

static void keep(struct strset *s, const char *text, size_t len)
{
	size_t shared = shared_with_last(s, text, len);
	size_t end = s->used + len - shared + 2;
	char *to;

	if (end > UINT32_MAX)
		die_no_memory();
	if (end > s->cap) {
		s->cap = 2 * end;
		s->text = room(s->text, s->cap);
	}
	if (s->n % STRSET_GROUP == 0) {
		s->group = grow_array(s->group, s->n / STRSET_GROUP,
				      sizeof(*s->group));
		s->group[s->n / STRSET_GROUP] = (uint32_t)s->used;
	}
	to = s->text + s->used;
	*to++ = (char)shared;
	memcpy(to, text + shared, len - shared);
	to[len - shared] = '\0';
	s->used = end;
	s->n++;
}

/* --- Where a text is. ------------------------------------------------------- */

/* Group "g", and the bits of the hash that do not say where to begin to look. */
static uint32_t slot_of(size_t g, uint32_t hash)
{
	return (uint32_t)(g + 1) | (hash & ~GROUP_MASK);
}

/* The number of "text" in group "g", or STRSET_NONE.  Nothing is put together:
 * "same" is how much of "text" the text in hand begins with. */
static size_t find_in_group(const struct strset *s, size_t g, const char *text,
			    size_t len)
{
	const char *p = s->text + s->group[g];
	size_t same = 0;

	for (size_t i = g * STRSET_GROUP; i < s->n && i / STRSET_GROUP == g;
	     i++) {
		size_t shared = (uint8_t)*p++, rest = strlen(p);

		if (shared <= same) {
			same = shared;
			while (same < len && p[same - shared] == text[same])
				same++;
		}
		if (same == len && shared + rest == len)
			return i;
		p += rest + 1;
	}
	return STRSET_NONE;
}

/* The number of "text", or STRSET_NONE and the slot where it would go. */
static size_t find_with(const struct strset *s, const char *text, size_t len,
			uint32_t hash, size_t *slot)
{
	size_t mask = s->nslot - 1, number;

	for (size_t i = hash & mask;; i = (i + 1) & mask) {
		uint32_t found = s->slot[i], g = found & GROUP_MASK;

		*slot = i;
		if (!found)
			return STRSET_NONE;
		if (found != slot_of(g - 1, hash))
			continue;
		number = find_in_group(s, g - 1, text, len);
		if (number != STRSET_NONE)
			return number;
	}
}

size_t strset_find(const struct strset *s, const char *text, size_t len)
{
	size_t slot;

	if (!s->n)
		return STRSET_NONE;
	return find_with(s, text, len, hash_text(text, len), &slot);
}

static void rehash(struct strset *s, size_t nslot)
{
	size_t mask = nslot - 1;

	free(s->slot);
	s->slot = calloc(nslot, sizeof(*s->slot));
	s->nslot = nslot;
	if (!s->slot)
		die_no_memory();
	for (size_t i = 0; i < s->n; i++) {
		const char *text = strset_text(s, i);
		uint32_t hash = hash_text(text, strlen(text));
		size_t to = hash & mask;

		while (s->slot[to])
			to = (to + 1) & mask;
		s->slot[to] = slot_of(i / STRSET_GROUP, hash);
	}
}

static void begin(struct strset *s)
{
	s->now = room(NULL, sizeof(*s->now));
	*s->now = (struct strset_now){ .i = SIZE_MAX };
	rehash(s, STRSET_GROUP);
}

size_t strset_add(struct strset *s, const char *text, size_t len)
{
	uint32_t hash = hash_text(text, len);
	size_t slot, number;

	if (!s->now)
		begin(s);
	if (s->n * 8 >= s->nslot * 7)
		rehash(s, s->nslot * 2);
	number = find_with(s, text, len, hash, &slot);
	if (number != STRSET_NONE)
		return number;
	if (s->n / STRSET_GROUP >= GROUP_MASK)
		die_no_memory();
	s->slot[slot] = slot_of(s->n / STRSET_GROUP, hash);
	keep(s, text, len);
	return s->n - 1;
}
