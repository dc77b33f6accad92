#include "report/script.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "report/facts.h"
#include "report/report.h"

enum { SCRIPT_MAX = 256 << 10, LINES_MAX = 40, LINE_MAX = 1000 };

static json_t *commands_of_facts(const struct report *r)
{
	return json_object_get(json_object_get(r->results->facts, "test"),
			       "reproduce");
}

/* The facts' commands: a list of lines, or a text. */
static void script_of_facts(const struct report *r, struct buf *out)
{
	json_t *steps = commands_of_facts(r), *step;
	size_t i;

	if (!json_array_size(steps) && !json_is_string(steps))
		return;
	buf_addstr(out, "#!/bin/sh\n");
	json_array_foreach(steps, i, step) {
		json_scalar(out, step);
		buf_addch(out, '\n');
	}
	if (json_is_string(steps))
		buf_addf(out, "%s\n", json_string_value(steps));
}

/* "DIR/reproduce.sh", "DIR/0/reproduce.sh": as the framework leaves it. */
static void script_of_folder(const struct report *r, struct buf *out)
{
	static const char *const name[] = {
		"reproduce.sh", "0/reproduce.sh", "reproduce", "0/reproduce",
	};
	const struct result *result = r->group->side[r->side].result;
	struct buf path = BUF_INIT(8192);

	if (!result || !result->source || !file_is_folder(result->source))
		return;
	for (size_t i = 0; i < sizeof(name) / sizeof(*name) && !out->len; i++) {
		buf_reset(&path);
		buf_addf(&path, "%s/%s", result->source, name[i]);
		if (file_exists(path.s) && !file_is_folder(path.s) &&
		    file_read(path.s, out, NULL) == -1)
			buf_reset(out);
	}
	buf_release(&path);
}

void script_whole(const struct report *r, struct buf *out)
{
	script_of_facts(r, out);
	if (!out->len)
		script_of_folder(r, out);
}

static bool is_plain(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_./:=,+@%-", c));
}

/* The length of a word that needs not be quoted, with its marks; else 0. */
static size_t plain_word(const char *s, const char *end)
{
	const char *p = s + 1;

	if (*s != '"')
		return 0;
	while (p < end && is_plain(*p))
		p++;
	return p < end && p > s + 1 && *p == '"' ? (size_t)(p + 1 - s) : 0;
}

/* "mount" "-t" "tmpfs" as people write it: mount -t tmpfs. */
static void add_command(struct buf *out, const char *s, const char *end)
{
	bool start = true;

	while (s < end) {
		size_t n = start ? plain_word(s, end) : 0;

		if (n && (s + n == end || isblank((unsigned char)s[n]))) {
			buf_add(out, s + 1, n - 2);
			s += n;
			continue;
		}
		start = isblank((unsigned char)*s);
		buf_addch(out, *s++);
	}
}

/* What a script does, a line each; false when it is too much. */
static bool add_commands(struct buf *out, const char *s)
{
	size_t n = 0, len;

	for (; *s; s += len + (s[len] == '\n')) {
		size_t blanks = strspn(s, " \t"), end;

		len = end = strcspn(s, "\n");
		while (end > blanks && isspace((unsigned char)s[end - 1]))
			end--;
		if (blanks >= end || s[blanks] == '#')
			continue;
		if (++n > LINES_MAX || end > LINE_MAX)
			return false;
		/* commands stand at the margin, what a loop holds does not */
		buf_addstr(out, blanks > 1 || s[0] == '\t' ? "    " : "");
		add_command(out, s + blanks, s + end);
		buf_addch(out, '\n');
	}
	return true;
}

static void lines_of_script(const struct report *r, json_t *list)
{
	struct buf script = BUF_INIT(SCRIPT_MAX), text = BUF_INIT(SCRIPT_MAX);

	script_of_folder(r, &script);
	if (add_commands(&text, script.s) && !buf_over(&text))
		list_add_lines(list, text.s);
	buf_release(&script);
	buf_release(&text);
}

json_t *script_lines(const struct report *r)
{
	json_t *list = facts_lines(commands_of_facts(r));

	if (!json_array_size(list))
		lines_of_script(r, list);
	list_mark_ends(list);
	return list;
}
