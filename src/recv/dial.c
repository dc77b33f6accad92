#include "recv/dial.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"

/* Wait for the connection until "end"; 0, or the errno that it failed with. */
static int await(int fd, int64_t end)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	socklen_t len = sizeof(int);
	int64_t left;
	int why = 0, n;

	do {
		left = end - clock_monotonic_ms();
		n = left > 0 ? poll(&p, 1, (int)(left < 1000000 ? left :
						 1000000)) : 0;
	} while (n == -1 && errno == EINTR);
	if (n == 0)
		return ETIMEDOUT;
	if (n == -1 || getsockopt(fd, SOL_SOCKET, SO_ERROR, &why, &len) == -1)
		return errno;
	return why;
}

/* A descriptor, or -1 with errno. */
static int try(const struct addrinfo *a, int64_t end)
{
	int fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC,
			a->ai_protocol);
	int why = 0;

	if (fd == -1)
		return -1;
	fcntl(fd, F_SETFL, O_NONBLOCK);
	if (connect(fd, a->ai_addr, a->ai_addrlen) == -1)
		why = errno == EINPROGRESS ? await(fd, end) : errno;
	if (!why)
		return fd;
	close(fd);
	errno = why;
	return -1;
}

int dial(const char *host, uint16_t port, int64_t seconds, struct err *err)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	int64_t end = clock_monotonic_ms() + seconds * 1000;
	struct addrinfo *list, *a;
	char service[8];
	int fd = -1, rc;

	snprintf(service, sizeof(service), "%u", port);
	rc = getaddrinfo(host, service, &hints, &list);
	if (rc)
		return err_set(err, ERR_TEMP, "cannot find the host '%s': %s",
			       host, gai_strerror(rc));
	for (a = list; a && fd == -1; a = a->ai_next)
		fd = try(a, end);
	if (fd == -1)
		err_set(err, ERR_TEMP, "cannot connect to '%s' port %u: %s",
			host, port, strerror(errno));
	freeaddrinfo(list);
	return fd;
}
