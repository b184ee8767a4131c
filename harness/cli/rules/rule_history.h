#pragma once

#include <map>
#include <string>
#include <vector>

#include "reference/release/rule_set.h"

namespace nodebound::cli {

/// `since 1.31.12, 1.32.8 and 1.33, before 1.37, with AuthorizeNodeWithSelectors`
std::string describe(const ReleaseRange& range);

/// All ranges of a rule in one line.
std::string history_of(const RuleEntry& rule);

/// `off from 1.31, on from 1.32, locked on from 1.34, gone in 1.37`
std::string history_of(const GateEntry& gate);

/// The gates that a rule depends on, each once, in the order of its ranges.
std::vector<std::string> gates_of(const RuleEntry& rule);

/// Whether a rule is in force at a version: with the default gates, or with its gates set for it.
enum class Standing { absent, behind_gate, in_force };

/// A version at which the standing of a rule changes.
struct Turn {
  Version version;
  Standing before = Standing::absent;
  Standing after = Standing::absent;
};

/// Follows rules through the releases by asking the rule set of each release.
class RuleHistory {
 public:
  explicit RuleHistory(const Catalogue& catalogue) : catalogue_(catalogue) {}

  Standing standing(Rule rule, const Version& version);

  /// In the order of versions. A back-port is a turn of its own, and then the next minor release is none.
  std::vector<Turn> turns(Rule rule);

 private:
  const RuleSet* rules_at(const Version& version, const GateSettings& gates);

  const Catalogue& catalogue_;
  std::map<std::pair<Version, GateSettings>, std::optional<RuleSet>> rules_;
};

}  // namespace nodebound::cli
