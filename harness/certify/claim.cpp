#include "harness/certify/claim.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

#include "fakes/wire/certificates/digest.h"
#include "harness/check/probe.h"
#include "harness/objects/input_file.h"
#include "harness/scenario/scenario_files.h"
#include "reference/release/minors.h"
#include "reference/release/rule_set.h"

namespace nodebound::certify {

using kubelet_conformance::KubeletScenario;

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

Result<std::string> digest_of_scenarios(const std::filesystem::path& folder, ScenarioKind kind) {
  std::vector<std::filesystem::path> files = {folder / "fixtures.toml", folder / "profiles.toml"};
  if (kind == ScenarioKind::kubelet) files = {folder / "kubelet" / "profiles.toml"};
  const Result<std::vector<ScenarioFile>> of_scenarios = scenario_files(folder, kind);
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

/// The minor releases, by their place among all of them, that ask a step in the same probes.
using MinorsByProbes = std::map<std::string, std::vector<std::size_t>>;

// The probes depend on which of these rules are in force, and on nothing else of a release.
std::vector<bool> deciding_rules(const Check& check, const RuleSet& rules) {
  std::vector<bool> out = {rules.in_force(Rule::server_side_apply)};
  for (const Rule rule : check.rules) out.push_back(rules.in_force(rule));
  for (const auto& [way, rule] : check.way_rules) out.push_back(rules.in_force(rule));
  return out;
}

MinorsByProbes minors_by_probes(const Step& step, const Scenario& scenario, const std::vector<RuleSet>& minors) {
  MinorsByProbes out;
  // No probe depends on the bodies, which are most of a check.
  Check asked = *step.check;
  asked.body = asked.attributes = Object();
  asked.elsewhere.clear();
  const Expected usual{{}, asked.allow, asked.rules};
  std::map<std::pair<const Expected*, std::vector<bool>>, MinorsByProbes::iterator> known;
  for (std::size_t i = 0; i < minors.size(); ++i) {
    const Version& version = minors[i].release().version;
    if (!scenario.holds.contains(version) || !step.holds.contains(version)) continue;
    const std::vector<Expected>& others = step.check->elsewhere;
    const auto other =
        std::find_if(others.begin(), others.end(), [&](const Expected& one) { return one.holds.contains(version); });
    const Expected& expected = other == others.end() ? usual : *other;
    asked.allow = expected.allow;
    asked.rules = expected.rules;
    auto [found, is_new] = known.try_emplace({&expected, deciding_rules(asked, minors[i])});
    if (is_new) {
      std::string names;
      for (const Probe& probe : probes_of(asked, "", minors[i])) {
        names += (names.empty() ? "" : " ") + (probe.id.empty() ? "." : probe.id);
      }
      found->second = out.try_emplace(std::move(names)).first;
    }
    found->second->second.push_back(i);
  }
  return out;
}

/// A step's name, and how it is asked; steps that follow each other in the releases share one.
struct NamedStep {
  std::size_t first = 0;  ///< of the minors
  std::size_t place = 0;  ///< in the scenario, of the step that is asked then
  std::string name;
  MinorsByProbes minors;
};

// In the order of the minors in which they begin.
std::vector<NamedStep> named_steps(const Scenario& scenario, const std::vector<RuleSet>& minors) {
  std::vector<NamedStep> out;
  std::map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < scenario.steps.size(); ++i) {
    const Step& step = scenario.steps[i];
    if (!step.check) continue;
    MinorsByProbes of_step = minors_by_probes(step, scenario, minors);
    if (of_step.empty()) continue;
    std::size_t first = minors.size();
    for (const auto& [names, own] : of_step) first = std::min(first, own.front());
    const auto [place, is_new] = places.try_emplace(step.check->name, out.size());
    if (is_new) {
      out.push_back({first, i, step.check->name, std::move(of_step)});
      continue;
    }
    NamedStep& known = out[place->second];
    if (first < known.first) known.place = i;
    known.first = std::min(known.first, first);
    for (auto& [names, own] : of_step) {
      std::vector<std::size_t>& all = known.minors[names];
      all.insert(all.end(), own.begin(), own.end());
      std::sort(all.begin(), all.end());
    }
  }
  std::sort(out.begin(), out.end(), [](const NamedStep& a, const NamedStep& b) {
    return std::tie(a.first, a.place) < std::tie(b.first, b.place);
  });
  return out;
}

std::string list_head(const std::string& profile, int version, const char* what) {
  return "# The checks of " + profile + ", version " + std::to_string(version) + ": by scenario " + what +
         "\n# ci/freeze-checks writes this file. Once released it must not change: see scenarios/README.md.\n";
}

Result<std::vector<Scenario>> scenarios_of(const std::filesystem::path& folder, const std::string& profile,
                                           const Catalogue& catalogue) {
  LoadedScenarios loaded = load_scenarios(folder, catalogue, profile);
  if (!loaded.mistakes.empty()) return tl::unexpected<Error>(loaded.mistakes.front());
  std::erase_if(loaded.scenarios, [&](const Scenario& one) { return one.profile != profile; });
  // Two machines have the same scenarios in different folders.
  for (Scenario& one : loaded.scenarios) {
    one.file = ("scenarios" / std::filesystem::path(one.file).lexically_relative(folder)).generic_string();
  }
  return std::move(loaded.scenarios);
}

Result<std::vector<KubeletScenario>> kubelet_scenarios_of(const std::filesystem::path& folder,
                                                          const std::string& profile, const Catalogue& catalogue) {
  Result<std::vector<KubeletScenario>> out = kubelet_conformance::load_kubelet_scenarios(folder, catalogue);
  if (!out) return out;
  std::erase_if(*out, [&](const KubeletScenario& one) { return one.profile != profile; });
  const auto relative = [&](auto& all) {
    for (auto& each : all) {
      each.where = ("scenarios" / std::filesystem::path(each.where).lexically_relative(folder)).generic_string();
    }
  };
  for (KubeletScenario& one : *out) {
    relative(one.starts);
    relative(one.steps);
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
  std::string out = list_head(profile, version, "and step the probes, and the releases that have them.");
  for (const Scenario& scenario : scenarios) {
    if (scenario.profile != profile) continue;
    out += scenario.id + "\n";
    for (const NamedStep& step : named_steps(scenario, rules)) {
      for (const auto& [names, of] : step.minors) {
        out.append("  ").append(step.name).append(": ").append(names).append(" ").append(ranges_text(of, minors)) +=
            "\n";
      }
    }
  }
  return out;
}

std::string checks_of_kubelet_profile(const std::string& profile, int version,
                                      const std::vector<KubeletScenario>& scenarios, const Catalogue& catalogue) {
  const std::vector<Version> minors = minors_of(catalogue);
  std::string out = list_head(profile, version, "the starts and steps, and the releases that have them.");
  for (const KubeletScenario& scenario : scenarios) {
    if (scenario.profile != profile) continue;
    std::vector<std::pair<std::string, std::vector<std::size_t>>> named;
    const auto add = [&](const auto& all, const RuleSet& rules, std::size_t minor) {
      for (const auto& each : all) {
        if (!each.holds.at(rules)) continue;
        auto known = std::find_if(named.begin(), named.end(), [&](const auto& one) { return one.first == each.name; });
        if (known == named.end()) known = named.insert(named.end(), {each.name, {}});
        known->second.push_back(minor);
      }
    };
    for (std::size_t minor = 0; minor < minors.size(); ++minor) {
      const auto release = Release::make(catalogue, minors[minor], scenario.gates);
      if (!release) continue;
      const RuleSet rules(catalogue, *release);
      if (!scenario.holds.at(rules)) continue;
      add(scenario.starts, rules, minor);
      add(scenario.steps, rules, minor);
    }
    if (named.empty()) continue;
    out += scenario.id + "\n";
    for (const auto& [name, of] : named) out += "  " + name + ": " + ranges_text(of, minors) + "\n";
  }
  return out;
}

namespace {

/// A profile with its scenarios, and the list of its checks as it would be written now.
struct FoundProfile {
  ScenarioKind kind;
  Profile profile;
  std::vector<Scenario> scenarios;  ///< of an API server
  std::vector<KubeletScenario> of_kubelets;
  std::string checks;
};

Result<FoundProfile> profile_named(const std::filesystem::path& folder, const std::string& name,
                                   const Catalogue& catalogue) {
  const Result<Profiles> of_servers = profiles_of(folder);
  if (!of_servers) return tl::unexpected<Error>(of_servers.error());
  if (const auto found = of_servers->find(name); found != of_servers->end()) {
    auto scenarios = scenarios_of(folder, name, catalogue);
    if (!scenarios) return tl::unexpected<Error>(scenarios.error());
    std::string checks = checks_of_profile(name, found->second.version, *scenarios, catalogue);
    return FoundProfile{ScenarioKind::api_server, found->second, std::move(*scenarios), {}, std::move(checks)};
  }
  const Result<Profiles> of_kubelets = kubelet_profiles_of(folder);
  if (!of_kubelets) return tl::unexpected<Error>(of_kubelets.error());
  if (const auto found = of_kubelets->find(name); found != of_kubelets->end()) {
    auto scenarios = kubelet_scenarios_of(folder, name, catalogue);
    if (!scenarios) return tl::unexpected<Error>(scenarios.error());
    std::string checks = checks_of_kubelet_profile(name, found->second.version, *scenarios, catalogue);
    return FoundProfile{ScenarioKind::kubelet, found->second, {}, std::move(*scenarios), std::move(checks)};
  }
  std::string known;
  for (const Profiles& all : {*of_servers, *of_kubelets}) {
    for (const auto& [other, each] : all) known += (known.empty() ? "" : ", ") + other;
  }
  return input_error("--profile", "there is no profile \"" + name + "\"", "there are " + known);
}

}  // namespace

Result<std::string> checks_of_claim(const std::filesystem::path& folder, const Claim& claim,
                                    const Catalogue& catalogue) {
  Result<FoundProfile> found = profile_named(folder, claim.profile, catalogue);
  if (!found) return tl::unexpected<Error>(found.error());
  return std::move(found->checks);
}

Result<ClaimedSet> claimed_set(const std::filesystem::path& folder, Claim claim, const Catalogue& catalogue) {
  Result<FoundProfile> found = profile_named(folder, claim.profile, catalogue);
  if (!found) return tl::unexpected<Error>(found.error());
  const Profile& profile = found->profile;
  if (claim.version == 0) claim.version = profile.version;
  if (claim.version != profile.version) {
    return input_error("--profile",
                       claim.profile + " has version " + std::to_string(profile.version) + " here, not " +
                           std::to_string(claim.version),
                       "take the release of Nodebound that has it");
  }
  const std::filesystem::path file = checks_file(folder, claim.profile, claim.version);
  const auto frozen = bytes_of_file(file, input_limit::configuration);
  if (!frozen || *frozen != found->checks) {
    return input_error(
        file.string(),
        frozen ? "its checks are not those of version " + std::to_string(claim.version) + " of the profile any more"
               : "cannot be read: " + frozen.error(),
        "scenarios were changed: a new version of the profile is needed (scenarios/README.md)");
  }
  ClaimedSet out;
  out.claim = claim;
  out.scenarios = std::move(found->scenarios);
  out.of_kubelets = std::move(found->of_kubelets);
  out.profile_digest = sha256_hex(*frozen);
  out.catalogue_digest = digest_of_catalogue();
  Result<std::string> digest = digest_of_scenarios(folder, found->kind);
  if (!digest) return tl::unexpected<Error>(digest.error());
  out.scenarios_digest = std::move(*digest);
  if (claim.level == Level::extended) return out;
  const auto is_extended = [&](const std::string& gate) { return profile.extended_gates.contains(gate); };
  std::erase_if(out.scenarios,
                [&](const Scenario& one) { return std::any_of(one.gates.begin(), one.gates.end(), is_extended); });
  std::erase_if(out.of_kubelets, [&](const KubeletScenario& one) {
    return std::any_of(one.gates.begin(), one.gates.end(), [&](const auto& gate) { return is_extended(gate.first); });
  });
  return out;
}

}  // namespace nodebound::certify
