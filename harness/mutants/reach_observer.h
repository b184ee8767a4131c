#pragma once

#include <bitset>
#include <map>
#include <memory>
#include <vector>

#include "harness/mutants/faults/faulty_access_control.h"

namespace nodebound::mutants {

/// What was observed while the reference answered.
struct Walk {
  std::bitset<rule_count> deciders;  ///< the rules that decided something
  std::vector<bool> reached;         ///< by mutant: it would have decided differently at least once
};

/// Observes the reference and notes which mutants would have decided differently. Up to its first different decision a
/// mutant behaves like the reference, so a scenario that never reaches a mutant cannot catch it. Says nothing about
/// mutants that flip a rule, because these can also differ in other ways.
class ReachObserver {
 public:
  /// `mutants` must outlive it.
  explicit ReachObserver(const std::vector<Mutant>& mutants);

  [[nodiscard]] const std::vector<Mutant>& mutants() const { return mutants_; }
  /// The mutants that may differ when this rule refuses, and those in which it refuses too much.
  [[nodiscard]] const std::vector<std::size_t>& loosened(Rule rule) const { return of(loosened_, rule); }
  [[nodiscard]] const std::vector<std::size_t>& overdone(Rule rule) const { return of(overdone_, rule); }
  [[nodiscard]] const std::vector<std::size_t>& overdone_in_admission() const { return overdone_in_admission_; }
  [[nodiscard]] const std::vector<std::size_t>& identities() const { return identities_; }
  [[nodiscard]] const std::map<GraphFault::What, std::vector<std::size_t>>& graph() const { return graph_; }

  /// Correct access control that records in `walk` what it sees.
  [[nodiscard]] std::shared_ptr<apiserver::AccessControl> access_control(const MutantServer& server, Walk& walk) const;

 private:
  using ByRule = std::vector<std::vector<std::size_t>>;
  [[nodiscard]] static const std::vector<std::size_t>& of(const ByRule& index, Rule rule) {
    return index[static_cast<std::size_t>(rule)];
  }

  const std::vector<Mutant>& mutants_;
  ByRule loosened_;
  ByRule overdone_;
  std::vector<std::size_t> overdone_in_admission_;
  std::vector<std::size_t> identities_;
  std::map<GraphFault::What, std::vector<std::size_t>> graph_;
};

}  // namespace nodebound::mutants
