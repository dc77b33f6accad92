/* Other tests, boxes and configurations of the same commit. */
#include "report/finding.h"

#include "report/words.h"

enum { NAMED = 4 };

/* "fio-basic: fio.read_iops -5.4% regression (285570 to 270288)" */
static void add_impact(struct note *n, const struct impact *m)
{
	const char *test = result_axis(m->group->side[0].result, "testcase");

	if (test) {
		note_name(n, test);
		buf_addstr(&n->text, ": ");
	}
	note_name(n, m->row->name);
	buf_addch(&n->text, ' ');
	words_judged(&n->text, m->row, m->side);
	buf_addstr(&n->text, " (");
	words_mean(&n->text, m->row, 0);
	buf_addstr(&n->text, " to ");
	words_mean(&n->text, m->row, m->side);
	buf_addch(&n->text, ')');
}

void find_also(struct report *r)
{
	struct note n;

	if (!r->nimpact)
		return;
	note_start(&n, r);
	note_number(&n, "tests", (double)r->nimpact);
	buf_addstr(&n.text, "Also: ");
	for (size_t i = 0; i < r->nimpact && i < NAMED; i++) {
		buf_addstr(&n.text, i ? "; " : "");
		add_impact(&n, &r->impact[i]);
	}
	if (r->nimpact > NAMED)
		buf_addf(&n.text, "; and %zu more tests, in the box below",
			 r->nimpact - NAMED);
	buf_addch(&n.text, '.');
	note_end(&n, FINDING_ALSO);
}
