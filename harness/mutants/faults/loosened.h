#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "harness/mutants/inquiry.h"
#include "harness/mutants/mutant.h"
#include "reference/admission/admission.h"
#include "reference/authorizer/authorizer.h"

namespace nodebound::mutants {

/// The rule that refuses; nothing if the question is allowed.
inline std::optional<Rule> refuser(const Decision& decision) {
  return decision.allowed() ? std::nullopt : decision.rule;
}
inline std::optional<Rule> refuser(const Admission& admission) {
  return admission ? std::optional(admission->rule) : std::nullopt;
}

/// Whether the fault can take effect when this rule refuses, or none does.
inline bool concerns(const Loosening& fault, std::optional<Rule> rule) {
  if (fault.kind == Loosening::Kind::refused) return !rule;
  return rule && std::find(fault.rules.begin(), fault.rules.end(), *rule) != fault.rules.end();
}

/// A judge's answer while some rules are wrongly not in force.
template <typename Answer>
using Ask = std::function<Answer(const Inquiry& question, const std::vector<Rule>& off)>;

/// The answer of a judge with the fault: the correct one, unless one of the fault's rules refuses and the fault takes
/// effect. Then it is the answer without that rule.
template <typename Answer>
Answer loosened(const Loosening& fault, const Inquiry& asked, const Surroundings& around, const Ask<Answer>& ask,
                Answer answer, const Catalogue& catalogue) {
  std::vector<Rule> off;
  for (std::optional<Rule> rule = refuser(answer); rule; rule = refuser(answer)) {
    const bool known = std::find(fault.rules.begin(), fault.rules.end(), *rule) != fault.rules.end();
    if (!known || std::find(off.begin(), off.end(), *rule) != off.end()) break;
    const bool grant = catalogue[*rule].effect == Effect::grant;
    if (fault.kind == Loosening::Kind::unchecked) {
      if (!fault.condition(asked, around)) break;
      if constexpr (std::is_same_v<Answer, Decision>) {
        // The fault gives the grant without checking what the grant requires.
        if (grant) return Decision::allow(*rule);
      }
    } else {
      bool passes = false;
      for (const Inquiry& instead : fault.misreading(asked, around)) {
        Answer other = ask(instead, off);
        const std::optional<Rule> again = refuser(other);
        if (grant && !again) return other;
        passes = passes || (!grant && again != rule);
      }
      if (!passes) break;
    }
    off.push_back(*rule);
    answer = ask(asked, off);
  }
  return answer;
}

}  // namespace nodebound::mutants
