#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "harness/mutants/faults/kubelet_faults.h"
#include "harness/mutants/mutation_run.h"

namespace nodebound::mutants {

/// Tries faulty kubelets at one release, with the scenarios that hold there, until a check fails that passes with the
/// unaltered fake kubelet.
class KubeletMutationRun {
 public:
  /// All must outlive the run.
  KubeletMutationRun(const std::vector<KubeletMutant>& mutants,
                     const std::vector<kubelet_conformance::KubeletScenario>& scenarios, const Known& known,
                     const Catalogue& catalogue, const Release& release, const MutationRunOptions& options);
  ~KubeletMutationRun();

  /// The mutants at the release. A rule is put in where a scenario's gates leave it out, if it is in force with those
  /// of another scenario or in a neighbouring release.
  [[nodiscard]] const std::vector<const KubeletMutant*>& picked() const { return picked_; }

  /// Adds its results to the report.
  Result<void> run(MutationReport& report);

 private:
  class Room;

  [[nodiscard]] bool is_there(const KubeletMutant& mutant) const;
  [[nodiscard]] bool shows_in(const KubeletMutant& mutant, std::size_t scenario) const;
  [[nodiscard]] std::vector<std::size_t> candidates(const KubeletMutant& mutant) const;
  /// The first check that fails only with the fault; empty if none.
  std::string attempt(const KubeletMutant& mutant, std::size_t scenario, Room& room) const;
  MutantResult try_mutant(const KubeletMutant& mutant, Room& room);
  void find_use_of_scenarios(MutationReport& report);
  void each(std::size_t count, const std::function<void(std::size_t, Room&)>& work);

  std::vector<const KubeletMutant*> picked_;
  std::vector<kubelet_conformance::KubeletScenario> scenarios_;  ///< that hold at the release
  std::vector<RuleSet> rules_;                                   ///< by scenario, with its gates
  const Known& known_;
  const Catalogue& catalogue_;
  Release release_;
  const MutationRunOptions& options_;
  std::vector<std::unique_ptr<Room>> rooms_;  ///< by thread
  std::set<std::string> sick_;                ///< checks that fail without a fault
  std::mutex mutex_;
  std::map<std::string, std::string> kills_;  ///< a killed mutant, by scenario
};

}  // namespace nodebound::mutants
