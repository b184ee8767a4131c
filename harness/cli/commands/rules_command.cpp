#include <iostream>
#include <set>

#include "harness/cli/commands/commands.h"
#include "harness/cli/console.h"
#include "harness/cli/rules/rules_listing.h"
#include "harness/cli/scenarios_option.h"
#include "harness/cli/target_run.h"
#include "harness/kubelet/kubelet_scenario.h"
#include "reference/release/toml_reader.h"

namespace nodebound::cli {
namespace {

struct RulesFlags {
  std::string id;
  std::string release;
  std::string feature_gates;
  std::string since;
  std::string profile;
  std::string scenarios;
  std::string format = "table";
  bool gates = false;
  bool verbose = false;
};

template <typename Model>
int show(const Model& model, const Catalogue& catalogue, const RulesFlags& flags) {
  if (flags.format == "json") {
    std::cout << to_json(model, catalogue);
  } else if (flags.format == "markdown") {
    std::cout << to_markdown(model, catalogue);
  } else if constexpr (std::is_same_v<Model, RuleListing>) {
    std::cout << to_terminal(model, catalogue, terminal_style(flags.verbose), flags.verbose || !on_terminal());
  } else {
    std::cout << to_terminal(model, catalogue, terminal_style(flags.verbose));
  }
  return conforms;
}

Result<std::optional<Release>> wanted_release(const RulesFlags& flags, const Catalogue& catalogue) {
  if (flags.release.empty() && flags.feature_gates.empty()) return std::optional<Release>();
  Result<Release> release =
      named_release(catalogue, flags.release.empty() ? reference_release : flags.release, flags.feature_gates);
  if (!release) return tl::unexpected<Error>(release.error());
  return std::optional(std::move(*release));
}

// A scenario of a kubelet's own API, reduced to what a listing shows.
Scenario shown(const kubelet_conformance::KubeletScenario& kubelet) {
  Scenario out;
  out.id = "kubelet/" + kubelet.id;
  out.title = kubelet.title;
  out.profile = kubelet.profile;
  const auto list = [&](const auto& one, bool allow) {
    const std::size_t colon = one.where.rfind(':');
    out.file = one.where.substr(0, colon);
    Check check;
    check.name = one.name;
    check.allow = allow;
    check.rules = one.rules;
    Step& listed = out.steps.emplace_back();
    listed.name = one.name;
    listed.line = std::atoi(one.where.c_str() + colon + 1);
    listed.check = std::move(check);
  };
  for (const kubelet_conformance::KubeletStart& start : kubelet.starts) list(start, start.error.empty());
  for (const kubelet_conformance::KubeletStep& step : kubelet.steps)
    list(step, step.expect == kubelet_conformance::KubeletStep::Expect::allowed);
  return out;
}

Result<std::vector<Scenario>> all_scenarios(const RulesFlags& flags, const Catalogue& catalogue) {
  Result<std::vector<Scenario>> out = selected_scenarios(flags.scenarios, {}, catalogue);
  if (!out) return out;
  const auto kubelets = kubelet_conformance::load_kubelet_scenarios(flags.scenarios, catalogue);
  if (!kubelets) return tl::unexpected<Error>(kubelets.error());
  for (const kubelet_conformance::KubeletScenario& kubelet : *kubelets) out->push_back(shown(kubelet));
  return out;
}

Result<std::vector<Rule>> rules_of_profile(const RulesFlags& flags, const Catalogue& catalogue) {
  Result<std::vector<Scenario>> scenarios = all_scenarios(flags, catalogue);
  if (!scenarios) return tl::unexpected<Error>(scenarios.error());
  std::set<std::string> profiles;
  for (const Scenario& scenario : *scenarios) profiles.insert(scenario.profile);
  if (!profiles.contains(flags.profile)) {
    std::string known;
    for (const std::string& profile : profiles) known += (known.empty() ? "" : ", ") + profile;
    return input_error("--profile",
                       "no scenario has the profile \"" + flags.profile + "\"" +
                           did_you_mean(flags.profile, {profiles.begin(), profiles.end()}),
                       "there are: " + known);
  }
  std::erase_if(*scenarios, [&](const Scenario& scenario) { return scenario.profile != flags.profile; });
  return rules_exercised(*scenarios);
}

int show_rule(const RulesFlags& flags, const Catalogue& catalogue, std::optional<Release> release) {
  const std::optional<Rule> rule = catalogue.find(flags.id);
  if (!rule) {
    std::vector<std::string> known;
    for (const RuleEntry& entry : catalogue.rules()) known.push_back(entry.id);
    return fail(Error{Error::Kind::input, "", "no rule has the id \"" + flags.id + "\"" + did_you_mean(flags.id, known),
                      "`nodebound rules` lists them all"});
  }
  const Result<std::vector<Scenario>> scenarios = all_scenarios(flags, catalogue);
  if (!scenarios) return fail(scenarios.error());
  return show(RuleDetails{*rule, std::move(release), uses_of(*rule, *scenarios)}, catalogue, flags);
}

int rules(const RulesFlags& flags) {
  const Catalogue& catalogue = Catalogue::built_in();
  Result<std::optional<Release>> release = wanted_release(flags, catalogue);
  if (!release) return fail(release.error());
  if (flags.gates) return show(list_gates(catalogue, std::move(*release)), catalogue, flags);
  if (!flags.id.empty()) return show_rule(flags, catalogue, std::move(*release));
  RuleFilter filter{std::move(*release), {}, {}};
  if (!flags.since.empty()) {
    const Result<Version> since = parse_version("--since", flags.since);
    if (!since) return fail(since.error());
    filter.since = *since;
  }
  if (!flags.profile.empty()) {
    Result<std::vector<Rule>> exercised = rules_of_profile(flags, catalogue);
    if (!exercised) return fail(exercised.error());
    filter.exercised = std::move(*exercised);
  }
  return show(list_rules(catalogue, std::move(filter)), catalogue, flags);
}

}  // namespace

void add_rules_command(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<RulesFlags>();
  CLI::App* command = app.add_subcommand("rules", "List the rules of what a node may do, or show one");
  CLI::Option* id = command->add_option("id", flags->id, "Show this rule with its history, gates and scenarios");
  command->add_option("--release", flags->release, "Only rules in force at this release, like 1.32.5");
  command->add_option("--feature-gates", flags->feature_gates, "Gates set apart from the release's defaults");
  CLI::Option* since = command->add_option("--since", flags->since,
                                           "Only rules that came or went at this release or "
                                           "later, back-ports included");
  CLI::Option* profile = command->add_option("--profile", flags->profile, "Only rules that its scenarios exercise");
  CLI::Option* gates = command->add_flag("--gates", flags->gates, "List the feature gates that rules depend on");
  add_scenarios_option(*command, flags->scenarios);
  command->add_flag("--verbose", flags->verbose, "Cut nothing");
  add_format_flag(*command, flags->format);
  gates->excludes(id)->excludes(since)->excludes(profile);
  id->excludes(since)->excludes(profile);
  command->callback([flags, &exit_code] { exit_code = rules(*flags); });
}

}  // namespace nodebound::cli
