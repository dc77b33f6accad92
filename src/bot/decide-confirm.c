/* The answer to a "reply to run". */
#include "bot/decide-int.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/err.h"
#include "store/requests.h"

bool decide_confirming_word(const struct bot *bot, const struct message *m,
			    char token[TOKEN_MAX])
{
	for (size_t i = 0; i < m->to.n + m->cc.n; i++) {
		const char *address = i < m->to.n ? m->to.v[i].address
			: m->cc.v[i - m->to.n].address;

		if (settings_own(bot->settings, address, token) &&
		    token_request(token))
			return true;
	}
	return false;
}

bool decide_says_no(const char *text, const char *prefix)
{
	static const char *const no[] = {
		"nope", "don't", "do not", "please don't", "please do not",
		"cancel", "stop", "never mind", "nevermind", "not me",
		"it was not me", "that was not me", NULL
	};
	static const char *const after[] = {
		"thank", "please", "do", "i ", "it ", "this ", "that ", NULL
	};

	text += strspn(text, " \t\r\n");
	if (!strncasecmp(text, prefix, strlen(prefix)))
		text += strlen(prefix);
	text += strspn(text, " \t");
	for (const char *const *w = no; *w; w++)
		if (!strncasecmp(text, *w, strlen(*w)))
			return true;
	if (strncasecmp(text, "no", 2) || isalnum((unsigned char)text[2]))
		return false;
	text += 2;
	text += strspn(text, " \t");
	if (!*text || strchr(".,;:!-\r\n", *text))
		return true;
	for (const char *const *w = after; *w; w++)
		if (!strncasecmp(text, *w, strlen(*w)))
			return true;
	return false;
}

/* What the mail asked for and we held is taken back. */
static int take_back(const struct bot *bot, int64_t mail, struct arena *a,
		     struct err *err)
{
	struct asked *v;
	size_t n;

	if (asked_list(bot->store, mail, 0, 0, a, &v, &n, err) == -1 ||
	    store_begin(bot->store, err) == -1)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (v[i].state != ASKED_HELD)
			continue;
		v[i].state = ASKED_CANCELLED;
		if (asked_save(bot->store, &v[i], clock_now(), err) == -1) {
			store_rollback(bot->store);
			return -1;
		}
	}
	return store_commit(bot->store, err);
}

int decide_confirm(const struct bot *bot, struct stored_mail *mail,
		   const struct message *m, int64_t request, struct err *err)
{
	const struct plan_options yes = { .confirmed = true };
	bool no = decide_says_no(m->new_text, bot->settings->robot.prefix);
	struct arena a = ARENA_INIT;
	struct asked q;
	int rc = asked_get(bot->store, request, &a, &q, err);

	if (rc == 1 && q.state == ASKED_HELD)
		rc = no ? take_back(bot, q.mail, &a, err)
			: decide_again(bot, q.mail, &yes, err);
	arena_release(&a);
	if (rc == -1)
		return -1;
	return decide_settle(bot, mail, m, MAIL_DECIDED,
			     no ? "cancel" : "confirm",
			     no ? "the answer to a \"reply to run\" is no"
				: "the word of a \"reply to run\"", err);
}
