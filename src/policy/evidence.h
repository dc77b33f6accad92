#ifndef POLICY_EVIDENCE_H
#define POLICY_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "mail/message.h"

/*
 * Is the author who From says?  The only witness is our own mail server: its
 * topmost Authentication-Results field.  Anything that stands below the first
 * Received line of a foreign host could have been written by anybody.  Where
 * an answer may go (Reply-To), who relayed (Sender), and a list that took the
 * From for itself are never an identity.
 */

enum proof {
	PROOF_NONE,	/* nobody says anything */
	PROOF_FAILED,	/* our server says: not from there */
	PROOF_ASSUMED,	/* the configuration says to believe it: tests */
	PROOF_DOMAIN,	/* from that domain, where anybody can have a mailbox */
	PROOF_PASSED,
};

struct evidence_rules {
	const char *const *servers;	/* our authserv-ids and the hosts that
					 * write Received lines for us */
	const char *const *providers;	/* domains where anybody gets a mailbox */
	bool assume;	/* a mail that no server said anything of is believed,
			 * unless it wants the answer somewhere else: for tests
			 * and for mail that never left the machine */
};

struct evidence {
	enum proof proof;
	const char *address;	/* of the From: the only identity */
	const char *method;	/* "dmarc", "dkim", "assumed" or "none" */
	const char *reason;	/* for a person */
	bool munged;		/* a mailing list put itself into the From */
};

/* Never fails.  Strings live in "a", in "m" or for ever. */
void evidence_find(struct evidence *e, const struct message *m,
		   const struct evidence_rules *rules, struct arena *a);

/* "none", "failed", ... */
const char *proof_name(enum proof proof);

/* Is a mail signed by "signer" as good as one of "domain": the same, or one
 * above it that is no top-level domain? */
bool domain_aligned(const char *signer, const char *domain);

#endif
