#ifndef BOT_UNMET_H
#define BOT_UNMET_H

#include "bot/plan.h"

/*
 * What the sentence of a request asks for beside the run that it gets, and
 * that no run brings: a profile, a machine of somebody's choice, a bisection.
 *
 * "a perf profile; the choice of a machine", or NULL: nothing is left over.
 */
const char *unmet_wishes(const struct plan *p, const struct item *i,
			 struct arena *a);

#endif
