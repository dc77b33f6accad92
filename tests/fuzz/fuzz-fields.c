#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "mail/address.h"
#include "mail/date.h"
#include "mail/header.h"
#include "mail/msgid.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* One address is one address, to us and to whoever reads it after us. */
static void check_address(struct arena *a, const struct address *one)
{
	struct addresses again;
	char *text = arena_printf(a, "<%s>", one->address);
	const char *at = strrchr(one->address, '@');

	if (!at || at == one->address || !at[1] ||
	    !utf8_valid(one->name, strlen(one->name)) ||
	    !utf8_valid(one->address, strlen(one->address)) ||
	    strpbrk(one->name, "\r\n") || strpbrk(one->address, "\r\n"))
		abort();
	if (*one->address == '"' || strpbrk(one->address, "\\<>\"=?"))
		return;		/* quoted, or encoded against the rules */
	addresses_read(&again, a, text);
	if (again.n != 1 || strcmp(again.v[0].address, one->address))
		abort();
}

static void check_ids(const char *text)
{
	struct buf id = BUF_INIT(MSGID_MAX + 1);
	const char *pos = text;

	while (msgid_next(&pos, &id))
		if (!id.len || strpbrk(id.s, "<> \t\r\n") || buf_over(&id))
			abort();
	pos = text;
	while (msgid_next_bare(&pos, &id))
		if (!id.len || strpbrk(id.s, "<> \t\r\n") || buf_over(&id))
			abort();
	buf_release(&id);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	struct addresses list;
	char *text = arena_strndup(&a, (const char *)data, size), *words;
	int64_t date;

	addresses_read(&list, &a, text);
	for (size_t i = 0; i < list.n; i++)
		check_address(&a, &list.v[i]);
	words = words_decode(&a, (const char *)data, size);
	if (!utf8_valid(words, strlen(words)) || strpbrk(words, "\r\n"))
		abort();
	check_ids(text);
	date = date_read(text);
	if (date != DATE_NONE && (date < -86400 || date > 253402387200))
		abort();
	arena_release(&a);
	return 0;
}
