#include "bot/told.h"

#include <ctype.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "bot/letter.h"
#include "bot/titled.h"
#include "request/request-json.h"

const char *told_minutes(double minutes, struct arena *a)
{
	if (minutes < 2)
		return "a minute or two";
	if (minutes < 90)
		return arena_printf(a, "about %.0f minutes", minutes);
	if (minutes < 48 * 60)
		return arena_printf(a, "about %.0f hours", minutes / 60);
	return arena_printf(a, "about %.0f days", minutes / 60 / 24);
}

static json_t *safe(const char *text, struct arena *a)
{
	return text ? json_text(letter_safe(text, 400, a)) : json_null();
}

const char *told_commit(const char *commit, struct arena *a)
{
	size_t hex = strspn(commit, "0123456789abcdef");

	return hex >= 40 && !commit[hex] ? arena_printf(a, "%.12s", commit)
					 : letter_safe(commit, 100, a);
}

json_t *told_report(const struct stored_report *r, struct arena *a)
{
	if (!r)
		return json_null();
	return json_pack("{s:o,s:o,s:s,s:s,s:o}", "subject", safe(r->subject, a),
			 "stat", safe(r->stat, a), "token", r->token,
			 "state", report_state_name(r->state),
			 "commit", json_text(told_commit(r->tested, a)));
}

const char *told_side(const char *name)
{
	return name && !strcmp(name, "reported") ? "tested" : name;
}

/* 9a8b7c6d5e4f ("mm: a title") */
static const char *side_commit(const struct bot *bot, const json_t *side,
			       const struct stored_report *r, struct arena *a)
{
	const char *commit = json_member_text(side, "commit");
	const char *tree = json_member_text(side, "tree");
	const char *text = commit ? commit : "";

	/* Its title stands beside it once. */
	text = json_object_get(side, "patch") ? told_commit(text, a)
		: titled_commit(bot, r, text, a);

	if (tree && *tree)
		text = arena_printf(a, "%s of %s", text,
				    letter_safe(tree, 200, a));
	return text;
}

static json_t *told_sides(const struct bot *bot, const json_t *spec,
			  const struct stored_report *r, struct arena *a)
{
	json_t *list = json_array(), *one, *told;
	size_t i;

	json_array_foreach(json_object_get(spec, "sides"), i, one) {
		told = json_pack("{s:o,s:o,s:b}", "name",
			safe(told_side(json_member_text(one, "name")), a),
			"commit", json_text(side_commit(bot, one, r, a)),
			"patched", json_object_get(one, "patch") != NULL);
		json_array_append_new(list, told);
	}
	return list;
}

static json_t *told_parameters(const json_t *spec, struct arena *a)
{
	json_t *list = json_array(), *value;
	const char *key;

	json_object_foreach(json_object_get(spec, "parameters"), key, value)
		json_array_append_new(list, json_pack("{s:o,s:o}", "key",
			safe(key, a), "value",
			safe(json_string_value(value), a)));
	return list;
}

json_t *told_spec(const struct bot *bot, const json_t *spec,
		  const struct stored_report *r, struct arena *a)
{
	return json_pack("{s:o,s:O,s:o}", "sides", told_sides(bot, spec, r, a),
			 "runs", json_object_get(spec, "runs"),
			 "parameters", told_parameters(spec, a));
}

static const char *patch_from(const json_t *patch, struct arena *a)
{
	const char *source = json_member_text(patch, "source");
	const char *id = json_member_text(patch, "message_id");
	const char *url = json_member_text(patch, "url");

	if (!source)
		return "given";
	if (!strcmp(source, "inline"))
		return "in the text of your mail";
	if (!strcmp(source, "attachment"))
		return "attached to your mail";
	if (!strcmp(source, "revert"))
		return "the reverse of a commit";
	if (id)
		return arena_printf(a, "of the mail <%s>",
				    letter_safe(id, 200, a));
	return letter_safe(url ? url : source, 300, a);
}

json_t *told_patch(const json_t *spec, struct arena *a)
{
	json_t *one, *patch = NULL;
	size_t i;

	json_array_foreach(json_object_get(spec, "sides"), i, one)
		if (json_object_get(one, "patch"))
			patch = json_object_get(one, "patch");
	if (!patch)
		return json_null();
	return json_pack("{s:o,s:o,s:s,s:[],s:b,s:n}", "from",
			 json_text(patch_from(patch, a)), "subject",
			 safe(json_member_text(patch, "subject"), a), "id",
			 arena_printf(a, "%.16s", json_member_text(patch,
								   "id")),
			 "files", "pending",
			 json_is_true(json_object_get(patch, "pending")),
			 "checked");
}

static json_t *item_patch(const struct item *i, struct arena *a)
{
	json_t *patch = told_patch(i->spec.json, a);
	json_t *files = json_object_get(patch, "files");

	for (size_t k = 0; k < i->source.nfile && k < 12 && files; k++)
		json_array_append_new(files, json_pack("{s:o}", "line",
					safe(i->source.file[k], a)));
	if (i->source.nfile > 12 && files)
		json_array_append_new(files, json_pack("{s:o}", "line",
			json_sprintf("... %zu in all", i->source.nfile)));
	if (files && i->checked)
		json_object_set_new(patch, "checked",
				    json_text(told_commit(i->checked, a)));
	return patch;
}

static json_t *item_spec(const struct bot *bot, const struct item *i,
			 struct arena *a)
{
	json_t *spec;

	if (!i->spec.json)
		return json_null();
	spec = told_spec(bot, i->spec.json, i->report, a);
	json_object_set_new(spec, "base",
			    json_text(told_commit(i->spec.base, a)));
	json_object_set_new(spec, "base_why", json_text(i->spec.base_why));
	json_object_set_new(spec, "reused", json_boolean(i->spec.reused));
	return spec;
}

static const char *what(const struct item *i)
{
	if (!i->request)
		return "what your mail asks";
	if (i->request->revert)
		return "the test of this report without that commit";
	switch (i->request->kind) {
	case REQUEST_RERUN:
		return "the test of this report once more";
	case REQUEST_RERUN_WITH_PATCH:
		return "the test of this report with the patch";
	case REQUEST_RERUN_WITH_TREE:
		return "the test of this report on what you name";
	case REQUEST_CHANGE_PARAMS:
		return "the test of this report with other parameters";
	default:
		return "what you ask";
	}
}

#define SEND_LESS "Please send only what matters for the test, or name a " \
	"branch of a public tree."
#define ORDINARY "Please send a patch that changes ordinary files of the " \
	"tree alone."
#define NAME_COMMIT "Please name a commit of a public tree, by 12 digits of " \
	"its hash or by a tag;\nwithout one I take the commit reported."

/* What to send instead. */
static const char *hint(const char *error, const struct bot *bot,
			struct arena *a)
{
	static const struct {
		const char *error, *hint;
	} known[] = {
		{ "no-patch-found", "Please send the patch in the text of a "
		  "mail or as an attachment (text/x-patch),\nor name it by its "
		  "Message-ID or its address in a public archive." },
		{ "patch-damaged", "Please send it as an attachment, or with "
		  "git send-email." },
		{ "binary-patch-not-accepted", "Please send a patch without "
		  "binary files." },
		{ "nul-in-body", "Please send it again as plain text." },
		{ "mail-too-large", "Please send only what matters." },
		{ "unknown-report", "Please answer the report's own mail, or "
		  "one of mine in its thread." },
		{ "fetch-failed", "Please send the patch itself." },
		{ "url-not-a-patch", "Please send the patch itself, or the "
		  "address of its mail in a public archive." },
		{ "no-commit-named", "Please name a commit, a tag, or a tree "
		  "and a branch." },
		{ "patch-too-large", SEND_LESS },
		{ "patch-has-too-many-files", SEND_LESS },
		{ "nul-in-patch", "Please send it again as plain text." },
		{ "carriage-return-in-patch-header", "Please send it as an "
		  "attachment, or with git send-email." },
		{ "binary-patch-without-data", "Please send a patch without "
		  "binary files." },
		{ "patch-path-not-accepted", ORDINARY },
		{ "patch-touches-git-folder", ORDINARY },
		{ "patch-makes-symlink", ORDINARY },
		{ "patch-mode-not-accepted", ORDINARY },
		{ "patch-malformed", "Please send what git format-patch "
		  "writes." },
		{ "series-incomplete", "Please send me the others, too, or "
		  "the address of the series in a public\narchive." },
		{ "unknown-base", NAME_COMMIT }, { "unknown-commit", NAME_COMMIT },
	};
	struct buf hosts = BUF_INIT(1000);
	const char *text = NULL;

	for (size_t k = 0; k < sizeof(known) / sizeof(*known); k++)
		if (!strcmp(known[k].error, error))
			return known[k].hint;
	if (!strcmp(error, "url-not-accepted")) {
		for (const char *const *h = bot->settings->url.hosts; *h; h++)
			buf_addf(&hosts, " %s", *h);
		text = letter_fold(arena_printf(a, "I fetch with https and git "
						"from:%s", hosts.s), a);
	}
	buf_release(&hosts);
	return text;
}

static const char *place(const struct done *d, const struct item *i,
			 struct arena *a)
{
	double minutes = d->wait + i->spec.minutes;

	if (d->ahead)
		return arena_printf(a, "%lld before it; the result should be "
				    "here in %s", (long long)d->ahead,
				    told_minutes(minutes, a));
	return arena_printf(a, "it is the next; the result should be here in "
			    "%s", told_minutes(minutes, a));
}

static const char *until(int64_t at, struct arena *a)
{
	time_t t = (time_t)at;
	char text[40] = "";
	struct tm tm;

	if (gmtime_r(&t, &tm))
		strftime(text, sizeof(text), "%d %b %Y %H:%M UTC", &tm);
	return arena_strdup(a, text);
}

static void set_kind(json_t *v, const struct item *i)
{
	static const struct {
		enum outcome outcome;
		const char *name;
	} flag[] = {
		{ OUTCOME_QUEUE, "is_queued" }, { OUTCOME_HOLD, "is_held" },
		{ OUTCOME_OPERATOR, "is_operator" },
		{ OUTCOME_ASK, "is_question" }, { OUTCOME_ERROR, "is_error" },
		{ OUTCOME_DENY, "is_denied" }, { OUTCOME_ANSWER, "is_answer" },
		{ OUTCOME_CANCEL, "is_cancel" }, { OUTCOME_STOP, "is_stop" },
		{ OUTCOME_STATE, "is_state" },
	};

	for (size_t k = 0; k < sizeof(flag) / sizeof(*flag); k++)
		json_object_set_new(v, flag[k].name,
				    json_boolean(flag[k].outcome ==
						 i->outcome));
}

/* Names that some partial asks for; an item that has no such thing has null. */
static void set_defaults(json_t *v)
{
	static const char *const name[] = {
		"hunk", "hunk_lines", "tried", "hint", "reports", "candidates",
		"reproducible", "change", "values", "status", "data", "has_job",
		"job_lines", "profile", "forwarded",
		"wants_values", "unmet", "help", "answer", "seen",
		"was_seen", "reboots", "missing", "meaning", "commands",
		"by_hand", "table_key", "points_to_help", "record", "cancelled",
		"scope", "whole_thread", "scope_words", "operators_told",
		"host_file", "sentence", NULL
	};

	for (const char *const *n = name; *n; n++)
		if (!json_object_get(v, *n))
			json_object_set_new(v, *n, json_null());
}

/* "line 4: it holds ..." as a sentence of its own, folded.  A path at its
 * beginning stays what it is. */
static const char *sentence(const char *reason, struct arena *a)
{
	char *text = arena_printf(a, "%s.", letter_safe(reason, 400, a));
	size_t word = strcspn(text, " ");

	if (!memchr(text, '/', word) && !memchr(text, '_', word))
		*text = (char)toupper((unsigned char)*text);
	return letter_fold(text, a);
}

/* Why we ask before we run. */
static const char *why_held(const struct plan *p, const struct item *i)
{
	if (i->unsure)
		return "I am not sure that I understood you";
	if (p->evidence.munged)
		return "your mail came through a list that hides who wrote it";
	if (p->evidence.proof == PROOF_NONE)
		return "I could not verify that the mail came from your "
		       "address";
	return "I do not know your address yet";
}

/* What a report becomes, at the beginning of a sentence. */
static const char *state_words(enum report_state state)
{
	switch (state) {
	case REPORT_OPEN:
		return "Opened again";
	case REPORT_ACKNOWLEDGED:
		return "Noted: acknowledged, the report stays open";
	case REPORT_FIXED:
		return "Closed as fixed";
	case REPORT_INVALID:
		return "Closed as invalid";
	case REPORT_DUP:
		return "Closed as a duplicate";
	case REPORT_EXPECTED:
		return "Closed as expected";
	case REPORT_DISPUTED:
		return "Noted: disputed, the report stays open";
	default:
		return "Stopped";
	}
}

static bool is_closed(enum report_state state)
{
	return state == REPORT_FIXED || state == REPORT_INVALID ||
	       state == REPORT_DUP || state == REPORT_EXPECTED;
}

static void set_error(json_t *v, struct plan *p, const struct item *i)
{
	struct arena *a = &p->arena;
	const char *hunk = json_member_text(i->told, "hunk");
	const char *told;

	json_object_set_new(v, "error", safe(i->error, a));
	json_object_set_new(v, "which_report", json_boolean(i->error &&
			    !strcmp(i->error, "which-report")));
	json_object_set_new(v, "which_patch", json_boolean(i->error &&
			    !strcmp(i->error, "which-patch")));
	json_object_set_new(v, "which_commit", json_boolean(i->error &&
			    !strcmp(i->error, "which-commit")));
	if (i->error) {
		told = hint(i->error, p->bot, a);
		json_object_set_new(v, "hint", told ? json_text(told)
						    : json_null());
	}
	if (hunk && *hunk)
		json_object_set_new(v, "hunk_lines",
				    letter_lines(hunk, 30, a));
	else
		json_object_set_new(v, "hunk", json_null());
	if (*i->reason)
		json_object_set_new(v, "sentence", json_text(
			sentence(i->reason, a)));
}

json_t *told_item(struct plan *p, const struct item *i, const struct done *d)
{
	struct arena *a = &p->arena;
	const struct request *r = i->request;
	const char *rest = what(i), *job = json_member_text(i->told, "job");
	char *begin = arena_strdup(a, rest);
	json_t *v = json_deep_copy(i->told);

	*begin = (char)toupper((unsigned char)*begin);
	set_kind(v, i);
	json_object_set_new(v, "what", json_pack("{s:s,s:s}", "begin", begin,
						 "rest", rest));
	json_object_set_new(v, "report", told_report(i->report, a));
	json_object_set_new(v, "reason", safe(i->reason, a));
	json_object_set_new(v, "evidence", r && r->evidence ?
			    safe(r->evidence, a) : json_null());
	json_object_set_new(v, "line_number", r && r->line ?
			    json_integer((json_int_t)r->line) : json_null());
	json_object_set_new(v, "spec", item_spec(p->bot, i, a));
	json_object_set_new(v, "patch", item_patch(i, a));
	if (job)
		json_object_set_new(v, "job_lines", letter_lines(job, 200, a));
	json_object_set_new(v, "has_job", json_boolean(job != NULL));
	json_object_set_new(v, "job", json_integer((json_int_t)d->job.id));
	json_object_set_new(v, "known", json_boolean(d->known));
	json_object_set_new(v, "merged", json_boolean(d->merged));
	json_object_set_new(v, "place", json_text(place(d, i, a)));
	json_object_set_new(v, "until", json_text(until(d->until, a)));
	json_object_set_new(v, "state",
			    json_text(state_words(i->state)));
	json_object_set_new(v, "closed", json_boolean(is_closed(i->state)));
	json_object_set_new(v, "why_held", json_text(why_held(p, i)));
	/* The sentence itself stands in the quotation already. */
	json_object_set_new(v, "note", safe(*i->note && (!r || i->note !=
					    r->evidence) ? i->note : NULL, a));
	if (i->source.host_file)
		json_object_set_new(v, "host_file",
				    safe(i->source.host_file, a));
	if (json_object_get(v, "missing"))
		json_object_set_new(v, "missing", json_text(letter_fold(
			arena_printf(a, "I do not have %s.%s",
				     json_member_text(v, "missing"),
				     letter_told(p->bot)), a)));
	set_error(v, p, i);
	set_defaults(v);
	return v;
}

static json_t *plan_patch(const struct item *i)
{
	const struct source *src = &i->source;
	json_t *v, *files = json_array();

	for (size_t k = 0; k < src->nfile; k++)
		json_array_append_new(files, json_text(src->file[k]));
	v = json_pack("{s:s,s:o,s:o,s:o,s:o,s:o,s:s,s:b,s:I}", "kind",
		      src->kind, "id", json_text(src->id), "url",
		      json_text(src->url), "subject", json_text(src->subject),
		      "author", json_text(src->author), "files", files,
		      "hash", src->digest, "pending", src->pending,
		      "count", (json_int_t)src->count);
	return v;
}

static json_t *plan_item(const struct item *i)
{
	bool patch = i->source.kind && strcmp(i->source.kind, "none") != 0;

	return json_pack("{s:o,s:o,s:s,s:o,s:s,s:s,s:o,s:o,s:o}",
			 "request", i->request ? request_json(i->request)
					       : json_null(),
			 "report", json_text(i->report ? i->report->key
						       : NULL),
			 "outcome", outcome_name(i->outcome),
			 "error", json_text(i->error), "reason", i->reason,
			 "role", role_name(i->role),
			 "patch", patch ? plan_patch(i) : json_null(),
			 "base", json_text(i->spec.json ? i->spec.base : NULL),
			 "key", json_text(i->spec.json ? i->spec.key : NULL));
}

/* Addresses, "a@x, b@y". */
static json_t *bounced_for(const struct plan *p)
{
	struct buf all = BUF_INIT(20000);
	json_t *v;

	for (size_t i = 0; i < p->bounced.n; i++)
		buf_addf(&all, "%s%s", i ? ", " : "", p->bounced.v[i].address);
	v = all.len ? json_text(all.s) : json_null();
	buf_release(&all);
	return v;
}

json_t *told_plan(const struct plan *p)
{
	json_t *items = json_array(), *reports = json_array();

	for (size_t i = 0; i < p->nitem; i++)
		json_array_append_new(items, plan_item(&p->item[i]));
	for (size_t i = 0; i < p->which.n; i++)
		json_array_append_new(reports, json_pack("{s:s,s:s}", "key",
			p->which.report[i].key, "token",
			p->which.report[i].token));
	return json_pack("{s:o,s:s,s:s,s:o,s:b,s:s,s:o,s:o,s:o}",
			 "author", json_text(p->evidence.address),
			 "proof", proof_name(p->evidence.proof),
			 "method", p->evidence.method ? p->evidence.method
						      : "none",
			 "proof_reason", json_text(p->evidence.reason),
			 "munged", p->evidence.munged,
			 "found_by", which_name(p->which.how),
			 "reports", reports, "items", items,
			 "bounce_for", bounced_for(p));
}
