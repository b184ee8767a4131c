#include "harness/kubelet/kubelet_run.h"

#include "harness/endpoint/signals.h"
#include "harness/kubelet/kubelet_check.h"

namespace nodebound {
namespace {

/// Runs one scenario after the other, each with the kubelet that it needs.
class KubeletRun {
 public:
  KubeletRun(KubeletSource& kubelets, KubeletCluster& cluster, const Catalogue& catalogue, const Version& version,
             const KubeletRunOptions& options)
      : kubelets_(kubelets), cluster_(cluster), catalogue_(catalogue), version_(version), options_(options) {}

  [[nodiscard]] bool ended() const { return interrupted() || !goes_on_; }

  void run(const KubeletScenario& scenario) {
    GateSettings gates = Release::taken(catalogue_, version_, kubelets_.gates());
    const RuleSet known(catalogue_, *Release::make(catalogue_, version_, gates));
    if (const std::string why = kubelets_.unsuitable(scenario, known); !why.empty()) {
      return note_all(scenario, known, Verdict::skip, why);
    }
    gates.insert(scenario.gates.begin(), scenario.gates.end());
    const auto own = Release::make(catalogue_, version_, gates);
    if (!own) return note_all(scenario, known, Verdict::skip, own.error().text());
    const RuleSet rules(catalogue_, *own);
    if (!scenario.holds.at(rules)) return;
    for (const KubeletStart& start : scenario.starts) {
      if (start.holds.at(rules) && !ended()) note(checked(scenario, start, rules));
    }
    if (!scenario.steps.empty() && !ended()) run_steps(scenario, rules);
  }

  Report take() { return std::move(report_); }

 private:
  void run_steps(const KubeletScenario& scenario, const RuleSet& rules) {
    const auto kubelet = kubelets_.start(KubeletStartup::of(scenario), rules);
    if (!kubelet) return note_all(scenario, rules, Verdict::inconclusive, kubelet.error().text());
    KubeletCheck checks(scenario, rules, cluster_, **kubelet);
    for (const KubeletStep& step : scenario.steps) {
      if (step.holds.at(rules) && !ended()) note(checks.check(step));
    }
  }

  CheckResult checked(const KubeletScenario& scenario, const KubeletStart& start, const RuleSet& rules) {
    CheckResult out = described(scenario, start);
    KubeletStartup startup = KubeletStartup::of(scenario);
    startup.config.merge_patch(start.config);
    startup.flags.insert(startup.flags.end(), start.flags.begin(), start.flags.end());
    startup.kubeconfig = start.kubeconfig;
    const auto kubelet = kubelets_.start(startup, rules);
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

  void note(const CheckResult& result) {
    goes_on_ = options_.judged(result) && goes_on_;
    report_.checks.push_back(result);
  }

  void note_all(const KubeletScenario& scenario, const RuleSet& rules, Verdict verdict, const std::string& why) {
    const auto note_each = [&](const auto& all) {
      for (const auto& one : all) {
        if (!one.holds.at(rules)) continue;
        CheckResult result = described(scenario, one);
        result.verdict = verdict;
        result.why = why;
        note(result);
      }
    };
    note_each(scenario.starts);
    note_each(scenario.steps);
  }

  KubeletSource& kubelets_;
  KubeletCluster& cluster_;
  const Catalogue& catalogue_;
  const Version& version_;
  const KubeletRunOptions& options_;
  Report report_;
  bool goes_on_ = true;
};

}  // namespace

Report run_kubelet_scenarios(const std::vector<KubeletScenario>& scenarios, KubeletSource& kubelets,
                             KubeletCluster& cluster, const Catalogue& catalogue, const Version& version,
                             const KubeletRunOptions& options) {
  KubeletRun run(kubelets, cluster, catalogue, version, options);
  for (const KubeletScenario& scenario : scenarios) {
    if (scenario.holds.releases.contains(version) && !run.ended()) run.run(scenario);
  }
  return run.take();
}

}  // namespace nodebound
