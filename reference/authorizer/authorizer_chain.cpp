#include "reference/authorizer/authorizer_chain.h"

#include <optional>

namespace nodebound {

Decision AuthorizerChain::authorize(const Subject& subject, const Attributes& attributes) const {
  if (subject.in_group("system:masters") && rules_.in_force(Rule::masters_group)) {
    return Decision::allow(Rule::masters_group);
  }
  std::optional<Rule> first;
  std::string reasons;
  for (const Authorizer* member : members_) {
    Decision decision = member->authorize(subject, attributes);
    if (decision.outcome != Decision::Outcome::no_opinion) return decision;
    if (!first) first = decision.rule;
    if (decision.reason.empty()) continue;
    if (!rules_.in_force(Rule::node_authorizer_abstains) && member->name() == "node") {
      return {Decision::Outcome::deny, decision.rule, std::move(decision.reason)};
    }
    if (!reasons.empty()) reasons += '\n';
    if (rules_.in_force(Rule::reason_names_authorizer)) reasons += std::string(member->name()) + ": ";
    reasons += decision.reason;
  }
  return Decision::no_opinion(first.value_or(Rule::node_rules_only), std::move(reasons));
}

}  // namespace nodebound
