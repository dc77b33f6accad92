#include "recv/imap-tls.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

#include "base/err.h"

#define CHAIN_MAX 20

static int import_chain(mailstream *stream, gnutls_x509_crt_t *crt,
			unsigned int *n, struct err *err)
{
	carray *der = mailstream_get_certificate_chain(stream);
	unsigned int len = der ? carray_count(der) : 0;
	int rc = 0;

	*n = 0;
	if (!len || len > CHAIN_MAX)
		rc = err_set(err, ERR_DENIED, "the server shows no "
			     "certificate");
	for (unsigned int i = 0; i < len && rc == 0; i++) {
		MMAPString *s = carray_get(der, i);
		gnutls_datum_t d = { (unsigned char *)s->str,
				     (unsigned int)s->len };

		if (gnutls_x509_crt_init(&crt[*n]) < 0)
			die_no_memory();
		++*n;
		if (gnutls_x509_crt_import(crt[i], &d, GNUTLS_X509_FMT_DER) < 0)
			rc = err_set(err, ERR_DENIED, "the server's "
				     "certificate cannot be read");
	}
	if (der)
		mailstream_certificate_chain_free(der);
	return rc;
}

static int load_authorities(gnutls_x509_trust_list_t list,
			    const char *ca_file, struct err *err)
{
	int n = ca_file ?
		gnutls_x509_trust_list_add_trust_file(list, ca_file, NULL,
						      GNUTLS_X509_FMT_PEM, 0,
						      0) :
		gnutls_x509_trust_list_add_system_trust(list, 0, 0);

	if (n > 0)
		return 0;
	return err_set(err, ERR_DENIED, "no certificate authorities in '%s'",
		       ca_file ? ca_file : "the system");
}

/* A host that is named by its address is looked up by that (RFC 6125 1.7.2
 * leaves it to us): the address must stand in the certificate. */
static gnutls_typed_vdata_st name_data(const char *host,
				       unsigned char address[16])
{
	gnutls_typed_vdata_st d = { .type = GNUTLS_DT_DNS_HOSTNAME };

	if (inet_pton(AF_INET, host, address) == 1) {
		d.type = GNUTLS_DT_IP_ADDRESS;
		d.size = 4;
	} else if (inet_pton(AF_INET6, host, address) == 1) {
		d.type = GNUTLS_DT_IP_ADDRESS;
		d.size = 16;
	}
	d.data = address;
	if (d.type == GNUTLS_DT_DNS_HOSTNAME)
		d.data = (unsigned char *)(uintptr_t)host;
	return d;
}

static int verify(gnutls_x509_crt_t *crt, unsigned int n, const char *host,
		  const char *ca_file, struct err *err)
{
	unsigned char address[16];
	gnutls_typed_vdata_st data[] = {
		name_data(host, address),
		{ .type = GNUTLS_DT_KEY_PURPOSE_OID,
		  .data = (unsigned char *)(uintptr_t)GNUTLS_KP_TLS_WWW_SERVER },
	};
	gnutls_x509_trust_list_t list;
	gnutls_datum_t why;
	unsigned int status = 0;
	int rc;

	if (gnutls_x509_trust_list_init(&list, 0) < 0)
		die_no_memory();
	rc = load_authorities(list, ca_file, err);
	if (rc == 0 && gnutls_x509_trust_list_verify_crt2(
			list, crt, n, data, 2, 0, &status, NULL) < 0)
		rc = err_set(err, ERR_DENIED, "the certificate of '%s' "
			     "cannot be verified", host);
	if (rc == 0 && status) {
		rc = err_set(err, ERR_DENIED, "the certificate of '%s' is not "
			     "trusted", host);
		if (gnutls_certificate_verification_status_print(
				status, GNUTLS_CRT_X509, &why, 0) == 0) {
			err_set(err, ERR_DENIED, "the server is not '%s': %s",
				host, why.data);
			gnutls_free(why.data);
		}
	}
	gnutls_x509_trust_list_deinit(list, 1);
	return rc;
}

int imap_tls_verify(mailstream *stream, const char *host, const char *ca_file,
		    struct err *err)
{
	gnutls_x509_crt_t crt[CHAIN_MAX];
	unsigned int n;
	int rc = import_chain(stream, crt, &n, err);

	if (rc == 0)
		rc = verify(crt, n, host, ca_file, err);
	for (unsigned int i = 0; i < n; i++)
		gnutls_x509_crt_deinit(crt[i]);
	return rc;
}
