#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/endpoint/webhook/webhook_script.h"
#include "reference/authorizer/authorization_mode.h"

namespace nodebound {

/// What an AuthorizationConfiguration says of the webhook.
struct WebhookConfiguration {
  bool deny_on_failure = false;
  std::vector<std::string> match_conditions;

  bool operator==(const WebhookConfiguration&) const = default;
};

/// How an API server is started, as far as a scenario may say so.
struct ServerSettings {
  std::vector<AuthorizationMode> authorization_modes;  ///< in the order in which they are asked
  std::vector<std::string> abac_policy;                ///< lines of the policy file of mode ABAC; without it none

  WebhookScript authorization_webhook;  ///< what the suite's own webhook answers in mode Webhook
  /// If there is one, an AuthorizationConfiguration takes the place of the flags.
  std::optional<WebhookConfiguration> webhook_configuration;

  std::vector<std::string> enabled_plugins;   ///< admission plugins that are on, besides those that are anyhow
  std::vector<std::string> disabled_plugins;  ///< admission plugins that are off
  std::string admission_configuration;        ///< the AdmissionConfiguration, if there is one

  bool operator==(const ServerSettings&) const = default;

  [[nodiscard]] bool has(AuthorizationMode mode) const;
  /// The policy file of mode ABAC.
  [[nodiscard]] std::string abac_policy_file() const;
};

}  // namespace nodebound
