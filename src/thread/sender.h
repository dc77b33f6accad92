#ifndef THREAD_SENDER_H
#define THREAD_SENDER_H

#include "thread/thread.h"

/*
 * Were two patches, "na" and "nb" in their series, sent by one person?  They
 * have one address; or another one under the same full name (a company's relay,
 * a web endpoint); or Message-IDs that only one run of git send-email, b4 or
 * format-patch makes: those that differ just by the number of the patch, or
 * that have the same moment in them.
 */
bool sender_is_same(const struct thread_mail *a, unsigned int na,
		    const struct thread_mail *b, unsigned int nb);

#endif
