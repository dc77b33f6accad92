#include "result/build.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"

struct result *result_new(struct results *rs, const char *source)
{
	struct result *r = arena_alloc(&rs->arena, sizeof(*r));

	r->source = arena_strdup(&rs->arena, source);
	r->names = &rs->names;
	rs->result = arena_grow(&rs->arena, rs->result, &rs->cap, rs->n + 1,
				sizeof(struct result *));
	rs->result[rs->n++] = r;
	return r;
}

void result_set_axis(struct results *rs, struct result *r, const char *key,
		     const char *value)
{
	struct axis *grown;

	value = arena_strdup(&rs->arena, value);
	for (size_t i = 0; i < r->naxis; i++)
		if (!strcmp(r->axis[i].key, key)) {
			r->axis[i].value = value;
			return;
		}
	grown = arena_array(&rs->arena, r->naxis + 1, sizeof(*grown));
	if (r->naxis)
		memcpy(grown, r->axis, r->naxis * sizeof(*grown));
	grown[r->naxis].key = arena_strdup(&rs->arena, key);
	grown[r->naxis++].value = value;
	r->axis = grown;
}

/* The place of the name in rs->names, given on its first appearance.  The
 * value there is that place + 1. */
static uint32_t name_id(struct results *rs, const char *name, size_t len)
{
	void **known = strmap_find(&rs->names, name, len);
	size_t id = rs->names.n;

	if (!known) {
		name = arena_strndup(&rs->arena, name, len);
		known = strmap_put(&rs->names, name, len);
		*known = (void *)(uintptr_t)(id + 1);
	}
	return (uint32_t)((uintptr_t)*known - 1);
}

/* Room for "n" elements of an array that doubles, new ones zeroed. */
static void *grow(void *array, size_t old, size_t n, size_t size)
{
	size_t cap = old;

	if (n <= old)
		return array;
	cap = n > 2 * old ? n : 2 * old;
	array = reallocarray(array, cap, size);
	if (!array)
		die_no_memory();
	memset((char *)array + old * size, 0, (cap - old) * size);
	return array;
}

struct series *result_add(struct results *rs, struct result *r,
			  const char *name, size_t len)
{
	uint32_t id = name_id(rs, name, len);
	struct series *s;

	if (result_series_id(r, id))
		return NULL;
	if (id >= r->nby_id) {
		size_t want = rs->names.n > 2 * r->nby_id ? rs->names.n :
				2 * r->nby_id;

		r->by_id = grow(r->by_id, r->nby_id, want, sizeof(*r->by_id));
		r->nby_id = want;
	}
	if ((r->nseries & (r->nseries - 1)) == 0)	/* 0, 1, 2, 4, 8 ... */
		r->series = grow(r->series, r->nseries,
				 r->nseries ? 2 * r->nseries : 1,
				 sizeof(*r->series));
	s = &r->series[r->nseries++];
	r->by_id[id] = (uint32_t)r->nseries;
	*s = (struct series){ .name = rs->names.entry[id].key, .id = id };
	return s;
}

void series_set(struct results *rs, struct series *s, const struct cells *c)
{
	union cell *cell = arena_array(&rs->arena, c->n, sizeof(*cell));

	if (c->n)
		memcpy(cell, c->cell, c->n * sizeof(*cell));
	s->cell = cell;
	s->n = (uint32_t)c->n;
	s->type = cells_type(c);
	s->bad = c->seen & 1u << CELL_TEXT;
	if (s->type == CELL_MIXED) {
		uint8_t *types = arena_alloc(&rs->arena, c->n);

		memcpy(types, c->type, c->n);
		s->types = types;
	}
}

void series_set_float(struct results *rs, struct series *s, double f)
{
	union cell *cell = arena_alloc(&rs->arena, sizeof(*cell));

	cell->f = f;
	s->cell = cell;
	s->n = 1;
	s->type = CELL_FLOAT;
}

void series_set_summary(struct results *rs, struct series *s,
			const struct summary *summary)
{
	struct summary *copy = arena_alloc(&rs->arena, sizeof(*copy));

	*copy = *summary;
	s->summary = copy;
}

void result_count_runs(struct result *r)
{
	size_t first, last;

	if (!r->nseries)
		return;
	first = r->series[0].n;
	last = r->series[r->nseries - 1].n;
	r->runs = first > last ? first : last;
}
