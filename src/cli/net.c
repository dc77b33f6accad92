#include "cli/net.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>

#include "base/buf.h"
#include "base/err.h"
#include "cli/cli.h"
#include "data/conf.h"
#include "store/store.h"

int net_take_options(struct net_options *o, const char *usage,
		     const char *help, int argc, char **argv)
{
	static const struct option options[] = {
		{ "all", no_argument, NULL, 'a' },
		{ "config", required_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' },
		{ "json", no_argument, NULL, 'j' },
		{ "store", required_argument, NULL, 's' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (c == 'a')
			o->all = true;
		else if (c == 'c')
			o->config = optarg;
		else if (c == 'j')
			o->json = true;
		else if (c == 's')
			o->store = optarg;
		else
			return c == 'h' ? cmd_help(usage, help)
					: cmd_bad_usage(argv[0]);
	}
	return NET_GO_ON;
}

struct store *net_store(const struct net_options *o, bool create,
			struct err *err)
{
	struct store *store = NULL;
	struct conf conf;

	if (o->store)
		return store_open(o->store, create, err);
	if (conf_load(&conf, o->config, err) == 0)
		store = store_open(conf_text(&conf, "store"), create, err);
	conf_release(&conf);
	return store;
}

int64_t net_id(const char *text)
{
	char *end;
	long long id = strtoll(text, &end, 10);

	return *text && !*end && id > 0 ? id : 0;
}

static int print(const json_t *v, int indent)
{
	struct buf out = BUF_INIT((size_t)1 << 30);
	int rc;

	json_write(&out, v, indent);
	buf_addch(&out, '\n');
	rc = cmd_print(out.s, out.len);
	buf_release(&out);
	return rc;
}

int net_print_json(json_t *v)
{
	int rc = print(v, 2);

	json_decref(v);
	return rc;
}

int net_print_lines(json_t *v, json_t *more)
{
	int rc = print(v, 0);
	const json_t *one;
	size_t i;

	json_array_foreach(more, i, one)
		if (rc == EX_OK)
			rc = print(one, 0);
	json_decref(v);
	json_decref(more);
	return rc;
}

const char *net_time(char text[20], int64_t at)
{
	time_t t = (time_t)at;
	struct tm tm;

	strcpy(text, "-");
	if (at && gmtime_r(&t, &tm))
		strftime(text, 20, "%Y-%m-%d %H:%M", &tm);
	return text;
}
