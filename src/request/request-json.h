#ifndef REQUEST_REQUEST_JSON_H
#define REQUEST_REQUEST_JSON_H

#include "data/json.h"

#include "request/request.h"

/* The members "commands" and "requests" of "perfpost parse"; new references. */
json_t *commands_json(const struct requests *r);
json_t *requests_json(const struct requests *r);

/* One request; members that the mail does not state are null. */
json_t *request_json(const struct request *r);

/* --explain: each sentence, the rule that fired, and what came of it. */
json_t *explanations_json(const struct requests *r);

#endif
