#ifndef BOT_SETTINGS_H
#define BOT_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "data/conf.h"
#include "mail/message.h"
#include "policy/patch.h"
#include "policy/policy.h"
#include "policy/url.h"
#include "request/request.h"
#include "run/run.h"

struct err;
struct store;

/* The configuration as the stages use it: read once, then only looked at. */

struct caps {
	int64_t thread, person, day;	/* answers in 24 hours, 0: any number */
};

struct settings {
	struct arena arena;
	const struct conf *conf;
	struct address self;		/* our name and address, without a token */
	const char *local, *domain;	/* its two halves */
	struct robot robot;
	struct evidence_rules evidence;
	struct role_lists lists;
	const char *const *robots;	/* patterns of others' addresses */
	struct policy_rules policy;
	struct budget budget;
	struct caps caps;
	struct patch_rules patch;
	struct url_rules url;
	const char *archive;		/* URL of a Message-ID, with one %s */
	const char *const *fetch_addresses;
	size_t fetch_max;		/* bytes */
	int64_t fetch_timeout;		/* seconds */
	char *secret;			/* of tokens; NULL: see settings_secret */
	size_t secret_len;
	int64_t confirm_within;		/* seconds */
	bool review, without_seccomp;
	const char *stop_file, *quarantine;	/* NULL: none */
	struct run_settings run;
	const struct run_driver *driver;
	const char *run_folder;
	int64_t parallel;
	int runs;			/* of a side */
	double minutes;			/* of a machine a run */
	bool remeasure;
	double smallest_change;		/* percent: below it, none */
};

/* Returns 0, or -1 with "err" (ERR_CONFIG).  "conf" must outlive it. */
int settings_read(struct settings *s, const struct conf *conf,
		  struct err *err);
void settings_release(struct settings *s);

/* Where the configuration has no secret: the store's own, made when it has
 * none.  0, or -1 with "err". */
int settings_secret(struct settings *s, struct store *store, struct err *err);

#define TOKEN_MAX 65	/* with its NUL */

/*
 * Is the address ours, with whatever token?  Then "token" (may be NULL) is
 * what stands behind the +, "" when there is none or an overlong one.
 */
bool settings_own(const struct settings *s, const char *address,
		  char token[TOKEN_MAX]);

#endif
