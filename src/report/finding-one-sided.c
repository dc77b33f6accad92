/* 4. What only one side has of a monitor: no data, and so no change. */
#include "report/finding.h"

#include <string.h>

enum { NAMED = 6 };

/* A part of the rows that only some sides have: a monitor, or a kind of
 * profile ("perf-profile.self"). */
struct part {
	const char *name;
	size_t rows;
	const bool *ran;	/* one a side of the group */
};

struct parts {
	struct part *part;
	size_t n, cap;
};

static struct part *part_add(struct report *r, struct parts *v)
{
	v->part = arena_grow(&r->arena, v->part, &v->cap, v->n + 1,
			     sizeof(*v->part));
	return &v->part[v->n++];
}

/* Length of "perf-profile.children" in a name, 0 where it is no profile. */
static size_t profile_kind(const char *name)
{
	static const char monitor[] = "perf-profile.";
	size_t len = sizeof(monitor) - 1;

	if (strncmp(name, monitor, len))
		return 0;
	len += strcspn(name + len, ".");
	return name[len] ? len : 0;
}

/* Which sides have any row of this kind of profile, and how many rows. */
static size_t profile_sides(const struct report *r, const char *name,
			    size_t len, bool *ran)
{
	size_t rows = 0;

	for (size_t i = 0; i < r->group->nrow; i++) {
		const struct row *row = &r->group->row[i];

		if (profile_kind(row->name) != len ||
		    strncmp(row->name, name, len))
			continue;
		rows++;
		for (size_t k = 0; k < r->group->nside; k++)
			ran[k] = ran[k] || row->figure[k].series;
	}
	return rows;
}

static bool is_known(const struct parts *v, const char *name, size_t len)
{
	for (size_t i = 0; i < v->n; i++)
		if (strlen(v->part[i].name) == len &&
		    !strncmp(v->part[i].name, name, len))
			return true;
	return false;
}

static bool all_ran(const struct report *r, const bool *ran)
{
	return ran[0] && ran[r->side];
}

static void add_profiles(struct report *r, struct parts *v)
{
	for (size_t i = 0; i < r->group->nrow; i++) {
		const char *name = r->group->row[i].name;
		size_t len = profile_kind(name), rows;
		bool *ran;

		if (!len || is_known(v, name, len))
			continue;
		ran = arena_array(&r->arena, r->group->nside, sizeof(*ran));
		rows = profile_sides(r, name, len, ran);
		*part_add(r, v) = (struct part){
			arena_strndup(&r->arena, name, len), rows, ran };
	}
}

static void collect(struct report *r, struct parts *v)
{
	for (size_t i = 0; i < r->group->none_sided; i++) {
		const struct one_sided *o = &r->group->one_sided[i];

		*part_add(r, v) = (struct part){ o->monitor, o->rows, o->ran };
	}
	add_profiles(r, v);
}

static void add_names(struct note *n, const struct parts *v, size_t has)
{
	size_t named = 0, lacks = has ? 0 : n->report->side;
	json_t *list = json_array();

	for (size_t i = 0; i < v->n; i++) {
		const struct part *p = &v->part[i];

		if (!p->ran[has] || p->ran[lacks])
			continue;
		json_array_append_new(list, json_text(p->name));
		if (named++ >= NAMED)
			continue;
		buf_addstr(&n->text, named > 1 ? ", " : "");
		note_name(n, p->name);
		buf_addf(&n->text, " (%zu row%s)", p->rows,
			 p->rows == 1 ? "" : "s");
	}
	if (named > NAMED)
		buf_addf(&n->text, " and %zu more", named - NAMED);
	json_object_set_new(n->numbers, "monitors", list);
}

/* What side "has" has and the other one has not. */
static void add_side(struct report *r, const struct parts *v, size_t has)
{
	size_t lacks = has ? 0 : r->side;
	struct note n;

	note_start(&n, r);
	add_names(&n, v, has);
	if (!n.text.len) {
		note_drop(&n);
		return;
	}
	buf_addf(&n.text, ": collected on %s only. No data (0 of %zu runs) on "
		 "%s, so nothing to compare.", side_title(r, has),
		 r->group->side[lacks].runs, side_title(r, lacks));
	note_text(&n, "only_on", r->group->side[has].name);
	for (size_t i = 0; i < r->group->nrow; i++) {
		const struct row *row = &r->group->row[i];
		size_t len = profile_kind(row->name);

		for (size_t k = 0; len && k < v->n; k++)
			if (strlen(v->part[k].name) == len &&
			    !strncmp(v->part[k].name, row->name, len) &&
			    !all_ran(r, v->part[k].ran)) {
				note_stat(&n, row->name);
				note_hide(&n, row);
			}
	}
	note_end(&n, FINDING_ONE_SIDED);
}

void find_one_sided(struct report *r)
{
	struct parts v = { .n = 0 };

	collect(r, &v);
	add_side(r, &v, 0);
	add_side(r, &v, r->side);
}
