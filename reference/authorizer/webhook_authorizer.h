#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reference/authorizer/authorizer.h"
#include "reference/cel/match_condition.h"

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

/// A webhook that authorizes, by the flags of an API server or by an entry of its AuthorizationConfiguration.
struct AuthorizationWebhook {
  std::string name = "default";  ///< the flags' webhook has this one
  AskWebhook ask = nullptr;
  bool deny_on_failure = false;  ///< also if a match condition fails
  /// It is asked about those requests alone for which all hold.
  std::vector<cel::MatchCondition> conditions = {};
};

/// Asks others (staging/src/k8s.io/apiserver/plugin/pkg/authorizer/webhook/webhook.go). It is the one authorizer that
/// can deny.
class WebhookAuthorizer final : public Authorizer {
 public:
  /// `rules` must outlive the authorizer.
  WebhookAuthorizer(const RuleSet& rules, AuthorizationWebhook webhook) : rules_(rules), webhook_(std::move(webhook)) {}

  [[nodiscard]] std::string_view name() const override { return webhook_.name; }
  [[nodiscard]] Decision authorize(const Subject& subject, const Attributes& attributes) const override;
  /// It lists nothing, and says that there may be more.
  [[nodiscard]] SubjectRules rules_for(const Subject& subject, const std::string& namespace_) const override;

 private:
  [[nodiscard]] Decision failed(std::string why) const;

  const RuleSet& rules_;
  const AuthorizationWebhook webhook_;
};

}  // namespace nodebound
