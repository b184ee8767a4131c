#include "reference/authorizer/authorizer_chain.h"

#include <optional>

#include "reference/identity/node_identity.h"

namespace nodebound {
namespace {

// The rule to name if nobody allows a request: for a node, the Node authorizer's rule; for a user who is almost a node,
// the rule that keeps it from being one; for anybody else, the rule of the last authorizer.
std::optional<Rule> rule_of_refusal(const RuleSet& rules, const Subject& subject, Rule of_node_authorizer,
                                    std::optional<Rule> of_last) {
  if (node_identity(rules, subject)) return of_node_authorizer;
  if (subject.name.starts_with(node_user_prefix)) return Rule::node_identity_group;
  return subject.in_group(nodes_group) ? Rule::node_identity_prefix : of_last;
}

bool is_node(const Authorizer& authorizer) {
  return authorizer.name() == "node";
}

}  // namespace

Decision AuthorizerChain::authorize(const Subject& subject, const Attributes& attributes) const {
  if (subject.in_group("system:masters") && rules_.in_force(Rule::masters_group)) {
    return Decision::allow(Rule::masters_group);
  }
  Decisions refusals;
  for (const Authorizer* member : members_) {
    Decision decision = member->decide(subject, attributes);
    const bool abstains = decision.outcome == Decision::Outcome::no_opinion;
    const bool may_deny = is_node(*member) && !rules_.in_force(Rule::node_authorizer_abstains);
    if (!abstains || may_deny) member->explain(decision, subject, attributes);
    if (!abstains) return decision;
    if (may_deny && !decision.reason.empty()) {
      return {Decision::Outcome::deny, decision.rule, std::move(decision.reason)};
    }
    refusals.push_back(std::move(decision));
  }
  return joined(subject, attributes, refusals);
}

Decision AuthorizerChain::joined(const Subject& subject, const Attributes& attributes, Decisions& refusals) const {
  std::optional<Rule> of_node_authorizer;
  std::optional<Rule> of_last;
  std::string reasons;
  std::vector<std::string> errors;
  for (std::size_t i = 0; i < refusals.size(); ++i) {
    const Authorizer& member = *members_[i];
    Decision& decision = refusals[i];
    member.explain(decision, subject, attributes);
    of_last = decision.rule;
    if (!decision.error.empty()) errors.push_back(std::move(decision.error));
    if (is_node(member) && rules_.in_force(Rule::node_authorizer)) of_node_authorizer = decision.rule;
    if (decision.reason.empty()) continue;
    if (!reasons.empty()) reasons += '\n';
    if (rules_.in_force(Rule::reason_names_authorizer)) reasons += std::string(member.name()) + ": ";
    reasons += decision.reason;
  }
  if (of_node_authorizer) of_last = rule_of_refusal(rules_, subject, *of_node_authorizer, of_last);
  Decision out = Decision::no_opinion(of_last, std::move(reasons));
  if (!errors.empty()) out.error = go_aggregate(errors);
  return out;
}

}  // namespace nodebound
