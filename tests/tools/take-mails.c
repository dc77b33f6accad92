/*
 * Take mails in as the bot does, and print what came: a program for tests of
 * the receiving drivers with real servers.
 *
 * usage: take-mails CONF CURSORS ROUNDS [FAIL]
 *
 * Each round asks all sources until they have no more.  Prints, a line each,
 * "mail SOURCE LENGTH SHA-256", "none SOURCE" or "error SOURCE CODE TEXT".
 * Cursors are kept in the file CURSORS, a line for each source.  A mail that
 * holds the text FAIL is settled as one that can never be stored.  Between
 * rounds a line is read from standard input, so that a test can change things.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "data/conf.h"
#include "mail/id.h"
#include "mail/message.h"
#include "recv/recv.h"

#define SOURCES_MAX 10

static struct arena arena = ARENA_INIT;
static struct recv_source *source;
static size_t nsource;
static const char *cursor[SOURCES_MAX];

static void die(const struct err *err)
{
	printf("fatal %d %s\n", err->code, err->text);
	exit(1);
}

static void load_cursors(const char *path)
{
	struct buf text = BUF_INIT(100000);
	char *line, *save = NULL;

	if (file_read(path, &text, NULL) == -1)
		return;
	line = strtok_r(text.s, "\n", &save);
	for (size_t i = 0; line && i < nsource; i++) {
		cursor[i] = arena_strdup(&arena, line);
		line = strtok_r(NULL, "\n", &save);
	}
	buf_release(&text);
}

static void save_cursors(const char *path, struct receiver **r)
{
	struct buf text = BUF_INIT(100000);
	struct err err = ERR_INIT;

	for (size_t i = 0; i < nsource; i++) {
		const char *c = receiver_cursor(r[i]);

		buf_addf(&text, "%s\n", c && *c ? c : "-");
	}
	if (file_write(path, text.s, text.len, &err) == -1)
		die(&err);
	buf_release(&text);
}

static void take_all(struct receiver *r, const char *name, const char *fail)
{
	struct buf bytes = BUF_INIT(MAIL_MAX);
	struct err err = ERR_INIT;
	char hex[DIGEST_HEX];
	int rc;

	while ((rc = receiver_next(r, &bytes, &err)) != 0) {
		if (rc == -1) {
			printf("error %s %d %s\n", name, err.code, err.text);
			if (err.code != ERR_INPUT)
				break;
			continue;
		}
		digest_bytes(bytes.s, bytes.len, hex);
		printf("mail %s %zu %s\n", name, bytes.len, hex);
		if (receiver_settle(r, !fail || !strstr(bytes.s, fail),
				    &err) == -1)
			printf("error %s %d %s\n", name, err.code, err.text);
	}
	if (rc == 0)
		printf("none %s\n", name);
	buf_release(&bytes);
}

int main(int argc, char **argv)
{
	struct receiver *r[SOURCES_MAX];
	struct err err = ERR_INIT;
	struct conf conf;
	char line[100];
	int rounds = argc > 3 ? atoi(argv[3]) : 1;

	if (argc < 3 || conf_load(&conf, argv[1], &err) == -1 ||
	    recv_sources(&conf, &arena, &source, &nsource, &err) == -1)
		die(&err);
	load_cursors(argv[2]);
	for (size_t i = 0; i < nsource; i++) {
		const char *c = cursor[i] && strcmp(cursor[i], "-") ?
			cursor[i] : NULL;

		r[i] = receiver_open(&conf, &source[i], c, &err);
		if (!r[i])
			die(&err);
	}
	for (int k = 0; k < rounds; k++) {
		if (k && !fgets(line, sizeof(line), stdin))
			break;
		for (size_t i = 0; i < nsource; i++)
			take_all(r[i], source[i].name, argc > 4 ? argv[4] :
								  NULL);
		save_cursors(argv[2], r);
		printf("end\n");
		fflush(stdout);
	}
	for (size_t i = 0; i < nsource; i++)
		receiver_close(r[i]);
	conf_release(&conf);
	arena_release(&arena);
	return 0;
}
