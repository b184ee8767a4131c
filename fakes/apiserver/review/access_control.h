#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fakes/store/change.h"
#include "reference/admission/admission.h"
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
  /// that may change the object. Plugins ask `authorizers` for audiences that a node was granted, and about signers.
  virtual std::vector<std::unique_ptr<AdmissionPlugin>> plugins(const RuleSet& rules, const Cluster& cluster,
                                                                const Authorizer& authorizers);

  /// Called for every change as it is stored, while nobody else can write.
  virtual void changed(const ObjectKey& /*key*/, const Change& /*change*/) {}
};

}  // namespace nodebound::apiserver
