#include "request/request.h"

#include <string.h>

static const char *const known_names[] = {
	"kernel test robot", "lkp", "0-day", "0day",
};
#define NKNOWN (sizeof(known_names) / sizeof(*known_names))

void robot_init(struct robot *robot, struct arena *a,
		const struct strings *addresses)
{
	struct strings *names = &robot->names;

	robot->addresses = *addresses;
	robot->prefix = "#robot";
	names->n = 0;
	names->v = arena_array(a, NKNOWN + addresses->n, sizeof(*names->v));
	for (size_t i = 0; i < NKNOWN; i++)
		names->v[names->n++] = known_names[i];
	for (size_t i = 0; i < addresses->n; i++) {
		size_t len = strcspn(addresses->v[i], "+@");

		if (len > 2)
			names->v[names->n++] =
				arena_strndup(a, addresses->v[i], len);
	}
}
