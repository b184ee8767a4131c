#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "harness/simulate/fleet/simulated_fleet.h"
#include "reports/simulation/simulation.h"

namespace nodebound::simulate {

/// Makes findings of what the ledger has recorded: one for each kind of refusal that is new after a step.
class RefusalFindings {
 public:
  RefusalFindings(const Plan& plan, const RefusalLedger& ledger, const SimulatedFleet& fleet,
                  const LoadBalancer& balancer, const Catalogue& catalogue)
      : plan_(plan), ledger_(ledger), fleet_(fleet), balancer_(balancer), catalogue_(catalogue) {}

  [[nodiscard]] std::vector<Simulation::Finding> after(std::size_t step) const;

 private:
  /// A kind of refusal that is new after a step.
  struct New {
    std::size_t kind = 0;
    std::size_t step = 0;
  };
  using Visit = std::function<void(const RefusalLedger::Client&, const RefusalLedger::Seen&)>;

  void each_seen(const New& refusal, const Visit& visit) const;
  [[nodiscard]] std::optional<Simulation::Finding> counted(const New& refusal) const;
  void tell_kubelets(const New& refusal, Simulation::Finding& finding) const;
  void tell_servers(const New& refusal, Simulation::Finding& finding) const;
  void tell_words(const New& refusal, Simulation::Finding& finding) const;
  void tell_rule(const New& refusal, Simulation::Finding& finding) const;
  void tell_when(const New& refusal, const RuleEntry& rule, Simulation::Finding& finding) const;
  [[nodiscard]] std::string release_of(const New& refusal) const;
  [[nodiscard]] std::vector<std::string> names_of(const std::set<std::size_t>& kinds_of_servers) const;

  const Plan& plan_;
  const RefusalLedger& ledger_;
  const SimulatedFleet& fleet_;
  const LoadBalancer& balancer_;
  const Catalogue& catalogue_;
};

}  // namespace nodebound::simulate
