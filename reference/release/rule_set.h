#pragma once

#include <array>
#include <bitset>
#include <vector>

#include "reference/release/catalogue.h"
#include "reference/release/release.h"

namespace nodebound {

/// The rules in force at one release. Authorizers and admission plugins ask it, never a version number.
class RuleSet {
 public:
  RuleSet(const Catalogue& catalogue, const Release& release);

  [[nodiscard]] bool in_force(Rule rule) const { return bits_[static_cast<std::size_t>(rule)]; }
  [[nodiscard]] std::size_t size() const { return bits_.count(); }
  [[nodiscard]] const Catalogue& catalogue() const { return *catalogue_; }
  [[nodiscard]] const Release& release() const { return release_; }

  /// The same rules with one of them switched off, or on: a faulty implementation.
  [[nodiscard]] RuleSet with_flipped(Rule rule) const;
  [[nodiscard]] RuleSet with_flipped(const std::vector<Rule>& rules) const;

  /// The refusal text of a rule at this release; empty if it has none.
  [[nodiscard]] const RefusalText& refusal(Rule rule) const { return texts_[static_cast<std::size_t>(rule)]; }

 private:
  const Catalogue* catalogue_;
  Release release_;
  std::bitset<rule_count> bits_;
  std::array<RefusalText, rule_count> texts_;
};

}  // namespace nodebound
