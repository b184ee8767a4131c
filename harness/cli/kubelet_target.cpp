#include "harness/cli/kubelet_target.h"

#include <chrono>
#include <iostream>

#include "harness/check/contained.h"
#include "harness/cli/commands/commands.h"
#include "harness/cli/console.h"
#include "harness/cli/report_files.h"
#include "harness/cli/serve/kubelet_connection.h"
#include "harness/cli/target_run.h"
#include "harness/endpoint/signals.h"
#include "harness/kubelet/kubelet_run.h"
#include "harness/run/description.h"
#include "reports/run/progress.h"

namespace nodebound::cli {
namespace {

/// The scenarios and steps that hold at the release.
Result<std::vector<kubelet_conformance::KubeletScenario>> selected(const KubeletRunFlags& flags,
                                                                   const Catalogue& catalogue, const Release& release) {
  const auto selector = Selector::make(flags.selection);
  if (!selector) return tl::unexpected(selector.error());
  auto all = kubelet_conformance::load_kubelet_scenarios(flags.scenarios, catalogue);
  if (!all) return all;
  const auto gates = parse_feature_gates(flags.target.feature_gates);
  if (!gates) return tl::unexpected(gates.error());
  kubelet_conformance::narrow_to(*all, release.version, *gates);
  std::erase_if(*all,
                [&](const kubelet_conformance::KubeletScenario& one) { return !selector->takes(one.id, one.profile); });
  return all;
}

void list_checks(const std::vector<kubelet_conformance::KubeletScenario>& scenarios) {
  for (const kubelet_conformance::KubeletScenario& scenario : scenarios) {
    for (const kubelet_conformance::KubeletStart& start : scenario.starts) {
      std::cout << "kubelet/" << scenario.id << '/' << start.name << "\n    start\n";
    }
    for (const kubelet_conformance::KubeletStep& step : scenario.steps) {
      std::cout << "kubelet/" << scenario.id << '/' << step.name << "\n    " << to_text(step.as) << ": " << step.method
                << ' ' << step.target << '\n';
    }
  }
}

/// The number of checks, with the gates of each scenario.
std::size_t count_checks(const std::vector<kubelet_conformance::KubeletScenario>& scenarios, const RuleSet& rules) {
  std::size_t out = 0;
  for (const kubelet_conformance::KubeletScenario& scenario : scenarios) {
    const auto own = Release::make(rules.catalogue(), rules.release().version, scenario.gates);
    const RuleSet known = own ? RuleSet(rules.catalogue(), *own) : rules;
    if (!scenario.holds.at(known)) continue;
    for (const kubelet_conformance::KubeletStart& start : scenario.starts) out += start.holds.at(known) ? 1 : 0;
    for (const kubelet_conformance::KubeletStep& step : scenario.steps) out += step.holds.at(known) ? 1 : 0;
  }
  return out;
}

}  // namespace

Result<Release> release_of_kubelets(const TargetFlags& target, const Catalogue& catalogue) {
  if (target.release.empty()) {
    return input_error("--release", "a kubelet does not say of which release it is",
                       "say --release, like --release 1.36.3");
  }
  return named_release(catalogue, target.release, target.feature_gates);
}

Result<Report> run_kubelets(const std::vector<kubelet_conformance::KubeletScenario>& scenarios,
                            kubelet_conformance::KubeletSource& kubelets, kubelet_conformance::KubeletCluster& cluster,
                            const RuleSet& rules, const KubeletRunFlags& flags) {
  ProgressBar progress(std::cerr, count_checks(scenarios, rules), progress_style(flags.quiet));
  kubelet_conformance::KubeletRunOptions options;
  options.judged = [&](const CheckResult& result) {
    progress.advance(result.verdict, result.scenario);
    return !flags.fail_fast || result.verdict != Verdict::fail;
  };
  Result<Report> report = contained([&]() -> Result<Report> {
    return kubelet_conformance::run_kubelet_scenarios(scenarios, kubelets, cluster, rules.catalogue(),
                                                      rules.release().version, options);
  });
  progress.finish();
  if (!report) return report;
  describe_kubelet(*report, kubelets.name(), rules);
  report->run.host = host_name();
  report->run.tool_version = NODEBOUND_VERSION;
  return report;
}

namespace {

int ask(const std::vector<kubelet_conformance::KubeletScenario>& scenarios, const RuleSet& rules,
        const KubeletRunFlags& flags) {
  const auto declared = read_deviations(flags.deviations);
  if (!declared) return fail(declared.error());
  install_signal_handlers();
  end_run_after(flags.target.requests.run_time);
  const auto begin = std::chrono::steady_clock::now();
  const std::string started = utc_now();
  auto connection = connect_kubelet(flags, rules);
  if (!connection) return fail(connection.error());
  Result<Report> asked = run_kubelets(scenarios, *connection->kubelets, *connection->cluster, rules, flags);
  if (!asked) {
    connection->clean_up(flags);
    return fail(asked.error());
  }
  Report& report = *asked;
  report.run.started = started;
  report.run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const int left = connection->clean_up(flags);
  const Result<std::string> note = apply_deviations(flags.deviations, *declared, report, [&] {
    return kubelet_conformance::ids_of_checks(flags.scenarios, rules.catalogue());
  });
  const int told = tell(report, flags.out, flags.verbose, flags.fail_fast);
  if (flags.github) tell_github(report);
  if (!note) return fail(note.error());
  std::cout << *note;
  return left != conforms ? left : told;
}

}  // namespace

void RunningKubeletFlags::add_to(CLI::App& command) {
  command.add_option("--kubelet-files", files,
                     "For kubelet:URL: folder with the kubeconfig and client-ca.crt that the kubelet was started with; "
                     "made if it is not there (default: OUT/kubelet)");
  command.add_option("--kubelet-config", configuration,
                     "For kubelet:URL: its configuration file (default: what it says on /configz)");
  command.add_option("--kubelet-cluster", cluster,
                     "For kubelet:URL: its cluster, as kubeconfig[:FILE][#CONTEXT]; rights are then granted there, by "
                     "RBAC (default: the suite is its API server)");
  command.add_option("--kubelet-ca", authority,
                     "For kubelet:URL: the authority that its serving certificate is signed by, PEM");
  command.add_option("--kubelet-fingerprint", fingerprint,
                     "For kubelet:URL: the SHA-256 fingerprint of its serving certificate");
  command.add_option("--node", node, "For kubelet:URL: name of its Node");
}

int run_against_kubelet(const KubeletRunFlags& flags) {
  const Catalogue& catalogue = Catalogue::built_in();
  const Result<Release> release = release_of_kubelets(flags.target, catalogue);
  if (!release) return fail(release.error());
  const auto scenarios = selected(flags, catalogue, *release);
  if (!scenarios) return fail(scenarios.error());
  if (scenarios->empty()) {
    std::cerr << "nodebound: no scenario of kubelets is selected that holds at " << release->version.text() << '\n';
    return nothing_ran;
  }
  if (!flags.dry_run) return ask(*scenarios, RuleSet(catalogue, *release), flags);
  list_checks(*scenarios);
  return conforms;
}

}  // namespace nodebound::cli
