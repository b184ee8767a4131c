#pragma once

#include <optional>
#include <string>

#include "harness/kubelet/kubelet_callers.h"
#include "harness/kubelet/kubelet_scenario.h"
#include "harness/kubelet/review_server.h"
#include "reference/result.h"

namespace nodebound {

/// The cluster that a kubelet under test belongs to, as far as its own API goes: it knows who asks, and says who may.
class KubeletCluster {
 public:
  virtual ~KubeletCluster() = default;

  /// Before the first step of a scenario. `rules` are those of the kubelet, and outlive the scenario.
  virtual void begin(const KubeletScenario& scenario, const RuleSet& rules) = 0;

  /// Why it cannot have a step as the scenario wants it; empty where it can.
  [[nodiscard]] virtual std::string cannot(const KubeletScenario& scenario, const KubeletStep& step) const = 0;

  virtual Result<KubeletCallers::Caller> caller(const KubeletScenario& scenario, const std::string& who) = 0;

  /// From now on reviews of the caller come to what the step says.
  virtual Result<void> say(const KubeletCallers::Caller& caller, const KubeletStep& step) = 0;

  /// The caller has been answered: what say() granted for that is taken back.
  virtual Result<void> withdraw(const KubeletCallers::Caller& caller) = 0;

  /// The authority of certificates that the kubelet does not believe, in PEM.
  [[nodiscard]] virtual std::string other_authority() const = 0;

  /// What was asked since the last time; nothing where it is not seen.
  virtual std::optional<ReviewServer::Asked> take() = 0;
};

}  // namespace nodebound
