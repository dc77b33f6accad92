#include "recv/recv.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "data/conf.h"

struct receiver {
	const struct recv_driver *driver;
	void *state;
	unsigned int failures;	/* in a row */
	int64_t not_before;	/* clock_monotonic_ms() of the next attempt */
	struct err last;	/* why it has to wait */
};

static const struct recv_driver *const drivers[] = {
	&recv_imap, &recv_maildir, &recv_mbox, &recv_public_inbox, &recv_stdin,
};

/* Its index, or the number of drivers when there is none. */
static size_t driver_named(const char *name)
{
	size_t i = 0;

	while (i < sizeof(drivers) / sizeof(drivers[0]) &&
	       strcmp(drivers[i]->name, name))
		i++;
	return i;
}

static void add_source(struct arena *a, struct recv_source **v, size_t *n,
		       size_t *cap, const struct recv_driver *d,
		       const char *where)
{
	*v = arena_grow(a, *v, cap, *n + 1, sizeof(**v));
	(*v)[(*n)++] = (struct recv_source){
		d, where, *where ? arena_printf(a, "%s %s", d->name, where) :
				   d->name,
	};
}

static bool is_configured(const struct conf *conf,
			  const struct recv_driver *d)
{
	return (d == &recv_imap && conf_text(conf, "receive.imap.host")) ||
	       (d == &recv_maildir &&
		conf_text(conf, "receive.maildir.folder")) ||
	       (d == &recv_mbox && conf_text(conf, "receive.mbox.file")) ||
	       (d == &recv_public_inbox &&
		*conf_list(conf, "receive.public_inbox.urls"));
}

int recv_sources(const struct conf *conf, struct arena *a,
		 struct recv_source **v, size_t *n, struct err *err)
{
	const char *const *name = conf_list(conf, "receive.drivers");
	const char *const *url = conf_list(conf, "receive.public_inbox.urls");
	bool used[sizeof(drivers) / sizeof(drivers[0])] = { false };
	size_t cap = 0;

	*v = NULL;
	*n = 0;
	for (size_t i = 0; i < sizeof(used) / sizeof(used[0]); i++)
		used[i] = !*name && is_configured(conf, drivers[i]);
	for (; *name; name++) {
		size_t i = driver_named(*name);

		if (i == sizeof(used) / sizeof(used[0]))
			return err_set(err, ERR_CONFIG, "receive.drivers: no "
				       "driver '%s'", *name);
		used[i] = true;
	}
	for (size_t i = 0; i < sizeof(used) / sizeof(used[0]); i++) {
		if (used[i] && drivers[i] != &recv_public_inbox)
			add_source(a, v, n, &cap, drivers[i], "");
		else if (used[i])
			for (; *url; url++)
				add_source(a, v, n, &cap, drivers[i], *url);
	}
	return 0;
}

struct receiver *receiver_open(const struct conf *conf,
			       const struct recv_source *source,
			       const char *cursor, struct err *err)
{
	struct receiver *r = calloc(1, sizeof(*r));

	if (!r)
		die_no_memory();
	r->driver = source->driver;
	r->state = r->driver->open(conf, source->where,
				   cursor && *cursor ? cursor : NULL, err);
	if (r->state)
		return r;
	free(r);
	return NULL;
}

void receiver_close(struct receiver *r)
{
	if (!r)
		return;
	r->driver->close(r->state);
	free(r);
}

int64_t recv_delay(unsigned int failures)
{
	if (!failures)
		return 0;
	return failures > 10 ? 900 : (int64_t)1 << (failures - 1);
}

/* Remember what came of it: a source that fails has to wait. */
static int note(struct receiver *r, int rc, const struct err *err)
{
	if (rc != -1 || err->code == ERR_INPUT) {
		r->failures = 0;
		r->not_before = 0;
		return rc;
	}
	r->failures++;
	r->last = *err;
	r->not_before = clock_monotonic_ms() + recv_delay(r->failures) * 1000;
	return rc;
}

int receiver_next(struct receiver *r, struct buf *bytes, struct err *err)
{
	struct err own = ERR_INIT;
	int rc;

	buf_reset(bytes);
	if (r->failures && clock_monotonic_ms() < r->not_before) {
		*err = r->last;
		return -1;
	}
	rc = note(r, r->driver->next(r->state, bytes, &own), &own);
	if (rc == -1)
		*err = own;
	return rc;
}

int receiver_settle(struct receiver *r, int well, struct err *err)
{
	return r->driver->settle(r->state, well, err);
}

const char *receiver_place(const struct receiver *r)
{
	return r->driver->place(r->state);
}

const char *receiver_cursor(const struct receiver *r)
{
	return r->driver->cursor ? r->driver->cursor(r->state) : NULL;
}

int receiver_probe(struct receiver *r, struct err *err)
{
	return r->driver->probe ? r->driver->probe(r->state, err) : 0;
}
