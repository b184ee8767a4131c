#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/authorization/access_review.h"
#include "reference/cel/match_condition.h"
#include "reference/release/release.h"

namespace nodebound::authorization {

/// An authorizer of an AuthorizationConfiguration.
struct ConfiguredAuthorizer {
  struct Webhook {
    bool deny_on_failure = false;
    std::chrono::nanoseconds timeout{0};
    ReviewVersion review_version = ReviewVersion::v1;
    std::string kubeconfig;  ///< empty with the connectionInfo InClusterConfig
    /// What the file says of the times to live; kube-apiserver takes 0 for its defaults.
    std::optional<std::chrono::nanoseconds> authorized_ttl;
    std::optional<std::chrono::nanoseconds> unauthorized_ttl;
    bool caches_authorized = true;
    bool caches_unauthorized = true;
    std::vector<cel::MatchCondition> conditions;
    /// The expressions that Nodebound cannot evaluate: where, and what it does not support.
    std::vector<std::string> unsupported;
  };

  std::string type;
  std::string name;
  std::optional<Webhook> webhook;

  /// How long the answers of a webhook are kept; nothing: not at all.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> keeps_authorized() const;
  [[nodiscard]] std::optional<std::chrono::nanoseconds> keeps_unauthorized() const;
};

/// What kube-apiserver reads of --authorization-config.
struct AuthorizationConfiguration {
  std::vector<ConfiguredAuthorizer> authorizers;
  /// Why a kube-apiserver of the release does not start with it, in its words where they are of the file's values.
  std::vector<std::string> mistakes;
};

/// Reads YAML or JSON of any content as the release does: unknown fields are mistakes
/// (k8s.io/apiserver/pkg/apis/apiserver/load and validation).
AuthorizationConfiguration read_authorization_configuration(std::string_view text, const Release& release);

}  // namespace nodebound::authorization
