#pragma once

#include <string>

#include "fakes/apiserver/http.h"
#include "harness/simulate/simulated_clock.h"
#include "reference/cluster/object.h"
#include "reference/identity/subject.h"

namespace nodebound {

/// A token of a service account, good until `end`. It says whose it is, so that nobody has to keep it; no secret.
std::string planned_token(const Subject& subject, KubeletTime end);

/// `status` of a TokenReview of one.
Object review_planned_token(const Object& spec, KubeletTime now);

/// What an API server answers whose credential is not good any more; `why` is what it would write into its log.
HttpResponse unauthorized(const std::string& why);

}  // namespace nodebound
