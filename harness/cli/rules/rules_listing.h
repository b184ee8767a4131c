#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/scenario/scenario.h"
#include "reference/release/rule_set.h"
#include "reports/terminal.h"

namespace nodebound::cli {

/// Which rules `nodebound rules` lists.
struct RuleFilter {
  std::optional<Release> release;              ///< only those in force there
  std::optional<Version> since;                ///< only those that came into force or left it at this version or later
  std::optional<std::vector<Rule>> exercised;  ///< only those that scenarios exercise
};

struct ListedRule {
  Rule rule;
  std::string when;  ///< the versions that `since` asks for: `1.32.6, 1.33.2`
};

struct RuleListing {
  RuleFilter filter;
  std::vector<ListedRule> rules;
  std::vector<ListedRule> removed;  ///< with `since` only
};

RuleListing list_rules(const Catalogue& catalogue, RuleFilter filter);

/// A scenario that exercises a rule, and its checks that do so.
struct RuleUse {
  const Scenario* scenario;
  std::vector<const Step*> permits;
  std::vector<const Step*> refuses;
};

std::vector<RuleUse> uses_of(Rule rule, const std::vector<Scenario>& scenarios);

/// The rules that checks of the scenarios name, in the catalogue's order.
std::vector<Rule> rules_exercised(const std::vector<Scenario>& scenarios);

/// Everything known about one rule.
struct RuleDetails {
  Rule rule;
  std::optional<Release> release;  ///< the page says whether the rule is in force there
  std::vector<RuleUse> uses;
};

/// The feature gates of one release, or of all releases.
struct GateListing {
  std::optional<Release> release;
  std::vector<const GateEntry*> gates;
};

GateListing list_gates(const Catalogue& catalogue, std::optional<Release> release);

/// The rules that depend on a gate.
std::vector<std::string> rules_of_gate(const Catalogue& catalogue, const std::string& gate);

/// The `schema` key of the JSON that the writers produce; `rules.schema.json` describes it.
inline constexpr const char* rules_schema = "nodebound.dev/rules/v1";

// `whole` cuts no line at the width; for output that is not a terminal.
std::string to_terminal(const RuleListing& listing, const Catalogue& catalogue, const TerminalStyle& style, bool whole);
std::string to_terminal(const RuleDetails& details, const Catalogue& catalogue, const TerminalStyle& style);
std::string to_terminal(const GateListing& listing, const Catalogue& catalogue, const TerminalStyle& style);

std::string to_json(const RuleListing& listing, const Catalogue& catalogue);
std::string to_json(const RuleDetails& details, const Catalogue& catalogue);
std::string to_json(const GateListing& listing, const Catalogue& catalogue);

std::string to_markdown(const RuleListing& listing, const Catalogue& catalogue);
std::string to_markdown(const RuleDetails& details, const Catalogue& catalogue);
std::string to_markdown(const GateListing& listing, const Catalogue& catalogue);

}  // namespace nodebound::cli
