#include "mail/check.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/err.h"
#include "base/utf8.h"

enum {
	NAME_MAX_BYTES = 76,
	VALUE_MAX_BYTES = 4096,
	LOCAL_MAX_BYTES = 64,	/* RFC 5321 4.5.3.1.1 */
	ADDRESS_MAX_BYTES = 254,	/* a path is 256 with its brackets */
	MSGID_MAX_BYTES = 900,	/* with its header name on one line */
};

/* RFC 5322 3.2.3 */
static bool is_atext(char c)
{
	return isascii((unsigned char)c) &&
	       (isalnum((unsigned char)c) ||
		(c && strchr("!#$%&'*+-/=?^_`{|}~", c)));
}

/* Atoms of "is_part" characters with single dots between. */
static bool is_dotted(const char *s, size_t len, bool (*is_part)(char))
{
	bool part = false;

	for (size_t i = 0; i < len; i++) {
		if (s[i] == '.' && !part)
			return false;
		if (s[i] != '.' && !is_part(s[i]))
			return false;
		part = s[i] != '.';
	}
	return part;
}

static bool is_host_char(char c)
{
	return isascii((unsigned char)c) &&
	       (isalnum((unsigned char)c) || c == '-');
}

/* RFC 1123 2.1: labels neither begin nor end with a hyphen. */
static bool is_domain(const char *s, size_t len)
{
	if (!is_dotted(s, len, is_host_char))
		return false;
	for (size_t i = 0; i < len; i++)
		if (s[i] == '-' && (i == 0 || i == len - 1 ||
				    s[i - 1] == '.' || s[i + 1] == '.'))
			return false;
	return true;
}

static const char *control_in(const char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < 0x20 || *s == 0x7f)
			return s;
	return NULL;
}

int header_name(const char *name, struct err *err)
{
	size_t len = strlen(name);

	if (len == 0 || len > NAME_MAX_BYTES)
		return err_set(err, ERR_INPUT, "a header name has 1 to %d "
			       "bytes", NAME_MAX_BYTES);
	for (size_t i = 0; i < len; i++)
		if (name[i] <= ' ' || name[i] > '~' || name[i] == ':')
			return err_set(err, ERR_INPUT, "byte 0x%02x in a "
				       "header name", (unsigned char)name[i]);
	return 0;
}

int header_value(const char *value, struct err *err)
{
	size_t len = strlen(value);
	const char *bad = control_in(value);

	if (len > VALUE_MAX_BYTES)
		return err_set(err, ERR_INPUT, "a header of %zu bytes, %d are "
			       "the limit", len, VALUE_MAX_BYTES);
	if (bad)
		return err_set(err, ERR_INPUT, "control character 0x%02x in a "
			       "header", (unsigned char)*bad);
	if (!utf8_valid(value, len))
		return err_set(err, ERR_INPUT, "a header that is no UTF-8");
	return 0;
}

int address_check(const char *address, struct err *err)
{
	size_t len = strlen(address);
	const char *at = memchr(address, '@', len);

	if (len > ADDRESS_MAX_BYTES)
		return err_set(err, ERR_INPUT, "an address of %zu bytes", len);
	if (!at)
		return err_set(err, ERR_INPUT, "an address without @");
	if ((size_t)(at - address) > LOCAL_MAX_BYTES ||
	    !is_dotted(address, (size_t)(at - address), is_atext))
		return err_set(err, ERR_INPUT, "an address that is malformed "
			       "before its @");
	if (!is_domain(at + 1, len - (size_t)(at + 1 - address)))
		return err_set(err, ERR_INPUT, "an address with a malformed "
			       "domain");
	return 0;
}

int msgid_check(const char *id, struct err *err)
{
	size_t len = strlen(id);
	const char *at = memchr(id, '@', len);

	if (len > MSGID_MAX_BYTES || !at ||
	    !is_dotted(id, (size_t)(at - id), is_atext) ||
	    !is_dotted(at + 1, len - (size_t)(at + 1 - id), is_atext))
		return err_set(err, ERR_INPUT, "a Message-ID that is no "
			       "dot-atom@dot-atom");
	return 0;
}

bool msgid_likely(const char *id)
{
	const char *at = strchr(id, '@');
	size_t len = 0;

	while (id[len] > ' ' && id[len] < 127 && !strchr("<>\"", id[len]))
		len++;
	return !id[len] && len <= MSGID_MAX_BYTES && at && at > id && at[1];
}

static size_t trim(const char **s, size_t len)
{
	while (len && **s == ' ') {
		(*s)++;
		len--;
	}
	while (len && (*s)[len - 1] == ' ')
		len--;
	return len;
}

/* RFC 5322 3.2.4: what a quoted-string means.  -1: a stray quote. */
static int unquote(char *s)
{
	size_t len = strlen(s), n = 0;

	if (!strchr(s, '"'))
		return 0;
	if (len < 2 || s[0] != '"' || s[len - 1] != '"')
		return -1;
	for (size_t i = 1; i < len - 1; i++) {
		if (s[i] == '"')
			return -1;
		if (s[i] == '\\' && i + 1 < len - 1)
			i++;
		s[n++] = s[i];
	}
	s[n] = '\0';
	return 0;
}

static const char *lower_domain(struct arena *a, const char *s, size_t len)
{
	char *copy = arena_strndup(a, s, len), *at = strchr(copy, '@');

	for (char *p = at ? at : copy; at && *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return copy;
}

int address_parse(const char *text, struct arena *a, struct address *out,
		  struct err *err)
{
	const char *open = strrchr(text, '<'), *addr = text;
	size_t len = strlen(text), addr_len = len;
	char *name = arena_strdup(a, "");

	if (header_value(text, err) == -1)
		return -1;
	if (open) {
		size_t name_len = trim(&text, (size_t)(open - text));

		name = arena_strndup(a, text, name_len);
		addr = open + 1;
		addr_len = strlen(addr);
		addr_len = trim(&addr, addr_len);
		if (!addr_len || addr[addr_len - 1] != '>')
			return err_set(err, ERR_INPUT, "an address without "
				       "its closing >");
		addr_len--;
	}
	if (unquote(name) == -1 || strpbrk(name, "<>"))
		return err_set(err, ERR_INPUT, "a name with stray quotes or "
			       "brackets");
	addr_len = trim(&addr, addr_len);
	out->name = name;
	out->address = lower_domain(a, addr, addr_len);
	return address_check(out->address, err);
}
