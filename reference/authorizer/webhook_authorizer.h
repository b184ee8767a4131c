#pragma once

#include <functional>

#include "reference/authorizer/authorizer.h"

namespace nodebound {

/// The status of a SubjectAccessReview as an authorization webhook answers it.
struct WebhookAnswer {
  bool allowed = false;
  bool denied = false;
  std::string reason;
  std::string error;  ///< why there is no answer; then the rest says nothing
};

/// Asks an authorization webhook.
using AskWebhook = std::function<WebhookAnswer(const Subject& subject, const Attributes& attributes)>;

/// Asks others (staging/src/k8s.io/apiserver/plugin/pkg/authorizer/webhook/webhook.go). It is the one authorizer that
/// can deny. This is the webhook that flags configure: where it does not answer, it has no opinion.
class WebhookAuthorizer final : public Authorizer {
 public:
  /// `rules` must outlive the authorizer.
  WebhookAuthorizer(const RuleSet& rules, AskWebhook ask) : rules_(rules), ask_(std::move(ask)) {}

  /// The name that a webhook of the flags gets.
  [[nodiscard]] std::string_view name() const override { return "default"; }
  [[nodiscard]] Decision authorize(const Subject& subject, const Attributes& attributes) const override;
  /// It lists nothing, and says that there may be more.
  [[nodiscard]] SubjectRules rules_for(const Subject& subject, const std::string& namespace_) const override;

 private:
  const RuleSet& rules_;
  AskWebhook ask_;
};

}  // namespace nodebound
