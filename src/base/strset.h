#ifndef BASE_STRSET_H
#define BASE_STRSET_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/*
 * Texts, each kept once and numbered in the order in which they came: a small
 * strmap for many keys without values.  The texts live in the arena given, the
 * tables until strset_release().  No removal.
 */
struct strset {
	struct arena *arena;
	const char **text;	/* n of them, NUL-terminated */
	size_t n;
	struct strset_slot {
		uint32_t number;	/* from 1, 0: empty */
		uint32_t hash;
	} *slot;
	size_t nslot;		/* 0 or a power of two */
};

#define STRSET_NONE SIZE_MAX

void strset_init(struct strset *s, struct arena *a);
void strset_release(struct strset *s);

/* Its number, or STRSET_NONE.  "text" holds no NUL within "len" bytes. */
size_t strset_find(const struct strset *s, const char *text, size_t len);

/* The same, but what is not there is copied and added. */
size_t strset_add(struct strset *s, const char *text, size_t len);

#endif
