#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "mail/message.h"
#include "request/request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct grammar *grammar;
static struct arena names;
static struct robot robot;

static void prepare(void)
{
	static const char *own[] = { "robot@ci.example.org" };
	const struct strings addresses = { own, 1 };
	struct err err = ERR_INIT;

	grammar = grammar_load(TESTDATA "/../src/request/requests.rules", &err);
	if (!grammar) {
		fprintf(stderr, "%s\n", err.text);
		abort();
	}
	robot_init(&robot, &names, &addresses);
}

/* A whole mail, to the robot or not; then every string is there to be read. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = ERR_INIT;
	struct message m;
	struct requests r;

	if (!grammar)
		prepare();
	if (message_read(&m, data, size, &err) == -1)
		return 0;
	requests_find(&r, &m, grammar, &robot);
	for (size_t i = 0; i < r.n; i++)
		if (!r.request[i].rule || !r.request[i].evidence)
			abort();
	requests_release(&r);
	message_release(&m);
	return 0;
}
