#ifndef RENDER_MUSTACHE_H
#define RENDER_MUSTACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "data/json.h"

struct arena;
struct buf;
struct err;

/*
 * Mustache templates: the specification 1.3 (comments, delimiters,
 * interpolation, inverted, partials, sections), without lambdas.
 *
 *	{{name}}	the value; {{a.b}} a member's; {{.}} the item itself
 *	{{{name}}}	the value unescaped, {{&name}} likewise
 *	{{#name}} {{/name}}	once for each item of a list, or once for what is
 *			neither false, null nor an empty list
 *	{{^name}} {{/name}}	where it is one of those
 *	{{>name}}	another template; alone on its line, all of its lines
 *			are indented as the tag is
 *	{{! text}}	nothing
 *	{{=<% %>=}}	from here on tags look like <% this %>
 *
 * A tag of the last five kinds that is alone on its line takes the line with it.
 */

/* A template's text; "file" is what error messages call it. */
struct mustache_source {
	const char *file;
	const char *text;
	size_t len;
};

struct mustache_options {
	bool strict;	/* a name or a partial that is not there is an error;
			 * else it is as null, or as an empty template */
	bool html;	/* {{name}} is escaped for HTML; else it is as {{{name}}} */

	/*
	 * Find partial "name": 1 with "source" filled (its memory from "a" or
	 * longer-lived), 0 when there is none, -1 with "err".  NULL: there is
	 * never one.
	 */
	int (*partial)(void *arg, struct arena *a, const char *name,
		       struct mustache_source *source, struct err *err);
	void *arg;	/* handed to it */
};

/*
 * Append the rendering of "source" with "data" to "out".  Returns 0, or -1
 * with "err" as "FILE:LINE: what": a name not there ("no 'name'"), a tag or a
 * section that does not end, sections or partials nested too deep, more output than
 * "out" may hold.  "out" may then hold a part of it.
 */
int mustache_render(struct buf *out, const struct mustache_source *source,
		    const json_t *data, const struct mustache_options *options,
		    struct err *err);

#endif
