#pragma once

#include <functional>
#include <optional>
#include <string>

#include "fakes/apiserver/webhooks/admission_review.h"

namespace nodebound::apiserver {

/// A write whose object mutating webhooks may change.
struct ReviewedChange {
  Operation operation = Operation::create;
  Object& object;            ///< null for a delete
  const Object& old_object;  ///< null for a create or a connection
  const Object* options = nullptr;
  std::string name = {};
  /// Completes an object that a webhook has changed, as the decoder does.
  std::function<void(Object& object)> complete = {};
};

/// Runs the mutating plugins of the server, and then asks the mutating webhooks, both of which may change the object.
/// If a webhook does, the plugins run again, and with them the webhooks that ask for it. The answer refuses the write,
/// or stops it until webhooks have answered (WebhookTalk).
std::optional<HttpResponse> mutated(const ServerState& server, const Call& call, const ReviewedChange& change,
                                    const std::function<std::optional<HttpResponse>()>& plugins);

/// Whether policies or validating webhooks could look at the writes of a call.
bool has_validators(const ServerState& server, const Call& call);

/// Asks the ValidatingAdmissionPolicies, and then the validating webhooks. The answer refuses the write or stops it, as
/// above.
std::optional<HttpResponse> refused_by_validators(const ServerState& server, const Call& call,
                                                  const ReviewedWrite& write);

}  // namespace nodebound::apiserver
