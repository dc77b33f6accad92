#include "people/recipients.h"

#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/err.h"
#include "mail/check.h"

void recipients_release(struct recipients *r)
{
	arena_release(&r->arena);
	*r = (struct recipients)RECIPIENTS_INIT;
}

struct addressee *recipients_find(const struct recipients *r,
				  const char *address)
{
	for (size_t i = 0; i < r->n; i++)
		if (!strcasecmp(r->v[i].who.address, address))
			return &r->v[i];
	return NULL;
}

static bool has_reason(const char *why, const char *reason)
{
	size_t len = strlen(reason);
	const char *at;

	for (at = strstr(why, reason); at; at = strstr(at + 1, reason))
		if ((at == why || at[-1] == ' ') && strchr(";", at[len]))
			return true;
	return false;
}

static void merge(struct recipients *r, struct addressee *was,
		  const struct address *who, bool to, const char *why)
{
	was->to |= to;
	if (!*was->who.name)
		was->who.name = arena_strdup(&r->arena, who->name);
	if (!has_reason(was->why, why))
		was->why = arena_printf(&r->arena, "%s; %s", was->why, why);
}

void recipients_add(struct recipients *r, const struct address *who, bool to,
		    const char *why)
{
	struct addressee *was = recipients_find(r, who->address);

	if (was) {
		merge(r, was, who, to, why);
		return;
	}
	r->v = arena_grow(&r->arena, r->v, &r->cap, r->n + 1, sizeof(*r->v));
	r->v[r->n++] = (struct addressee){
		.who = { arena_strdup(&r->arena, who->name),
			 arena_strdup(&r->arena, who->address) },
		.to = to,
		.why = arena_strdup(&r->arena, why),
	};
}

int recipients_add_text(struct recipients *r, const char *text, bool to,
			const char *why, struct err *err)
{
	struct address who;

	if (address_parse(text, &r->arena, &who, err) == -1)
		return err_in(err, "'%s'", text);
	recipients_add(r, &who, to, why);
	return 0;
}

bool recipients_drop(struct recipients *r, const char *address)
{
	struct addressee *was = recipients_find(r, address);

	if (!was)
		return false;
	r->n--;
	memmove(was, was + 1,
		(size_t)(r->v + r->n - was) * sizeof(*was));
	return true;
}

struct addresses recipients_list(struct recipients *r, bool to)
{
	struct addresses list = { arena_array(&r->arena, r->n + 1,
					      sizeof(*list.v)), 0 };

	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].to == to)
			list.v[list.n++] = r->v[i].who;
	return list;
}

static void explain(const struct addressee *one, struct buf *out)
{
	buf_addstr(out, one->why_not ? "--: " : one->to ? "To: " : "Cc: ");
	if (*one->who.name)
		buf_addf(out, "%s <%s>", one->who.name, one->who.address);
	else
		buf_addstr(out, one->who.address);
	buf_addf(out, "  (%s", one->why);
	if (one->why_not)
		buf_addf(out, ", but %s", one->why_not);
	buf_addstr(out, ")\n");
}

void recipients_explain(const struct recipients *r, struct buf *out)
{
	for (int to = 1; to >= 0; to--)
		for (size_t i = 0; i < r->n; i++)
			if (r->v[i].to == to)
				explain(&r->v[i], out);
}
