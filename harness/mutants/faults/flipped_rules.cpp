#include "harness/mutants/faults/flipped_rules.h"

#include <algorithm>

namespace nodebound::mutants {

const RuleSet& FlippedRules::with(std::vector<Rule> flipped) {
  if (flipped.empty()) return rules_;
  std::sort(flipped.begin(), flipped.end());
  const std::lock_guard lock(mutex_);
  std::unique_ptr<const RuleSet>& made = made_[flipped];
  if (!made) made = std::make_unique<const RuleSet>(rules_.with_flipped(flipped));
  return *made;
}

}  // namespace nodebound::mutants
