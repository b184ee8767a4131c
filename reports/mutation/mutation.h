#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace nodebound {

/// The result of a faulty implementation at one release.
struct MutantResult {
  enum class Outcome {
    killed,      ///< a check fails with it and passes without it
    survived,    ///< no check does
    equivalent,  ///< no check can: it decides as the rules require
  };
  std::string id;
  std::string part;
  std::string meaning;
  Outcome outcome = Outcome::survived;
  std::string release;
  std::string setting;               ///< the gates and plugins with which it was killed; empty: the release's defaults
  std::string killer;                ///< the first check that failed
  std::vector<std::string> killers;  ///< the scenarios with such checks, if all were searched for
  std::string noticed;               ///< for one that was not killed, a check whose refusal is worded differently
  std::string unclear;               ///< a check that became inconclusive, or met a known deviation
  std::string proof;                 ///< why it is equivalent
};

/// A scenario, or one of its cases, and the mutant that it kills.
struct ScenarioUse {
  std::string id;
  std::string kills;  ///< id of a mutant; empty if none
  std::string stays;  ///< why it is kept nevertheless
};

/// Whether some mutant at some release makes the check fail.
struct CheckUse {
  bool fails = false;
  std::string stays;  ///< why it is kept if none does, if a reason is given
};

/// What the results of faulty implementations say about the scenarios.
struct MutationReport {
  std::vector<std::string> releases;
  std::vector<MutantResult> mutants;  ///< by release, in the order of the mutants
  std::vector<ScenarioUse> scenarios;
  std::map<std::string, CheckUse> checks;  ///< by id, if checks were searched
  std::vector<std::string> mistakes;  ///< what is no longer so: a listed equivalent that is killed, a list without use

  /// Checks that fail with no mutant, by id.
  [[nodiscard]] std::map<std::string, CheckUse> idle_checks() const;
  [[nodiscard]] std::size_t count(MutantResult::Outcome outcome, const std::string& release = {}) const;
  /// The share of killed mutants among those that are not equivalent, in percent; 100 if there are none.
  [[nodiscard]] double score(const std::string& release = {}) const;
};

/// Adds the results of other releases. A scenario or check is useful if it is at any release.
void add_releases(MutationReport& report, MutationReport more);

std::string_view to_string(MutantResult::Outcome outcome);

/// 0: no mutant survives, and no listed entry is outdated · 1 otherwise · 4 there was no mutant.
int exit_code(const MutationReport& report);

}  // namespace nodebound
