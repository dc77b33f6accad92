/* The names of kinds and sources, as JSON and rules have them. */
#include "request/grammar.h"

#include <string.h>

static const char *const kind_names[] = {
	[REQUEST_RERUN] = "rerun",
	[REQUEST_RERUN_WITH_PATCH] = "rerun_with_patch",
	[REQUEST_RERUN_WITH_TREE] = "rerun_with_tree",
	[REQUEST_CHANGE_PARAMS] = "change_params",
	[REQUEST_MORE_DATA] = "more_data",
	[REQUEST_QUESTION_REPRODUCIBLE] = "question_reproducible",
	[REQUEST_STATUS] = "status",
	[REQUEST_CANCEL] = "cancel",
	[REQUEST_STOP] = "stop",
	[REQUEST_INVALID] = "invalid",
	[REQUEST_DUP] = "dup",
	[REQUEST_FIXED] = "fixed",
	[REQUEST_EXPECTED] = "expected",
	[REQUEST_HELP] = "help",
};
#define NKINDS (sizeof(kind_names) / sizeof(*kind_names))

static const char *const source_names[] = {
	[PATCH_FROM_NOWHERE] = "none",
	[PATCH_FROM_INLINE] = "inline",
	[PATCH_FROM_ATTACHMENT] = "attachment",
	[PATCH_FROM_URL] = "url",
	[PATCH_FROM_MSGID] = "msgid",
	[PATCH_FROM_THREAD] = "thread",
};

const char *request_kind_name(enum request_kind k)
{
	return kind_names[k];
}

const char *patch_source_name(enum patch_source s)
{
	return source_names[s];
}

int request_kind_by_name(const char *name)
{
	for (size_t i = 0; i < NKINDS; i++)
		if (!strcmp(kind_names[i], name))
			return (int)i;
	return -1;
}

bool is_job(int kind)
{
	return kind == REQUEST_RERUN || kind == REQUEST_RERUN_WITH_PATCH ||
	       kind == REQUEST_RERUN_WITH_TREE || kind == REQUEST_CHANGE_PARAMS;
}
