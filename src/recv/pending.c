#include "recv/pending.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/buf.h"

static bool has_room_for(const struct pending *p, const struct pending_mail *m)
{
	return p->n < PENDING_MAX && m->uid && !pending_find(p, m->uid);
}

void pending_read(struct pending *p, const char *text)
{
	struct pending_mail m;
	unsigned int others;
	int len;

	p->n = 0;
	while (sscanf(text, " %" SCNu32 "/%u/%u/%u/%" SCNd64 "%n", &m.uid,
		      &m.breaks, &m.alone, &others, &m.due, &len) == 5) {
		m.others = others;
		if (has_room_for(p, &m))
			p->v[p->n++] = m;
		text += len;
	}
}

void pending_write(const struct pending *p, struct buf *out)
{
	for (size_t i = 0; i < p->n; i++)
		buf_addf(out, " %" PRIu32 "/%u/%u/%d/%" PRId64, p->v[i].uid,
			 p->v[i].breaks, p->v[i].alone, p->v[i].others,
			 p->v[i].due);
}

static struct pending_mail *find(struct pending *p, uint32_t uid)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->v[i].uid == uid)
			return &p->v[i];
	return NULL;
}

const struct pending_mail *pending_find(const struct pending *p, uint32_t uid)
{
	return find((struct pending *)(uintptr_t)p, uid);
}

static int64_t wait_after(unsigned int breaks, int64_t delay)
{
	for (unsigned int i = 2; i < breaks && delay < PENDING_LONGEST; i++)
		delay *= 2;
	return delay < PENDING_LONGEST ? delay : PENDING_LONGEST;
}

bool pending_broke(struct pending *p, const struct pending_rules *rules,
		   uint32_t uid, int64_t now)
{
	struct pending_mail *m = find(p, uid);

	if (!m && p->n == PENDING_MAX)
		return false;
	if (!m) {
		m = &p->v[p->n++];
		*m = (struct pending_mail){ .uid = uid, .others = true };
	}
	m->breaks++;
	m->alone += m->others;
	m->others = false;
	m->due = now + wait_after(m->breaks, rules->delay);
	return m->alone >= rules->tries;
}

void pending_came(struct pending *p, uint32_t uid)
{
	pending_drop(p, uid);
	for (size_t i = 0; i < p->n; i++)
		p->v[i].others = true;
}

void pending_drop(struct pending *p, uint32_t uid)
{
	struct pending_mail *m = find(p, uid);

	if (m)
		*m = p->v[--p->n];
}

bool pending_is_aside(const struct pending_mail *m)
{
	return m->breaks > 1;
}

/* A clock that was set back must not make anybody wait for years. */
static bool is_due(const struct pending_mail *m, int64_t now)
{
	return m->due <= now || m->due > now + PENDING_LONGEST;
}

const struct pending_mail *pending_due(const struct pending *p, int64_t now)
{
	const struct pending_mail *first = NULL;

	for (size_t i = 0; i < p->n; i++)
		if (is_due(&p->v[i], now) &&
		    (!first || p->v[i].due < first->due))
			first = &p->v[i];
	return first;
}
