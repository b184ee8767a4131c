#include "harness/mutants/releases.h"

#include <algorithm>
#include <set>

namespace nodebound::mutants {
namespace {

// Gates that rules depend on, and gates that some scenario needs.
std::set<std::string> gates_that_matter(const Catalogue& catalogue, const std::vector<Scenario>& scenarios) {
  const auto deciding = catalogue.deciding_gates();
  std::set<std::string> out(deciding.begin(), deciding.end());
  for (const Scenario& scenario : scenarios) out.insert(scenario.gates.begin(), scenario.gates.end());
  return out;
}

// Every one of the gates that the release accepts with that value, and the gates that these need.
GateSettings all_set(const Catalogue& catalogue, const Version& version, const std::set<std::string>& gates, bool on) {
  GateSettings wanted;
  for (const std::string& gate : gates) {
    wanted[gate] = on;
    if (!on) continue;
    for (const GateEntry::Requirement& required : catalogue.find_gate(gate)->requirements) wanted[required.gate] = true;
  }
  return Release::taken(catalogue, version, wanted);
}

// A gate that needs another is set in a second round, after it, or keeps its default.
Release release_with(const Catalogue& catalogue, const Version& version, const GateSettings& wanted) {
  GateSettings settings;
  Release release = *Release::make(catalogue, version, {});
  for (int round = 0; round < 2; ++round) {
    for (const auto& [gate, on] : wanted) {
      GateSettings more = settings;
      more[gate] = on;
      if (Result<Release> made = Release::make(catalogue, version, more)) {
        settings = std::move(more);
        release = std::move(*made);
      }
    }
  }
  return release;
}

// Gates of rules that are in force as soon as one of several gates is off. With all of them off, it would not show
// that one is enough.
std::set<std::string> gates_that_do_alone(const Catalogue& catalogue) {
  std::set<std::string> out;
  for (const RuleEntry& rule : catalogue.rules()) {
    std::set<std::string> gates;
    for (const ReleaseRange& range : rule.in_force) gates.insert(range.unless_gates.begin(), range.unless_gates.end());
    if (rule.in_force.size() > 1 && gates.size() > 1) out.merge(gates);
  }
  return out;
}

std::string text_of(const std::vector<std::string>& gates) {
  std::string out;
  for (const std::string& gate : gates) out += (out.empty() ? "" : ",") + gate;
  return out;
}

}  // namespace

std::vector<Version> boundary_releases(const Catalogue& catalogue) {
  std::set<Version> out;
  for (const Version& version : catalogue.turning_points()) {
    out.insert(version);
    if (version.patch > 0) out.insert(version.previous());
  }
  return {out.begin(), out.end()};
}

std::vector<Version> neighbours(const Catalogue& catalogue, const Version& version) {
  const std::vector<Version> all = boundary_releases(catalogue);
  std::vector<Version> out;
  const auto after = std::upper_bound(all.begin(), all.end(), version);
  if (after != all.end()) out.push_back(*after);
  const auto at = std::lower_bound(all.begin(), all.end(), version);
  if (at != all.begin()) out.push_back(*(at - 1));
  return out;
}

std::vector<std::unique_ptr<MutantSetting>> settings_of(const Catalogue& catalogue, const Version& version,
                                                        const std::vector<Scenario>& scenarios,
                                                        const ReachObserver& observer) {
  std::vector<std::unique_ptr<MutantSetting>> settings;
  const Release plain = *Release::make(catalogue, version, {});
  settings.push_back(
      std::make_unique<MutantSetting>("", catalogue, plain, std::set<std::string>(), scenarios, observer));
  const std::set<std::string> gates = gates_that_matter(catalogue, scenarios);
  const GateSettings all_on = all_set(catalogue, version, gates, true);
  std::vector<GateSettings> of_gates = {all_on, all_set(catalogue, version, gates, false)};
  for (const std::string& gate : gates_that_do_alone(catalogue)) {
    GateSettings but_one = all_on;
    but_one[gate] = false;
    of_gates.push_back(Release::taken(catalogue, version, but_one));
  }
  std::set<std::string> seen;
  for (const GateSettings& wanted : of_gates) {
    const Release other = release_with(catalogue, version, wanted);
    const std::string changed = text_of(other.changed_gates());
    if (changed.empty() || !seen.insert(changed).second) continue;
    settings.push_back(
        std::make_unique<MutantSetting>(changed, catalogue, other, std::set<std::string>(), scenarios, observer));
  }
  settings.push_back(std::make_unique<MutantSetting>("without ServiceAccount", catalogue, plain,
                                                     std::set<std::string>{"ServiceAccount"}, scenarios, observer));
  return settings;
}

std::vector<std::size_t> mutants_at(const std::vector<Mutant>& mutants,
                                    const std::vector<std::unique_ptr<MutantSetting>>& settings) {
  const RuleSet& rules = settings.front()->rules();
  const Catalogue& catalogue = rules.catalogue();
  std::vector<RuleSet> nearby;
  for (const Version& version : neighbours(catalogue, rules.release().version)) {
    nearby.emplace_back(catalogue, *Release::make(catalogue, version, {}));
  }
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    const Mutant& mutant = mutants[i];
    const auto* flip = std::get_if<Flip>(&mutant.fault);
    const bool there = std::any_of(settings.begin(), settings.end(),
                                   [&](const auto& setting) { return applies(mutant, setting->rules()); });
    if (!there) continue;
    if (flip != nullptr && flip->on) {
      const auto has_it = [&](const RuleSet& other) { return other.in_force(flip->rule); };
      const bool somewhere =
          std::any_of(nearby.begin(), nearby.end(), has_it) ||
          std::any_of(settings.begin(), settings.end(), [&](const auto& setting) { return has_it(setting->rules()); });
      if (!somewhere) continue;
    }
    out.push_back(i);
  }
  return out;
}

}  // namespace nodebound::mutants
