#include <iostream>
#include <map>

#include "harness/cli/commands/commands.h"
#include "harness/cli/console.h"
#include "harness/cli/rules/coverage.h"
#include "harness/cli/scenarios_option.h"
#include "harness/cli/target.h"
#include "harness/lint/configuration.h"
#include "harness/objects/input_file.h"
#include "harness/scenario/loader.h"
#include "reports/text.h"

namespace nodebound::cli {
namespace {

struct LintFlags {
  std::vector<std::string> configurations;
  std::string scenarios;
  std::string release = reference_release;
  std::string feature_gates;
  bool coverage = false;
};

// Each rule needs a check that it permits and a check that it refuses: otherwise a fault in the rule goes unnoticed.
int report_coverage(const std::vector<Scenario>& scenarios, const RuleSet& rules) {
  std::size_t uncovered = 0;
  const std::vector<RuleCoverage> coverage = coverage_of(scenarios, rules);
  for (const RuleCoverage& entry : coverage) {
    const bool only_reason = rules.catalogue()[entry.rule].effect == Effect::reason;
    if ((entry.permits > 0 || only_reason) && entry.refuses > 0) continue;
    ++uncovered;
    std::cout << rules.catalogue()[entry.rule].id << ": no check that it "
              << (entry.permits == 0 && entry.refuses == 0 ? "permits or refuses"
                  : entry.permits == 0                     ? "permits"
                                                           : "refuses")
              << '\n';
  }
  std::cout << coverage.size() - uncovered << " of " << coverage.size() << " rules in force at "
            << rules.release().version.text() << " are exercised both ways\n";
  return uncovered == 0 ? conforms : does_not_conform;
}

// What a release makes of configurations of kube-apiserver and kubelets.
int lint_configurations(const LintFlags& flags) {
  const Catalogue& catalogue = Catalogue::built_in();
  const Result<Release> release = named_release(catalogue, flags.release, flags.feature_gates);
  if (!release) return fail(release.error());
  const RuleSet rules(catalogue, *release);
  std::map<lint::Remark::Kind, std::size_t> counts;
  for (const std::string& file : flags.configurations) {
    const Result<std::string> text = read_input(file, input_limit::configuration);
    if (!text) return fail(text.error());
    const std::string name = file == "-" ? "standard input" : file;
    const Result<lint::LintedConfiguration> linted = lint::lint_configuration(*text, name, rules);
    if (!linted) return fail(linted.error());
    for (const lint::Remark& remark : linted->remarks) {
      ++counts[remark.kind];
      std::cout << printable(remark.where) << ": " << to_string(remark.kind) << ": " << printable_lines(remark.what)
                << '\n';
      if (!remark.advice.empty()) std::cout << "  " << printable(remark.advice) << '\n';
    }
    if (linted->remarks.empty())
      std::cout << printable(name) << ": " << to_string(linted->kind) << ": nothing to say\n";
  }
  std::cout << "Kubernetes " << release->version.text();
  for (const auto kind : {lint::Remark::Kind::refused, lint::Remark::Kind::ignored, lint::Remark::Kind::unsafe,
                          lint::Remark::Kind::unknown}) {
    if (kind == lint::Remark::Kind::unknown && counts[kind] == 0) continue;
    std::cout << (kind == lint::Remark::Kind::refused ? ": " : ", ") << counts[kind] << ' ' << to_string(kind);
  }
  std::cout << '\n';
  if (counts[lint::Remark::Kind::refused] + counts[lint::Remark::Kind::ignored] + counts[lint::Remark::Kind::unsafe] >
      0) {
    return does_not_conform;
  }
  return counts[lint::Remark::Kind::unknown] > 0 ? could_not_tell : conforms;
}

int lint_scenarios(const LintFlags& flags) {
  const Catalogue& catalogue = Catalogue::built_in();
  const LoadedScenarios loaded = load_scenarios(flags.scenarios, catalogue);
  for (const Error& mistake : loaded.mistakes) complain(mistake.text());
  for (const Error& warning : loaded.warnings) complain("warning: " + warning.text());
  if (!loaded.mistakes.empty()) return bad_input;
  std::size_t checks = 0;
  for (const Scenario& scenario : loaded.scenarios) {
    for (const Step& step : scenario.steps) checks += step.check ? 1U : 0U;
  }
  std::cout << loaded.scenarios.size() << " scenarios with " << checks << " checks are well-formed\n";
  if (!flags.coverage) return checks == 0 ? nothing_ran : conforms;
  const Result<Release> release = named_release(catalogue, flags.release, flags.feature_gates);
  if (!release) return fail(release.error());
  return report_coverage(loaded.scenarios, RuleSet(catalogue, *release));
}

}  // namespace

void add_lint_command(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<LintFlags>();
  CLI::App* command = app.add_subcommand("lint", "Check scenarios, or configurations of kube-apiserver and kubelets");
  command->add_option("FILE", flags->configurations,
                      "Flags of kube-apiserver (a Pod manifest, a unit file, a command), AuthorizationConfigurations, "
                      "KubeletConfigurations or policies "
                      "of mode ABAC; - is standard input. Without files, scenarios are checked");
  add_scenarios_option(*command, flags->scenarios);
  command
      ->add_option("--release", flags->release,
                   "Release that reads the configurations, or whose rules --coverage looks at")
      ->capture_default_str();
  command->add_option("--feature-gates", flags->feature_gates, "Gates set apart from the release's defaults");
  command->add_flag("--coverage", flags->coverage, "List rules in force that no check permits or no check refuses");
  command->callback([flags, &exit_code] {
    exit_code = flags->configurations.empty() ? lint_scenarios(*flags) : lint_configurations(*flags);
  });
}

}  // namespace nodebound::cli
