#include "cli/cli.h"

#include <stddef.h>

const struct command commands[] = {
	{ NULL, NULL, NULL },
};

int main(int argc, char **argv)
{
	return cmd_dispatch("perfpost", argc, argv);
}
