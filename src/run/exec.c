#include "run/run.h"

#include <signal.h>

#include "base/buf.h"
#include "base/err.h"
#include "run/keeper.h"
#include "run/status.h"

/* The command runs on this machine, one process group a job. */

static int exec_submit(const struct run_settings *s, const char *folder,
		       struct buf *remote, struct err *err)
{
	size_t n = 0;

	while (s->command && s->command[n])
		n++;
	if (!n || n > RUN_COMMAND_MAX)
		return err_set(err, ERR_CONFIG, "the runner's command has %zu "
			       "words", n);
	buf_addstr(remote, "here");
	return keeper_start(s, folder, err);
}

static int exec_poll(const struct run_settings *s, const char *folder,
		     const char *remote, struct run_status *status,
		     struct err *err)
{
	pid_t keeper;
	int rc = status_read(folder, status, err);

	(void)s;
	(void)remote;
	if (rc)
		return rc == 1 ? 0 : -1;
	keeper = keeper_find(folder, err);
	if (keeper == -1)
		return -1;
	/* It may have ended between the two looks. */
	rc = keeper ? 0 : status_read(folder, status, err);
	if (rc)
		return rc == 1 ? 0 : -1;
	if (!keeper)
		keeper_clean(folder);
	*status = (struct run_status){
		.state = keeper ? RUN_RUNNING : RUN_LOST,
	};
	return 0;
}

static int exec_fetch(const struct run_settings *s, const char *folder,
		      const char *remote, struct err *err)
{
	(void)s;
	(void)folder;
	(void)remote;
	(void)err;
	return 0;	/* they were written where they belong */
}

static int exec_cancel(const struct run_settings *s, const char *folder,
		       const char *remote, struct err *err)
{
	pid_t keeper = keeper_find(folder, err);

	(void)s;
	(void)remote;
	if (keeper == -1)
		return -1;
	if (!keeper)
		keeper_clean(folder);
	else if (kill(keeper, SIGTERM) == -1)
		return err_sys(err, "cannot end the job in '%s'", folder);
	return 0;
}

const struct run_driver run_exec = {
	.name = "exec", .submit = exec_submit, .poll = exec_poll,
	.fetch = exec_fetch, .cancel = exec_cancel,
};
