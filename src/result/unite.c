#include "result/unite.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "result/build.h"

void unite_init(struct unite *u)
{
	*u = (struct unite){ .columns = 0 };
	strmap_init(&u->rows, &u->arena);
}

void unite_release(struct unite *u)
{
	for (size_t i = 0; i < u->rows.n; i++)
		cells_release(u->rows.entry[i].value);
	arena_release(&u->arena);
	unite_init(u);
}

static struct cells *find_row(struct unite *u, const char *name, size_t len)
{
	void **row = strmap_find(&u->rows, name, len);

	if (!row) {
		name = arena_strndup(&u->arena, name, len);
		row = strmap_put(&u->rows, name, len);
		*row = arena_alloc(&u->arena, sizeof(struct cells));
	}
	return *row;
}

void unite_add(struct unite *u, const char *name, size_t len,
	       enum cell_type type, union cell cell)
{
	struct cells *row = find_row(u, name, len);

	while (row->n < u->columns)
		cells_add_other(row, CELL_NONE);
	cells_add(row, type, cell);
	if (row->n > u->longest)
		u->longest = row->n;
}

void unite_addf(struct unite *u, const json_t *v, const char *fmt, ...)
{
	enum cell_type type = CELL_TEXT;
	union cell cell = { .i = 0 };
	va_list ap;
	char *name;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&name, fmt, ap);
	va_end(ap);
	if (len == -1)
		die_no_memory();
	if (json_is_integer(v)) {
		type = CELL_INT;
		cell.i = json_integer_value(v);
	} else if (json_is_real(v)) {
		type = CELL_FLOAT;
		cell.f = json_real_value(v);
	} else if (json_is_null(v)) {
		type = CELL_NONE;
	}
	unite_add(u, name, (size_t)len, type, cell);
	free(name);
}

bool unite_has(const struct unite *u, const char *name)
{
	const struct cells *row = strmap_get(&u->rows, name);

	return row && row->n > u->columns;
}

void unite_end_run(struct unite *u)
{
	/* A run in which nothing was measured is a run all the same. */
	u->columns = u->longest > u->columns ? u->longest : u->columns + 1;
	u->longest = u->columns;
}

void unite_add_result(struct unite *u, const struct result *r)
{
	for (size_t i = 0; i < r->nseries; i++) {
		const struct series *s = &r->series[i];
		const char *name = series_name(r, s);

		for (uint32_t k = 0; k < s->n; k++)
			unite_add(u, name, strlen(name), series_type(s, k),
				  series_cell(s, k));
	}
}

void unite_finish(struct unite *u, struct results *rs, struct result *r)
{
	for (size_t i = 0; i < u->rows.n; i++) {
		const struct strmap_entry *e = &u->rows.entry[i];
		const struct cells *row = e->value;
		struct series *s = NULL;

		if (row->n && row->seen != 1u << CELL_NONE)
			s = result_add(rs, r, e->key, e->len);
		if (s)
			series_set(&rs->arena, s, row);
	}
	r->runs = u->columns;
	r->has_source = true;
}

/* ^sched_debug.*\.[0-9]+$ */
static bool is_per_cpu(const char *name)
{
	const char *dot = strrchr(name, '.');

	return !strncmp(name, "sched_debug", 11) && dot && dot[1] &&
	       !dot[1 + strspn(dot + 1, "0123456789")];
}

bool unite_is_dropped(const char *name, const struct cells *c)
{
	if (is_per_cpu(name))
		return true;
	for (size_t i = 0; i < c->n; i++)
		if (c->type[i] != CELL_NONE &&
		    (c->type[i] != CELL_INT || c->cell[i].i))
			return false;
	return true;
}
