#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/utf8.h"
#include "mail/message.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void is_text(const char *s)
{
	must(s && utf8_valid(s, strlen(s)));
}

static void check_addresses(const struct addresses *a)
{
	for (size_t i = 0; i < a->n; i++) {
		is_text(a->v[i].name);
		is_text(a->v[i].address);
		must(strchr(a->v[i].address, '@') != NULL);
	}
}

/* The lines are the body, in order, nothing left out. */
static void check_lines(const struct message *m)
{
	const char *at = m->body;

	for (size_t i = 0; i < m->nline; i++) {
		must(m->line[i].number == i + 1 && m->line[i].text == at);
		at += m->line[i].len;
		at += strspn(at, "\r");
		must(*at == '\n' || !*at);
		at += *at == '\n';
	}
	must(!*at);
}

static void check_patches(const struct message *m)
{
	for (size_t i = 0; i < m->npatch; i++) {
		const struct patch *p = &m->patch[i];

		is_text(p->text);
		must(strlen(p->id) == 64 && *p->text);
		must(p->verdict <= PATCH_BINARY);
		must(!p->line == (p->verdict == PATCH_OK));
		for (size_t k = 0; k < p->files.n; k++)
			is_text(p->files.v[k]);
	}
}

/* Whatever comes is read, and what is read is sound. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = ERR_INIT;
	struct message m, head;

	must(message_read(&m, data, size, &err) == 0);
	is_text(m.message_id);
	is_text(m.subject);
	is_text(m.body);
	is_text(m.new_text);
	check_addresses(&m.to);
	check_addresses(&m.cc);
	check_addresses(&m.reply_to);
	for (size_t i = 0; i < m.nheader; i++)
		is_text(m.header[i].value);
	for (size_t i = 0; i < m.references.n; i++)
		is_text(m.references.v[i]);
	check_lines(&m);
	check_patches(&m);
	must(message_author(&m).address != NULL);
	must(message_read_header(&head, data, size, &err) == 0);
	must(head.nheader == m.nheader && head.date == m.date &&
	     !strcmp(head.message_id, m.message_id));
	message_release(&head);
	message_release(&m);
	return 0;
}
