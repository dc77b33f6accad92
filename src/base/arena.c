#include "base/arena.h"

#include <stdarg.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena-int.h"
#include "base/err.h"

#define BLOCK_SIZE ((size_t)16 * 1024)

struct arena_block {
	struct arena_block *before;
	bool is_single;		/* holds one large piece alone */
	alignas(max_align_t) char data[];
};

static struct arena_block *new_block(void)
{
	struct arena_block *b = malloc(sizeof(*b) + BLOCK_SIZE);

	if (!b)
		die_no_memory();
	b->before = NULL;
	b->is_single = false;
	return b;
}

/*
 * A block of its own, behind the one that is being filled.  calloc() does not
 * touch fresh memory: what of a large array is never used costs nothing.
 */
static void *alloc_large(struct arena *a, size_t size)
{
	struct arena_block *b = calloc(1, sizeof(*b) + size);

	if (!b)
		die_no_memory();
	b->is_single = true;
	if (a->last) {
		b->before = a->last->before;
		a->last->before = b;
	} else {
		a->last = b;
		a->used = a->size = 0;
	}
	return b->data;
}

/* Have "size" bytes free in the last block. */
static void make_room(struct arena *a, size_t size)
{
	struct arena_block *b;

	if (a->last && size <= a->size - a->used)
		return;
	b = new_block();
	b->before = a->last;
	a->last = b;
	a->used = 0;
	a->size = BLOCK_SIZE;
}

void *arena_alloc(struct arena *a, size_t size)
{
	size_t align = alignof(max_align_t);
	void *p;

	if (size > SIZE_MAX / 2)
		die_no_memory();
	size = (size + align - 1) / align * align;
	if (size > BLOCK_SIZE)
		return alloc_large(a, size);
	make_room(a, size);
	p = a->last->data + a->used;
	a->used += size;
	return memset(p, 0, size);
}

void *arena_array(struct arena *a, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / 2 / size)
		die_no_memory();
	return arena_alloc(a, n * size);
}

void *arena_grow(struct arena *a, void *array, size_t *cap, size_t need,
		 size_t size)
{
	size_t old = *cap;
	void *p;

	if (need <= old)
		return array;
	*cap = need > 2 * old ? need : 2 * old;
	if (*cap < 8)
		*cap = 8;
	p = arena_array(a, *cap, size);
	if (old)
		memcpy(p, array, old * size);
	return p;
}

void arena_give_back(struct arena *a, const void *p, size_t size)
{
	struct arena_block **at = &a->last, *b;

	if (size <= BLOCK_SIZE)
		return;
	while (*at && (const void *)(*at)->data != p)
		at = &(*at)->before;
	b = *at;
	if (!b || !b->is_single)
		return;
	if (b == a->last)
		a->used = a->size = 0;
	*at = b->before;
	free(b);
}

/* From the end of a block: so those that need alignment lose nothing. */
void *arena_bytes(struct arena *a, size_t size)
{
	if (size > BLOCK_SIZE)
		return arena_alloc(a, size);
	make_room(a, size);
	a->size -= size;
	return a->last->data + a->size;
}

char *arena_strndup(struct arena *a, const char *s, size_t len)
{
	char *p = arena_bytes(a, len + 1);

	if (len)
		memcpy(p, s, len);
	p[len] = '\0';
	return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *p;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		n = 0;
	p = arena_alloc(a, (size_t)n + 1);
	va_start(ap, fmt);
	vsnprintf(p, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return p;
}

void arena_release(struct arena *a)
{
	struct arena_block *b, *before;

	for (b = a->last; b; b = before) {
		before = b->before;
		free(b);
	}
	*a = (struct arena)ARENA_INIT;
}
