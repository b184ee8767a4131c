#include "harness/cli/kubelet_target.h"

#include <chrono>
#include <iostream>
#include <regex>

#include "harness/cli/commands.h"
#include "harness/cli/console.h"
#include "harness/cli/target.h"
#include "harness/cli/target_run.h"
#include "harness/endpoint/signals.h"
#include "harness/kubelet/kubelet_run.h"
#include "reports/files.h"
#include "reports/json.h"
#include "reports/junit.h"
#include "reports/progress.h"
#include "reports/terminal.h"

namespace nodebound {
namespace {

Result<std::regex> pattern_of(const char* flag, const std::string& text) {
  try {
    return std::regex(text);
  } catch (const std::regex_error& error) {
    return input_error(flag, "\"" + text + "\" is no regular expression: " + error.what());
  }
}

Result<std::vector<KubeletScenario>> selected(const KubeletRunFlags& flags, const Catalogue& catalogue) {
  auto all = load_kubelet_scenarios(flags.scenarios, catalogue);
  if (!all) return all;
  const Selection& by = flags.selection;
  const auto focus = pattern_of("--focus", by.focus);
  if (!focus) return tl::unexpected(focus.error());
  const auto skip = pattern_of("--skip", by.skip);
  if (!skip) return tl::unexpected(skip.error());
  std::erase_if(*all, [&](const KubeletScenario& one) {
    return (!by.profile.empty() && one.profile != by.profile) || !std::regex_search(one.id, *focus) ||
           (!by.skip.empty() && std::regex_search(one.id, *skip));
  });
  return all;
}

std::size_t count_checks(const std::vector<KubeletScenario>& scenarios, const RuleSet& rules) {
  std::size_t out = 0;
  for (const KubeletScenario& scenario : scenarios) {
    if (!scenario.holds.at(rules)) continue;
    for (const KubeletStart& start : scenario.starts) out += start.holds.at(rules) ? 1 : 0;
    for (const KubeletStep& step : scenario.steps) out += step.holds.at(rules) ? 1 : 0;
  }
  return out;
}

void describe(Report& report, const KubeletRunFlags& flags, const Release& release, const Catalogue& catalogue) {
  report.run.started = utc_now();
  report.run.host = host_name();
  report.run.tool_version = NODEBOUND_VERSION;
  report.target.name = "kubelet:" + flags.command;
  report.target.version = release.version.text();
  report.release.version = release.version.text();
  report.release.feature_gates = release.changed_gates(catalogue);
  report.release.rules_in_force = count_rules(RuleSet(catalogue, release), true);
}

int write_and_say(const Report& report, const KubeletRunFlags& flags) {
  const std::filesystem::path folder(flags.out);
  for (const auto& [name, text] : {std::pair{"report.json", to_json(report)}, {"junit.xml", to_junit(report)}}) {
    if (Result<void> written = write_file(folder / name, text); !written) return fail(written.error());
  }
  std::cout << to_terminal(report, terminal_style(flags.verbose)) << "Reports: " << flags.out << "/report.json, "
            << flags.out << "/junit.xml\n";
  return interrupted() ? could_not_tell : exit_code(report);
}

}  // namespace

int run_against_kubelet(const KubeletRunFlags& flags) {
  const Catalogue& catalogue = Catalogue::built_in();
  if (flags.release.empty()) {
    return fail(input_error("--release", "a kubelet does not say of which release it is",
                            "say --release, like --release 1.36.3")
                    .value());
  }
  const Result<Release> release = named_release(catalogue, flags.release, flags.feature_gates);
  if (!release) return fail(release.error());
  auto scenarios = selected(flags, catalogue);
  if (!scenarios) return fail(scenarios.error());
  const RuleSet rules(catalogue, *release);
  if (count_checks(*scenarios, rules) == 0) {
    std::cerr << "nodebound: no scenario of kubelets is selected that holds at " << release->version.text() << '\n';
    return nothing_ran;
  }
  if (flags.dry_run) {
    for (const KubeletScenario& scenario : *scenarios) {
      for (const KubeletStart& start : scenario.starts) {
        std::cout << "kubelet/" << scenario.id << '/' << start.name << "\n    start\n";
      }
      for (const KubeletStep& step : scenario.steps) {
        std::cout << "kubelet/" << scenario.id << '/' << step.name << "\n    " << step.as << ": " << step.method << ' '
                  << step.target << '\n';
      }
    }
    return conforms;
  }
  install_signal_handlers();
  const auto begin = std::chrono::steady_clock::now();
  ProgressBar progress(std::cerr, count_checks(*scenarios, rules), progress_style());
  KubeletRunOptions options;
  options.judged = [&](const CheckResult& result) {
    progress.advance(result.verdict, result.scenario);
    return true;
  };
  const KubeletTarget target{flags.command, flags.out + "/kubelet"};
  Result<Report> report = run_kubelet_scenarios(*scenarios, target, catalogue, *release, options);
  progress.finish();
  if (!report) return fail(report.error());
  describe(*report, flags, *release, catalogue);
  report->run.requests = report->checks.size();
  report->run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return write_and_say(*report, flags);
}

}  // namespace nodebound
