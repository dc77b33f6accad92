#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "mail/message.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The body, with "mark" before each line, as a message. */
static void read_marked(struct message *m, const char *body, const char *mark)
{
	struct buf text = BUF_INIT((size_t)1 << 24);
	struct err err = ERR_INIT;

	buf_addstr(&text, "From: a@example.org\n\n");
	while (*body) {
		size_t n = strcspn(body, "\n");

		buf_addstr(&text, mark);
		buf_add(&text, body, n);
		buf_addch(&text, '\n');
		body += n + (body[n] == '\n');
	}
	if (message_read(m, text.s, text.len, &err) == -1)
		abort();
	buf_release(&text);
}

/* New text is made of the body's own lines that are new. */
static void check_new_text(const struct message *m)
{
	const char *at = m->new_text;

	for (size_t i = 0; i < m->nline; i++) {
		const struct line *l = &m->line[i];

		if (l->kind != LINE_NEW)
			continue;
		while (*at == '\n')
			at++;
		if (!strncmp(at, l->text, l->len) && at[l->len] == '\n')
			at += l->len + 1;
	}
	while (*at == '\n')
		at++;
	if (*at)
		abort();
}

/* What somebody quotes is never new, whatever it says. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct message m, quoted;
	char *body = calloc(1, size + 1);

	memcpy(body, data, size);
	read_marked(&m, body, "");
	check_new_text(&m);
	read_marked(&quoted, m.body, "> ");
	if (*quoted.new_text || quoted.npatch)
		abort();
	message_release(&quoted);
	message_release(&m);
	free(body);
	return 0;
}
