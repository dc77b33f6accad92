#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

/*
 * Memory that is freed all at once.  What is taken from an arena lives until
 * arena_release(); nobody frees a single piece.  Running out of memory ends
 * the program, as in buf.h.
 */
struct arena {
	struct arena_block *last;
	size_t used, size;	/* of the last block: free is what is between */
};
#define ARENA_INIT { .last = NULL }

/* "size" bytes, zeroed, aligned for any type. */
void *arena_alloc(struct arena *a, size_t size);

/* n * size bytes, zeroed; an overflow of the product ends the program. */
void *arena_array(struct arena *a, size_t n, size_t size);

/*
 * Grow an array of "*cap" elements to hold at least "need": returns the old
 * place when it is large enough, else a copy in the arena (the old one stays
 * until release), "*cap" updated.  New elements are zeroed.
 */
void *arena_grow(struct arena *a, void *array, size_t *cap, size_t need,
		 size_t size);

/* "size" bytes for what needs no alignment, not zeroed. */
void *arena_bytes(struct arena *a, size_t size);

/* Copies of a text, the caller's to change.  They never return NULL. */
char *arena_strdup(struct arena *a, const char *s);

/* The first "len" bytes of "s" and a NUL behind; "s" may hold NULs. */
char *arena_strndup(struct arena *a, const char *s, size_t len);

char *arena_printf(struct arena *a, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Free everything; the arena is as after ARENA_INIT. */
void arena_release(struct arena *a);

#endif
