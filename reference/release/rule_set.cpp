#include "reference/release/rule_set.h"

#include <algorithm>

namespace nodebound {

RuleSet::RuleSet(const Catalogue& catalogue, const Release& release) : catalogue_(&catalogue), release_(release) {
  for (std::size_t i = 0; i < std::min(rule_count, catalogue.rules().size()); ++i) {
    const RuleEntry& rule = catalogue.rules()[i];
    bits_[i] = any_holds(rule.in_force, release);
    if (rule.refusal.empty()) continue;
    const RefusalText* text = value_at(rule.refusal, release.version);
    texts_[i] = text == nullptr ? rule.refusal.front().second : *text;
  }
}

RuleSet RuleSet::with_flipped(Rule rule) const {
  return with_flipped(std::vector<Rule>{rule});
}

RuleSet RuleSet::with_flipped(const std::vector<Rule>& rules) const {
  RuleSet other = *this;
  for (const Rule rule : rules) other.bits_.flip(static_cast<std::size_t>(rule));
  return other;
}

}  // namespace nodebound
