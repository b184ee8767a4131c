#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/endpoint/endpoint.h"
#include "harness/scenario/scenario.h"
#include "reference/release/rule_set.h"
#include "reports/run/report.h"

namespace nodebound::failures {

/// Where failures are made small.
struct ShrinkSetting {
  Endpoint& target;
  const RuleSet& rules;  ///< by which it is judged
  std::uint64_t seed = 1;
  std::chrono::milliseconds settle_within{};
  std::size_t attempts = 150;  ///< at most, for each failure
};

/// The smallest scenario found that still shows the failed check, as a scenario file: steps, fields and words are left
/// out as long as the target still answers so, while the reference meets the expectation: so what is left is still a
/// case of the rule. Nothing if it cannot be had: the check needs a server of its own, or does not fail when it is
/// asked again.
std::optional<std::string> smallest_scenario(const Scenario& scenario, const CheckResult& failed,
                                             const ShrinkSetting& setting);

}  // namespace nodebound::failures
