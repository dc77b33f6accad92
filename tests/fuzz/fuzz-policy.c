#include <assert.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "bot/mbox.h"
#include "policy/authres.h"
#include "policy/patch.h"
#include "policy/token.h"
#include "policy/url.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was found fit stays inside of the tree and out of git's own folder. */
static void check_patch(const char *text, size_t len, struct arena *a)
{
	const struct patch_rules rules = { 1 << 16, 10, false,
					   patch_host_files };
	struct patch_finding f;

	patch_check(&f, text, len, &rules, a);
	assert((f.flaw == FLAW_NONE) == !*f.reason);
	if (f.flaw != FLAW_NONE)
		return;
	assert(f.nfile && f.nfile <= rules.max_files);
	for (size_t i = 0; i < f.nfile; i++) {
		const char *p = f.file[i];

		assert(*p && *p != '/' && strncmp(p, "../", 3));
		assert(!strstr(p, "/../") && !strstr(p, "//"));
		assert(!strpbrk(p, "\n\r\t\\"));
		assert(strncasecmp(p, ".git/", 5) && !strcasestr(p, "/.git/"));
	}
}

/* What was accepted is of a host on the list, and so is what is made of it. */
static void check_url(const char *text, struct arena *a)
{
	const struct url_rules rules = {
		(const char *const[]){ "*.example.org", NULL }, false
	};
	const char *patch;
	struct url u, again;

	if (url_check(&u, text, &rules, a, NULL) == -1)
		return;
	assert(!strcmp(u.host + strlen(u.host) - 12, ".example.org"));
	url_msgid(&u, a);
	patch = url_of_patch(&u, a);
	if (patch && strlen(patch) < 2000) {
		assert(url_check(&again, patch, &rules, a, NULL) == 0);
		assert(!strcmp(u.host, again.host));
	}
}

static void split(const char *text, size_t size)
{
	size_t pos = 0, len, all = 0;
	const char *msg;

	while (mbox_next(text, size, &pos, &msg, &len)) {
		assert(msg >= text && msg + len <= text + size);
		all += len;
	}
	assert(all <= size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	char *text = arena_strndup(&a, (const char *)data, size);
	struct authres r;

	check_patch((const char *)data, size, &a);
	check_url(text, &a);
	authres_parse(&r, text, &a);
	split((const char *)data, size);
	assert(token_check(text, "sixteen bytes or more", 21, "a@b", 1) !=
	       TOKEN_GOOD);
	arena_release(&a);
	return 0;
}
