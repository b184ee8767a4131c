#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fakes/store/change.h"
#include "reference/admission/admission.h"
#include "reference/authorizer/authorizer.h"
#include "reference/cluster/cluster.h"

namespace nodebound {

/// Makes what an API server asks whether a request may pass. One that overrides it makes a server that judges
/// otherwise: a faulty one, to see who notices.
class Judges {
 public:
  Judges() = default;
  virtual ~Judges() = default;
  Judges(const Judges&) = delete;
  Judges& operator=(const Judges&) = delete;

  /// `mode` is Node, RBAC, AlwaysAllow or AlwaysDeny.
  virtual std::unique_ptr<Authorizer> authorizer(const std::string& mode, const RuleSet& rules, const Cluster& cluster);

  /// In kube-apiserver's order, which decides who refuses first; the validation of pods comes after those that may
  /// change the object. `authorizers` is asked for what a node was granted besides, and for signers.
  virtual std::vector<std::unique_ptr<AdmissionPlugin>> plugins(const RuleSet& rules, const Cluster& cluster,
                                                                const Authorizer& authorizers);

  /// Is told of every change as it is stored, while nobody else can write.
  virtual void changed(const ObjectKey& /*key*/, const Change& /*change*/) {}
};

}  // namespace nodebound
