#include "report/setup.h"

#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/strmap.h"
#include "base/utf8.h"
#include "report/facts.h"
#include "report/report.h"

#define TEXT_MAX 4096

/* Members of a job, and what a reader calls them. */
static const struct {
	const char *key, *word;
} shown[] = {
	{ "arch", "architecture" },
	{ "rootfs", "root file system" },
	{ "cpufreq_governor", "CPU frequency governor" },
	{ "ucode", "microcode" },
	{ "nr_node", "NUMA nodes" },
	{ "disk", "disk" },
	{ "fs", "file system" },
	{ "fs2", "second file system" },
	{ "mount_option", "mount options" },
	{ "iosched", "I/O scheduler" },
	{ "scheduler", "scheduler" },
	{ "thp_enabled", "transparent huge pages" },
	{ "kernel_cmdline", "kernel command line" },
	{ "kernel_cmdline_hw", "kernel command line of the box" },
	{ NULL, NULL },
};

/* What must be the same on both sides for the commit to be the cause. */
static const struct {
	const char *key, *word;
} compared[] = {
	{ "testbox", "box" },
	{ "ucode", "microcode" },
	{ "kconfig", "kernel config" },
	{ "compiler", "compiler" },
	{ "rootfs", "root file system" },
	{ "cpufreq_governor", "CPU frequency governor" },
	{ "memory", "memory" },
	{ "disk", "disk" },
	{ "fs", "file system" },
	{ "mount_option", "mount options" },
	{ "iosched", "I/O scheduler" },
	{ "thp_enabled", "transparent huge pages" },
	{ "kernel_cmdline", "kernel command line" },
	{ "kernel_cmdline_hw", "kernel command line of the box" },
	{ NULL, NULL },
};

/* Options that make a kernel slow or each build another. */
static const char *const debug_options[] = {
	"KASAN", "KCSAN", "KMSAN", "KCOV", "UBSAN", "KMEMLEAK", "LOCKDEP",
	"PROVE_LOCKING", "PROVE_RCU", "LOCK_STAT", "DEBUG_LOCK_ALLOC",
	"DEBUG_ATOMIC_SLEEP", "DEBUG_PAGEALLOC", "DEBUG_OBJECTS", "DEBUG_VM",
	"DEBUG_LIST", "DEBUG_SG", "DEBUG_MUTEXES", "DEBUG_SPINLOCK",
	"DEBUG_PREEMPT", "SLUB_DEBUG_ON", "PAGE_POISONING", "PAGE_OWNER",
	"FUNCTION_TRACER", "GCOV_KERNEL", "RANDSTRUCT", "RANDSTRUCT_FULL",
	"GCC_PLUGIN_RANDSTRUCT", "FAULT_INJECTION", NULL,
};

/* The distinct values of a job's member over the runs of one side, in order:
 * a strmap's keys. */
static void values_of(const struct report *r, size_t side, const char *key,
		      struct strmap *values)
{
	const struct result *s = r->group->side[side].result;
	const char *text = s->job ? json_member_text(s->job, key) : NULL;

	if (text)
		strmap_put(values, text, strlen(text));
	for (size_t i = 0; s->run_job && i < s->runs; i++) {
		text = json_member_text(s->run_job[i], key);
		if (text)
			strmap_put(values, text, strlen(text));
	}
	text = result_axis(s, strcmp(key, "testbox") ? key : "tbox_group");
	if (!text && !strcmp(key, "testbox"))
		text = s->box;
	if (!values->n && text)
		strmap_put(values, text, strlen(text));
}

static bool same_values(const struct strmap *a, const struct strmap *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (!strmap_find(b, a->entry[i].key, a->entry[i].len))
			return false;
	return true;
}

static void add_values(struct buf *out, const struct strmap *values)
{
	for (size_t i = 0; i < values->n; i++) {
		buf_addstr(out, i ? ", " : "");
		utf8_inert(out, values->entry[i].key, values->entry[i].len,
			   false);
	}
}

static void append(json_t *list, struct buf *text)
{
	list_add_lines(list, text->s);
	buf_release(text);
}

/* Is it what the sides are meant to differ in? */
static bool is_compared_axis(const struct report *r, const char *key)
{
	const char *const *axis = r->comparison->options.axis;

	for (; axis && *axis; axis++)
		if (!strcmp(*axis, key) ||
		    (!strcmp(*axis, "tbox_group") && !strcmp(key, "testbox")))
			return true;
	return false;
}

/* Values of both sides; false where neither is known, or where the sides are
 * meant to differ. */
static bool get_compared(const struct report *r, const char *key,
			 struct strmap *base, struct strmap *head)
{
	values_of(r, 0, key, base);
	values_of(r, r->side, key, head);
	return (base->n || head->n) && !is_compared_axis(r, key);
}

static void add_side(struct buf *out, const char *side,
		     const struct strmap *values)
{
	buf_addstr(out, side);
	if (values->n)
		add_values(out, values);
	else
		buf_addstr(out, "not known");
}

static bool names_box(const struct result *s)
{
	if (s->box || (s->job && json_member_text(s->job, "testbox")))
		return true;
	for (size_t i = 0; s->run_job && i < s->runs; i++)
		if (json_member_text(s->run_job[i], "testbox"))
			return true;
	return false;
}

static bool both_name_box(const struct report *r)
{
	return names_box(r->group->side[0].result) &&
	       names_box(r->group->side[r->side].result);
}

json_t *setup_same(const struct report *r)
{
	struct buf b = BUF_INIT(TEXT_MAX);
	json_t *v;

	for (size_t i = 0; compared[i].key; i++) {
		struct arena a = ARENA_INIT;
		struct strmap base, head;

		strmap_init(&base, &a);
		strmap_init(&head, &a);
		/* A group of like boxes is not yet the same box. */
		if (!(strcmp(compared[i].key, "testbox") == 0 &&
		      !both_name_box(r)) &&
		    get_compared(r, compared[i].key, &base, &head) &&
		    same_values(&base, &head))
			buf_addf(&b, "%s%s", b.len ? ", " : "",
				 compared[i].word);
		arena_release(&a);
	}
	v = b.len ? json_stringn(b.s, b.len) : json_null();
	buf_release(&b);
	return v;
}

size_t setup_differs(const struct report *r, struct buf *out)
{
	const char *word[sizeof(compared) / sizeof(*compared)];
	size_t n = 0;

	for (size_t i = 0; compared[i].key; i++) {
		struct arena a = ARENA_INIT;
		struct strmap base, head;

		strmap_init(&base, &a);
		strmap_init(&head, &a);
		if (get_compared(r, compared[i].key, &base, &head) && base.n &&
		    head.n && !same_values(&base, &head))
			word[n++] = compared[i].word;
		arena_release(&a);
	}
	for (size_t i = 0; i < n; i++)
		buf_addf(out, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " and ",
			 word[i]);
	return n;
}

static void warn_of_differences(const struct report *r, json_t *list)
{
	for (size_t i = 0; compared[i].key; i++) {
		struct arena a = ARENA_INIT;
		struct buf b = BUF_INIT(TEXT_MAX);
		struct strmap base, head;

		strmap_init(&base, &a);
		strmap_init(&head, &a);
		if (get_compared(r, compared[i].key, &base, &head) &&
		    !same_values(&base, &head)) {
			buf_addf(&b, "the %s %s", compared[i].word,
				 base.n && head.n ? "differs" : "may differ");
			add_side(&b, ": base ", &base);
			add_side(&b, "; tested ", &head);
		}
		append(list, &b);
		arena_release(&a);
	}
}

/* Parameters of the kernel that do the same. */
static const char *const debug_parameters[] = {
	"slub_debug", "slab_debug", "debug_pagealloc=on", "debug_objects",
	"page_owner=on", "page_poison=1", "kmemleak=on", "lockdep",
	"kasan=on", NULL,
};

static bool is_same_name(const char *text, size_t len, const char *option)
{
	if (len > 7 && !strncmp(text, "CONFIG_", 7)) {
		text += 7;
		len -= 7;
	}
	return len == strlen(option) && !strncmp(text, option, len);
}

/* "KASAN", "CONFIG_KASAN=y" and "KASAN: y" all name KASAN. */
static bool names_option(const char *text, const char *option)
{
	size_t len = strcspn(text, "=:");
	const char *value = text + len + strspn(text + len, "=: ");

	return is_same_name(text, len, option) && (!*value || *value == 'y');
}

/* { KASAN: y }, or with versions behind it: { KASAN: "y, v5.0" } */
static bool has_option(const json_t *map, const char *option)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)map, key, value) {
		const char *text = json_string_value(value);

		if (is_same_name(key, strlen(key), option))
			return json_is_true(value) || (text && *text == 'y');
	}
	return false;
}

/* Does the list of kernel options, or the map of them, have it? */
static bool lists_option(const json_t *needed, const char *option)
{
	json_t *item;
	size_t i;

	if (has_option(needed, option))
		return true;
	json_array_foreach(needed, i, item) {
		const char *text = json_string_value(item);

		if (text ? names_option(text, option)
			 : has_option(item, option))
			return true;
	}
	return false;
}

static bool is_needed(const struct report *r, size_t side, const char *option)
{
	const struct result *s = r->group->side[side].result;
	const json_t *test = json_object_get(r->results->facts, "test");

	return lists_option(json_object_get(s->job, "need_kconfig"), option) ||
	       lists_option(json_object_get(test, "kconfig_options"), option);
}

/* The first words of the command line decide: "slub_debug=FZ", "slub_debug". */
static bool is_booted_with(const struct report *r, size_t side,
			   const char *parameter)
{
	const struct result *s = r->group->side[side].result;
	const char *line = json_member_text(s->job, "kernel_cmdline");
	size_t len = strlen(parameter);

	for (; line && *line; line += strcspn(line, " ")) {
		line += strspn(line, " ");
		if (!strncmp(line, parameter, len) && strchr(" =", line[len]))
			return true;
	}
	return false;
}

/* What makes a kernel slow: built in, or booted with. */
struct debug {
	const char *const *name;
	bool (*has)(const struct report *r, size_t side, const char *name);
	const char *words;
	const char *differ;	/* NULL: that is said elsewhere */
};

static void add_name(struct buf *out, const char *name)
{
	buf_addf(out, "%s%s", out->len ? ", " : "", name);
}

static void warn_of(const struct report *r, json_t *list,
		    const struct debug *d)
{
	struct buf all = BUF_INIT(TEXT_MAX), base = BUF_INIT(TEXT_MAX);
	struct buf head = BUF_INIT(TEXT_MAX), b = BUF_INIT(TEXT_MAX);

	for (const char *const *n = d->name; *n; n++) {
		bool in_base = d->has(r, 0, *n), in_head = d->has(r, r->side, *n);

		if (in_base || in_head)
			add_name(&all, *n);
		if (in_base)
			add_name(&base, *n);
		if (in_head)
			add_name(&head, *n);
	}
	if (all.len)
		buf_addf(&b, "%s: %s", d->words, all.s);
	append(list, &b);
	b = (struct buf)BUF_INIT(TEXT_MAX);
	if (d->differ && strcmp(base.s, head.s))
		buf_addf(&b, "%s: base %s; tested %s", d->differ,
			 base.len ? base.s : "none", head.len ? head.s : "none");
	append(list, &b);
	buf_release(&all);
	buf_release(&base);
	buf_release(&head);
}

/* What the jobs asked for, or the facts tell. */
static void warn_of_debug(const struct report *r, json_t *list)
{
	static const struct debug build = { debug_options, is_needed,
		"the kernel has debug or randomising options",
		"the debug options differ" };
	static const struct debug boot = { debug_parameters, is_booted_with,
		"the kernel was booted with debug parameters", NULL };
	const char *kconfig = result_axis(r->group->side[r->side].result,
					  "kconfig");
	struct buf b = BUF_INIT(TEXT_MAX);

	warn_of(r, list, &build);
	warn_of(r, list, &boot);
	if (kconfig && (strcasestr(kconfig, "debug") ||
			strcasestr(kconfig, "rand") ||
			strcasestr(kconfig, "lockdep") ||
			strcasestr(kconfig, "kcsan") ||
			strcasestr(kconfig, "kmsan") ||
			strcasestr(kconfig, "kasan"))) {
		buf_addstr(&b, "the kernel config looks like a debug or random "
			   "one: ");
		utf8_inert(&b, kconfig, strlen(kconfig), false);
	}
	append(list, &b);
}

static bool begins_same(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);

	return !strncmp(a, b, n < m ? n : m);
}

static bool is_side(const struct report *r, const char *commit)
{
	for (size_t i = 0; i < r->group->nside; i++)
		if (begins_same(r->group->side[i].name, commit))
			return true;
	return false;
}

/* A merge is all of what it brings, and how that fits what was there. */
static void warn_of_merge(const struct report *r, json_t *list, bool of_first)
{
	const json_t *parents = facts_parents(r);
	const char *other = json_string_value(json_array_get(parents, of_first));
	struct buf b = BUF_INIT(TEXT_MAX);

	if (json_array_size(parents) < 2 || !other)
		return;
	buf_addf(&b, "this is a merge: any commit that it brings may be the "
		 "cause, or only both sides together; its other parent "
		 "(%.10s)%s", other, is_side(r, other) ?
		 " stands in the table, too" : ", measured, would tell");
	append(list, &b);
}

/* Measured against something else than its parent, a commit is one of those
 * that may be the cause. */
static void warn_of_parent(const struct report *r, json_t *list)
{
	const char *base = r->group->side[0].name, *first = NULL;
	json_t *parents = facts_parents(r), *item;
	struct buf b = BUF_INIT(TEXT_MAX);
	size_t i;

	if (strspn(base, "0123456789abcdef") != strlen(base))
		return;		/* a tag, or no commit at all */
	json_array_foreach(parents, i, item) {
		const char *parent = json_string_value(item);

		if (parent && begins_same(parent, base)) {
			warn_of_merge(r, list, i == 0);
			return;
		}
		if (!first)
			first = parent;
	}
	if (first)
		buf_addf(&b, "the base is not the parent of the commit "
			 "(%.10s): a commit between them may be the cause",
			 first);
	append(list, &b);
}

json_t *setup_warnings(const struct report *r)
{
	json_t *list = json_array();

	warn_of_parent(r, list);
	warn_of_differences(r, list);
	warn_of_debug(r, list);
	return list;
}

static void add_setup(json_t *list, const char *word, struct buf *value)
{
	if (value->len)
		json_array_append_new(list, json_pack("{ssss%}", "key", word,
						      "value", value->s,
						      value->len));
	buf_release(value);
}

/* A member of the job or an axis; of both sides where they differ. */
static void add_known(const struct report *r, json_t *list, const char *key,
		      const char *word)
{
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT(TEXT_MAX);
	struct strmap base, head;

	strmap_init(&base, &a);
	strmap_init(&head, &a);
	values_of(r, 0, key, &base);
	values_of(r, r->side, key, &head);
	if (base.n && !is_compared_axis(r, key) && !same_values(&base, &head)) {
		add_side(&b, "base ", &base);
		add_side(&b, "; tested ", &head);
	} else {
		add_values(&b, &head);
	}
	add_setup(list, word, &b);
	arena_release(&a);
}

/* LKP calls its virtual machines vm-*; a host file of a real one tells the
 * number of CPUs. */
static void add_virtual(const struct report *r, json_t *list)
{
	const struct result *s = r->group->side[r->side].result;
	const char *box = result_axis(s, "tbox_group");
	const char *model = s->job ? json_member_text(s->job, "model") : NULL;
	struct buf b = BUF_INIT(TEXT_MAX);

	if ((box && !strncmp(box, "vm-", 3)) ||
	    (model && strcasestr(model, "qemu")))
		buf_addstr(&b, "yes");
	else if (model)
		buf_addstr(&b, "no");
	add_setup(list, "virtual machine", &b);
}

/* Does the report name it as a parameter of the test already? */
static bool is_parameter(const json_t *parameters, const char *key)
{
	json_t *p;
	size_t i;

	json_array_foreach(parameters, i, p) {
		const char *name = json_member_text(p, "key");

		if (name && !strcmp(name, key))
			return true;
	}
	return false;
}

json_t *setup_list(const struct report *r)
{
	json_t *list = json_array(), *own, *value;
	json_t *parameters = facts_parameters(r, r->group);
	const char *key;

	for (size_t i = 0; shown[i].key; i++)
		if (!is_parameter(parameters, shown[i].key))
			add_known(r, list, shown[i].key, shown[i].word);
	json_decref(parameters);
	add_virtual(r, list);
	own = json_object_get(json_object_get(r->results->facts, "test"),
			      "setup");
	json_object_foreach(own, key, value) {
		struct buf raw = BUF_INIT(TEXT_MAX), b = BUF_INIT(TEXT_MAX);
		struct buf word = BUF_INIT(TEXT_MAX);

		json_scalar(&raw, value);
		utf8_inert(&b, raw.s, raw.len, false);
		utf8_inert(&word, key, strlen(key), false);
		add_setup(list, word.s, &b);
		buf_release(&word);
		buf_release(&raw);
	}
	return list;
}
