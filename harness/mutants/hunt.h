#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "harness/mutants/ground.h"
#include "harness/mutants/known.h"
#include "reports/mutation.h"

namespace nodebound {

struct HuntOptions {
  std::size_t jobs = 1;
  bool all_killers = false;  ///< every scenario is asked, not only up to the first that fails
  bool scenarios = true;     ///< looks for scenarios that kill no mutant
  bool checks = false;       ///< looks for checks that no mutant makes fail
  /// Called for each mutant that is done, from any thread.
  std::function<void()> done = [] {};
};

/// Tries mutants at one release, on each of its grounds, until a check fails.
class Hunt {
 public:
  /// `mutants` are those of the grounds' scout. All must outlive the hunt. The first ground is the release as it comes.
  Hunt(const std::vector<Mutant>& mutants, std::vector<std::unique_ptr<Ground>>& grounds, const Known& known,
       const HuntOptions& options);

  /// Adds what it finds. Mutants are picked by index.
  void run(const std::vector<std::size_t>& picked, MutationReport& report);

 private:
  void walk();
  MutantResult try_mutant(std::size_t index);
  /// Whether that was enough: a check has failed, and one killer will do.
  bool ask(Ground& ground, std::size_t index, std::size_t scenario, MutantResult& result);
  void note_failures(const Ground& ground, std::size_t mutant, const Trial& trial, std::size_t scenario);
  void find_use_of_scenarios(const std::vector<std::size_t>& picked, MutationReport& report);
  void find_idle_checks(const std::vector<std::size_t>& picked, MutationReport& report);
  void look_for_kill(Ground& ground, std::size_t scenario, const std::vector<std::size_t>& picked);
  void note_mistake(const Equivalent* listed, MutantResult& result, MutationReport& report) const;
  void each(std::size_t count, const std::function<void(std::size_t)>& work) const;

  const std::vector<Mutant>& mutants_;
  std::vector<std::unique_ptr<Ground>>& grounds_;
  const Known& known_;
  const HuntOptions& options_;
  std::mutex mutex_;
  std::map<std::string, std::string> kills_;    ///< by scenario, the first mutant it was seen to kill
  std::map<std::string, std::string> killers_;  ///< by mutant, the first check it was seen to fail
  std::set<std::string> failed_;                ///< checks that some mutant made fail
};

/// Entries of the list of equivalents that are about none of the report's mutants are mistakes. That is so only where
/// all mutants were asked, at all releases.
void note_unused_patterns(const Known& known, MutationReport& report);

}  // namespace nodebound
