#ifndef BASE_STRSET_H
#define BASE_STRSET_H

#include <stddef.h>
#include <stdint.h>

/*
 * Texts, each kept once and numbered in the order in which they came: a small
 * strmap for very many keys without values, nine bytes or so beside each text.
 * No removal.
 */
struct strset {
	size_t n;
	uint32_t *at;		/* where each text stands: see strset_text() */
	char **block;
	size_t nblock, used;	/* bytes of the last block */
	uint32_t *slot;		/* numbers from 1, 0: empty */
	uint8_t *tag;		/* one a slot: a part of the text's hash */
	size_t nslot;		/* 0 or a power of two */
};
#define STRSET_INIT { .n = 0 }

#define STRSET_NONE SIZE_MAX
#define STRSET_BLOCK ((size_t)1 << 17)	/* bytes; a longer text has one of its
					 * own */

void strset_release(struct strset *s);	/* it is as after STRSET_INIT */

/* Text number "i", NUL-terminated, good until the release. */
static inline const char *strset_text(const struct strset *s, size_t i)
{
	return s->block[s->at[i] / STRSET_BLOCK] + s->at[i] % STRSET_BLOCK;
}

/* Its number, or STRSET_NONE.  "text" holds no NUL within "len" bytes. */
size_t strset_find(const struct strset *s, const char *text, size_t len);

/* The same, but what is not there is copied and added.  Past 4 GB of texts the
 * program ends. */
size_t strset_add(struct strset *s, const char *text, size_t len);

#endif
