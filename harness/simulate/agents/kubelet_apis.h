#pragma once

#include <map>
#include <memory>
#include <tuple>

#include "harness/simulate/agents/planned_kubelet_api.h"
#include "harness/simulate/fleet/simulated_fleet.h"

namespace nodebound::simulate {

/// The own APIs of the kubelets that agents ask.
class KubeletApis {
 public:
  KubeletApis(SimulatedFleet& fleet, const Catalogue& catalogue, const SimulatedClock& clock)
      : fleet_(fleet), catalogue_(catalogue), clock_(clock) {}

  /// The same object until the kubelet is started again: a kubelet keeps what it remembers of its callers in memory.
  PlannedKubeletApi& of(const NodePlace& place);

 private:
  struct Started {
    std::size_t starts = 0;  ///< of the kubelet, when it was made
    std::unique_ptr<PlannedKubeletApi> api;
  };

  std::shared_ptr<KubeletApiRules> rules_of(const Plan::Kubelet& kubelet);

  SimulatedFleet& fleet_;
  const Catalogue& catalogue_;
  const SimulatedClock& clock_;
  std::map<NodePlace, Started> apis_;
  std::map<std::tuple<Version, GateSettings, Plan::KubeletApi>, std::shared_ptr<KubeletApiRules>> rules_;
};

}  // namespace nodebound::simulate
