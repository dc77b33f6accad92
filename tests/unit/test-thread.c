#include "mail-copy.h"

#include <stdio.h>

#include "base/buf.h"
#include "thread/series.h"
#include "thread/thread.h"

#define COUNT(t) (sizeof(t) / sizeof(t[0]))
#define MAILS 12

/* A mail in one line: "id subject < ref ref ^ irt irt @ date ~ author". */
static const char *field(struct arena *a, const char *line, char mark)
{
	const char *at = strchr(line, mark), *end;

	if (!at)
		return "";
	at++;
	at += strspn(at, " ");
	end = at + strcspn(at, "<^@~");
	while (end > at && end[-1] == ' ')
		end--;
	return arena_strndup(a, at, (size_t)(end - at));
}

static struct strings words_of(struct arena *a, const char *text)
{
	struct strings s = { arena_array(a, 20, sizeof(*s.v)), 0 };

	while (*text) {
		size_t n = strcspn(text, " ");

		s.v[s.n++] = arena_strndup(a, text, n);
		text += n;
		text += strspn(text, " ");
	}
	return s;
}

/* Two people, of whom one sends by another way, too. */
static struct address author_of(struct arena *a, const char *line)
{
	const char *who = field(a, line, '~');

	if (!strcmp(who, "lee"))
		return (struct address){ "Ann Lee", "lee@example.org" };
	if (!strcmp(who, "relay"))
		return (struct address){ "ann lee", "ann@relay.example.net" };
	if (!strcmp(who, "bob") || *line == 'x')
		return (struct address){ "Bob", "bob@example.org" };
	return (struct address){ "Ann", "ann@example.org" };
}

static struct thread_mail mail_of(struct arena *a, const char *line)
{
	size_t n = strcspn(line, " ");
	const char *subject = line + n, *date = field(a, line, '@');
	size_t len;

	subject += strspn(subject, " ");
	len = strcspn(subject, "<^@~");
	while (len && subject[len - 1] == ' ')
		len--;
	return (struct thread_mail){
		.id = n == 1 && *line == '-' ? "" : arena_strndup(a, line, n),
		.references = words_of(a, field(a, line, '<')),
		.in_reply_to = words_of(a, field(a, line, '^')),
		.subject = arena_strndup(a, subject, len),
		.author = author_of(a, line),
		.date = atoi(date),
	};
}

/* "a(b c(d))": ghosts as "?id". */
static void show(struct buf *out, const struct threads *t)
{
	for (size_t r = 0; r < t->nroot; r++) {
		int depth = 0, last = -1;

		for (size_t i = t->root[r]; i != THREAD_NONE;
		     i = threads_next(t, i, &depth)) {
			if (depth > last && last >= 0)
				buf_addch(out, '(');
			for (; last > depth; last--)
				buf_addch(out, ')');
			if (out->len && !strchr("(;", out->s[out->len - 1]))
				buf_addch(out, ' ');
			buf_addf(out, "%s%s", t->node[i].mail ? "" : "?",
				 t->node[i].id);
			last = depth;
		}
		for (; last > 0; last--)
			buf_addch(out, ')');
		buf_addch(out, ';');
	}
}

struct thread_case {
	const char *name, *mail[MAILS], *tree;
};

static void check(const struct thread_case *c)
{
	struct thread_mail mail[MAILS];
	struct buf got = BUF_INIT(10000);
	struct arena a = ARENA_INIT;
	struct threads t;
	size_t n = 0;

	for (; n < MAILS && c->mail[n]; n++)
		mail[n] = mail_of(&a, c->mail[n]);
	threads_build(&t, mail, n);
	show(&got, &t);
	if (strcmp(got.s, c->tree))
		fail_msg("%s: want %s, got %s", c->name, c->tree, got.s);
	threads_release(&t);
	arena_release(&a);
	buf_release(&got);
}

static void forests(void **state)
{
	static const struct thread_case t[] = {
		{ "none", { NULL }, "" },
		{ "chain", { "a s @1", "b Re: s < a @2", "c Re: s < a b @3" },
		  "a(b(c));" },
		{ "any order", { "c Re: s < a b @3", "b Re: s < a @2", "a s @1" },
		  "a(b(c));" },
		{ "siblings by date", { "a s @1", "c Re: s < a @3",
		  "b Re: s < a @2" }, "a(b c);" },
		{ "in reply to", { "a s @1", "b Re: s ^ a @2" }, "a(b);" },
		{ "references first", { "a s @1", "b s @2", "c Re: s < a ^ b @3" },
		  "a(c);b;" },
		{ "newest reference", { "a s @1", "b s < a @2", "c s < a @3",
		  "d s < a b c @4" }, "a(b c(d));" },
		{ "parent never seen", { "a s @1", "c Re: s < a b @3" },
		  "a(c);" },
		{ "ghost that holds two", { "b Re: s < g @1", "c Re: s < g @2" },
		  "?g(b c);" },
		{ "ghost below a mail", { "a s @1", "c x < a g @3",
		  "d y < a g @4" }, "a(?g(c d));" },
		{ "chain of ghosts", { "a s @1", "d x < a g h i @3" }, "a(d);" },
		{ "loop of two", { "a s < b @1", "b s < a @2" }, "b(a);" },
		{ "loop of three", { "a s < c @1", "b s < a @2", "c s < b @3" },
		  "c(a(b));" },
		{ "itself", { "a s < a @1" }, "a;" },
		{ "itself, then another", { "a s @1", "b s < a b @2" },
		  "a(b);" },
		{ "copies", { "a s @1", "a s @2", "b Re: s < a @3" }, "a(b);" },
		{ "no id", { "- s @1", "- t @2" }, ";;" },
		{ "subject", { "a words here @1", "b Re: words here @2" },
		  "a(b);" },
		{ "subject, other languages", { "a words here @1",
		  "b AW: Re: words here @2", "c SV: words here @3" },
		  "a(b c);" },
		{ "two of one subject", { "a words here @1", "b words here @2",
		  "c Re: words here @3" }, "a;b;c;" },
		{ "an answer before the question", { "a words here @5",
		  "b Re: words here @2" }, "b;a;" },
		{ "no answer", { "a words here @1", "b words here @2" },
		  "a;b;" },
		{ "a known parent beats the subject", { "a words here @1",
		  "b Re: words here < g @2" }, "a;b;" },
		{ "a mail whose mailer dropped the header", { "a s @1", "b t @2",
		  "c t < a b @3" }, "a(b(c));" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(t); i++)
		check(&t[i]);
}

static bool is_in(void *arg, const char *id)
{
	return strstr(arg, id) != NULL;
}

static void ancestors(void **state)
{
	static const struct {
		const char *mail, *known, *want;
	} t[] = {
		{ "m s < a b c ^ d", "a b c d", "c" },
		{ "m s < a b c ^ d", "a b d", "b" },
		{ "m s < a b c ^ d", "d", "d" },
		{ "m s < a b c ^ d", "", NULL },
		{ "m s < a m", "a m", "a" },
		{ "m s", "a", NULL },
	};
	struct arena a = ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT(t); i++) {
		struct thread_mail m = mail_of(&a, t[i].mail);
		char *known = strdup(t[i].known);
		const char *got = thread_ancestor(&m, is_in, known);

		free(known);
		if (!got != !t[i].want || (got && strcmp(got, t[i].want)))
			fail_msg("%zu: got %s", i, got ? got : "none");
	}
	arena_release(&a);
}

static void tags(void **state)
{
	static const struct {
		const char *subject;
		bool is_patch;
		unsigned int version, number, total;
		const char *title;
	} t[] = {
		{ "[PATCH] x", true, 1, 1, 1, "x" },
		{ "[PATCH 2/7] x: y", true, 1, 2, 7, "x: y" },
		{ "[PATCH v3 00/12] x", true, 3, 0, 12, "x" },
		{ "[PATCH net-next v10 1/2] x", true, 10, 1, 2, "x" },
		{ "[PATCHv2 1/2] x", true, 2, 1, 2, "x" },
		{ "[PATCH-v2] x", true, 2, 1, 1, "x" },
		{ "[RFC PATCH v2,1/2] x", true, 2, 1, 2, "x" },
		{ "[RFC v4] x", true, 4, 1, 1, "x" },
		{ "[oe-perf] [PATCH v2 1/3] x", true, 2, 1, 3, "x" },
		{ "[PATCH][v2] x [not this 1/9]", true, 2, 1, 1,
		  "x [not this 1/9]" },
		{ "Re: [PATCH 1/2] x", false, 1, 1, 1, "Re: [PATCH 1/2] x" },
		{ "[example/mm] 9a8b: regression", false, 1, 1, 1,
		  "9a8b: regression" },
		{ "[PATCH 3/2] x", true, 1, 1, 1, "x" },
		{ "[PATCH 1/99999] x", true, 1, 1, 1, "x" },
		{ "[PATCH", false, 1, 1, 1, "[PATCH" },
		{ "", false, 1, 1, 1, "" },
	};
	struct patch_tag tag;

	(void)state;
	for (size_t i = 0; i < COUNT(t); i++) {
		char *copy = strdup(t[i].subject);

		patch_tag_read(&tag, copy);
		if (tag.is_patch != t[i].is_patch ||
		    tag.version != t[i].version ||
		    tag.number != t[i].number || tag.total != t[i].total ||
		    strcmp(tag.title, t[i].title))
			fail_msg("'%s': %d v%u %u/%u '%s'", t[i].subject,
				 tag.is_patch, tag.version, tag.number,
				 tag.total, tag.title);
		free(copy);
	}
}

/* "title v1 2/2: c a b;", "-" where a patch is missing. */
static void check_series(const struct thread_case *c)
{
	struct thread_mail mail[MAILS];
	struct buf got = BUF_INIT(10000);
	struct arena a = ARENA_INIT;
	struct series_list list;
	struct threads t;
	size_t n = 0;

	for (; n < MAILS && c->mail[n]; n++)
		mail[n] = mail_of(&a, c->mail[n]);
	threads_build(&t, mail, n);
	series_find(&list, &t);
	for (size_t i = 0; i < list.n; i++) {
		const struct series *s = &list.v[i];

		buf_addf(&got, "%s v%u%s", s->title, s->version,
			 s->complete ? "" : " cut");
		if (s->older != THREAD_NONE)
			buf_addf(&got, " after v%u", list.v[s->older].version);
		for (size_t k = 0; k <= s->total; k++)
			if (s->slot[k] != THREAD_NONE)
				buf_addf(&got, " %s", mail[s->slot[k]].id);
			else if (k)
				buf_addstr(&got, " -");
		buf_addch(&got, ';');
	}
	if (strcmp(got.s, c->tree))
		fail_msg("%s: want %s, got %s", c->name, c->tree, got.s);
	series_release(&list);
	threads_release(&t);
	arena_release(&a);
	buf_release(&got);
}

static void series(void **state)
{
	static const struct thread_case t[] = {
		{ "one alone", { "a [PATCH] x @1" }, "x v1 a;" },
		{ "cover and two", { "c [PATCH 0/2] x @1",
		  "a [PATCH 1/2] y < c @2", "b [PATCH 2/2] z < c @3" },
		  "x v1 c a b;" },
		{ "the first arrives last", { "b [PATCH 2/2] z < c @3",
		  "a [PATCH 1/2] y < c @2", "c [PATCH 0/2] x @4" },
		  "x v1 c a b;" },
		{ "no cover", { "a [PATCH 1/2] y @1", "b [PATCH 2/2] z < a @1" },
		  "y v1 a b;" },
		{ "cover never seen", { "b [PATCH 2/2] z < c @3",
		  "a [PATCH 1/2] y < c @2" }, "y v1 a b;" },
		{ "each answers the one before", { "a [PATCH 1/3] y @1",
		  "b [PATCH 2/3] z < a @2", "d [PATCH 3/3] w < a b @3" },
		  "y v1 a b d;" },
		{ "a second series in answer to the first",
		  { "a [PATCH 1/2] y @1", "b [PATCH 2/2] z < a @2",
		    "d [PATCH 1/2] v < a @3", "e [PATCH 2/2] w < a d @4" },
		  "y v1 a b;v v1 d e;" },
		{ "never filled from another", { "a [PATCH 1/2] y @1",
		  "d [PATCH 1/2] v < a @3", "e [PATCH 2/2] w < a d @4" },
		  "y v1 cut a -;v v1 d e;" },
		{ "another author", { "a [PATCH 1/2] y @1",
		  "x [PATCH 2/2] z < a @2" },
		  "y v1 cut a -;z v1 cut - x;" },
		{ "versions", { "c [PATCH 0/1] x @1", "a [PATCH 1/1] y < c @2",
		  "d [PATCH v2 0/1] x < c @3", "b [PATCH v2 1/1] y < c d @4" },
		  "x v1 c a;x v2 after v1 d b;" },
		{ "sent unthreaded", { "a [PATCH 1/2] y @100",
		  "b [PATCH 2/2] z @110", "d [PATCH 1/2] v @120",
		  "e [PATCH 2/2] w @130" }, "y v1 a b;v v1 d e;" },
		{ "hours apart", { "a [PATCH 1/2] y @100",
		  "b [PATCH 2/2] z @90000" },
		  "y v1 cut a -;z v1 cut - b;" },
		{ "a cover letter through a relay", { "c [PATCH 0/2] x @1 ~relay",
		  "a [PATCH 1/2] y < c @2 ~lee", "b [PATCH 2/2] z < c @3 ~lee" },
		  "x v1 c a b;" },
		{ "a cover letter of another address",
		  { "c [PATCH v3 0/2] x @1 ~bob", "a [PATCH v3 1/2] y < c @2",
		    "b [PATCH v3 2/2] z < c @3" }, "x v3 c a b;" },
		{ "each answering the one before",
		  { "c [PATCH 0/3] x @1 ~bob", "b [PATCH 2/3] z < c a @3",
		    "a [PATCH 1/3] y < c @2", "d [PATCH 3/3] w < c a b @4" },
		  "x v1 c a b d;" },
		{ "a stranger's one patch", { "c [PATCH 0/2] x @1",
		  "x [PATCH 1/2] y < c @2", "b [PATCH 2/2] z < c @3" },
		  "x v1 cut c - b;y v1 cut x -;" },
		{ "a stranger's series below somebody's",
		  { "c [PATCH 0/2] x @1", "x1 [PATCH 1/2] v < c @2",
		    "x2 [PATCH 2/2] w < c @3", "a [PATCH 1/2] y < c @4",
		    "b [PATCH 2/2] z < c @5" }, "x v1 c a b;v v1 x1 x2;" },
		{ "a part of a stranger's is none",
		  { "c [PATCH 0/2] x @1", "x1 [PATCH 2/2] w < c @3" },
		  "x v1 cut c - -;w v1 cut - x1;" },
		{ "not of another version, nor of another length",
		  { "c [PATCH 0/2] x @1", "x1 [PATCH v2 1/2] v < c @2",
		    "x2 [PATCH v2 2/2] w < c @3", "x3 [PATCH 1/3] a < c @4",
		    "x4 [PATCH 2/3] b < c @5", "x5 [PATCH 3/3] d < c @6" },
		  "x v1 cut c - -;v v2 x1 x2;a v1 x3 x4 x5;" },
		{ "not when days lie between", { "c [PATCH 0/2] x @1",
		  "x1 [PATCH 1/2] v < c @90000", "x2 [PATCH 2/2] w < c @90001" },
		  "x v1 cut c - -;v v1 x1 x2;" },
		{ "not when it does not answer it", { "c [PATCH 0/2] x @1",
		  "r Re: x < c @2", "x1 [PATCH 1/2] v < c r @3",
		  "x2 [PATCH 2/2] w < c r x1 @4" },
		  "x v1 cut c - -;v v1 x1 x2;" },
		{ "two senders' answers: whose?", { "c [PATCH 0/2] x @1 ~relay",
		  "x1 [PATCH 1/2] v < c @2", "x2 [PATCH 2/2] w < c @3",
		  "a [PATCH 1/2] y < c @4", "b [PATCH 2/2] z < c @5" },
		  "x v1 cut c - -;v v1 x1 x2;y v1 a b;" },
		{ "[PATCH] below a cover letter of one is anybody's",
		  { "c [PATCH 0/1] x @1", "x1 [PATCH] y < c @2" },
		  "x v1 cut c -;y v1 x1;" },
		{ "authors' own addresses in one run of git send-email",
		  { "20260303101500.4711-1-r.org [PATCH 0/3] x @1 ~relay",
		    "20260303101500.4711-2-r.org [PATCH 1/3] a "
		    "< 20260303101500.4711-1-r.org @2 ~bob",
		    "20260303101500.4711-3-r.org [PATCH 2/3] b "
		    "< 20260303101500.4711-1-r.org @3",
		    "20260303101500.4711-5-r.org [PATCH 3/3] no "
		    "< 20260303101500.4711-1-r.org @4",
		    "20260303101500.4711-4-r.org [PATCH 3/3] d "
		    "< 20260303101500.4711-1-r.org @5" },
		  "x v1 20260303101500.4711-1-r.org 20260303101500.4711-2-r.org"
		  " 20260303101500.4711-3-r.org 20260303101500.4711-4-r.org;"
		  "no v1 cut - - 20260303101500.4711-5-r.org;" },
		{ "of format-patch", { "cover.1772532900.git.r [PATCH 0/2] x "
		  "@1 ~bob", "1f2e.1772532900.git.r [PATCH 1/2] a "
		  "< cover.1772532900.git.r @2", "3d4c.1772532901.git.r "
		  "[PATCH 2/2] b < cover.1772532900.git.r @3" },
		  "x v1 cut cover.1772532900.git.r 1f2e.1772532900.git.r -;"
		  "b v1 cut - 3d4c.1772532901.git.r;" },
		{ "answers are no patches", { "a [PATCH 1/1] y @1",
		  "b Re: [PATCH 1/1] y < a @2" }, "y v1 a;" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(t); i++)
		check_series(&t[i]);
}

/* A long chain, sent newest first, and one loop over all of it. */
static void long_chains(void **state)
{
	enum { N = 50000 };
	struct thread_mail *mail = calloc(N, sizeof(*mail));
	char (*id)[16] = calloc(N + 1, sizeof(*id));
	const char **parent = calloc(N, sizeof(*parent));
	struct threads t;
	int depth = 0, deepest = 0;

	(void)state;
	for (int i = 0; i < N; i++)
		snprintf(id[i], sizeof(id[i]), "m%d", i);
	for (int i = 0; i < N; i++) {
		parent[i] = id[(i + 1) % N];
		mail[i] = (struct thread_mail){
			.id = id[i], .references = { &parent[i], 1 },
			.subject = "Re: s", .author = { "", "" }, .date = N - i,
		};
	}
	threads_build(&t, mail, N);
	assert_int_equal(t.nroot, 1);
	for (size_t i = t.root[0]; i != THREAD_NONE;
	     i = threads_next(&t, i, &depth))
		deepest = depth > deepest ? depth : deepest;
	assert_int_equal(deepest, N - 1);
	threads_release(&t);
	free(parent);
	free(id);
	free(mail);
}

static void people_behind_lists(void **state)
{
	static const struct {
		const char *head, *name, *address;
	} t[] = {
		{ "From: Ann <ann@example.org>\n", "Ann", "ann@example.org" },
		{ "From: Ann Lee via perf <perf@lists.example.org>\nReply-To: "
		  "Ann Lee <ann@example.org>\n", "Ann Lee", "ann@example.org" },
		{ "From: \"'Ann Lee' via perf\" <perf@lists.example.org>\n"
		  "Reply-To: perf@lists.example.org, ann@example.org\nList-Id: "
		  "<perf.lists.example.org>\n", "Ann Lee", "ann@example.org" },
		{ "From: Ann via perf <perf@lists.example.org>\nX-Original-From:"
		  " Ann Lee <ann@example.org>\nReply-To: x@example.net\n",
		  "Ann", "ann@example.org" },
		{ "From: Ann via perf <perf@lists.example.org>\nCc: Ann "
		  "<ann@example.org>\n", "Ann", "ann@example.org" },
		{ "From: Ann via groups <ann=example.org@groups.example.net>\n",
		  "Ann", "ann@example.org" },
		{ "From: Ann via perf <perf@lists.example.org>\n", "Ann",
		  "perf@lists.example.org" },
		{ "From: perf@lists.example.org\nList-Post: <mailto:perf@lists."
		  "example.org>\nReply-To: Ann <ann@example.org>\n", "Ann",
		  "ann@example.org" },
		{ "From: Ann <ann@example.org>\nReply-To: b@example.org\n",
		  "Ann", "ann@example.org" },
		{ "From: Via Rail <v@example.org>\n", "Via Rail",
		  "v@example.org" },
	};
	struct message m;
	struct address a;

	(void)state;
	for (size_t i = 0; i < COUNT(t); i++) {
		read_text(&m, t[i].head);
		a = message_author(&m);
		if (strcmp(a.name, t[i].name) ||
		    strcmp(a.address, t[i].address))
			fail_msg("%s: got %s <%s>", t[i].head, a.name,
				 a.address);
		message_release(&m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forests),
		cmocka_unit_test(ancestors),
		cmocka_unit_test(tags),
		cmocka_unit_test(series),
		cmocka_unit_test(long_chains),
		cmocka_unit_test(people_behind_lists),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
