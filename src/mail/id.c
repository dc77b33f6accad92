#include "mail/id.h"

#include <glib.h>
#include <string.h>

#include "base/buf.h"

enum { SHOWN = 12 };

void digest(const char *const *part, size_t n, char hex[DIGEST_HEX])
{
	GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);

	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(part[i]);
		char *head = g_strdup_printf("%zu:", len);

		g_checksum_update(sum, (const guchar *)head, -1);
		g_checksum_update(sum, (const guchar *)part[i], (gssize)len);
		g_free(head);
	}
	g_strlcpy(hex, g_checksum_get_string(sum), DIGEST_HEX);
	g_checksum_free(sum);
}

void digest_bytes(const void *bytes, size_t len, char hex[DIGEST_HEX])
{
	GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);

	g_checksum_update(sum, bytes, (gssize)len);
	g_strlcpy(hex, g_checksum_get_string(sum), DIGEST_HEX);
	g_checksum_free(sum);
}

void msgid_make(struct buf *out, const struct id_parts *parts)
{
	char hex[DIGEST_HEX];

	buf_addf(out, "%s.%.*s.%.*s", parts->kind, SHOWN, parts->identity,
		 SHOWN, parts->revision);
	if (parts->request) {
		digest(&parts->request, 1, hex);
		buf_addf(out, ".%.*s", SHOWN, hex);
	}
	buf_addf(out, "@%s", parts->domain);
}
