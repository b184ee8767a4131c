#include <algorithm>

#include "harness/mutants/faults/kubelet_faults.h"

namespace nodebound::mutants {

bool is_asked_for(Rule rule) {
  static const std::vector<Rule> only_said = {
      Rule::kubelet_authentication,   Rule::kubelet_anonymous,      Rule::kubelet_certificate_first,
      Rule::kubelet_token_review,     Rule::kubelet_token_ignored,  Rule::kubelet_no_revocation,
      Rule::kubelet_authorization,    Rule::kubelet_verbs,          Rule::kubelet_review_error,
      Rule::kubelet_get_reaches_exec, Rule::kubelet_token_audience, Rule::kubelet_paths_before_authentication};
  return std::find(only_said.begin(), only_said.end(), rule) == only_said.end();
}

std::vector<KubeletMutant> kubelet_flips(const Catalogue& catalogue) {
  std::vector<KubeletMutant> out;
  for (const bool on : {false, true}) {
    for (std::size_t i = 0; i < rule_count; ++i) {
      const RuleEntry& entry = catalogue.rules()[i];
      const auto rule = static_cast<Rule>(i);
      if (entry.layer != Layer::kubelet || !is_asked_for(rule)) continue;
      KubeletMutant& mutant = out.emplace_back();
      mutant.id = (on ? "on:" : "off:") + entry.id;
      mutant.part = entry.title;
      mutant.meaning = entry.id + (on ? " is in force where it should not be" : " is not in force");
      mutant.rules = {rule};
      mutant.flips = {{rule, on}};
      mutant.fault = [rule, on] {
        kubelet_conformance::KubeletFault fault;
        fault.rules = [rule, on](const RuleSet& rules) {
          return rules.in_force(rule) == on ? rules : rules.with_flipped(rule);
        };
        return fault;
      };
    }
  }
  return out;
}

}  // namespace nodebound::mutants
