#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

#include "harness/scenario/loader.h"
#include "harness/test/sanitizers.h"
#include "reference/test/project_paths.h"

namespace nodebound {

inline const Catalogue& catalogue() {
  return Catalogue::built_in();
}

/// The scenarios of this repository.
inline const std::vector<Scenario>& project_scenarios() {
  static const LoadedScenarios loaded = load_scenarios(project::file("scenarios"), catalogue());
  return loaded.scenarios;
}

/// For a test of runs of the whole suite: all of `project_scenarios`, but under sanitizers, which take ten times as
/// long, one of eight.
inline std::vector<Scenario> scenarios_for_whole_runs() {
  std::vector<Scenario> out;
  const std::vector<Scenario>& all = project_scenarios();
  for (std::size_t at = 0; at < all.size(); at += sanitized ? 8 : 1) out.push_back(all[at]);
  return out;
}

/// Those of `project_scenarios` with a check that names the rule: a run of them alone notices if the rule is not kept.
inline std::vector<Scenario> scenarios_naming(Rule rule) {
  std::vector<Scenario> out;
  std::ranges::copy_if(project_scenarios(), std::back_inserter(out), [&](const Scenario& scenario) {
    return std::ranges::any_of(scenario.steps, [&](const Step& step) {
      return step.check && std::ranges::find(step.check->rules, rule) != step.check->rules.end();
    });
  });
  return out;
}

}  // namespace nodebound
