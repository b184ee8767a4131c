#include "harness/deviations/known_checks.h"

#include <set>

#include "harness/check/probe.h"
#include "harness/scenario/by_release.h"
#include "reference/release/minors.h"

namespace nodebound::deviations {
namespace {

void add_ids(std::set<std::string>& out, const std::vector<Scenario>& scenarios, const RuleSet& rules) {
  for (const Scenario& each : scenarios) {
    for (const Step& step : at_version(each, rules.release().version).steps) {
      if (!step.check) continue;
      for (Probe& probe : probes_of(*step.check, each.id + "/" + step.check->name, rules)) {
        out.insert(std::move(probe.id));
      }
    }
  }
}

}  // namespace

std::vector<std::string> ids_of_checks(const std::vector<Scenario>& scenarios, const RuleSet& rules) {
  std::set<std::string> out;
  add_ids(out, scenarios, rules);
  for (const Version& minor : minors_of(rules.catalogue())) {
    if (const auto release = Release::make(rules.catalogue(), minor, {})) {
      add_ids(out, scenarios, RuleSet(rules.catalogue(), *release));
    }
  }
  return {out.begin(), out.end()};
}

}  // namespace nodebound::deviations
