#include "recv/fetch.h"

#include <string.h>

#include <curl/curl.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"

#define REDIRECTS_MAX 5
#define CONNECT_MS 15000L

struct fetch {
	CURL *curl;
	const struct fetch_rules *rules;
	struct buf *out;
	bool refused;		/* by the address check */
	char error[CURL_ERROR_SIZE];
};

static size_t take(char *data, size_t size, size_t n, void *arg)
{
	struct fetch *f = arg;

	buf_add(f->out, data, size * n);
	return buf_over(f->out) ? 0 : size * n;
}

static curl_socket_t open_socket(void *arg, curlsocktype purpose,
				 struct curl_sockaddr *a)
{
	struct fetch *f = arg;

	if (purpose != CURLSOCKTYPE_IPCXN ||
	    !f->rules->address(f->rules->arg, &a->addr)) {
		f->refused = true;
		return CURL_SOCKET_BAD;
	}
	return socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
}

static void set_options(struct fetch *f)
{
	CURL *c = f->curl;

	curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR,
			 f->rules->insecure ? "https,http" : "https");
	curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(c, CURLOPT_PROXY, "");
	curl_easy_setopt(c, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(c, CURLOPT_NOPROGRESS, 1L);
	curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MS);
	curl_easy_setopt(c, CURLOPT_ACCEPT_ENCODING, "");
	curl_easy_setopt(c, CURLOPT_USERAGENT, "perfpost");
	curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, take);
	curl_easy_setopt(c, CURLOPT_WRITEDATA, f);
	curl_easy_setopt(c, CURLOPT_OPENSOCKETFUNCTION, open_socket);
	curl_easy_setopt(c, CURLOPT_OPENSOCKETDATA, f);
	curl_easy_setopt(c, CURLOPT_ERRORBUFFER, f->error);
	curl_easy_setopt(c, CURLOPT_MAXFILESIZE_LARGE,
			 (curl_off_t)f->out->max);
	if (f->rules->ca_file)
		curl_easy_setopt(c, CURLOPT_CAINFO, f->rules->ca_file);
}

static int complain(struct fetch *f, CURLcode rc, struct err *err)
{
	const char *why = *f->error ? f->error : curl_easy_strerror(rc);

	if (f->refused)
		return err_set(err, ERR_DENIED, "its host is at an address "
			       "that is not for us");
	if (rc == CURLE_WRITE_ERROR || rc == CURLE_FILESIZE_EXCEEDED)
		return err_set(err, ERR_INPUT, "it has more than %zu bytes",
			       f->out->max);
	if (rc == CURLE_PEER_FAILED_VERIFICATION ||
	    rc == CURLE_UNSUPPORTED_PROTOCOL)
		return err_set(err, ERR_INPUT, "%s", why);
	return err_set(err, ERR_TEMP, "%s", why);
}

static int judge(long status, struct err *err)
{
	if (status >= 200 && status < 300)
		return 0;
	if (status == 429 || status == 408 || status >= 500)
		return err_set(err, ERR_TEMP, "the server answers %ld", status);
	return err_set(err, ERR_INPUT, "the server answers %ld", status);
}

/* One request.  1: "*next" is where it sends us, 0: done, -1. */
static int get(struct fetch *f, const char *url, int64_t left,
	       const char **next, struct arena *a, struct err *err)
{
	char *location = NULL;
	long status = 0;
	CURLcode rc;

	if (f->rules->url(f->rules->arg, url, err) == -1)
		return -1;
	if (left <= 0)
		return err_set(err, ERR_TEMP, "it takes too long");
	buf_reset(f->out);
	curl_easy_setopt(f->curl, CURLOPT_URL, url);
	curl_easy_setopt(f->curl, CURLOPT_TIMEOUT_MS, (long)left);
	rc = curl_easy_perform(f->curl);
	if (rc != CURLE_OK)
		return complain(f, rc, err);
	curl_easy_getinfo(f->curl, CURLINFO_RESPONSE_CODE, &status);
	curl_easy_getinfo(f->curl, CURLINFO_REDIRECT_URL, &location);
	if (status < 300 || status >= 400 || !location)
		return judge(status, err);
	*next = arena_strdup(a, location);
	return 1;
}

int fetch_page(const char *url, const struct fetch_rules *rules,
	       struct buf *out, struct err *err)
{
	struct fetch f = { .rules = rules, .out = out };
	int64_t end = clock_monotonic_ms() + rules->timeout_ms;
	struct arena a = ARENA_INIT;
	int rc = 1;

	f.curl = curl_easy_init();
	if (!f.curl)
		die_no_memory();
	set_options(&f);
	for (int i = 0; i <= REDIRECTS_MAX && rc == 1; i++)
		rc = get(&f, url, end - clock_monotonic_ms(), &url, &a, err);
	if (rc == 1)
		rc = err_set(err, ERR_INPUT, "it redirects too often");
	curl_easy_cleanup(f.curl);
	arena_release(&a);
	return rc == -1 ? -1 : 0;
}
