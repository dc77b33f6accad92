/*
 * One verb of a runner's driver, as the bot calls it, for scripts:
 *
 *	run-driver DRIVER submit|poll|fetch|cancel FOLDER REMOTE DEADLINE COMMAND...
 *
 * Prints one JSON object: the remote name, or the status.  FOLDER is made
 * when it is not there.  Exit codes are err_exit()'s.
 */
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "run/folder.h"
#include "run/run.h"

static const char *const state_name[] = { "running", "ended", "lost" };

static int one_verb(const struct run_driver *d, const char *verb,
		    const struct run_settings *s, const char *folder,
		    const char *remote, struct err *err)
{
	struct buf name = BUF_INIT(1000);
	struct run_status st = { .state = RUN_LOST };
	int rc = -1;

	if (!strcmp(verb, "submit")) {
		rc = d->submit(s, folder, &name, err);
		printf("{\"remote\": \"%s\"}\n", name.s);
	} else if (!strcmp(verb, "poll")) {
		rc = d->poll(s, folder, remote, &st, err);
		printf("{\"state\": \"%s\", \"code\": %d, \"signal\": %d, "
		       "\"deadline\": %s, \"cancelled\": %s, \"started\": %lld, "
		       "\"ended\": %lld}\n", state_name[st.state], st.code,
		       st.signal, st.deadline ? "true" : "false",
		       st.cancelled ? "true" : "false",
		       (long long)st.started, (long long)st.ended);
	} else if (!strcmp(verb, "fetch")) {
		rc = d->fetch(s, folder, remote, err);
	} else if (!strcmp(verb, "cancel")) {
		rc = d->cancel(s, folder, remote, err);
	}
	buf_release(&name);
	return rc;
}

int main(int argc, char **argv)
{
	const struct run_driver *d = argc > 6 ? run_driver_find(argv[1]) : NULL;
	struct run_settings s = { .deadline = 0 };
	struct err err = ERR_INIT;
	char root[4096], base[4096];
	json_t *spec;
	int rc;

	if (!d)
		return 64;
	s.deadline = atoll(argv[5]);
	s.command = (const char *const *)argv + 6;
	snprintf(root, sizeof(root), "%s", argv[3]);
	snprintf(base, sizeof(base), "%s", argv[3]);
	spec = json_pack("{s:[{s:s}]}", "sides", "name", "base");
	rc = folder_make(dirname(root), basename(base), spec, &err);
	json_decref(spec);
	if (rc == 0)
		rc = one_verb(d, argv[2], &s, argv[3], argv[4], &err);
	if (rc == -1)
		fprintf(stderr, "run-driver: %s\n", err.text);
	return rc == -1 ? err_exit(&err) : 0;
}
