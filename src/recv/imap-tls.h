#ifndef RECV_IMAP_TLS_H
#define RECV_IMAP_TLS_H

#include <libetpan/libetpan.h>

struct err;

/*
 * Is the server at the other end of "stream" the host meant?  Its certificate
 * chain must lead to one of the system's (or ca_file's) authorities, be valid
 * now, for a server, and bear the host's name (RFC 9525).  libetpan itself
 * verifies nothing.  0, or -1 with "err" (ERR_DENIED).
 */
int imap_tls_verify(mailstream *stream, const char *host, const char *ca_file,
		    struct err *err);

#endif
