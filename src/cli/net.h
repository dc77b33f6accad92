#ifndef CLI_NET_H
#define CLI_NET_H

#include <stdbool.h>
#include <stdint.h>

#include "data/json.h"

struct err;
struct store;

/* What the commands that look into the state have in common. */

struct net_options {
	const char *config;	/* --config FILE */
	const char *store;	/* --store FILE, instead of the configuration's */
	bool json;		/* --json */
	bool all;		/* --all */
};

/*
 * Take the options that they all have.  NET_GO_ON, with getopt's optind at the
 * first argument, or the exit code that all is said with.
 */
enum { NET_GO_ON = -1 };
int net_take_options(struct net_options *o, const char *usage,
		     const char *help, int argc, char **argv);

/* The store that the options or the configuration name; NULL with "err". */
struct store *net_store(const struct net_options *o, bool create,
			struct err *err);

/* A row's number as it stands on the command line: 0 when it is none. */
int64_t net_id(const char *text);

/* Print "v" (which is stolen) as pretty JSON; an exit code. */
int net_print_json(json_t *v);

/* Print "v" and each of the list "more" as a line of JSON (both are stolen); an
 * exit code. */
int net_print_lines(json_t *v, json_t *more);

/* "2026-03-03 10:15" UTC, "-" for 0; the caller's "text" is returned. */
const char *net_time(char text[20], int64_t at);

#endif
