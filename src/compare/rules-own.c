#include "compare/rules-int.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/grow.h"
#include "base/place.h"

enum { OWN_MAX = 1 << 20 };

static const char blanks[] = " \t";

/* The next word of the line at "*p", cut off; NULL when there is none. */
static char *next_word(char **p)
{
	char *word = *p + strspn(*p, blanks), *end;

	if (!*word)
		return NULL;
	end = word + strcspn(word, blanks);
	*p = *end ? end + 1 : end;
	*end = '\0';
	return word;
}

static const char *unless_dash(const char *s)
{
	return s && strcmp(s, "-") ? s : NULL;
}

static int read_tests(struct strmap *m, char *line)
{
	for (char *word; (word = next_word(&line));)
		rules_add_test(m, word, strlen(word));
	return 0;
}

static int read_floor(struct rules *r, char *line)
{
	char *name = next_word(&line), *max = next_word(&line);
	char *delta = next_word(&line);
	struct floor f = { .has_delta = delta != NULL };

	if (!max || (delta && *delta != '/'))
		return -1;
	f.max = number_int(strtoll(max, NULL, 10));
	if (delta)
		f.delta = number_int(strtoll(delta + 1, NULL, 10));
	pattern_add_wild(&r->floor_name, name);
	rules_add_floor(r, f);
	return 0;
}

static int read_metric(struct rules *r, char *line, bool kpi)
{
	char *name = next_word(&line), *better = next_word(&line);
	char *unit = next_word(&line), *meaning = line + strspn(line, blanks);
	size_t n = r->metric_name.n;

	if (!unit || !strchr("hl-", *better))
		return -1;
	r->metric = grow_array(r->metric, n, sizeof(*r->metric));
	r->metric[n] = (struct metric){
		.better = *better == 'h' ? BETTER_HIGHER :
			  *better == 'l' ? BETTER_LOWER :
					   BETTER_UNKNOWN,
		.unit = unless_dash(unit),
		.meaning = *meaning ? meaning : NULL,
		.kpi = kpi && *better != '-',
	};
	pattern_add_wild(&r->metric_name, name);
	return 0;
}

static int add_wild(struct pattern_list *l, char *line)
{
	pattern_add_wild(l, next_word(&line));
	return 0;
}

/* With the rule files of lkp-tests at hand only the metrics are ours. */
static int read_line(struct rules *r, const char *section, char *line)
{
	if (!strcmp(section, "[metrics]"))
		return read_metric(r, line, true);
	if (!strcmp(section, "[monitors]"))
		return read_metric(r, line, false);
	if (r->lkp)
		return 0;
	if (!strcmp(section, "[tests]"))
		return read_tests(&r->test, line);
	if (!strcmp(section, "[functional]"))
		return read_tests(&r->functional, line);
	if (!strcmp(section, "[failures]"))
		return add_wild(&r->failure, line);
	if (!strcmp(section, "[noise]"))
		return add_wild(&r->noise, line);
	if (!strcmp(section, "[sensitive]"))
		return add_wild(&r->sensitive, line);
	if (!strcmp(section, "[floors]"))
		return read_floor(r, line);
	return -1;
}

static int read_text(struct rules *r, char *text, const char *path,
		     struct err *err)
{
	const char *section = "";
	int number = 1;

	for (char *line = text, *end; *line; line = end + 1, number++) {
		end = line + strcspn(line, "\n");
		if (!*end)
			return err_set(err, ERR_INPUT,
				       "%s:%d: the last line has no end", path,
				       number);
		*end = '\0';
		line += strspn(line, blanks);
		if (*line == '[')
			section = line;
		else if (*line && *line != '#' &&
			 read_line(r, section, line) == -1)
			return err_set(err, ERR_INPUT, "%s:%d: not understood",
				       path, number);
	}
	return 0;
}

int rules_read_own(struct rules *r, struct err *err)
{
	struct buf path = BUF_INIT(PATH_MAX), text = BUF_INIT(OWN_MAX);
	int rc;

	place_data(&path, "metrics.txt");
	rc = file_read(path.s, &text, err);
	if (rc == 0)
		rc = read_text(r, arena_strndup(&r->arena, text.s, text.len),
			       path.s, err);
	buf_release(&text);
	buf_release(&path);
	return rc;
}
