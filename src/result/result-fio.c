#include <string.h>

#include "base/err.h"
#include "result/build.h"
#include "result/readers.h"
#include "result/unite.h"

/* fio --output-format=json: the file is one run, each job a group of stats. */

struct fio {
	struct results *rs;
	struct unite u;
};

static void add(struct fio *f, const json_t *v, const char *unit,
		enum direction better, bool kpi, const char *name)
{
	if (!json_is_number(v))
		return;
	unite_addf(&f->u, v, "%s", name);
	suggest_metric(f->rs, name, unit, better, NULL, kpi);
}

#define NAME(...) arena_printf(&f->u.arena, __VA_ARGS__)

/* "99.900000" -> 99.9 */
static int percentile_len(const char *key)
{
	size_t len = strlen(key);

	if (!strchr(key, '.'))
		return (int)len;
	while (len && key[len - 1] == '0')
		len--;
	return (int)(len && key[len - 1] == '.' ? len - 1 : len);
}

/* "kind": slat_ns, clat_ns or lat_ns; nothing when no operation was timed. */
static void add_latency(struct fio *f, const char *prefix, const json_t *op,
			const char *kind)
{
	const json_t *lat = json_object_get(op, kind);
	const json_t *percentiles = json_object_get(lat, "percentile");
	const char *key;
	json_t *v;

	if (json_number_value(json_object_get(lat, "N")) <= 0)
		return;
	add(f, json_object_get(lat, "mean"), "ns", LOWER_BETTER,
	    !strcmp(kind, "clat_ns"), NAME("%s.%s.mean", prefix, kind));
	add(f, json_object_get(lat, "max"), "ns", LOWER_BETTER, false,
	    NAME("%s.%s.max", prefix, kind));
	json_object_foreach((json_t *)(uintptr_t)percentiles, key, v)
		add(f, v, "ns", LOWER_BETTER, false,
		    NAME("%s.%s.p%.*s", prefix, kind, percentile_len(key),
			 key));
}

/* An operation that did not run is all zeros: absent, not zero. */
static void add_operation(struct fio *f, const char *job, const json_t *v,
			  const char *kind)
{
	const json_t *op = json_object_get(v, kind);
	const char *prefix = NAME("%s.%s", job, kind);

	if (json_number_value(json_object_get(op, "total_ios")) <= 0)
		return;
	add(f, json_object_get(op, "iops"), "IOPS", HIGHER_BETTER, true,
	    NAME("%s.iops", prefix));
	add(f, json_object_get(op, "bw_bytes"), "bytes/s", HIGHER_BETTER, true,
	    NAME("%s.bw_bytes", prefix));
	add_latency(f, prefix, op, "slat_ns");
	add_latency(f, prefix, op, "clat_ns");
	add_latency(f, prefix, op, "lat_ns");
}

/* "fio.NAME", or "fio.NAME#2" when jobs share a name. */
static const char *job_name(struct fio *f, const json_t *job)
{
	const char *text = json_member_text(job, "jobname");
	const char *name = NAME("fio.%s", text ? text : "job");

	for (int i = 2; unite_has(&f->u, NAME("%s.fail", name)); i++)
		name = NAME("fio.%s#%d", text ? text : "job", i);
	return name;
}

static void add_job(struct fio *f, const json_t *v)
{
	static const char *const operations[] = { "read", "write", "trim" };
	const char *job = job_name(f, v);
	bool failed = json_integer_value(json_object_get(v, "error"));
	json_t *fails = json_integer(failed);

	unite_addf(&f->u, fails, "%s.fail", job);
	json_decref(fails);
	if (failed)
		return;
	for (int i = 0; i < 3; i++)
		add_operation(f, job, v, operations[i]);
	add(f, json_object_get(v, "usr_cpu"), "%", NO_DIRECTION, false,
	    NAME("%s.usr_cpu%%", job));
	add(f, json_object_get(v, "sys_cpu"), "%", NO_DIRECTION, false,
	    NAME("%s.sys_cpu%%", job));
	add(f, json_object_get(v, "ctx"), NULL, NO_DIRECTION, false,
	    NAME("%s.ctx", job));
}

static void add_disk(struct fio *f, const json_t *disk)
{
	const char *name = json_member_text(disk, "name");

	if (name)
		add(f, json_object_get(disk, "util"), "%", NO_DIRECTION, false,
		    NAME("fio-disk.%s.util%%", name));
}

#undef NAME

int read_fio(struct results *rs, const char *path, const json_t *root,
	     struct err *err)
{
	const json_t *jobs = json_object_get(root, "jobs");
	const json_t *disks = json_object_get(root, "disk_util");
	struct result *r = result_new(rs, path);
	struct fio f = { .rs = rs };

	unite_init(&f.u);
	for (size_t i = 0; i < json_array_size(jobs); i++)
		add_job(&f, json_array_get(jobs, i));
	for (size_t i = 0; i < json_array_size(disks); i++)
		add_disk(&f, json_array_get(disks, i));
	unite_end_run(&f.u);
	unite_finish(&f.u, rs, r);
	unite_release(&f.u);
	result_set_axis(rs, r, "testcase", "fio");
	if (!json_array_size(jobs))
		return err_set(err, ERR_INPUT, "%s:1: no jobs in it", path);
	return 0;
}
