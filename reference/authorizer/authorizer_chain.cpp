#include "reference/authorizer/authorizer_chain.h"

#include <algorithm>
#include <optional>

#include "reference/authorizer/conditions/conditions_aware_decision.h"
#include "reference/identity/node_identity.h"

namespace nodebound {
namespace {

bool is_node(const Authorizer& authorizer) {
  return authorizer.name() == "node";
}

/// The rule to name if nobody allows a request: for a node, the Node authorizer's rule; for a user who is almost a
/// node, the rule that keeps it from being one; for anybody else, the rule of the last authorizer.
class RuleOfRefusal {
 public:
  void note(const RuleSet& rules, const Authorizer& authorizer, std::optional<Rule> rule) {
    of_last_ = rule;
    if (is_node(authorizer) && rules.in_force(Rule::node_authorizer)) of_node_authorizer_ = rule;
  }

  [[nodiscard]] std::optional<Rule> rule(const RuleSet& rules, const Subject& subject) const {
    if (!of_node_authorizer_) return of_last_;
    if (node_identity(rules, subject)) return of_node_authorizer_;
    if (subject.name.starts_with(node_user_prefix)) return Rule::node_identity_group;
    return subject.in_group(nodes_group) ? Rule::node_identity_prefix : of_last_;
  }

 private:
  std::optional<Rule> of_node_authorizer_;
  std::optional<Rule> of_last_;
};

bool is_master(const RuleSet& rules, const Subject& subject) {
  return subject.in_group("system:masters") && rules.in_force(Rule::masters_group);
}

}  // namespace

Decision AuthorizerChain::authorize(const Subject& subject, const Attributes& attributes) const {
  if (is_master(rules_, subject)) return Decision::allow(Rule::masters_group);
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
  RuleOfRefusal refusal;
  std::string reasons;
  std::vector<std::string> errors;
  for (std::size_t i = 0; i < refusals.size(); ++i) {
    const Authorizer& member = *members_[i];
    Decision& decision = refusals[i];
    member.explain(decision, subject, attributes);
    refusal.note(rules_, member, decision.rule);
    if (!decision.error.empty()) errors.push_back(std::move(decision.error));
    if (decision.reason.empty()) continue;
    if (!reasons.empty()) reasons += '\n';
    if (rules_.in_force(Rule::reason_names_authorizer)) reasons += std::string(member.name()) + ": ";
    reasons += decision.reason;
  }
  Decision out = Decision::no_opinion(refusal.rule(rules_, subject), std::move(reasons));
  if (!errors.empty()) out.error = go_aggregate(errors);
  return out;
}

ConditionsAwareDecision AuthorizerChain::authorize_with_conditions(const Subject& subject,
                                                                   const Attributes& attributes) const {
  if (is_master(rules_, subject)) return Decision::allow(Rule::masters_group);
  ConditionsAwareUnion answers;
  RuleOfRefusal refusal;
  for (const Authorizer* member : members_) {
    ConditionsAwareDecision answer = member->authorize_with_conditions(subject, attributes);
    if (const PlainDecision* plain = answer.plain()) refusal.note(rules_, *member, plain->rule);
    answers.add(std::string(member->name()), std::move(answer));
    if (answers.ends_the_chain()) break;
  }
  ConditionsAwareDecision out = answers.decision();
  if (const PlainDecision* plain = out.plain(); plain != nullptr && plain->outcome == Decision::Outcome::no_opinion) {
    PlainDecision named = *plain;
    named.rule = refusal.rule(rules_, subject);
    return named;
  }
  return out;
}

PlainDecision AuthorizerChain::evaluate_conditions(const ConditionsAwareDecision& decision,
                                                   const AdmissionRequest& request) const {
  const ConditionsAwareDecision::Members* answers = decision.members();
  if (answers == nullptr) {
    return PlainDecision::failed_closed(decision.on_failure(),
                                        "the union authorizer can only evaluate union ConditionsAwareDecisions");
  }
  PlainDecision out;
  for (const auto& [name, answer] : *answers) {
    PlainDecision evaluated = answer.plain() != nullptr ? *answer.plain() : evaluate_member(name, answer, request);
    if (evaluated.outcome != Decision::Outcome::no_opinion) return evaluated;
    std::ranges::move(evaluated.errors, std::back_inserter(out.errors));
    if (evaluated.rule) out.rule = evaluated.rule;
    if (evaluated.reason.empty()) continue;
    if (!out.reason.empty()) out.reason += '\n';
    out.reason += name + ": " + evaluated.reason;
  }
  return out;
}

PlainDecision AuthorizerChain::evaluate_member(const std::string& name, const ConditionsAwareDecision& decision,
                                               const AdmissionRequest& request) const {
  const auto member = std::ranges::find_if(members_, [&](const Authorizer* one) { return one->name() == name; });
  if (member == members_.end()) {
    return PlainDecision::failed_closed(decision.on_failure(),
                                        "couldn't find authorizer with name: " + go_quoted(name));
  }
  PlainDecision out = (*member)->evaluate_conditions(decision, request);
  const Outcomes possible = decision.possible();
  if (possible.has(out.outcome)) return out;
  return PlainDecision::failed_closed(decision.on_failure(), std::string("evaluated to decision ") +
                                                                 Outcomes::name(out.outcome) + ", but only " +
                                                                 possible.text() + " were possible");
}

}  // namespace nodebound
