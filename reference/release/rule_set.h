#pragma once

#include <array>
#include <bitset>
#include <initializer_list>
#include <string>
#include <vector>

#include "reference/release/catalogue.h"

namespace nodebound {

/// A Kubernetes version with its feature gates; it determines a rule set.
struct Release {
  Version version;
  GateSettings gates;  ///< every gate that the catalogue knows and the version has

  /// Settings that differ from the version's defaults, as `Name=true`.
  [[nodiscard]] std::vector<std::string> changed_gates(const Catalogue& catalogue) const;

  /// The settings of `set` that the version accepts one by one: gates that it has and has not locked to the other
  /// value.
  static GateSettings taken(const Catalogue& catalogue, const Version& version, const GateSettings& set);

  /// `set` has the gates that differ from the version's defaults. A gate that the version does not have, or has locked
  /// to the other value, is an input error that names the releases in which it could be set so.
  static Result<Release> make(const Catalogue& catalogue, const Version& version, const GateSettings& set);
};

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
