#include <string.h>

#include "base/err.h"
#include "result/build.h"
#include "result/readers.h"
#include "result/unite.h"

/*
 * fio --output-format=json: the file is one run, each job a group of stats.
 * Run with --client the jobs stand in "client_stats" instead, each with its
 * host and in the order in which the hosts were done, then their sum.
 */

#define ALL_CLIENTS "All clients"

struct fio {
	struct results *rs;
	struct unite u;
	bool hosts, ports;	/* names have the host, the port in them */
};

/* What a stat is called and is. */
struct stat {
	const char *unit;
	enum direction better;
	bool kpi;
	const char *meaning;	/* or NULL */
};

static void add_scaled(struct fio *f, const json_t *v, double scale,
		       const struct stat *stat, const char *name)
{
	union cell cell;

	if (!json_is_number(v))
		return;
	cell.f = json_number_value(v) * scale;
	if (scale == 1)
		unite_addf(&f->u, v, "%s", name);
	else
		unite_add(&f->u, name, strlen(name), CELL_FLOAT, cell);
	suggest_metric(f->rs, name, stat->unit, stat->better, stat->meaning,
		       stat->kpi);
}

static void add(struct fio *f, const json_t *v, const struct stat *stat,
		const char *name)
{
	add_scaled(f, v, 1, stat, name);
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

/* A latency; fio 2 had microseconds, and no N. */
static const struct latency {
	const char *key, *old_key;
	struct stat mean;
} latencies[] = {
	{ "slat_ns", "slat", { "ns", LOWER_BETTER, false,
	  "time to submit an I/O, mean" } },
	{ "clat_ns", "clat", { "ns", LOWER_BETTER, true,
	  "time from submission to completion of an I/O, mean" } },
	{ "lat_ns", "lat", { "ns", LOWER_BETTER, false,
	  "time an I/O takes as a whole, mean" } },
};

/* Nothing when no operation was timed. */
static void add_latency(struct fio *f, const char *prefix, const json_t *op,
			const struct latency *l)
{
	static const struct stat other = { "ns", LOWER_BETTER, false, NULL };
	const json_t *lat = json_object_get(op, l->key), *n, *percentiles;
	double ns = lat ? 1 : 1000;
	const char *key;
	json_t *v;

	if (!lat)
		lat = json_object_get(op, l->old_key);
	n = json_object_get(lat, lat && ns > 1 ? "mean" : "N");
	if (json_number_value(n) <= 0)
		return;
	add_scaled(f, json_object_get(lat, "mean"), ns, &l->mean,
		   NAME("%s.%s.mean", prefix, l->key));
	add_scaled(f, json_object_get(lat, "max"), ns, &other,
		   NAME("%s.%s.max", prefix, l->key));
	percentiles = json_object_get(lat, "percentile");
	json_object_foreach((json_t *)(uintptr_t)percentiles, key, v)
		add_scaled(f, v, ns, &other,
			   NAME("%s.%s.p%.*s", prefix, l->key,
				percentile_len(key), key));
}

static void add_bandwidth(struct fio *f, const char *prefix, const json_t *op)
{
	static const struct stat stat = { "bytes/s", HIGHER_BETTER, true,
					  "bandwidth" };
	const json_t *bytes = json_object_get(op, "bw_bytes");
	const json_t *kilobytes = json_object_get(op, "bw");	/* fio 2 */

	add_scaled(f, bytes ? bytes : kilobytes, bytes ? 1 : 1024, &stat,
		   NAME("%s.bw_bytes", prefix));
}

static bool has_run(const json_t *op)
{
	const json_t *ios = json_object_get(op, "total_ios");

	if (!ios)
		ios = json_object_get(op, "io_bytes");
	return json_number_value(ios) > 0;
}

/* An operation that did not run is all zeros: absent, not zero.  Of "sync"
 * there are but latencies. */
static void add_operation(struct fio *f, const char *job, const json_t *v,
			  const char *kind)
{
	static const struct stat iops = { "IOPS", HIGHER_BETTER, true,
					  "I/O operations a second" };
	const json_t *op = json_object_get(v, kind);
	const char *prefix = NAME("%s.%s", job, kind);

	if (!has_run(op))
		return;
	add(f, json_object_get(op, "iops"), &iops, NAME("%s.iops", prefix));
	add_bandwidth(f, prefix, op);
	for (size_t i = 0; i < sizeof(latencies) / sizeof(*latencies); i++)
		add_latency(f, prefix, op, &latencies[i]);
}

/* "", or "@host" or "@host:port" where that tells entries apart. */
static const char *host_part(struct fio *f, const json_t *v)
{
	const char *host = json_member_text(v, "hostname");
	long long port = json_integer_value(json_object_get(v, "port"));

	if (!f->hosts || !host)
		return "";
	return f->ports ? NAME("@%s:%lld", host, port) : NAME("@%s", host);
}

/* "fio.NAME", or "fio.NAME#2" when jobs share a name. */
static const char *job_name(struct fio *f, const json_t *job)
{
	const char *text = json_member_text(job, "jobname");
	const char *plain = NAME("fio.%s%s", text ? text : "job",
				 host_part(f, job));
	const char *name = plain;

	for (int i = 2; unite_has(&f->u, NAME("%s.fail", name)); i++)
		name = NAME("%s#%d", plain, i);
	return name;
}

static const struct stat percent = { "%", NO_DIRECTION, false, NULL };

static void add_job(struct fio *f, const json_t *v)
{
	static const struct stat count = { NULL, NO_DIRECTION, false, NULL };
	static const char *const operations[] = { "read", "write", "trim",
						  "mixed", "sync" };
	const char *job = job_name(f, v);
	bool failed = json_integer_value(json_object_get(v, "error"));
	json_t *fails = json_integer(failed);

	unite_addf(&f->u, fails, "%s.fail", job);
	json_decref(fails);
	if (failed)
		return;
	for (size_t i = 0; i < sizeof(operations) / sizeof(*operations); i++)
		add_operation(f, job, v, operations[i]);
	add(f, json_object_get(v, "usr_cpu"), &percent,
	    NAME("%s.usr_cpu%%", job));
	add(f, json_object_get(v, "sys_cpu"), &percent,
	    NAME("%s.sys_cpu%%", job));
	add(f, json_object_get(v, "ctx"), &count, NAME("%s.ctx", job));
}

/* A disk that several jobs or hosts name counts once. */
static void add_disk(struct fio *f, const json_t *disk)
{
	const char *text = json_member_text(disk, "name"), *name;

	if (!text)
		return;
	name = NAME("fio-disk.%s%s.util%%", text, host_part(f, disk));
	if (!unite_has(&f->u, name))
		add(f, json_object_get(disk, "util"), &percent, name);
}

#undef NAME

static bool is_sum(const json_t *client)
{
	const char *name = json_member_text(client, "jobname");

	return name && !strcmp(name, ALL_CLIENTS);
}

/* What of host and port is not the same in all? */
static void look_at_hosts(struct fio *f, const json_t *clients)
{
	const json_t *first = json_array_get(clients, 0);

	for (size_t i = 1; i < json_array_size(clients); i++) {
		const json_t *v = json_array_get(clients, i);

		f->hosts |= !json_equal(json_object_get(v, "hostname"),
					json_object_get(first, "hostname"));
		f->ports |= !json_equal(json_object_get(v, "port"),
					json_object_get(first, "port"));
	}
	f->hosts |= f->ports;
}

/* The sum stands in for its parts only where there are none. */
static void add_clients(struct fio *f, const json_t *clients)
{
	size_t n = json_array_size(clients);

	look_at_hosts(f, clients);
	for (size_t i = 0; i < n; i++)
		if (n == 1 || !is_sum(json_array_get(clients, i)))
			add_job(f, json_array_get(clients, i));
}

int read_fio(struct results *rs, const char *path, const json_t *root,
	     struct err *err)
{
	const json_t *jobs = json_object_get(root, "jobs");
	const json_t *clients = json_object_get(root, "client_stats");
	const json_t *disks = json_object_get(root, "disk_util");
	struct result *r = result_new(rs, path);
	struct fio f = { .rs = rs };

	unite_init(&f.u);
	for (size_t i = 0; i < json_array_size(jobs); i++)
		add_job(&f, json_array_get(jobs, i));
	add_clients(&f, clients);
	for (size_t i = 0; i < json_array_size(disks); i++)
		add_disk(&f, json_array_get(disks, i));
	unite_end_run(&f.u);
	unite_finish(&f.u, rs, r);
	unite_release(&f.u);
	result_set_axis(rs, r, "testcase", "fio");
	if (!json_array_size(jobs) && !json_array_size(clients))
		return err_set(err, ERR_INPUT, "%s:1: no jobs in it", path);
	return 0;
}
