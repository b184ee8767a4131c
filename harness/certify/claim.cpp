#include "harness/certify/claim.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "fakes/wire/certificates/digest.h"
#include "harness/check/probe.h"
#include "harness/objects/input_file.h"
#include "harness/scenario/by_release.h"
#include "harness/scenario/scenario_files.h"
#include "reference/release/minors.h"
#include "reference/release/rule_set.h"

namespace nodebound::certify {
namespace {

// A text and its name are told apart from the next by their lengths.
void add_text(std::string& all, std::string_view name, std::string_view text) {
  all.append(name).append(" ").append(std::to_string(text.size())).append("\n").append(text);
}

std::string digest_of_catalogue() {
  const CatalogueFiles& files = Catalogue::built_in_files();
  std::string all;
  add_text(all, "rules.toml", files.rules);
  add_text(all, "gates.toml", files.gates);
  add_text(all, "deviations.toml", files.deviations);
  add_text(all, "behaviours.toml", files.behaviours);
  add_text(all, "kubelet_traits.toml", files.kubelet_traits);
  return sha256_hex(all);
}

Result<std::string> digest_of_scenarios(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files = {folder / "fixtures.toml", folder / "profiles.toml"};
  const Result<std::vector<ScenarioFile>> of_scenarios = scenario_files(folder, ScenarioKind::api_server);
  if (!of_scenarios) return tl::unexpected<Error>(of_scenarios.error());
  for (const ScenarioFile& file : *of_scenarios) files.push_back(file.path);
  std::string all;
  for (const std::filesystem::path& file : files) {
    const auto text = bytes_of_file(file, input_limit::configuration);
    if (!text) return input_error(file.string(), "cannot be read: " + text.error());
    add_text(all, file.lexically_relative(folder).generic_string(), *text);
  }
  return sha256_hex(all);
}

// What is asked, without what the administrator does: most of a scenario, and it is copied for each minor.
Scenario without_actions(Scenario scenario) {
  scenario.given.clear();
  for (Step& step : scenario.steps) step.actions.clear();
  return scenario;
}

// `1.24-1.30`, `1.24-` up to the last minor, several with commas between.
std::string ranges_text(const std::vector<std::size_t>& minors, const std::vector<Version>& all) {
  std::string out;
  for (std::size_t i = 0; i < minors.size();) {
    std::size_t end = i;
    while (end + 1 < minors.size() && minors[end + 1] == minors[end] + 1) ++end;
    out += (out.empty() ? "" : ",") + all[minors[i]].minor_text();
    if (minors[end] + 1 == all.size()) {
      out += "-";
    } else if (end > i) {
      out += "-" + all[minors[end]].minor_text();
    }
    i = end + 1;
  }
  return out;
}

}  // namespace

const char* to_string(Level level) {
  return level == Level::core ? "core" : "extended";
}

Result<Claim> parse_claim(const std::string& text, Level level) {
  const std::size_t at = text.find('@');
  Claim out{text.substr(0, at), 0, level};
  if (at == std::string::npos) return out;
  const char* const last = text.data() + text.size();
  int number = 0;
  const auto [end, problem] = std::from_chars(text.data() + at + 1, last, number);
  out.version = number;
  if (problem == std::errc() && end == last && number > 0) return out;
  return input_error("--profile", "\"" + text + "\" names no profile", "expected NAME or NAME@VERSION, like rbac@1");
}

std::filesystem::path checks_file(const std::filesystem::path& folder, const std::string& profile, int version) {
  return folder / "checks" / (profile + "@" + std::to_string(version) + ".txt");
}

std::string checks_of_profile(const std::string& profile, int version, const std::vector<Scenario>& scenarios,
                              const Catalogue& catalogue) {
  const std::vector<Version> minors = minors_of(catalogue);
  std::vector<RuleSet> rules;
  for (const Version& minor : minors) {
    if (const auto release = Release::make(catalogue, minor, {})) rules.emplace_back(catalogue, *release);
  }
  std::string out = "# The checks of " + profile + ", version " + std::to_string(version) +
                    ": by scenario and step the probes, and the releases that have them.\n"
                    "# ci/freeze-checks writes this file. Once released it must not change: see scenarios/README.md.\n";
  for (const Scenario& scenario : scenarios) {
    if (scenario.profile != profile) continue;
    out += scenario.id + "\n";
    const Scenario checks = without_actions(scenario);
    std::vector<std::string> steps;
    // By step, by its probes: the minors.
    std::map<std::string, std::map<std::string, std::vector<std::size_t>>> probes;
    for (std::size_t i = 0; i < rules.size(); ++i) {
      if (!scenario.holds.contains(rules[i].release().version)) continue;
      const Scenario then = at_version(checks, rules[i].release().version);
      for (const Step& step : then.steps) {
        if (!step.check) continue;
        std::string names;
        for (const Probe& probe : probes_of(*step.check, "", rules[i])) {
          names += (names.empty() ? "" : " ") + (probe.id.empty() ? "." : probe.id);
        }
        if (!probes.contains(step.check->name)) steps.push_back(step.check->name);
        probes[step.check->name][names].push_back(i);
      }
    }
    for (const std::string& step : steps) {
      for (const auto& [names, of] : probes[step]) {
        out.append("  ").append(step).append(": ").append(names).append(" ").append(ranges_text(of, minors)) += "\n";
      }
    }
  }
  return out;
}

Result<ClaimedSet> claimed_set(const std::filesystem::path& folder, Claim claim, const Catalogue& catalogue) {
  const Result<Profiles> profiles = profiles_of(folder);
  if (!profiles) return tl::unexpected<Error>(profiles.error());
  const auto profile = profiles->find(claim.profile);
  if (profile == profiles->end()) {
    std::string known;
    for (const auto& [name, each] : *profiles) known += (known.empty() ? "" : ", ") + name;
    return input_error("--profile", "there is no profile \"" + claim.profile + "\"", "there are " + known);
  }
  if (claim.version == 0) claim.version = profile->second.version;
  if (claim.version != profile->second.version) {
    return input_error("--profile",
                       claim.profile + " has version " + std::to_string(profile->second.version) + " here, not " +
                           std::to_string(claim.version),
                       "take the release of Nodebound that has it");
  }
  LoadedScenarios loaded = load_scenarios(folder, catalogue);
  if (!loaded.mistakes.empty()) return tl::unexpected<Error>(loaded.mistakes.front());
  const std::string checks = checks_of_profile(claim.profile, claim.version, loaded.scenarios, catalogue);
  const std::filesystem::path file = checks_file(folder, claim.profile, claim.version);
  const auto frozen = bytes_of_file(file, input_limit::configuration);
  if (!frozen || *frozen != checks) {
    return input_error(
        file.string(),
        frozen ? "its checks are not those of version " + std::to_string(claim.version) + " of the profile any more"
               : "cannot be read: " + frozen.error(),
        "scenarios were changed: a new version of the profile is needed (scenarios/README.md)");
  }
  ClaimedSet out;
  out.claim = claim;
  out.profile_digest = sha256_hex(*frozen);
  out.catalogue_digest = digest_of_catalogue();
  Result<std::string> digest = digest_of_scenarios(folder);
  if (!digest) return tl::unexpected<Error>(digest.error());
  out.scenarios_digest = std::move(*digest);
  const std::set<std::string>& extended = profile->second.extended_gates;
  for (Scenario& scenario : loaded.scenarios) {
    const bool needs_extension = std::any_of(scenario.gates.begin(), scenario.gates.end(),
                                             [&](const std::string& gate) { return extended.contains(gate); });
    if (scenario.profile != claim.profile || (needs_extension && claim.level == Level::core)) continue;
    // Two machines have the same scenarios in different folders.
    const std::filesystem::path path(scenario.file);
    scenario.file = ("scenarios" / path.lexically_relative(folder)).generic_string();
    out.scenarios.push_back(std::move(scenario));
  }
  return out;
}

}  // namespace nodebound::certify
