#include "bot/unmet.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "bot/phrases.h"

/* Phrases by which people call it, "|" between them. */
static const struct topic {
	const char *what, *phrases;
	bool data;	/* a question for it is answered on its own */
	const char *parameters;	/* that grant it */
} topics[] = {
	{ "a perf profile", "perf profile|profile|profiles|perf record|"
	  "perf.data|flame graph|flamegraph|perf report", true, "" },
	{ "perf c2c", "perf c2c|c2c", true, "" },
	{ "perf stat", "perf stat|perf counters|hardware counters", true, "" },
	{ "lock statistics", "lockstat|lock_stat|lock stat|perf lock", true,
	  "" },
	{ "a trace", "ftrace|bpftrace|trace-cmd|function trace|"
	  "function graph|trace", true, "" },
	{ "the kernel's log", "dmesg|kernel log|console log", true, "" },
	{ "a bisection", "bisect|bisection|bisecting", false, "" },
	{ "the choice of a machine", "more nodes|more numa nodes|"
	  "more sockets|more cores|more cpus|fewer cpus|fewer cores|"
	  "fewer nodes|single node|single-node|single socket|one node|"
	  "two nodes|four nodes|box with|machine with|server with|"
	  "another box|another machine|other box|other machine|"
	  "different box|different machine|bigger box|bigger machine|"
	  "larger box|larger machine|smaller box|smaller machine|"
	  "bare metal", false, "|machine|tbox_group|nr_node|" },
};

/* What makes a wish of a clause that names one. */
static const char verbs[] = "get|collect|capture|take|provide|share|send|post|"
	"attach|give|grab|record|run|rerun|re-run|retest|test|try|use|gather|"
	"include|show|check|do|bisect|repeat|with";

/* ... and what the author does himself, or saw. */
static const char told[] = "i'll|i|we|we'll|shows|says|suggests";

static bool is_granted(const struct plan *p, const struct item *i,
		       const struct topic *t)
{
	const struct request *r = i->request, *o;

	for (size_t k = 0; *t->parameters && k < r->nparam; k++)
		if (phrases_stand(t->parameters, r->param[k].key))
			return true;
	for (size_t k = 0; t->data && k < p->requests->n; k++) {
		o = &p->requests->request[k];
		if (o->kind == REQUEST_MORE_DATA && o->evidence &&
		    !strcmp(o->evidence, r->evidence))
			return true;
	}
	return false;
}

/* The next clause; "*pos" goes behind it. */
static const char *next_clause(const char **pos, struct arena *a)
{
	static const char *const joint[] = { " and ", " then ", " also " };
	const char *s = *pos, *end = s + strcspn(s, ",;.?!");
	char *text;

	for (size_t k = 0; k < sizeof(joint) / sizeof(*joint); k++) {
		const char *at = strstr(s, joint[k]);

		if (at && at < end)
			end = at;
	}
	text = arena_strndup(a, s, (size_t)(end - s));
	for (char *c = text; *c; c++)
		if (isspace((unsigned char)*c))
			*c = ' ';
	*pos = *end ? end + 1 : end;
	return text;
}

const char *unmet_wishes(const struct plan *p, const struct item *i,
			 struct arena *a)
{
	bool found[sizeof(topics) / sizeof(*topics)] = { false };
	const char *pos = i->request->evidence, *clause;
	struct buf list = BUF_INIT(400);
	const char *text = NULL;

	for (int n = 0; pos && *pos && n < 50; n++) {
		clause = next_clause(&pos, a);
		if (!phrases_stand(clause, verbs) || phrases_stand(clause, told))
			continue;
		for (size_t k = 0; k < sizeof(topics) / sizeof(*topics); k++)
			found[k] = found[k] ||
				(phrases_stand(clause, topics[k].phrases) &&
				 !is_granted(p, i, &topics[k]));
	}
	for (size_t k = 0; k < sizeof(topics) / sizeof(*topics); k++)
		if (found[k])
			buf_addf(&list, "%s%s", list.len ? "; " : "",
				 topics[k].what);
	if (list.len)
		text = arena_strndup(a, list.s, list.len);
	buf_release(&list);
	return text;
}
