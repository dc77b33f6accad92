#include "run/joblog.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"

int joblog_open(struct joblog *l, const char *folder, int64_t max)
{
	struct buf path = BUF_INIT(8192);
	int ends[2];

	*l = (struct joblog){ .left = max ? max : -1 };
	buf_addf(&path, "%s/log", folder);
	l->file = open(path.s, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW |
		       O_CLOEXEC, 0644);
	buf_release(&path);
	if (l->file == -1 || pipe2(ends, O_CLOEXEC) == -1)
		return -1;
	l->from = ends[0];
	l->to = ends[1];
	return fcntl(l->from, F_SETFL, O_NONBLOCK);
}

/* The log is for people to look at: that it cannot be written, on a full disk
 * say, does not end the job. */
static void write_some(struct joblog *l, const char *text, size_t len)
{
	static const char cut[] = "\n[the log was cut here]\n";
	bool over = l->left >= 0 && (int64_t)len > l->left;

	if (over)
		len = (size_t)l->left;
	file_write_fd(l->file, "log", text, len, NULL);
	if (l->left < 0)
		return;
	if (over && l->left)
		file_write_fd(l->file, "log", cut, strlen(cut), NULL);
	l->left -= (int64_t)len;
}

bool joblog_move(struct joblog *l)
{
	char text[65536];
	ssize_t n = 1;

	for (int i = 0; i < 16 && n > 0; i++) {
		n = read(l->from, text, sizeof(text));
		if (n > 0)
			write_some(l, text, (size_t)n);
	}
	return n > 0 || (n == -1 && (errno == EAGAIN || errno == EINTR));
}
