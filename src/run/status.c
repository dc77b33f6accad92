#include "run/status.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "data/json.h"

int status_write(const char *folder, const struct run_status *status,
		 struct err *err)
{
	struct buf path = BUF_INIT(8192), text = BUF_INIT(1024);
	json_t *v = json_pack("{s:i,s:i,s:b,s:b,s:I,s:I}",
			      "code", status->code, "signal", status->signal,
			      "deadline", status->deadline,
			      "cancelled", status->cancelled,
			      "started", (json_int_t)status->started,
			      "ended", (json_int_t)status->ended);
	int rc;

	buf_addf(&path, "%s/status.json", folder);
	json_write(&text, v, 0);
	buf_addch(&text, '\n');
	rc = file_write(path.s, text.s, text.len, err);
	json_decref(v);
	buf_release(&path);
	buf_release(&text);
	return rc;
}

static int number(const json_t *v, const char *key)
{
	return (int)json_integer_value(json_object_get(v, key));
}

int status_read(const char *folder, struct run_status *status,
		struct err *err)
{
	struct buf path = BUF_INIT(8192);
	json_t *v = NULL;
	int rc = 0;

	buf_addf(&path, "%s/status.json", folder);
	if (file_exists(path.s)) {
		v = json_read_file(path.s, 65536, err);
		rc = v ? 1 : -1;
	}
	if (rc == 1)
		*status = (struct run_status){
			.state = RUN_ENDED,
			.code = number(v, "code"),
			.signal = number(v, "signal"),
			.deadline = json_is_true(json_object_get(v,
								 "deadline")),
			.cancelled = json_is_true(json_object_get(v,
								  "cancelled")),
			.started = json_integer_value(json_object_get(v,
								"started")),
			.ended = json_integer_value(json_object_get(v,
								"ended")),
		};
	json_decref(v);
	buf_release(&path);
	return rc;
}
