#ifndef DATA_YAML_H
#define DATA_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "data/json.h"

struct err;

/*
 * YAML, the part that configuration and job files use: one document of
 * mappings, lists and scalars.  Aliases are resolved, and counted at the size
 * they stand for, so that a small file cannot become a huge tree; tags are
 * ignored; "<<" merges.  A key that stands twice is an error.
 */

#define YAML_NODES_MAX 200000	/* after resolving aliases */
#define YAML_DEPTH_MAX 100

enum yaml_kind { YAML_SCALAR, YAML_LIST, YAML_MAP };

struct yaml {
	enum yaml_kind kind;
	int line;		/* from 1 */
	const char *text;	/* YAML_SCALAR, NUL-terminated UTF-8 */
	bool plain;		/* ... neither quoted nor a block: may be a number,
				 * true, false or null */
	size_t n;		/* children; of a map: pairs */
	struct yaml **key;	/* YAML_MAP: scalars */
	struct yaml **value;	/* YAML_MAP and YAML_LIST */
	size_t size;		/* nodes in it, aliases resolved */
	int depth;		/* 1: a scalar or empty */
};

/*
 * Parse "text".  Everything lives in "a".  An empty document is an empty map.
 * Returns NULL with "err" ("NAME:LINE: reason").
 */
struct yaml *yaml_parse(struct arena *a, const char *text, size_t len,
			const char *name, struct err *err);

/* The value of "key" in a map, or NULL. */
struct yaml *yaml_get(const struct yaml *map, const char *key);

/* A plain scalar that is empty, ~ or null. */
bool yaml_is_null(const struct yaml *y);

enum yaml_scalars {
	YAML_TYPED,	/* plain scalars by YAML 1.2's core schema: null, true,
			 * false, 12, 1.5; all else is text */
	YAML_TEXT,	/* only null is not text: 1e5 and 0x10 stay as written */
};

/* As a JSON value: a new reference. */
json_t *yaml_to_json(const struct yaml *y, enum yaml_scalars scalars);

/* Both in one, for a file of at most "max" bytes. */
json_t *yaml_read_file(const char *path, size_t max, enum yaml_scalars scalars,
		       struct err *err);

#endif
