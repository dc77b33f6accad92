#include "request/reading.h"

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

bool robot_wrote(const struct robot *robot, const struct message *m)
{
	/* It may note a name in the message. */
	struct address author =
		message_author((struct message *)(uintptr_t)m);

	for (size_t i = 0; i < m->sender.n; i++)
		if (robot_owns(robot, m->sender.v[i].address))
			return true;
	return robot_owns(robot, m->from.address) ||
	       robot_owns(robot, author.address);
}
