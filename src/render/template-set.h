#ifndef RENDER_TEMPLATE_SET_H
#define RENDER_TEMPLATE_SET_H

#include <stdbool.h>

#include "base/arena.h"
#include "data/json.h"

struct buf;
struct err;

/*
 * A set of templates: a folder with one NAME.mustache a template ("subject",
 * "body", and what these include) and set.yaml, which names the set's options
 * with their defaults and what they were in earlier years
 * (perfpost-templates(7)).
 */
struct template_set {
	struct arena arena;
	const char *folder;
	json_t *option;		/* as templates see it */
};

/*
 * Open set "name": a folder when it holds a slash; else one of that name in
 * "own" (the user's folder of sets, NULL: none) or among ours.  Options are
 * those of "era" (0: today's).  Returns 0, or -1 with "err"; release either way.
 */
int template_set_open(struct template_set *s, const char *name,
		      const char *own, int era, struct err *err);
void template_set_release(struct template_set *s);

/* Set one option from "KEY=VALUE" (true, false, null, a number or text).
 * -1 with "err" when the set has no such option. */
int template_set_option(struct template_set *s, const char *text,
			struct err *err);

/* Does the set have a template of that name? */
bool template_set_has(const struct template_set *s, const char *name);

/* Append template "name" rendered with "data", strictly, as text or, with
 * "html", escaped.  Returns 0, or -1 with "err" as "FILE:LINE: what". */
int template_set_render(const struct template_set *s, const char *name,
			const json_t *data, bool html, struct buf *out,
			struct err *err);

#endif
