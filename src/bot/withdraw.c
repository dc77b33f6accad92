#include "bot/withdraw.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "mail/address.h"
#include "store/outbox.h"
#include "store/requests.h"

#define WORDS_MAX 400		/* bytes of a mail that says only that */
#define OPENERS_MAX 5

/* The length of the first of the phrases that "s" begins with, as words. */
static size_t begins(const char *s, const char *const *phrase)
{
	for (; *phrase; phrase++) {
		size_t n = strlen(*phrase);

		if (!strncasecmp(s, *phrase, n) &&
		    !isalnum((unsigned char)s[n]) && s[n] != '\'')
			return n;
	}
	return 0;
}

/* Nothing more is said in the sentence. */
static bool ends(const char *s)
{
	s += strspn(s, " \t");
	return !*s || strchr(".,;:!-\r\n", *s);
}

bool withdraw_says(const char *text)
{
	static const char *const opener[] = {
		"sorry", "oops", "whoops", "ah", "oh", "ok", "okay", "hm",
		"hmm", "argh", "please", "thanks", "hi", "hello", "robot",
		"no", NULL
	};
	static const char *const call[] = {
		"never mind", "nevermind", "forget it", "forget about it",
		"scratch that", "scratch this", "don't bother",
		"do not bother", "disregard", "ignore that", "ignore this",
		"ignore it", "ignore my", "false alarm", "wrong patch",
		"wrong version", "wrong diff", "wrong mail", "wrong thread",
		"that was the wrong", "this was the wrong", "it was the wrong",
		"i sent the wrong", "i attached the wrong", NULL
	};
	static const char *const alone[] = {
		"no need", "not needed", "not necessary", "cancel", "stop",
		"abort", NULL
	};
	size_t n;

	text += strspn(text, " \t\r\n");
	for (int i = 0; i < OPENERS_MAX && (n = begins(text, opener)); i++)
		text += n + strspn(text + n, " \t\r\n,.!:");
	if (begins(text, call))
		return true;
	n = begins(text, alone);
	return n && ends(text + n);
}

/* Does it ask for nothing else?  "Invalid" is what the words say of a report. */
static bool may_withdraw(const struct plan *p)
{
	if (p->m->npatch || strlen(p->m->new_text) > WORDS_MAX)
		return false;
	for (size_t i = 0; i < p->requests->n; i++)
		if (p->requests->request[i].kind != REQUEST_INVALID)
			return false;
	return true;
}

/* 1: it answers the acknowledgement of what its sender asked, and that can
 * still be taken back. */
static int answers_own(struct plan *p, struct err *err)
{
	struct store *s = p->bot->store;
	struct outgoing o;
	struct asked *v;
	size_t n;
	int rc = outbox_find(s, message_parent(p->m), &p->arena, &o, err);

	if (rc != 1 || strcmp(o.kind, "ack") || !o.mail)
		return rc == -1 ? -1 : 0;
	if (asked_list(s, o.mail, 0, 0, &p->arena, &v, &n, err) == -1)
		return -1;
	for (size_t i = 0; i < n; i++)
		if ((v[i].state == ASKED_QUEUED || v[i].state == ASKED_HELD) &&
		    address_is_same(v[i].person, p->evidence.address))
			return 1;
	return 0;
}

int withdraw_read(struct plan *p, struct err *err)
{
	struct requests *wish;
	int rc;

	if (!may_withdraw(p) || !withdraw_says(p->m->new_text))
		return 0;
	rc = answers_own(p, err);
	if (rc != 1)
		return rc;
	wish = arena_alloc(&p->arena, sizeof(*wish));
	*wish = *p->requests;
	wish->request = arena_alloc(&p->arena, sizeof(*wish->request));
	wish->request[0] = (struct request){
		.kind = REQUEST_CANCEL, .confidence = 0.8, .rule = "withdraw",
		.evidence = arena_strndup(&p->arena, p->m->new_text,
					  strcspn(p->m->new_text, "\n")),
	};
	wish->n = 1;
	p->requests = wish;
	return 0;
}
