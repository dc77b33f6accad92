#ifndef BOT_NOTICE_H
#define BOT_NOTICE_H

#include "bot/bot.h"

struct err;

/*
 * What the people who operate the bot should know: mails that could not be
 * read or answered, addresses that fail, questions that only a person can
 * answer, requests that wait for them, jobs that failed.  All of an hour in
 * one mail to bot.notify, each thing once; nothing when nothing happened.
 *
 * 1: a mail was written, 0: there is nothing to tell yet, -1 with "err".
 */
int notice_next(const struct bot *bot, struct err *err);

#endif
