#pragma once

#include <string>

#include "fakes/wire/http.h"
#include "harness/simulate/clock/simulated_clock.h"
#include "reference/cluster/object.h"
#include "reference/identity/subject.h"

namespace nodebound::simulate {

/// A token of a service account, valid until `end`. It contains the name of its owner, so that nobody has to store it;
/// it is no secret.
std::string planned_token(const Subject& subject, fake_kubelet::KubeletTime end);

/// The `status` of a TokenReview of such a token.
Object review_planned_token(const Object& spec, fake_kubelet::KubeletTime now);

/// An API server's answer to an expired credential; `why` is the text for its log.
HttpResponse unauthorized(const std::string& why);

}  // namespace nodebound::simulate
