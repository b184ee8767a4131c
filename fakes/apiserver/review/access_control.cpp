#include "fakes/apiserver/review/access_control.h"

#include "reference/admission/certificate_plugins.h"
#include "reference/admission/mirror_pod.h"
#include "reference/admission/node_restriction.h"
#include "reference/authorizer/always_authorizer.h"
#include "reference/authorizer/node_authorizer.h"
#include "reference/authorizer/rbac_authorizer.h"

namespace nodebound::apiserver {

std::unique_ptr<Authorizer> AccessControl::authorizer(AuthorizationMode mode, const AuthorizerInputs& inputs) {
  switch (mode) {
    case AuthorizationMode::node:
      return std::make_unique<NodeAuthorizer>(inputs.rules, inputs.cluster.graph());
    case AuthorizationMode::rbac:
      return std::make_unique<RbacAuthorizer>(inputs.rules, inputs.cluster.rbac());
    case AuthorizationMode::abac:
      if (inputs.abac != nullptr) return std::make_unique<AbacAuthorizer>(inputs.rules, *inputs.abac);
      break;
    case AuthorizationMode::webhook:
      if (inputs.webhook != nullptr) return std::make_unique<WebhookAuthorizer>(inputs.rules, *inputs.webhook);
      break;
    case AuthorizationMode::always_allow:
    case AuthorizationMode::always_deny:
      break;
  }
  return std::make_unique<AlwaysAuthorizer>(mode == AuthorizationMode::always_allow);
}

std::vector<std::unique_ptr<AdmissionPlugin>> AccessControl::plugins(const PluginInputs& inputs) {
  const auto& [rules, cluster, authorizers, find_kind, enabled, placement] = inputs;
  const auto is_on = [&on = enabled](std::string_view plugin) { return on.contains(std::string(plugin)); };
  std::vector<std::unique_ptr<AdmissionPlugin>> plugins;
  plugins.push_back(std::make_unique<ServiceAccountPlugin>(rules, cluster.references()));
  plugins.push_back(std::make_unique<NodeRestriction>(rules, cluster, authorizers));
  if (is_on(PodNodeSelector::plugin_name)) {
    plugins.push_back(std::make_unique<PodNodeSelector>(rules, cluster, placement));
  }
  if (is_on(PodTolerationRestriction::plugin_name)) {
    plugins.push_back(std::make_unique<PodTolerationRestriction>(rules, cluster, placement));
  }
  plugins.push_back(std::make_unique<MirrorPodValidation>(rules));
  if (is_on(OwnerReferencesPermissionEnforcement::plugin_name)) {
    plugins.push_back(std::make_unique<OwnerReferencesPermissionEnforcement>(rules, authorizers, find_kind));
  }
  plugins.push_back(std::make_unique<CertificateApproval>(rules, authorizers));
  plugins.push_back(std::make_unique<CertificateSigning>(rules, authorizers));
  plugins.push_back(std::make_unique<CertificateSubjectRestriction>(rules));
  return plugins;
}

}  // namespace nodebound::apiserver
