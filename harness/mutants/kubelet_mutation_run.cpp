#include "harness/mutants/kubelet_mutation_run.h"

#include <algorithm>

#include "harness/endpoint/loopback.h"
#include "harness/endpoint/signals.h"
#include "harness/kubelet/kubelet_run.h"
#include "harness/mutants/releases.h"
#include "harness/run/in_parallel.h"

namespace nodebound::mutants {

/// What one thread needs to ask kubelets.
class KubeletMutationRun::Room {
 public:
  static Result<std::unique_ptr<Room>> make() {
    auto folder = TemporaryDirectory::make();
    if (!folder) return tl::unexpected(folder.error());
    auto cluster = kubelet_conformance::SuiteCluster::open(folder->path(), "", kubelet_conformance::kubelet_node);
    if (!cluster) return tl::unexpected(cluster.error());
    return std::make_unique<Room>(std::move(*folder), std::move(*cluster));
  }

  Room(TemporaryDirectory folder, std::unique_ptr<kubelet_conformance::SuiteCluster> cluster)
      : folder_(std::move(folder)), cluster_(std::move(cluster)) {}

  /// Asks a faulty kubelet everything in the scenario, until `judged` says to stop.
  void run(const kubelet_conformance::KubeletScenario& scenario, const kubelet_conformance::KubeletFault& fault,
           const Catalogue& catalogue, const Release& release, const std::function<bool(const CheckResult&)>& judged) {
    kubelet_conformance::EmbeddedKubelets kubelets(folder_.path(), *cluster_, fault);
    kubelet_conformance::run_kubelet_scenarios({scenario}, kubelets, *cluster_, catalogue, release.version, {judged});
  }

 private:
  TemporaryDirectory folder_;
  std::unique_ptr<kubelet_conformance::SuiteCluster> cluster_;
};

namespace {

template <typename Visit>
void each_rule_named(const kubelet_conformance::KubeletScenario& scenario, const RuleSet& rules, Visit visit) {
  const auto look = [&](const auto& one) {
    if (one.holds.at(rules)) std::for_each(one.rules.begin(), one.rules.end(), visit);
  };
  for (const kubelet_conformance::KubeletStart& start : scenario.starts) look(start);
  for (const kubelet_conformance::KubeletStep& step : scenario.steps) look(step);
}

bool names(const kubelet_conformance::KubeletScenario& scenario, const RuleSet& rules,
           const std::vector<Rule>& wanted) {
  bool out = false;
  each_rule_named(scenario, rules,
                  [&](Rule rule) { out = out || std::find(wanted.begin(), wanted.end(), rule) != wanted.end(); });
  return out;
}

}  // namespace

KubeletMutationRun::KubeletMutationRun(const std::vector<KubeletMutant>& mutants,
                                       const std::vector<kubelet_conformance::KubeletScenario>& scenarios,
                                       const Known& known, const Catalogue& catalogue, const Release& release,
                                       const MutationRunOptions& options)
    : known_(known), catalogue_(catalogue), release_(release), options_(options) {
  for (const kubelet_conformance::KubeletScenario& scenario : scenarios) {
    const auto own = Release::make(catalogue, release.version, scenario.gates);
    if (!own) continue;
    RuleSet rules(catalogue, *own);
    if (!scenario.holds.at(rules)) continue;
    scenarios_.push_back(scenario);
    rules_.push_back(std::move(rules));
  }
  for (const KubeletMutant& mutant : mutants) {
    if (is_there(mutant)) picked_.push_back(&mutant);
  }
}

KubeletMutationRun::~KubeletMutationRun() = default;

bool KubeletMutationRun::shows_in(const KubeletMutant& mutant, std::size_t scenario) const {
  return mutant.flips.empty() || rules_[scenario].in_force(mutant.flips.front().rule) != mutant.flips.front().on;
}

bool KubeletMutationRun::is_there(const KubeletMutant& mutant) const {
  const auto in_force = [&](const RuleSet& rules) {
    return std::any_of(mutant.rules.begin(), mutant.rules.end(), [&](Rule rule) { return rules.in_force(rule); });
  };
  const bool here = std::any_of(rules_.begin(), rules_.end(), in_force);
  if (mutant.flips.empty() || !mutant.flips.front().on) return here;
  // With the gates of one scenario the rule may be in force, with those of another not.
  if (candidates(mutant).empty()) return false;
  if (here) return true;
  const auto nearby = neighbours(catalogue_, release_.version);
  return std::any_of(nearby.begin(), nearby.end(), [&](const Version& version) {
    return in_force(RuleSet(catalogue_, *Release::make(catalogue_, version, {})));
  });
}

std::vector<std::size_t> KubeletMutationRun::candidates(const KubeletMutant& mutant) const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < scenarios_.size(); ++i) {
    if (shows_in(mutant, i)) out.push_back(i);
  }
  std::stable_partition(out.begin(), out.end(),
                        [&](std::size_t i) { return names(scenarios_[i], rules_[i], mutant.rules); });
  return out;
}

void KubeletMutationRun::each(std::size_t count, const std::function<void(std::size_t, Room&)>& work) {
  in_parallel(
      count, options_.jobs, [&](std::size_t i, std::size_t thread) { work(i, *rooms_[thread]); }, interrupted);
}

std::string KubeletMutationRun::attempt(const KubeletMutant& mutant, std::size_t scenario, Room& room) const {
  std::string out;
  room.run(scenarios_[scenario], mutant.fault(), catalogue_, release_, [&](const CheckResult& result) {
    if (result.verdict == Verdict::fail && !sick_.contains(result.id)) out = result.id;
    return out.empty();
  });
  return out;
}

MutantResult KubeletMutationRun::try_mutant(const KubeletMutant& mutant, Room& room) {
  MutantResult result;
  result.id = mutant.id;
  result.part = mutant.part;
  result.meaning = mutant.meaning;
  result.release = release_.version.text();
  for (const std::size_t scenario : candidates(mutant)) {
    const std::string failed = attempt(mutant, scenario, room);
    if (failed.empty()) continue;
    if (result.killer.empty()) result.killer = failed;
    result.killers.push_back("kubelet/" + scenarios_[scenario].id);
    const std::lock_guard lock(mutex_);
    kills_.try_emplace(scenarios_[scenario].id, mutant.id);
    if (!options_.all_killers) break;
  }
  const Equivalent* equivalent = known_.equivalent(mutant.id, release_.version);
  if (equivalent != nullptr) result.proof = equivalent->proof;
  result.outcome = !result.killer.empty()  ? MutantResult::Outcome::killed
                   : equivalent != nullptr ? MutantResult::Outcome::equivalent
                                           : MutantResult::Outcome::survived;
  return result;
}

// The earlier scenarios are tried first, so one that killed nothing may not have been asked.
void KubeletMutationRun::find_use_of_scenarios(MutationReport& report) {
  each(scenarios_.size(), [&](std::size_t scenario, Room& room) {
    const std::string& id = scenarios_[scenario].id;
    for (const KubeletMutant* mutant : picked_) {
      {
        const std::lock_guard lock(mutex_);
        if (kills_.contains(id)) return;
      }
      const bool likely = names(scenarios_[scenario], rules_[scenario], mutant->rules);
      if (!likely || !shows_in(*mutant, scenario) || attempt(*mutant, scenario, room).empty()) continue;
      const std::lock_guard lock(mutex_);
      kills_.try_emplace(id, mutant->id);
    }
  });
  for (const kubelet_conformance::KubeletScenario& scenario : scenarios_) {
    const std::string id = "kubelet/" + scenario.id;
    const auto kill = kills_.find(scenario.id);
    const std::string kills = kill == kills_.end() ? std::string() : kill->second;
    const auto known = std::find_if(report.scenarios.begin(), report.scenarios.end(),
                                    [&](const ScenarioUse& use) { return use.id == id; });
    if (known == report.scenarios.end()) {
      report.scenarios.push_back({id, kills, known_.stays_because(id)});
    } else if (known->kills.empty()) {
      known->kills = kills;
    }
  }
}

Result<void> KubeletMutationRun::run(MutationReport& report) {
  while (rooms_.size() < options_.jobs) {
    auto room = Room::make();
    if (!room) return tl::unexpected(room.error());
    rooms_.push_back(std::move(*room));
  }
  each(scenarios_.size(), [&](std::size_t i, Room& room) {
    room.run(scenarios_[i], {}, catalogue_, release_, [&](const CheckResult& result) {
      const std::lock_guard lock(mutex_);
      if (result.verdict == Verdict::fail) sick_.insert(result.id);
      return true;
    });
  });
  for (const std::string& id : sick_) {
    report.mistakes.push_back("the fake kubelet itself fails " + id + " at " + release_.version.text());
  }
  std::vector<MutantResult> results(picked_.size());
  each(picked_.size(), [&](std::size_t i, Room& room) {
    results[i] = try_mutant(*picked_[i], room);
    options_.done();
  });
  if (options_.scenarios) find_use_of_scenarios(report);
  // After an interrupted run, some mutants have no result.
  std::erase_if(results, [](const MutantResult& result) { return result.id.empty(); });
  for (MutantResult& result : results) {
    if (!result.proof.empty() && !result.killer.empty()) {
      report.mistakes.push_back("equivalent.toml lists " + result.id + ", which " + result.killer + " catches at " +
                                result.release);
    }
    report.mutants.push_back(std::move(result));
  }
  return {};
}

}  // namespace nodebound::mutants
