#ifndef BOT_FOLLOWUP_H
#define BOT_FOLLOWUP_H

#include "bot/plan.h"

/*
 * "Could you run it once more with 12 runs?", in answer to the result of a run
 * with a patch: the patch is meant, too, unless the words say otherwise.  Then
 * the item's request becomes one with that patch.  0, or -1 with "err".
 */
int followup_read(struct plan *p, struct item *i, struct err *err);

#endif
