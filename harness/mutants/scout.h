#pragma once

#include <bitset>
#include <map>
#include <memory>
#include <vector>

#include "harness/mutants/faulty_judges.h"

namespace nodebound {

/// What came up while the reference itself was asked.
struct Walk {
  std::bitset<rule_count> deciders;  ///< the rules that decided something
  std::vector<bool> reached;         ///< by mutant: some decision would have been another one
};

/// Looks over the shoulder of the reference: which mutants would have decided otherwise. Until one does, all is as with
/// the reference, so a mutant that is not reached by a scenario cannot be caught by it. A mutant that flips a rule may
/// be reached by other ways than decisions; of those it says nothing.
class Scout {
 public:
  /// `mutants` must outlive it.
  explicit Scout(const std::vector<Mutant>& mutants);

  [[nodiscard]] const std::vector<Mutant>& mutants() const { return mutants_; }
  /// Those of a rule that refuses, or refuses too much.
  [[nodiscard]] const std::vector<std::size_t>& loosened(Rule rule) const { return of(loosened_, rule); }
  [[nodiscard]] const std::vector<std::size_t>& overdone(Rule rule) const { return of(overdone_, rule); }
  [[nodiscard]] const std::vector<std::size_t>& overdone_in_admission() const { return overdone_in_admission_; }
  [[nodiscard]] const std::vector<std::size_t>& identities() const { return identities_; }
  [[nodiscard]] const std::map<GraphFault::What, std::vector<std::size_t>>& graph() const { return graph_; }

  /// Judges that are right, and take down in `walk` what they see.
  [[nodiscard]] std::shared_ptr<Judges> judges(const Bench& bench, Walk& walk) const;

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

}  // namespace nodebound
