#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace nodebound {

/// What became of a faulty implementation at one release.
struct MutantResult {
  enum class Outcome {
    killed,      ///< a check fails that does not fail without the fault
    survived,    ///< none does
    equivalent,  ///< none can: it decides as the rules require
  };
  std::string id;
  std::string part;
  std::string meaning;
  Outcome outcome = Outcome::survived;
  std::string release;
  std::string ground;                ///< the gates and plugins with which it was killed; empty for those of the release
  std::string killer;                ///< the first check that failed
  std::vector<std::string> killers;  ///< the scenarios with such checks, where all were looked for
  std::string noticed;               ///< of one that was not killed, a check whose refusal is worded differently
  std::string unclear;               ///< a check that could no longer tell, or met a known deviation
  std::string proof;                 ///< why it is equivalent
};

/// A scenario, or one of its cases, and the mutant that it kills.
struct ScenarioUse {
  std::string id;
  std::string kills;  ///< id of a mutant; empty if it kills none
  std::string stays;  ///< why it stays nevertheless
};

/// Whether some mutant, at some release, makes a check fail.
struct CheckUse {
  bool fails = false;
  std::string stays;  ///< why it stays if none does, if that is said
};

/// What faulty implementations show about scenarios.
struct MutationReport {
  std::vector<std::string> releases;
  std::vector<MutantResult> mutants;  ///< by release, in the order of the mutants
  std::vector<ScenarioUse> scenarios;
  std::map<std::string, CheckUse> checks;  ///< by id, where they were looked at
  std::vector<std::string> mistakes;  ///< what is no longer so: a listed equivalent that is killed, a list without use

  /// Checks that no mutant makes fail, by id.
  [[nodiscard]] std::map<std::string, CheckUse> idle_checks() const;
  [[nodiscard]] std::size_t count(MutantResult::Outcome outcome, const std::string& release = {}) const;
  /// Killed ones of those that are not equivalent, in percent; 100 if there are none.
  [[nodiscard]] double score(const std::string& release = {}) const;
};

/// Adds what other releases have shown. A scenario or check has its use where it has one at any release.
void add_releases(MutationReport& report, MutationReport more);

std::string_view to_string(MutantResult::Outcome outcome);

/// 0: no mutant survives, and nothing listed is out of date · 1 otherwise · 4 there was none.
int exit_code(const MutationReport& report);

}  // namespace nodebound
