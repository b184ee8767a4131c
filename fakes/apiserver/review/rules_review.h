#pragma once

#include "fakes/wire/http.h"
#include "reference/cluster/object.h"

namespace nodebound::apiserver {

struct Call;
struct ServerState;

/// Answers a SelfSubjectRulesReview: the rules that the authorizers report for the caller.
HttpResponse review_rules(const ServerState& server, const Call& call, Object review);

}  // namespace nodebound::apiserver
