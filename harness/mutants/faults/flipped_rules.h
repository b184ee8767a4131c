#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "reference/release/rule_set.h"

namespace nodebound::mutants {

/// The rule sets of one release with some rules flipped, each made once. Thread-safe.
class FlippedRules {
 public:
  /// `rules` must outlive it.
  explicit FlippedRules(const RuleSet& rules) : rules_(rules) {}

  const RuleSet& with(std::vector<Rule> flipped);

 private:
  const RuleSet& rules_;
  std::mutex mutex_;
  std::map<std::vector<Rule>, std::unique_ptr<const RuleSet>> made_;
};

}  // namespace nodebound::mutants
