#include "bot/settings.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

#include "base/buf.h"
#include "base/err.h"
#include "policy/netrange.h"
#include "policy/token.h"
#include "store/mails.h"

static struct strings list_of(struct arena *a, const char *const *list,
			      const char *first)
{
	struct strings s = { .n = first ? 1 : 0 };
	size_t n = 0;

	while (list[n])
		n++;
	s.v = arena_array(a, n + 1, sizeof(*s.v));
	s.v[0] = first;
	for (size_t i = 0; i < n; i++)
		s.v[s.n++] = list[i];
	return s;
}

static int read_self(struct settings *s, struct err *err)
{
	const char *address = conf_text(s->conf, "operator.address");
	const char *at = address ? strrchr(address, '@') : NULL;

	if (!at)
		return err_set(err, ERR_CONFIG, "operator.address: the bot "
			       "needs an address of its own");
	s->self = (struct address){ conf_text(s->conf, "operator.name"),
				    address };
	s->local = arena_strndup(&s->arena, address, (size_t)(at - address));
	s->domain = at + 1;
	s->robot.addresses = list_of(&s->arena, (const char *const[]){ NULL },
				     address);
	s->robot.names = list_of(&s->arena, conf_list(s->conf, "robot.names"),
				 s->self.name);
	s->robot.prefix = conf_text(s->conf, "robot.prefix");
	return 0;
}

static int read_rule(struct settings *s, const char *verb, struct err *err)
{
	struct conf rule = conf_section(s->conf, "policy.rules", verb);
	const char *said;
	int v = 0;

	while (v < NVERBS && strcmp(verb_name((enum verb)v), verb))
		v++;
	if (v == NVERBS)
		return err_set(err, ERR_CONFIG, "policy.rules: there is no "
			       "verb '%s'", verb);
	for (int r = 0; r < NROLES; r++) {
		said = conf_text(&rule, role_name((enum role)r));
		if (said)
			s->policy.table.ruling[v][r] =
				(unsigned char)ruling_parse(said);
	}
	return 0;
}

static int read_policy(struct settings *s, struct err *err)
{
	const struct conf *c = s->conf;

	s->evidence = (struct evidence_rules){
		.servers = conf_list(c, "auth.servers"),
		.providers = conf_list(c, "auth.providers"),
		.assume = conf_bool(c, "auth.assume"),
	};
	s->lists = (struct role_lists){
		.deny = conf_list(c, "policy.deny"),
		.allow = conf_list(c, "policy.allow"),
		.operators = conf_list(c, "policy.operators"),
	};
	s->robots = conf_list(c, "policy.robots");
	s->policy = (struct policy_rules){
		.table = policy_default,
		.confirm_first = conf_bool(c, "policy.confirm_first"),
		.host_files = (enum role)
			role_parse(conf_text(c, "policy.host_files")),
	};
	for (const char *const *v = conf_names(c, "policy.rules"); *v; v++)
		if (read_rule(s, *v, err) == -1)
			return -1;
	s->budget = (struct budget){
		.person = conf_number(c, "budget.person"),
		.domain = conf_number(c, "budget.domain"),
		.report = conf_number(c, "budget.report"),
		.day = conf_number(c, "budget.day"),
	};
	s->caps = (struct caps){
		.thread = conf_int(c, "caps.thread"),
		.person = conf_int(c, "caps.person"),
		.day = conf_int(c, "caps.day"),
	};
	return 0;
}

static int read_sources(struct settings *s, struct err *err)
{
	const struct conf *c = s->conf;
	const char *percent;

	s->patch = (struct patch_rules){
		.max_size = (size_t)conf_int(c, "patch.max_size"),
		.max_files = (size_t)conf_int(c, "patch.max_files"),
		.binary = conf_bool(c, "patch.binary"),
		.host_files = conf_list(c, "patch.host_files"),
	};
	if (!*s->patch.host_files)
		s->patch.host_files = patch_host_files;
	s->url = (struct url_rules){
		.hosts = conf_list(c, "fetch.hosts"),
		.insecure = conf_bool(c, "fetch.insecure"),
	};
	s->archive = conf_text(c, "fetch.archive");
	percent = strchr(s->archive, '%');
	if (!percent || percent[1] != 's' || strchr(percent + 1, '%'))
		return err_set(err, ERR_CONFIG, "fetch.archive: one %%s is "
			       "needed");
	s->fetch_addresses = conf_list(c, "fetch.addresses");
	for (const char *const *r = s->fetch_addresses; *r; r++)
		if (netrange_check(*r, err) == -1)
			return err_in(err, "fetch.addresses");
	s->fetch_max = (size_t)conf_int(c, "fetch.max_size");
	s->fetch_timeout = conf_time(c, "fetch.timeout");
	return 0;
}

static int read_secret(struct settings *s, struct err *err)
{
	struct buf secret = BUF_INIT(4096);
	int rc = conf_secret(s->conf, "policy.secret", &secret, err);

	if (rc == 1 && secret.len < TOKEN_SECRET_MIN)
		rc = err_set(err, ERR_CONFIG, "policy.secret: %d bytes at least",
			     TOKEN_SECRET_MIN);
	if (rc == 1) {
		s->secret_len = secret.len;
		s->secret = buf_detach(&secret);
	}
	buf_release(&secret);
	return rc == -1 ? -1 : 0;
}

/* Another process may be at it, too: what stands in the store counts. */
static int make_secret(struct store *store, struct err *err)
{
	unsigned char fresh[32];
	struct buf hex = BUF_INIT(80);
	int rc;

	if (getrandom(fresh, sizeof(fresh), 0) != sizeof(fresh))
		return err_sys(err, "no random numbers");
	for (size_t i = 0; i < sizeof(fresh); i++)
		buf_addf(&hex, "%02x", fresh[i]);
	rc = cursor_begin(store, "secret", hex.s, err);
	buf_release(&hex);
	return rc;
}

int settings_secret(struct settings *s, struct store *store, struct err *err)
{
	struct arena a = ARENA_INIT;
	const char *kept = "";
	int rc = 1;

	if (!s->secret) {
		rc = cursor_get(store, "secret", &a, &kept, err);
		if (rc == 0 && make_secret(store, err) == 0)
			rc = cursor_get(store, "secret", &a, &kept, err);
		s->secret = strdup(kept);
		s->secret_len = strlen(kept);
	}
	arena_release(&a);
	return rc == 1 ? 0 : -1;
}

static int read_run(struct settings *s, struct err *err)
{
	const struct conf *c = s->conf;

	s->driver = run_driver_find(conf_text(c, "run.driver"));
	if (!s->driver)
		return err_set(err, ERR_CONFIG, "run.driver: there is no '%s'",
			       conf_text(c, "run.driver"));
	s->run = (struct run_settings){
		.command = conf_list(c, "run.command"),
		.submit_options = conf_list(c, "run.submit_options"),
		.deadline = conf_time(c, "run.deadline"),
		.memory = conf_int(c, "run.memory") << 20,
		.cpu = conf_time(c, "run.cpu"),
		.file_size = conf_int(c, "run.file_size") << 20,
		.log_size = conf_int(c, "run.log_size") << 20,
	};
	s->run_folder = conf_text(c, "run.folder");
	s->parallel = conf_int(c, "run.parallel");
	s->runs = (int)conf_int(c, "run.runs");
	s->minutes = conf_number(c, "run.minutes");
	s->remeasure = conf_bool(c, "run.remeasure");
	s->smallest_change = conf_number(c, "smallest_change");
	return 0;
}

int settings_read(struct settings *s, const struct conf *conf,
		  struct err *err)
{
	*s = (struct settings){ .arena = ARENA_INIT, .conf = conf };
	s->confirm_within = conf_time(conf, "policy.confirm_within");
	s->review = conf_bool(conf, "bot.review");
	s->without_seccomp = conf_bool(conf, "bot.without_seccomp");
	s->stop_file = conf_text(conf, "bot.stop_file");
	s->quarantine = conf_text(conf, "bot.quarantine");
	if (read_self(s, err) == -1 || read_policy(s, err) == -1 ||
	    read_sources(s, err) == -1 || read_secret(s, err) == -1)
		return -1;
	return read_run(s, err);
}

void settings_release(struct settings *s)
{
	if (s->secret)
		explicit_bzero(s->secret, s->secret_len);
	free(s->secret);
	arena_release(&s->arena);
	s->secret = NULL;
}

bool settings_own(const struct settings *s, const char *address,
		  char token[TOKEN_MAX])
{
	const char *at = strrchr(address, '@'), *rest;
	size_t local = strlen(s->local), len;

	if (!at || strcasecmp(at + 1, s->domain) ||
	    strncasecmp(address, s->local, local))
		return false;
	rest = address + local;
	if (rest != at && *rest != '+')
		return false;
	len = rest == at ? 0 : (size_t)(at - rest - 1);
	if (!token)
		return true;
	if (len >= TOKEN_MAX)
		len = 0;
	memcpy(token, rest + 1, len);
	token[len] = '\0';
	return true;
}
