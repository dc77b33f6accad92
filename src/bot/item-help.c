#include "bot/item-answer.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "bot/letter.h"
#include "bot/measured.h"
#include "bot/phrases.h"
#include "mail/message.h"
#include "report/words.h"
#include "store/outbox.h"

/* "What does this metric mean, and how do I run it by hand?" */

#define COMMANDS_MAX 40	/* lines */

enum topic { MEANING = 1, BY_HAND = 2, TABLE = 4 };

static const struct {
	enum topic topic;
	const char *phrases;
} topics[] = {
	{ MEANING, "mean|means|meaning|stand for|stands for|metric|unit|units|"
	  "definition|is lower better|is higher better|lower or higher|"
	  "higher or lower" },
	{ BY_HAND, "by hand|run this test|run the test|run it|reproduce|"
	  "reproduction|manually|locally|on my machine|command line|"
	  "run this benchmark|run the benchmark|run this|reproducer" },
	{ TABLE, "read the table|read this table|the table|column|columns|"
	  "%stddev|%change|fail:runs|pp" },
};

/* What was asked about; 0: what we understand. */
static unsigned int find_topics(const struct plan *p, const struct item *i)
{
	const char *asks = i->request->evidence ? i->request->evidence : "";
	unsigned int found = 0;

	for (size_t k = 0; k < p->requests->ncommand; k++)
		if (!strcmp(p->requests->command[k].text, asks))
			return 0;
	for (size_t k = 0; k < sizeof(topics) / sizeof(*topics); k++)
		if (phrases_stand(asks, topics[k].phrases))
			found |= topics[k].topic;
	return found;
}

static const char *better_words(enum better better)
{
	return better == BETTER_LOWER ? "lower is better" :
	       better == BETTER_HIGHER ? "higher is better" :
	       "I do not know which way is better";
}

/* "X: processor time to append a word, in ns; lower is better." */
static const char *meaning_of(const struct measured *m, struct arena *a)
{
	const struct row *row = m->row;
	struct buf mean = BUF_INIT(200);
	const char *text = arena_printf(a, "%s%s%s%s%s; %s.", row->name,
		row->meaning ? ": " : "", row->meaning ? row->meaning : "",
		row->unit ? ", in " : "", row->unit ? row->unit : "",
		better_words(row->better));

	for (size_t k = 0; k < m->group->nside && k < 2; k++) {
		buf_addstr(&mean, k ? " at the base, " : "");
		words_mean(&mean, row, k);
	}
	if (m->group->nside > 1)
		text = arena_printf(a, "%s The report compares the means of the "
				    "runs: %s tested.", text, mean.s);
	buf_release(&mean);
	return text;
}

static void tell_meaning(struct plan *p, struct item *i)
{
	struct arena *a = &p->arena;
	const char **path;
	size_t n = measured_paths(i->report->results, a, &path);
	struct measured m;
	bool known = false;

	if (measured_open(&m, p->bot->settings, path, n,
			  i->report->stat, MEASURED_KPI, NULL) == 0) {
		known = m.row->meaning || m.row->unit;
		json_object_set_new(i->told, "meaning", json_text(letter_fold(
			letter_safe(meaning_of(&m, a), 600, a), a)));
	}
	measured_release(&m);
	if (!known)
		answer_missing(p, i, arena_printf(a, "what %s means",
						  i->report->stat));
}

/* The facts' commands: a list of lines, or a text. */
static json_t *of_facts(const json_t *facts, struct arena *a)
{
	json_t *steps = json_object_get(json_object_get(facts, "test"),
					"reproduce"), *step;
	struct buf text = BUF_INIT(20000);
	json_t *lines;
	size_t k;

	if (json_is_string(steps))
		buf_addstr(&text, json_string_value(steps));
	json_array_foreach(steps, k, step)
		if (json_is_string(step))
			buf_addf(&text, "%s\n", json_string_value(step));
	lines = letter_lines(text.s ? text.s : "", COMMANDS_MAX, a);
	buf_release(&text);
	return lines;
}

/* What stood below "To reproduce:" in the report's own mail. */
static json_t *of_mail(const struct message *m, struct arena *a)
{
	struct buf text = BUF_INIT(20000);
	json_t *lines;
	size_t k = 0;

	while (k < m->nline && (m->line[k].len != 13 ||
				memcmp(m->line[k].text, "To reproduce:", 13)))
		k++;
	for (k++; k < m->nline; k++) {
		const struct line *l = &m->line[k];

		if (l->len && *l->text != ' ' && *l->text != '\t')
			break;
		if (l->len)
			buf_addf(&text, "%s\n", arena_strndup(a, l->text,
				 l->len) + strspn(l->text, " \t"));
	}
	lines = letter_lines(text.s ? text.s : "", COMMANDS_MAX, a);
	buf_release(&text);
	return lines;
}

static json_t *of_report(struct plan *p, const struct item *i)
{
	struct message m = { .nline = 0 };
	json_t *lines = json_array();
	struct outgoing o;

	if (outbox_find(p->bot->store, i->report->message_id, &p->arena, &o,
			NULL) != 1 || !o.len ||
	    message_read(&m, o.bytes, o.len, NULL) == -1)
		return lines;
	json_decref(lines);
	lines = of_mail(&m, &p->arena);
	message_release(&m);
	return lines;
}

static json_t *of_results(struct plan *p, const struct item *i)
{
	const char **path;
	size_t n = measured_paths(i->report->results, &p->arena, &path);
	json_t *lines = json_array();
	const char *ran = NULL;
	struct measured m;

	if (measured_open(&m, p->bot->settings, path, n,
			  i->report->stat, MEASURED_KPI, NULL) == 0) {
		json_decref(lines);
		lines = of_facts(m.results.facts, &p->arena);
		ran = m.group->side[m.group->nside - 1].result->ran;
	}
	if (!json_array_size(lines) && ran)
		json_array_append_new(lines, json_pack("{s:o}", "line",
			json_text(letter_safe(ran, 500, &p->arena))));
	measured_release(&m);
	return lines;
}

bool answer_by_hand(struct plan *p, struct item *i)
{
	json_t *lines = of_results(p, i);

	if (!json_array_size(lines)) {
		json_decref(lines);
		lines = of_report(p, i);
	}
	if (!json_array_size(lines)) {
		json_decref(lines);
		return false;
	}
	json_object_set_new(i->told, "commands", lines);
	json_object_set_new(i->told, "by_hand", json_true());
	return true;
}

int answer_help(struct plan *p, struct item *i, struct err *err)
{
	unsigned int asked = i->report ? find_topics(p, i) : 0;

	(void)err;
	i->reason = "what I understand";
	if (!asked) {
		json_object_set_new(i->told, "help", json_true());
		return 0;
	}
	if (asked & MEANING)
		tell_meaning(p, i);
	if (asked & TABLE)
		json_object_set_new(i->told, "table_key", json_true());
	if ((asked & BY_HAND) && !answer_by_hand(p, i))
		answer_missing(p, i, "the commands of this test");
	json_object_set_new(i->told, "points_to_help", json_true());
	i->reason = "about the test";
	return 0;
}
