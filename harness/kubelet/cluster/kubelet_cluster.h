#pragma once

#include <optional>
#include <string>

#include "harness/kubelet/cluster/kubelet_callers.h"
#include "harness/kubelet/cluster/review_server.h"
#include "harness/kubelet/kubelet_scenario.h"
#include "reference/result.h"

namespace nodebound::kubelet_conformance {

/// The cluster of a kubelet under test, as far as the kubelet's own API needs it: it authenticates and authorizes
/// callers.
class KubeletCluster {
 public:
  virtual ~KubeletCluster() = default;

  /// Call it before the first step of a scenario. `rules` are the kubelet's, and outlive the scenario.
  virtual void begin(const KubeletScenario& scenario, const RuleSet& rules) = 0;

  /// Why the cluster cannot set up a step as the scenario wants; empty if it can.
  [[nodiscard]] virtual std::string cannot(const KubeletScenario& scenario, const KubeletStep& step) const = 0;

  virtual Result<KubeletCallers::Caller> caller(const KubeletScenario& scenario, const CallerText& who) = 0;

  /// From now on, reviews of the caller have the results that the step wants.
  virtual Result<void> say(const KubeletCallers::Caller& caller, const KubeletStep& step) = 0;

  /// The caller has been answered: withdraws what say() granted.
  virtual Result<void> withdraw(const KubeletCallers::Caller& caller) = 0;

  /// The authority of certificates that the kubelet does not trust, in PEM.
  [[nodiscard]] virtual std::string other_authority() const = 0;

  /// The reviews since the last call; nothing if the cluster does not see them.
  virtual std::optional<ReviewServer::Asked> take() = 0;
};

}  // namespace nodebound::kubelet_conformance
