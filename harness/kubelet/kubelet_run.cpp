#include "harness/kubelet/kubelet_run.h"

#include "harness/endpoint/signals.h"
#include "harness/kubelet/kubelet_process.h"

namespace nodebound {
namespace {

/// One scenario at a release.
class ScenarioRun {
 public:
  ScenarioRun(const KubeletScenario& scenario, const KubeletRoom& room, const RuleSet& rules,
              const KubeletRunOptions& options)
      : scenario_(scenario), room_(room), rules_(rules), options_(options) {}

  bool run() {
    if (const auto trusted = room_.around.files.trust(); !trusted) {
      return note_all(Verdict::inconclusive, trusted.error().text());
    }
    for (const KubeletStart& start : scenario_.starts) {
      if (start.holds.at(rules_) && !interrupted() && !options_.judged(checked(start))) return false;
    }
    return scenario_.steps.empty() || run_steps();
  }

  /// Nothing of it can be asked.
  bool note_all(Verdict verdict, const std::string& why) {
    const auto note = [&](const auto& one) {
      CheckResult result = described(scenario_, one);
      result.verdict = verdict;
      result.why = why;
      return !one.holds.at(rules_) || options_.judged(result);
    };
    bool on = true;
    for (const KubeletStart& start : scenario_.starts) on = on && note(start);
    for (const KubeletStep& step : scenario_.steps) on = on && note(step);
    return on;
  }

 private:
  bool run_steps() {
    const auto kubelet = room_.starter.start(KubeletStartup::of(scenario_), rules_);
    if (!kubelet) return note_all(Verdict::inconclusive, kubelet.error().text());
    KubeletCheck checks(scenario_, rules_, room_.around, **kubelet);
    for (const KubeletStep& step : scenario_.steps) {
      if (step.holds.at(rules_) && !interrupted() && !options_.judged(checks.check(step))) return false;
    }
    return true;
  }

  CheckResult checked(const KubeletStart& start) {
    CheckResult out = described(scenario_, start);
    KubeletStartup startup = KubeletStartup::of(scenario_);
    startup.config.merge_patch(start.config);
    startup.flags.insert(startup.flags.end(), start.flags.begin(), start.flags.end());
    startup.kubeconfig = start.kubeconfig;
    const auto kubelet = room_.starter.start(startup, rules_);
    out.expected = start.error.empty() ? "it starts" : "it ends with \"" + start.error + "\"";
    out.observed = kubelet ? "it starts" : kubelet.error().text();
    out.evidence.request = "start";
    out.evidence.decision = kubelet ? "allowed" : "refused";
    const bool right =
        start.error.empty() ? kubelet.has_value() : !kubelet && out.observed.find(start.error) != std::string::npos;
    out.verdict = right ? Verdict::pass : Verdict::fail;
    if (!right) out.why = "expected that " + out.expected + ", found: " + out.observed;
    return out;
  }

  const KubeletScenario& scenario_;
  const KubeletRoom& room_;
  const RuleSet& rules_;
  const KubeletRunOptions& options_;
};

}  // namespace

bool run_kubelet_scenario(const KubeletScenario& scenario, const KubeletRoom& room, const Catalogue& catalogue,
                          const Release& release, const KubeletRunOptions& options) {
  const auto own = Release::make(catalogue, release.version, scenario.gates);
  const RuleSet rules(catalogue, own ? *own : release);
  if (!scenario.holds.at(rules)) return true;
  ScenarioRun run(scenario, room, rules, options);
  return own ? run.run() : run.note_all(Verdict::skip, own.error().text());
}

Result<Report> run_kubelet_scenarios(const std::vector<KubeletScenario>& scenarios, const KubeletTarget& target,
                                     const Catalogue& catalogue, const Release& release,
                                     const KubeletRunOptions& options) {
  const auto authority = CertificateAuthority::create("nodebound-clients");
  if (!authority) return tl::unexpected(authority.error());
  ReviewServer reviews(kubelet_node);
  if (auto listens = reviews.listen(*authority); !listens) return tl::unexpected(listens.error());
  auto callers = KubeletCallers::create(*authority);
  if (!callers) return tl::unexpected(callers.error());
  const auto files = KubeletFiles::write(target.folder, *authority, reviews.port());
  if (!files) return tl::unexpected(files.error());
  KubeletProcesses processes(target.command, *files);
  Report report;
  KubeletRunOptions noting;
  noting.judged = [&](const CheckResult& result) {
    report.checks.push_back(result);
    return options.judged(result);
  };
  const KubeletRoom room{processes, {reviews, *callers, *files}};
  for (const KubeletScenario& scenario : scenarios) {
    if (interrupted() || !run_kubelet_scenario(scenario, room, catalogue, release, noting)) break;
  }
  return report;
}

}  // namespace nodebound
