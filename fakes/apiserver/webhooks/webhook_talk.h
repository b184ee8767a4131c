#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <unordered_map>
#include <vector>

#include "fakes/apiserver/webhooks/admission_review.h"
#include "fakes/apiserver/webhooks/admission_webhook.h"

namespace nodebound::apiserver {

/// What webhooks are asked about one request, and what they have answered so far.
///
/// A handler must not wait for a webhook while it holds the server's lock. It stops where it needs an answer that it
/// does not have yet, before it stores anything; the webhooks are asked without the lock, and the handler starts again.
/// If the state has changed meanwhile, so have the questions, and they are asked anew, as kube-apiserver does after a
/// conflict. For one thread.
class WebhookTalk {
 public:
  using Answer = tl::expected<AdmissionAnswer, std::string>;

  struct Question {
    std::string webhook;  ///< id
    WebhookKind kind = WebhookKind::validating;
    std::string version;  ///< of the review
    Object review;        ///< without uid
    WebhookRequest request;
  };

  /// Before a handler starts, or starts again.
  void begin();

  /// The answer to a question that is asked in this or an earlier round. Null if there is none yet: then the handler
  /// has to stop.
  const Answer* answer_to(Question question);

  /// Whether the handler has stopped because answers are missing.
  [[nodiscard]] bool waits() const { return !open_.empty(); }
  /// Asks what is missing, side by side.
  void ask(const AdmissionWebhooks& webhooks);

  /// What the server gives a new object, the same in all rounds.
  struct Identity {
    std::string uid;
    std::string name_suffix;
  };
  std::optional<Identity> identity;

 private:
  std::unordered_map<std::string, Answer> answered_;  ///< by the webhook and the review
  std::vector<Question> open_;
};

}  // namespace nodebound::apiserver
