#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "fakes/store/change.h"
#include "reference/admission/admission.h"
#include "reference/admission/owner_references.h"
#include "reference/admission/pod_placement.h"
#include "reference/authorizer/abac_authorizer.h"
#include "reference/authorizer/authorization_mode.h"
#include "reference/authorizer/authorizer.h"
#include "reference/authorizer/webhook_authorizer.h"
#include "reference/cluster/cluster.h"

namespace nodebound::apiserver {

/// What authorizers decide by.
struct AuthorizerInputs {
  const RuleSet& rules;
  const Cluster& cluster;
  const AbacPolicies* abac = nullptr;             ///< of mode ABAC
  const AuthorizationWebhook* webhook = nullptr;  ///< of mode Webhook
};

/// What admission plugins decide by.
struct PluginInputs {
  const RuleSet& rules;
  const Cluster& cluster;
  const Authorizer& authorizers;  ///< asked for audiences that a node was granted, about signers and owners
  FindKind find_kind = nullptr;   ///< what is served as the kind of an owner
  std::set<std::string> enabled_plugins = {};  ///< of those that are off by default
  const PlacementSettings& placement = PlacementSettings::none();
};

/// Makes the authorizers and admission plugins of an API server. A subclass makes a faulty server, to test whether
/// checks notice.
class AccessControl {
 public:
  AccessControl() = default;
  virtual ~AccessControl() = default;
  AccessControl(const AccessControl&) = delete;
  AccessControl& operator=(const AccessControl&) = delete;

  virtual std::unique_ptr<Authorizer> authorizer(AuthorizationMode mode, const AuthorizerInputs& inputs);

  /// In kube-apiserver's order, which decides whose refusal comes first; the validation of pods follows the plugins
  /// that may change the object.
  virtual std::vector<std::unique_ptr<AdmissionPlugin>> plugins(const PluginInputs& inputs);

  /// Called for every change as it is stored, while nobody else can write.
  virtual void changed(const ObjectKey& /*key*/, const Change& /*change*/) {}
};

}  // namespace nodebound::apiserver
