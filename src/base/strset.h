#ifndef BASE_STRSET_H
#define BASE_STRSET_H

#include <stddef.h>
#include <stdint.h>

struct strset_now;

/*
 * Texts, each kept once and numbered in the order in which they came: for very
 * many that are much alike, such as the names of stats.  No removal.
 *
 * They stand one behind the other in groups of STRSET_GROUP, of each only what
 * it does not share with the one before it (front coding: Witten, Moffat and
 * Bell, Managing Gigabytes, 4.1).  So a text is put together when it is asked
 * for; asking for them in order is what costs least.
 */
struct strset {
	size_t n;
	char *text;
	size_t used, cap;	/* bytes of "text" */
	uint32_t *group;	/* where each group begins in it */
	uint32_t *slot;		/* a hash table: group and tag, 0: empty */
	size_t nslot;		/* 0 or a power of two */
	struct strset_now *now;	/* the text put together last */
};
#define STRSET_INIT { .n = 0 }

#define STRSET_NONE SIZE_MAX
#define STRSET_GROUP 16

void strset_release(struct strset *s);	/* it is as after STRSET_INIT */

/* Text number "i", NUL-terminated, good until another one is asked for or
 * added. */
const char *strset_text(const struct strset *s, size_t i);

/* Its number, or STRSET_NONE.  "text" holds no NUL within "len" bytes. */
size_t strset_find(const struct strset *s, const char *text, size_t len);

/* The same, but what is not there is copied and added.  Past 4 GB of texts the
 * program ends. */
size_t strset_add(struct strset *s, const char *text, size_t len);

#endif
