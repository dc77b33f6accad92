#include "report/chain.h"

#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static bool is_word(const char *s, size_t len, const char *word)
{
	return strlen(word) == len && !memcmp(s, word, len);
}

/* Parts of a symbol that compilers append after a dot. */
static bool is_clone_suffix(const char *s, size_t len)
{
	static const char *const suffix[] = {
		"isra", "constprop", "part", "cold", "lto_priv", "llvm",
	};

	if (strspn(s, "0123456789") >= len)
		return true;
	for (size_t i = 0; i < COUNT(suffix); i++)
		if (is_word(s, len, suffix[i]))
			return true;
	return false;
}

static void add_part(struct chain *c, const char *s, size_t len)
{
	struct symbol *last = c->n ? &c->symbol[c->n - 1] : NULL;

	if (last && is_clone_suffix(s, len))
		last->len = (size_t)(s + len - last->s);
	else if (c->n < CHAIN_MAX)
		c->symbol[c->n++] = (struct symbol){ s, len, len };
}

/* Take the next part of "*s" up to a dot; its length, 0 at the end. */
static size_t next_part(const char **s, const char **part)
{
	size_t len = strcspn(*s, ".");

	*part = *s;
	*s += len + ((*s)[len] == '.');
	return len;
}

static enum chain_kind kind_named(const char *s, size_t len)
{
	if (is_word(s, len, "calltrace"))
		return CHAIN_CALLTRACE;
	if (is_word(s, len, "children"))
		return CHAIN_CHILDREN;
	if (is_word(s, len, "self"))
		return CHAIN_SELF;
	return CHAIN_NONE;
}

void chain_read(struct chain *c, const char *name)
{
	const char *part;
	size_t len = next_part(&name, &part);

	*c = (struct chain){ .kind = CHAIN_NONE };
	if (!is_word(part, len, "perf-profile"))
		return;
	len = next_part(&name, &part);
	c->kind = kind_named(part, len);
	if (c->kind != CHAIN_NONE)
		next_part(&name, &part);	/* the event */
	else
		c->kind = CHAIN_CALLTRACE;
	while (*name) {
		len = next_part(&name, &part);
		add_part(c, part, len);
	}
	if (!c->n)
		c->kind = CHAIN_NONE;
}

bool symbol_same(const struct symbol *a, const struct symbol *b)
{
	return a->base == b->base && !memcmp(a->s, b->s, a->base);
}

/* How many symbols from "i" and "k" on are the same. */
static size_t common(const struct chain *a, size_t i, const struct chain *b,
		     size_t k)
{
	size_t n = 0;

	while (i + n < a->n && k + n < b->n &&
	       symbol_same(&a->symbol[i + n], &b->symbol[k + n]))
		n++;
	return n;
}

/* Has "a" one symbol more, behind the first "start" that both share? */
static bool has_one_more(const struct chain *a, const struct chain *b,
			 size_t start)
{
	size_t rest = common(a, start + 1, b, start);
	size_t left = b->n - start - rest;

	if (!start || start + 1 + rest != a->n)
		return false;
	return !left || (left == 1 && a->n == b->n);
}

static bool has_another(const struct chain *a, const struct chain *b,
			size_t start)
{
	return a->n == b->n && a->n > 1 &&
	       start + 1 + common(a, start + 1, b, start + 1) == a->n;
}

bool chain_renamed(const struct chain *a, const struct chain *b,
		   struct rename *by)
{
	size_t start = common(a, 0, b, 0);
	bool another, less, more;

	*by = (struct rename){ .from = { "", 0, 0 }, .to = { "", 0, 0 } };
	if (a->kind != CHAIN_CALLTRACE || b->kind != CHAIN_CALLTRACE)
		return false;
	if (start == a->n && start == b->n)
		return true;
	another = start < a->n && start < b->n && has_another(a, b, start);
	less = !another && start < a->n && has_one_more(a, b, start);
	more = !another && !less && start < b->n && has_one_more(b, a, start);
	if (another || less)
		by->from = a->symbol[start];
	if (another || more)
		by->to = b->symbol[start];
	return another || less || more;
}

bool chain_called_by(const struct chain *callee, const struct chain *caller)
{
	size_t n = common(callee, 1, caller, 0);

	/* Profiles cut long chains: the outer end may be missing. */
	return callee->n > 1 && (n == caller->n || n + 1 == callee->n);
}

bool symbol_is_lock(const struct symbol *s)
{
	static const char *const part[] = {
		"spin_lock", "mutex_lock", "rwsem", "osq_lock", "down_read",
		"down_write", "queued_spin", "queued_read", "queued_write",
		"read_lock", "write_lock", "mutex_spin", "rt_mutex",
	};

	for (size_t i = 0; i < COUNT(part); i++)
		if (memmem(s->s, s->len, part[i], strlen(part[i])))
			return true;
	return false;
}
