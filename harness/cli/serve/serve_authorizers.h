#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "fakes/authorization/access_review_webhook.h"
#include "fakes/webhook/webhook_address.h"
#include "fakes/webhook/webhook_connection.h"
#include "reference/authorizer/abac_authorizer.h"
#include "reference/authorizer/authorization_mode.h"
#include "reference/authorizer/webhook_authorizer.h"
#include "reference/result.h"

namespace nodebound::cli {

/// The modes of --authorization-mode. What kube-apiserver refuses to start with is an error, in its words.
Result<std::vector<AuthorizationMode>> read_authorization_modes(const std::vector<std::string>& texts);

/// The policies of --authorization-policy-file, if one of the modes is ABAC; otherwise null. Warns on standard error of
/// policies without a version.
Result<std::shared_ptr<const AbacPolicies>> read_abac_policies(const std::vector<AuthorizationMode>& modes,
                                                               const std::string& policy_file, const Release& release);

/// The flags of the mode Webhook, which kube-apiserver has, too.
struct AuthorizationWebhookFlags {
  std::string config_file;
  std::string version = "v1beta1";
  std::string authorized_ttl = "5m0s";
  std::string unauthorized_ttl = "30s";

  /// The flags that it adds.
  std::vector<const CLI::Option*> add_to(CLI::App& command);
};

/// Sends SubjectAccessReviews over a connection of its own. `release` must outlive it.
Result<AskWebhook> ask_over_network(webhook::WebhookAddress address, webhook::WebhookConnection::Options connection,
                                    authorization::AccessReviewWebhook::Options options, const Release& release);

/// The webhook of the flags, if one of the modes is Webhook; otherwise null. `release` must outlive it.
Result<std::shared_ptr<const AuthorizationWebhook>> authorization_webhook(const std::vector<AuthorizationMode>& modes,
                                                                          const AuthorizationWebhookFlags& flags,
                                                                          const Release& release);

}  // namespace nodebound::cli
