#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/cli/rules/rule_history.h"
#include "harness/cli/rules/rules_listing.h"
#include "harness/cli/site/encounters.h"
#include "harness/scenario/scenario.h"
#include "reference/release/catalogue.h"

namespace nodebound::cli {

/// What the pages of the site tell of one rule.
struct SiteRule {
  Rule rule;
  const RuleEntry* entry;
  std::string history;
  std::vector<Standing> at;  ///< by minor
  std::vector<Turn> turns;
  std::vector<RuleUse> uses;
  std::vector<const Encounter*> encounters;
  std::string advice;
  std::set<std::string> kinds;  ///< resources that requests about it name: `secrets`, `pods/status`
};

struct SiteModel {
  const Catalogue* catalogue;
  std::vector<Version> minors;
  std::vector<Encounter> encounters;
  std::vector<SiteRule> rules;  ///< in the catalogue's order
};

Result<SiteModel> site_model(const Catalogue& catalogue, const std::vector<Scenario>& scenarios);

}  // namespace nodebound::cli
