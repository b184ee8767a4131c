#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fakes/wire/resources/api_resources.h"
#include "harness/endpoint/endpoint.h"
#include "harness/mutants/reach_observer.h"
#include "harness/scenario/scenario.h"
#include "reports/run/report.h"

namespace nodebound::mutants {

/// The result of one scenario: the ids of checks, in order.
struct Trial {
  std::vector<std::string> failed;
  std::vector<std::string> reworded;  ///< decided as expected, but refused in other words
  std::vector<std::string> unclear;   ///< inconclusive, or answered as a known deviation
};

/// A release with its gates and plugins, on which mutants are tried, and what its scenarios find with the reference.
class MutantSetting {
 public:
  /// Keeps the scenarios that are not skipped here. `scenarios` and `observer` must outlive it.
  MutantSetting(std::string name, const Catalogue& catalogue, const Release& release,
                std::set<std::string> disabled_plugins, const std::vector<Scenario>& scenarios,
                const ReachObserver& observer);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const RuleSet& rules() const { return rules_; }
  [[nodiscard]] const std::vector<Scenario>& scenarios() const { return scenarios_; }

  /// Runs the scenario with the reference. Several threads may do so with different scenarios.
  void walk(std::size_t scenario);
  [[nodiscard]] const Walk& walked(std::size_t scenario) const { return walks_[scenario]; }
  [[nodiscard]] const Trial& healthy(std::size_t scenario) const { return healthy_[scenario]; }

  /// The scenarios that can catch the mutant; those that name its rules come first. Where it is not
  /// known (has_reach), these are all scenarios, or with `likely` only those that name the rule or in which it decides
  /// something.
  [[nodiscard]] std::vector<std::size_t> candidates(const Mutant& mutant, std::size_t index, bool likely) const;

  /// Tries the mutant in a scenario, up to the first failing check unless `whole`. Leaves out the results that the
  /// reference has too.
  [[nodiscard]] Trial attempt(const Mutant& mutant, std::size_t scenario, bool whole);

  /// Whether a check of the scenario names the rule.
  [[nodiscard]] bool names(std::size_t scenario, Rule rule) const { return named_rules_[scenario].contains(rule); }

  /// The ids of all checks of a scenario.
  [[nodiscard]] const std::vector<std::string>& checks(std::size_t scenario) const { return checks_[scenario]; }

 private:
  Trial run(Endpoint& endpoint, std::size_t scenario, bool whole, const Trial& known,
            std::vector<std::string>* checks) const;

  std::string name_;
  RuleSet rules_;
  FlippedRules flipped_;
  std::set<std::string> disabled_plugins_;
  std::shared_ptr<const ApiResources> resources_;
  std::vector<Scenario> scenarios_;
  std::vector<std::set<Rule>> named_rules_;  ///< by scenario
  const ReachObserver& observer_;
  std::vector<Walk> walks_;
  std::vector<Trial> healthy_;
  std::vector<std::vector<std::string>> checks_;
};

}  // namespace nodebound::mutants
