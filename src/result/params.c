#include "result/params.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "result/build.h"

#define CHOICES_MAX 400		/* members of a job that are looked at */
#define VALUE_MAX 31		/* of a value in the path */

/* A member of the job that may be a parameter. */
struct choice {
	const char *key, *value;
	char text[VALUE_MAX + 1];	/* as in the path */
	size_t len;
};

struct search {
	struct choice choice[CHOICES_MAX];
	size_t n;
	const char *params;
	size_t len;
	/* ways[i * (len + 2) + at]: in how many ways choices from i on make up
	 * the rest from "at" on; 2 stands for more. */
	unsigned char *ways;
};

/* Members that say how a job was set up, never what was measured. */
static bool is_setting(const char *key)
{
	static const char *const keys[] = {
		"testcase", "tbox_group", "testbox", "rootfs", "kconfig",
		"compiler", "commit", "suite", "category", "queue", "user",
		"branch", "arch", "id", "model", "brand", "memory", "nr_cpu",
		"nr_node", "nr_hdd_partitions", "nr_ssd_partitions",
		"max_uptime", "repeat_to", "job_file", "job_origin",
		"submit_id", "LKP_SERVER", "result_root", NULL };

	for (const char *const *k = keys; *k; k++)
		if (!strcmp(*k, key))
			return true;
	return false;
}

static void write_text(struct choice *c)
{
	static const char kept[] = "-+=:.%";

	c->len = 0;
	for (const char *p = c->value; *p && c->len < VALUE_MAX; p++)
		c->text[c->len++] = isalnum((unsigned char)*p) ||
				    strchr(kept, *p) ? *p : '_';
	c->text[c->len] = '\0';
}

static void add_choice(struct search *s, const char *key, const json_t *v)
{
	struct choice *c = &s->choice[s->n];

	if (!json_is_string(v) || !*json_string_value(v) ||
	    s->n == CHOICES_MAX || is_setting(key))
		return;
	c->key = key;
	c->value = json_string_value(v);
	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->choice[i].key, c->key) &&
		    !strcmp(s->choice[i].value, c->value))
			return;
	write_text(c);
	s->n++;
}

static int by_key(const void *a, const void *b)
{
	return strcmp(((const struct choice *)a)->key,
		      ((const struct choice *)b)->key);
}

/* The job's own scalars and, one level down, those of its programs. */
static void find_choices(struct search *s, const json_t *job)
{
	const char *key, *sub;
	json_t *v, *w;

	json_object_foreach((json_t *)(uintptr_t)job, key, v) {
		add_choice(s, key, v);
		json_object_foreach(json_is_object(v) ? v : NULL, sub, w)
			add_choice(s, sub, w);
	}
	if (s->n)
		qsort(s->choice, s->n, sizeof(*s->choice), by_key);
}

/* Does choice "i" stand at "at"?  The place behind it and its '-', or 0.
 * An option is written with its name: "ucode=0x1f". */
static size_t step(const struct search *s, size_t i, size_t at)
{
	const struct choice *c = &s->choice[i];
	const char *p = s->params + at;
	size_t key = strlen(c->key);

	if (!strncmp(p, c->key, key) && p[key] == '=')
		p += key + 1;
	if (strncmp(p, c->text, c->len))
		return 0;
	p += c->len;
	if (*p && *p != '-')
		return 0;
	return (size_t)(p - s->params) + 1;	/* len + 1: all of it */
}

static unsigned char *ways_at(const struct search *s, size_t i, size_t at)
{
	return &s->ways[i * (s->len + 2) + at];
}

/* From the last choice to the first, so that no recursion is needed. */
static void count_ways(struct search *s)
{
	*ways_at(s, s->n, s->len + 1) = 1;
	for (size_t i = s->n; i-- > 0;)
		for (size_t at = 0; at <= s->len + 1; at++) {
			unsigned int n = *ways_at(s, i + 1, at);
			size_t next = at <= s->len ? step(s, i, at) : 0;

			if (next)
				n += *ways_at(s, i + 1, next);
			*ways_at(s, i, at) = (unsigned char)(n < 2 ? n : 2);
		}
}

static void set_axes(struct results *rs, struct result *r,
		     const struct search *s)
{
	size_t at = 0;

	for (size_t i = 0; i < s->n; i++) {
		size_t next = at <= s->len ? step(s, i, at) : 0;

		if (!next || !*ways_at(s, i + 1, next))
			continue;
		result_set_axis(rs, r, s->choice[i].key, s->choice[i].value);
		at = next;
	}
}

bool set_params_of_path(struct results *rs, struct result *r,
			const char *params)
{
	struct search *s = arena_alloc(&rs->arena, sizeof(*s));

	s->params = params;
	s->len = strlen(params);
	find_choices(s, r->job);
	s->ways = arena_alloc(&rs->arena, (s->n + 1) * (s->len + 2));
	count_ways(s);
	if (*ways_at(s, 0, 0) != 1)
		return false;
	set_axes(rs, r, s);
	return true;
}
