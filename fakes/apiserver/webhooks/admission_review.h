#pragma once

#include <map>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "fakes/apiserver/webhooks/admission_webhook.h"

namespace nodebound::apiserver {

struct Call;
struct ServerState;

/// What an AdmissionReview, and an expression, says of a write besides its objects.
Object admission_request_object(const Call& call, const ReviewedWrite& write, const ApiResource& as);

/// The new object and the old one as a review, and an expression, shows them.
Object shown_object(const ServerState& server, const Call& call, const Object& object, const ApiResource& as);
Object shown_old_object(const Call& call, const Object& old_object, const ApiResource& as);

/// The AdmissionReview that asks about a write, without its uid: `version` is that of the review, `as` the resource in
/// the version that the webhook's rule names.
Object admission_review(const ServerState& server, const Call& call, const ReviewedWrite& write, const ApiResource& as,
                        const std::string& version);

/// What a webhook answers.
struct AdmissionAnswer {
  bool allowed = false;
  Object result;      ///< the Status of a refusal
  Object operations;  ///< of a JSON patch; null if there is none
  std::vector<std::string> warnings;
  std::map<std::string, std::string> annotations;
};

/// Reads the AdmissionReview that answers the one with that uid. The error is why the answer is none.
tl::expected<AdmissionAnswer, std::string> read_admission_answer(const std::string& body, const std::string& version,
                                                                 const std::string& uid, WebhookKind kind);

/// The answer to a write that a webhook refuses, with the Status that it gave.
HttpResponse refused_by_webhook(const std::string& webhook, Object status);

}  // namespace nodebound::apiserver
