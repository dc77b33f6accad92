#include "mail/message.h"

#include <string.h>
#include <strings.h>

#include "mail/address.h"
#include "mail/text.h"

/* "Ann Lee via perf": where " via " stands, NULL when it does not. */
static const char *find_via(const char *name)
{
	static const char *const words[] = { " via ", " \xc3\xbc" "ber ",
					     " through " };
	struct slice s = { name, strlen(name) };
	const char *at;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if ((at = slice_find_case(s, words[i])) && at > name)
			return at;
	return NULL;
}

/* Is it where the list itself is reached: perf@lists.example.org? */
static bool is_list_address(const struct message *m, const char *address)
{
	const char *post = message_header(m, "List-Post"), *at, *id;
	size_t n;

	if (post && *address && strcasestr(post, address))
		return true;
	at = strchr(address, '@');
	id = m->list_id;
	if (!at || !id)
		return false;
	n = (size_t)(at - address);
	return !strncasecmp(id, address, n) && id[n] == '.' &&
	       !strcasecmp(id + n + 1, at + 1);
}

/* The address of the first of these fields that holds one. */
static bool from_field(struct message *m, struct address *out)
{
	static const char *const name[] = {
		"X-Original-From", "Original-From", "X-Original-Sender",
		"X-Google-Original-From",
	};
	struct addresses list;
	const char *value;

	for (size_t i = 0; i < sizeof(name) / sizeof(name[0]); i++) {
		value = message_header(m, name[i]);
		if (!value)
			continue;
		addresses_read(&list, &m->arena, value);
		if (list.n) {
			*out = list.v[0];
			return true;
		}
	}
	return false;
}

/* The only one in Reply-To that is not the list. */
static bool from_reply_to(const struct message *m, struct address *out)
{
	size_t found = 0;

	for (size_t i = 0; i < m->reply_to.n; i++) {
		if (is_list_address(m, m->reply_to.v[i].address) ||
		    address_is_same(m->reply_to.v[i].address,
				    m->from.address))
			continue;
		*out = m->reply_to.v[i];
		found++;
	}
	return found == 1;
}

/* Lists that keep the person in Cc do so under the same name. */
static bool from_cc(const struct message *m, const char *name,
		    struct address *out)
{
	for (size_t i = 0; *name && i < m->cc.n; i++)
		if (!strcasecmp(m->cc.v[i].name, name)) {
			*out = m->cc.v[i];
			return true;
		}
	return false;
}

/* "ann=example.org@groups.example.net" holds ann@example.org. */
static bool from_local_part(struct message *m, struct address *out)
{
	const char *a = m->from.address, *at = strchr(a, '@');
	const char *eq = at ? memrchr(a, '=', (size_t)(at - a)) : NULL;

	if (!eq || eq == a || !memchr(eq, '.', (size_t)(at - eq)))
		return false;
	out->address = arena_printf(&m->arena, "%.*s@%.*s", (int)(eq - a), a,
				    (int)(at - eq - 1), eq + 1);
	return true;
}

/* "'Ann Lee" and what else a list leaves around a name. */
static const char *bare_name(struct message *m, const char *name,
			     const char *end)
{
	while (end > name && strchr(" '\"", end[-1]))
		end--;
	while (name < end && strchr(" '\"", *name))
		name++;
	return arena_strndup(&m->arena, name, (size_t)(end - name));
}

struct address message_author(struct message *m)
{
	const char *via = find_via(m->from.name), *name;
	struct address a = m->from;

	if (!via && !is_list_address(m, m->from.address))
		return a;
	name = via ? bare_name(m, m->from.name, via) : "";
	if (!from_field(m, &a) && !from_reply_to(m, &a) &&
	    !from_cc(m, name, &a) && !from_local_part(m, &a))
		a = m->from;
	if (*name)
		a.name = name;
	return a;
}
