#include "cli/commands.h"

#include <getopt.h>
#include <string.h>
#include <sysexits.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/log.h"
#include "cli/cli.h"
#include "cli/net.h"
#include "data/conf.h"
#include "store/store.h"

static const char usage[] = "store [OPTION]... backup FILE|check|restore FILE";
static const char help_text[] =
"Save, check or bring back the state.\n"
"\n"
"  backup FILE    copy it to a new file, while the bot runs\n"
"  check          is every page and every reference well?\n"
"  restore FILE   put a backup in the place of a store that is not there\n"
"\n"
"  --config FILE  the configuration\n"
"  --store FILE   the state to look into, instead of the configuration's\n";

static int backup(const struct net_options *o, const char *file,
		  struct err *err)
{
	struct store *s;
	int rc;

	if (file_exists(file))
		return err_set(err, ERR_USAGE, "'%s' is there already", file);
	s = net_store(o, false, err);
	rc = s ? store_backup(s, file, err) : -1;
	store_close(s);
	return rc;
}

static int check(const struct net_options *o, struct err *err)
{
	struct store *s = net_store(o, false, err);
	int rc = s ? store_check(s, err) : -1;

	store_close(s);
	return rc;
}

/* The backup is checked, and copied by the store's own means, so that what
 * lies beside it (a journal) counts too. */
static int restore_to(const char *place, const char *file, struct err *err)
{
	struct store *s;
	int rc;

	if (file_exists(place))
		return err_set(err, ERR_USAGE, "'%s' is there: stop the bot "
			       "and move it away first", place);
	s = store_open(file, true, err);
	rc = s ? store_check(s, err) : -1;
	if (rc == 0)
		rc = store_backup(s, place, err);
	store_close(s);
	return rc;
}

static int restore(const struct net_options *o, const char *file,
		   struct err *err)
{
	struct conf conf;
	int rc;

	if (!file_exists(file))
		return err_set(err, ERR_USAGE, "there is no '%s'", file);
	if (o->store)
		return restore_to(o->store, file, err);
	rc = conf_load(&conf, o->config, err);
	if (rc == 0)
		rc = restore_to(conf_text(&conf, "store"), file, err);
	conf_release(&conf);
	return rc;
}

int cmd_store(int argc, char **argv)
{
	struct net_options o = { .config = NULL };
	struct err err = ERR_INIT;
	int rc, todo = net_take_options(&o, usage, help_text, argc, argv);
	const char *verb = optind < argc ? argv[optind] : "";
	const char *file = optind + 1 < argc ? argv[optind + 1] : NULL;

	if (todo != NET_GO_ON)
		return todo;
	if (!strcmp(verb, "backup") && argc - optind == 2)
		rc = backup(&o, file, &err);
	else if (!strcmp(verb, "check") && argc - optind == 1)
		rc = check(&o, &err);
	else if (!strcmp(verb, "restore") && argc - optind == 2)
		rc = restore(&o, file, &err);
	else
		return cmd_bad_usage("store");
	return rc == -1 ? cmd_fail(&err) : EX_OK;
}
