#include "harness/kubelet/kubelet_run.h"

#include <atomic>

#include "harness/endpoint/signals.h"
#include "harness/kubelet/kubelet_check.h"

namespace nodebound::kubelet_conformance {
namespace {

/// Whether a kubelet starts with a configuration.
class StartQuestion final : public CheckQuestion {
 public:
  StartQuestion(KubeletSource& kubelets, const KubeletScenario& scenario, const KubeletStart& start,
                const RuleSet& rules)
      : kubelets_(kubelets), scenario_(scenario), start_(start), rules_(rules) {}

  [[nodiscard]] std::vector<Capability> needs() const override { return {Capability::kubelet_request}; }

  Judgement ask(CheckResult& out) override {
    KubeletStartup startup = KubeletStartup::of(scenario_);
    startup.config.merge_patch(start_.config);
    startup.flags.insert(startup.flags.end(), start_.flags.begin(), start_.flags.end());
    startup.kubeconfig = start_.kubeconfig;
    const auto kubelet = kubelets_.start(startup, rules_);
    out.expected = start_.error.empty() ? "it starts" : "it ends with \"" + start_.error + "\"";
    out.evidence.request = "start";
    const std::string observed = kubelet ? "it starts" : kubelet.error().text();
    const auto decision = kubelet ? Answer::Kind::allowed : Answer::Kind::refused;
    const bool right =
        start_.error.empty() ? kubelet.has_value() : !kubelet && observed.find(start_.error) != std::string::npos;
    if (right) return {{Reason::Kind::met, {}}, observed, decision};
    return {{Reason::Kind::differs, {"expected that " + out.expected + ", found: " + observed}}, observed, decision};
  }

 private:
  KubeletSource& kubelets_;
  const KubeletScenario& scenario_;
  const KubeletStart& start_;
  const RuleSet& rules_;
};

/// Runs one scenario after the other, each with the kubelet that it needs.
class KubeletRun {
 public:
  KubeletRun(KubeletSource& kubelets, KubeletCluster& cluster, const Catalogue& catalogue, const Version& version,
             const KubeletRunOptions& options)
      : kubelets_(kubelets),
        cluster_(cluster),
        catalogue_(catalogue),
        version_(version),
        run_{.can = kubelets.capabilities(),
             .enough = enough_,
             .judged = [&](const CheckResult& result) { enough_ = !options.judged(result) || enough_; }},
        engine_(run_) {}

  [[nodiscard]] bool ended() const { return interrupted() || enough_; }

  void run(const KubeletScenario& scenario) {
    GateSettings gates = Release::taken(catalogue_, version_, kubelets_.gates());
    const RuleSet known(catalogue_, *Release::make(catalogue_, version_, gates));
    if (const std::string why = kubelets_.unsuitable(scenario, known); !why.empty()) {
      return leave_out(scenario, known, {Reason::Kind::not_asked, {why}});
    }
    gates.insert(scenario.gates.begin(), scenario.gates.end());
    const auto own = Release::make(catalogue_, version_, gates);
    if (!own) return leave_out(scenario, known, {Reason::Kind::not_asked, {own.error().text()}});
    const RuleSet rules(catalogue_, *own);
    if (!scenario.holds.at(rules)) return;
    for (const KubeletStart& start : scenario.starts) {
      if (!start.holds.at(rules) || ended()) continue;
      StartQuestion question(kubelets_, scenario, start, rules);
      engine_.check(described(scenario, start), question);
    }
    if (!scenario.steps.empty() && !ended()) run_steps(scenario, rules);
  }

  Report take() {
    Report out;
    out.checks = engine_.take();
    return out;
  }

 private:
  void run_steps(const KubeletScenario& scenario, const RuleSet& rules) {
    const auto kubelet = kubelets_.start(KubeletStartup::of(scenario), rules);
    if (!kubelet) return leave_out(scenario, rules, {Reason::Kind::stopped, {kubelet.error().text()}});
    KubeletCheck checks(scenario, rules, cluster_, **kubelet);
    for (const KubeletStep& step : scenario.steps) {
      if (!step.holds.at(rules) || ended()) continue;
      KubeletStepQuestion question(checks, step);
      engine_.check(described(scenario, step), question);
    }
  }

  void leave_out(const KubeletScenario& scenario, const RuleSet& rules, const Reason& why) {
    const auto leave_out_each = [&](const auto& all) {
      for (const auto& one : all) {
        if (one.holds.at(rules)) engine_.leave_out(described(scenario, one), why);
      }
    };
    leave_out_each(scenario.starts);
    leave_out_each(scenario.steps);
  }

  KubeletSource& kubelets_;
  KubeletCluster& cluster_;
  const Catalogue& catalogue_;
  const Version& version_;
  std::atomic<bool> enough_ = false;
  CheckRun run_;
  CheckEngine engine_;
};

}  // namespace

void narrow_to(std::vector<KubeletScenario>& scenarios, const Version& version, const GateSettings& gates) {
  const auto is_of_others = [&](const auto& each) { return !each.holds.releases.contains(version); };
  for (KubeletScenario& one : scenarios) {
    one.gates.insert(gates.begin(), gates.end());
    std::erase_if(one.starts, is_of_others);
    std::erase_if(one.steps, is_of_others);
  }
  std::erase_if(scenarios, [&](const KubeletScenario& one) {
    return is_of_others(one) || (one.starts.empty() && one.steps.empty());
  });
}

std::vector<std::string> ids_of_checks(const std::filesystem::path& folder, const Catalogue& catalogue) {
  std::vector<std::string> out;
  const auto scenarios = load_kubelet_scenarios(folder, catalogue);
  if (!scenarios) return out;
  for (const KubeletScenario& scenario : *scenarios) {
    const std::string of = "kubelet/" + scenario.id + "/";
    for (const KubeletStart& start : scenario.starts) out.push_back(of + start.name);
    for (const KubeletStep& step : scenario.steps) out.push_back(of + step.name);
  }
  return out;
}

Report run_kubelet_scenarios(const std::vector<KubeletScenario>& scenarios, KubeletSource& kubelets,
                             KubeletCluster& cluster, const Catalogue& catalogue, const Version& version,
                             const KubeletRunOptions& options) {
  KubeletRun run(kubelets, cluster, catalogue, version, options);
  for (const KubeletScenario& scenario : scenarios) {
    if (scenario.holds.releases.contains(version) && !run.ended()) run.run(scenario);
  }
  return run.take();
}

}  // namespace nodebound::kubelet_conformance
