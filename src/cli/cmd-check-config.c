#include "cli/commands.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/log.h"
#include "bot/settings.h"
#include "cli/cli.h"
#include "mail/check.h"
#include "people/git.h"
#include "recv/recv.h"
#include "render/template-set.h"
#include "send/send.h"
#include "store/store.h"

static const char usage[] = "check-config [OPTION]...";
static const char help_text[] =
"Is the configuration good?  Says what is well, and every reason why not.\n"
"\n"
"  --connect      also ask the mail servers\n"
"  --config FILE  the configuration\n";

struct check {
	struct conf conf;
	struct settings settings;
	struct arena arena;
	bool connect;
	int rc;
};

static void well(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));

static void well(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	printf("ok: ");
	vprintf(fmt, ap);
	printf("\n");
	va_end(ap);
}

static void bad(struct check *c, const char *what, const struct err *err)
{
	log_error("%s: %s", what, err->text);
	c->rc = EX_CONFIG;
}

/* As "bad", of what stands in a line of the file. */
static void bad_key(struct check *c, const struct conf *section,
		    const char *where, const char *key, const char *why)
{
	int line = conf_line(section, key);

	if (line)
		log_error("%s:%d: '%s%s' %s", c->conf.file, line, where, key,
			  why);
	else
		log_error("'%s%s' %s", where, key, why);
	c->rc = EX_CONFIG;
}

/* Can a folder be made there, or a file in it?  Tried in the part of the path
 * that there is, and taken away again. */
static bool can_be_made(const char *path)
{
	struct buf try = BUF_INIT(4096);
	char *slash;
	bool good;

	buf_addstr(&try, path);
	while (!file_exists(try.s) && (slash = strrchr(try.s, '/')) &&
	       slash != try.s) {
		*slash = '\0';
		try.len = (size_t)(slash - try.s);
	}
	if (!file_exists(try.s)) {
		buf_reset(&try);
		buf_addstr(&try, *path == '/' ? "/" : ".");
	}
	buf_addstr(&try, "/.perfpost-XXXXXX");
	good = !buf_over(&try) && mkdtemp(try.s) && rmdir(try.s) == 0;
	buf_release(&try);
	return good;
}

static void check_folder(struct check *c, const char *key)
{
	const char *path = conf_text(&c->conf, key);

	if (path && conf_has(&c->conf, key) && !can_be_made(path))
		bad_key(c, &c->conf, "", key, "is no place for files");
}

static void check_send(struct check *c)
{
	struct err err = ERR_INIT;
	struct sender *s = sender_open(&c->conf, &err);

	if (!s)
		bad(c, "send", &err);
	else if (c->connect && sender_probe(s, &err) == -1)
		bad(c, "send", &err);
	else
		well("mails go out by %s%s", sender_name(s),
		     c->connect ? ", which answers" : "");
	sender_close(s);
}

static void check_source(struct check *c, const struct recv_source *source)
{
	struct err err = ERR_INIT;
	struct receiver *r = receiver_open(&c->conf, source, NULL, &err);

	if (!r || (c->connect && receiver_probe(r, &err) == -1))
		bad(c, source->name, &err);
	else
		well("mails come in by %s%s", source->name,
		     c->connect ? ", which answers" : "");
	receiver_close(r);
}

static void check_receive(struct check *c)
{
	struct err err = ERR_INIT;
	struct recv_source *v;
	size_t n;

	if (recv_sources(&c->conf, &c->arena, &v, &n, &err) == -1) {
		bad(c, "receive", &err);
		return;
	}
	for (size_t i = 0; i < n; i++)
		check_source(c, &v[i]);
	if (!n)
		well("no mails come in");
}

/* Texts that have to be "Ann <ann@example.org>" or an address. */
static void check_addresses(struct check *c, const struct conf *section,
			    const char *where, const char *key)
{
	const char *const *text = conf_list(section, key);
	struct address who;

	for (; *text; text++) {
		struct err err = ERR_INIT;

		if (address_parse(*text, &c->arena, &who, &err) == 0)
			continue;
		err_in(&err, "'%s'", *text);
		bad(c, arena_printf(&c->arena, "%s%s", where, key), &err);
	}
}

static void check_trees(struct check *c)
{
	char hash[65];
	struct err err = ERR_INIT;

	for (const char *const *t = conf_names(&c->conf, "trees"); *t; t++) {
		struct conf tree = conf_section(&c->conf, "trees", *t);
		const char *branch = conf_text(&tree, "branch");
		const struct git g = { .dir = conf_text(&tree, "git") };
		const char *where = arena_printf(&c->arena, "trees.%s.", *t);

		check_addresses(c, &tree, where, "to");
		check_addresses(c, &tree, where, "cc");
		if (!g.dir && conf_bool(&tree, "watch"))
			bad_key(c, &tree, where, "watch", "needs the clone "
				"that 'git' names");
		if (!g.dir)
			continue;
		if (git_commit_hash(&g, branch ? branch : "HEAD", hash,
				    &err) == -1)
			bad(c, arena_printf(&c->arena, "trees.%s", *t), &err);
		else
			well("tree %s stands at %.12s", *t, hash);
	}
}

static void check_templates(struct check *c)
{
	const char *own = conf_text(&c->conf, "templates");
	struct template_set set;
	struct err err = ERR_INIT;

	if (own && !file_is_folder(own))
		bad_key(c, &c->conf, "", "templates", "is no folder");
	if (template_set_open(&set, conf_text(&c->conf, "template"), own, 0,
			      &err) == -1)
		bad_key(c, &c->conf, "", "template",
			arena_printf(&c->arena, "is of no use: %s",
				     err.text));
	template_set_release(&set);
	if (template_set_open(&set, "answers", own, 0, &err) == -1)
		bad(c, "templates", &err);
	else
		well("answers are written by %s", set.folder);
	template_set_release(&set);
}

/* Does a program of that name stand where execvp() would find it? */
static bool is_program(const char *name)
{
	const char *path = getenv("PATH");
	struct buf one = BUF_INIT(8192);
	bool found = strchr(name, '/') && access(name, X_OK) == 0;

	while (!strchr(name, '/') && path && *path && !found) {
		size_t len = strcspn(path, ":");

		buf_reset(&one);
		buf_addf(&one, "%.*s/%s", (int)len, path, name);
		found = access(one.s, X_OK) == 0;
		path += len + (path[len] == ':');
	}
	buf_release(&one);
	return found;
}

static void check_run(struct check *c)
{
	const char *const *command = c->settings.run.command;
	struct err err = ERR_INIT;

	if (!*command)
		well("no jobs are run (run.command is not set)");
	else if (is_program(*command))
		well("jobs are run by %s, through %s", *command,
		     c->settings.driver->name);
	else {
		err_set(&err, ERR_CONFIG, "'%s' is no program", *command);
		bad(c, "run.command", &err);
	}
}

static void check_store(struct check *c)
{
	const char *path = conf_text(&c->conf, "store");
	struct err err = ERR_INIT;
	struct store *s;

	if (!file_exists(path)) {
		well("the store %s will be made", path);
		return;
	}
	s = store_open(path, false, &err);
	if (!s || store_check(s, &err) == -1)
		bad(c, "store", &err);
	else
		well("the store %s is sound", path);
	store_close(s);
}

static void check_people(struct check *c)
{
	struct err err = ERR_INIT;

	if (!*c->settings.evidence.servers && !c->settings.evidence.assume)
		log_warn("auth.servers is not set: every request has to be "
			 "confirmed");
	if (c->settings.evidence.assume)
		log_warn("auth.assume: every sender is believed");
	if (!conf_has(&c->conf, "operator.name"))
		log_warn("operator.name is not set: mails come from '%s', as "
			 "the kernel's own robot's do",
			 conf_text(&c->conf, "operator.name"));
	if (!*conf_list(&c->conf, "bot.notify"))
		log_warn("bot.notify is not set: nobody hears of what a person "
			 "should look at");
	for (const char *const *n = conf_list(&c->conf, "bot.notify"); *n; n++)
		if (settings_own(&c->settings, *n, NULL)) {
			err_set(&err, ERR_CONFIG, "%s is the bot itself", *n);
			bad(c, "bot.notify", &err);
		}
}

static int check(struct check *c)
{
	struct err err = ERR_INIT;

	well("%s can be read", c->conf.file ? c->conf.file
	     : "there is no file, all is default, and that");
	if (settings_read(&c->settings, &c->conf, &err) == -1)
		return cmd_fail(&err);
	well("the bot is %s", c->settings.self.address);
	check_people(c);
	check_addresses(c, &c->conf, "", "lists");
	check_receive(c);
	check_send(c);
	check_trees(c);
	check_templates(c);
	check_run(c);
	check_folder(c, "run.folder");
	check_folder(c, "bot.quarantine");
	check_store(c);
	return c->rc;
}

int cmd_check_config(int argc, char **argv)
{
	static const struct option options[] = {
		{ "config", required_argument, NULL, 'c' },
		{ "connect", no_argument, NULL, 'n' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	struct check c = { .rc = EX_OK };
	const char *file = NULL;
	struct err err = ERR_INIT;
	int opt, rc;

	while ((opt = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (opt == 'c')
			file = optarg;
		else if (opt == 'n')
			c.connect = true;
		else
			return opt == 'h' ? cmd_help(usage, help_text)
					  : cmd_bad_usage("check-config");
	}
	if (optind < argc)
		return cmd_bad_usage("check-config");
	rc = conf_load(&c.conf, file, &err) == -1 ? cmd_fail(&err) : check(&c);
	fflush(stdout);
	settings_release(&c.settings);
	conf_release(&c.conf);
	arena_release(&c.arena);
	return rc;
}
