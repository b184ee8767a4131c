#include "harness/simulate/control_plane/planned_bootstrap_tokens.h"

#include <utility>

#include "fakes/authentication/bootstrap_tokens.h"
#include "fakes/wire/timestamp.h"
#include "reference/encoding/base64.h"

namespace nodebound::simulate {
namespace {

constexpr const char* token_secret = "0123456789abcdef";

}  // namespace

Result<void> PlannedBootstrapTokens::make(const Plan::BootstrapToken& token, const std::string& where) {
  Object data = {{"token-id", base64_encode(token.id)},
                 {"token-secret", base64_encode(token_secret)},
                 {"usage-bootstrap-authentication", base64_encode("true")}};
  std::string groups;
  for (const std::string& group : token.groups) groups += (groups.empty() ? "" : ",") + group;
  if (!groups.empty()) data["auth-extra-groups"] = base64_encode(groups);
  if (token.ttl) {
    const auto end = std::chrono::floor<std::chrono::seconds>(clock_.now + *token.ttl).time_since_epoch();
    data["expiration"] = base64_encode(timestamp_of_seconds(end.count()));
  }
  return administrator_.apply({{"apiVersion", "v1"},
                               {"kind", "Secret"},
                               {"metadata", {{"name", "bootstrap-token-" + token.id}, {"namespace", "kube-system"}}},
                               {"type", "bootstrap.kubernetes.io/token"},
                               {"data", data}},
                              where);
}

std::optional<Subject> PlannedBootstrapTokens::subject_of(const std::string& id) {
  const std::vector<std::string> audiences = {"https://kubernetes.default.svc"};
  const authentication::BootstrapTokens tokens(
      [this] { return clock_.now.time_since_epoch() / std::chrono::seconds(1); }, audiences);
  const apiserver::FindObject find = [this](const ObjectKey& key) {
    return administrator_.find({key.resource, key.namespace_, key.name});
  };
  authentication::Authentication said = tokens.authenticate(id + "." + token_secret, audiences, find);
  if (said.subject) said.subject->groups.emplace_back("system:authenticated");
  return std::move(said.subject);
}

}  // namespace nodebound::simulate
