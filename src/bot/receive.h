#ifndef BOT_RECEIVE_H
#define BOT_RECEIVE_H

#include "bot/bot.h"

struct err;

/*
 * The stage that brings mails in: each into the store first, then taken from
 * where it came from, so that dying in between brings it once more, and the
 * store knows it by its bytes.  How many were new, or -1 with "err".
 */
int receive_all(const struct bot *bot, struct err *err);

#endif
