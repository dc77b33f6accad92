#include "bot/series.h"

#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "thread/series.h"
#include "thread/thread.h"

bool series_is_part(const char *subject)
{
	struct patch_tag tag;

	patch_tag_read(&tag, subject);
	return tag.is_patch && tag.total > 1;
}

bool series_is_same(const char *a, const char *b)
{
	struct patch_tag one, two;

	patch_tag_read(&one, a);
	patch_tag_read(&two, b);
	return one.is_patch && two.is_patch && one.total > 1 &&
	       one.total == two.total && one.version == two.version;
}

/* message_author() may note something in the message. */
static struct address author_of(const struct message *m)
{
	return message_author((struct message *)(uintptr_t)m);
}

static struct thread_mail *to_threads(const struct message *const *mail,
				      size_t n, struct arena *a)
{
	struct thread_mail *v = arena_array(a, n + 1, sizeof(*v));

	for (size_t i = 0; i < n; i++)
		v[i] = (struct thread_mail){
			.id = mail[i]->message_id,
			.in_reply_to = mail[i]->in_reply_to,
			.references = mail[i]->references,
			.subject = mail[i]->subject,
			.author = author_of(mail[i]), .date = mail[i]->date,
		};
	return v;
}

static const char *missing(const struct series *s, struct arena *a)
{
	struct buf out = BUF_INIT(500);
	const char *text;

	for (unsigned int i = 1; i <= s->total; i++)
		if (s->slot[i] == THREAD_NONE)
			buf_addf(&out, " %u/%u", i, s->total);
	text = arena_printf(a, "of the series \"%.100s\" these have not been "
			    "seen:%s", s->title ? s->title : "", out.s);
	buf_release(&out);
	return text;
}

static size_t take(struct source *src, const struct series *s,
		   const struct message *const *mail, size_t n,
		   const struct message **picked, struct arena *a)
{
	size_t count = 0;

	if (!s->complete) {
		src->error = "series-incomplete";
		src->reason = missing(s, a);
		return 0;
	}
	for (unsigned int i = 1; i <= s->total; i++)
		if (s->slot[i] < n)
			picked[count++] = mail[s->slot[i]];
	return count;
}

size_t series_pick(struct source *src, const struct message *const *mail,
		   size_t n, const char *id, const struct message **picked,
		   struct arena *a)
{
	const struct series *s = NULL;
	struct series_list list;
	struct threads t;
	size_t at = 0, count;

	while (at < n && strcmp(mail[at]->message_id, id))
		at++;
	if (at == n)
		at = 0;
	threads_build(&t, to_threads(mail, n, a), n);
	series_find(&list, &t);
	if (n)
		s = series_of(&list, at);
	if (s && s->total > 1) {
		count = take(src, s, mail, n, picked, a);
	} else {
		picked[0] = n ? mail[at] : NULL;
		count = n != 0;
	}
	series_release(&list);
	threads_release(&t);
	return count;
}
