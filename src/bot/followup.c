#include "bot/followup.h"

#include <string.h>

#include "base/err.h"
#include "bot/phrases.h"
#include "data/json.h"
#include "store/jobs.h"
#include "store/outbox.h"
#include "store/requests.h"

static const char of_the_report[] = "without the patch|without patch|"
	"without my patch|without this patch|without it|unpatched|unmodified|"
	"original|the report|your report|the commit|the regression|the base|"
	"both commits|no patch";

static bool may_mean_a_patch(const struct plan *p, const struct request *r)
{
	return r->kind == REQUEST_RERUN && !r->revert && !p->m->npatch &&
	       !phrases_stand(r->evidence, of_the_report);
}

/* The job whose result the mail answers.  1, 0: it answers none, -1. */
static int answered_job(struct plan *p, struct job *j, struct err *err)
{
	struct store *s = p->bot->store;
	struct outgoing o;
	struct asked q;
	int rc = outbox_find(s, message_parent(p->m), &p->arena, &o, err);

	if (rc != 1 || strcmp(o.kind, "result") || !o.request)
		return rc == -1 ? -1 : 0;
	rc = asked_get(s, o.request, &p->arena, &q, err);
	if (rc != 1 || !q.job)
		return rc == -1 ? -1 : 0;
	return job_get(s, q.job, &p->arena, j, err);
}

/* The patch of the job's last side, a borrowed reference. */
static const json_t *patch_of(const json_t *spec)
{
	const json_t *sides = json_object_get(spec, "sides");

	return json_object_get(json_array_get(sides, json_array_size(sides) -
					      1), "patch");
}

/* As asked, with the patch, which stands in a mail or behind a link. */
static const struct request *with(struct plan *p, const struct request *asked,
				  const json_t *patch)
{
	struct request *r = arena_alloc(&p->arena, sizeof(*r));
	const char *url = json_member_text(patch, "url");
	const char *id = json_member_text(patch, "message_id");

	*r = *asked;
	r->kind = REQUEST_RERUN_WITH_PATCH;
	r->patch = url ? PATCH_FROM_URL : PATCH_FROM_MSGID;
	r->url = url ? arena_strdup(&p->arena, url) : NULL;
	r->msgid = id ? arena_strdup(&p->arena, id) : NULL;
	return r;
}

int followup_read(struct plan *p, struct item *i, struct err *err)
{
	const json_t *patch;
	struct job j;
	json_t *spec;
	int rc;

	if (!may_mean_a_patch(p, i->request))
		return 0;
	rc = answered_job(p, &j, err);
	if (rc != 1)
		return rc;
	spec = json_read_text(j.spec, strlen(j.spec), "job", NULL);
	patch = patch_of(spec);
	if (json_object_get(patch, "url") ||
	    json_object_get(patch, "message_id")) {
		i->request = with(p, i->request, patch);
		i->anew = true;
	}
	json_decref(spec);
	return 0;
}
