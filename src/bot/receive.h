#ifndef BOT_RECEIVE_H
#define BOT_RECEIVE_H

#include "bot/bot.h"

struct err;

/*
 * The stage that brings mails in: each into the store first, with the place
 * up to which its source was read, then taken from the source.  Dying in
 * between brings it once more, and the store knows it by its bytes.
 */
struct receiving;

/* Opens nothing yet that could take time. */
struct receiving *receiving_open(const struct bot *bot, struct err *err);
void receiving_close(struct receiving *r);	/* NULL: nothing */

/*
 * Take in what is there.  A source that is away stops no other.  How many
 * mails were new, or -1 with "err" when the store fails.
 */
int receiving_all(struct receiving *r, struct err *err);

#endif
