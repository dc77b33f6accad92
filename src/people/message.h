#ifndef PEOPLE_MESSAGE_H
#define PEOPLE_MESSAGE_H

#include "people/commit.h"

/* The parts of a commit's message; see commit.h, the door. */

/* Fill c->trailer from the paragraphs of trailers in "text". */
void trailers_find(struct commit *c, const char *text, size_t len);

/* Fill c->fixes and c->link_id from the trailers. */
void links_find(struct commit *c);

#endif
