#include "compare/names.h"

#include <string.h>

bool starts_with(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

size_t stat_base_length(const char *name)
{
	return strcspn(name, ".");
}

bool has_base(const char *name, const char *base, size_t len)
{
	return !strncmp(name, base, len) && (name[len] == '.' || !name[len]);
}

bool is_profile(const char *name)
{
	return starts_with(name, "perf-profile.");
}

static bool has_named(const struct result *r, const char *stem, size_t len,
		      const char *end)
{
	char name[4096];

	if (len + strlen(end) >= sizeof(name))
		return false;
	memcpy(name, stem, len);
	strcpy(name + len, end);
	return result_series(r, name) != NULL;
}

bool lacks_counterpart(const struct result *base, const char *name)
{
	static const char *const logs[] = { "dmesg.", "kmsg.", "last_state.",
					    "stderr." };
	static const char *const bad[] = { ".error", ".warn", ".fail" };
	const char *end = strrchr(name, '.');
	size_t stem = end ? (size_t)(end - name) : 0;

	if (!end)
		return false;
	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++)
		if (starts_with(name, logs[i]))
			return false;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (!strcmp(end, bad[i]))
			return !has_named(base, name, stem, ".pass");
	if (strcmp(end, ".pass"))
		return false;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (has_named(base, name, stem, bad[i]))
			return false;
	return true;
}
