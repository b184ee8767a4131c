#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "harness/mutants/known.h"
#include "harness/mutants/mutant_setting.h"
#include "reports/mutation/mutation.h"

namespace nodebound::mutants {

struct MutationRunOptions {
  std::size_t jobs = 1;
  bool all_killers = false;  ///< asks every scenario, not only up to the first failure
  bool scenarios = true;     ///< searches for scenarios that kill no mutant
  bool checks = false;       ///< searches for checks that fail with no mutant
  /// Called for each finished mutant, from any thread.
  std::function<void()> done = [] {};
};

/// Tries mutants at one release, on each of its settings, until a check fails.
class MutationRun {
 public:
  /// `mutants` are those of the settings' observer. Everything passed in must outlive the run. The first setting is the
  /// release with its defaults.
  MutationRun(const std::vector<Mutant>& mutants, std::vector<std::unique_ptr<MutantSetting>>& settings,
              const Known& known, const MutationRunOptions& options);

  /// Adds its results to the report. Mutants are picked by index.
  void run(const std::vector<std::size_t>& picked, MutationReport& report);

 private:
  void walk();
  MutantResult try_mutant(std::size_t index);
  /// Whether the search can stop: a check has failed, and one killer suffices.
  bool ask(MutantSetting& setting, std::size_t index, std::size_t scenario, MutantResult& result);
  void note_failures(const MutantSetting& setting, std::size_t mutant, const Trial& trial, std::size_t scenario);
  void find_use_of_scenarios(const std::vector<std::size_t>& picked, MutationReport& report);
  void find_idle_checks(const std::vector<std::size_t>& picked, MutationReport& report);
  void look_for_kill(MutantSetting& setting, std::size_t scenario, const std::vector<std::size_t>& picked);
  void note_mistake(const Equivalent* listed, MutantResult& result, MutationReport& report) const;
  void each(std::size_t count, const std::function<void(std::size_t)>& work) const;

  const std::vector<Mutant>& mutants_;
  std::vector<std::unique_ptr<MutantSetting>>& settings_;
  const Known& known_;
  const MutationRunOptions& options_;
  std::mutex mutex_;
  std::map<std::string, std::string> kills_;    ///< by scenario, the first mutant that it killed
  std::map<std::string, std::string> killers_;  ///< by mutant, the first check that failed
  std::set<std::string> failed_;                ///< checks that failed with some mutant
};

/// Adds a mistake for each listed equivalent that matches no mutant of the report. Valid only if all mutants were tried
/// at all releases.
void note_unused_patterns(const Known& known, MutationReport& report);

}  // namespace nodebound::mutants
