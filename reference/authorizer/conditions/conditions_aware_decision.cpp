#include "reference/authorizer/conditions/conditions_aware_decision.h"

#include <algorithm>
#include <set>
#include <utility>

#include "reference/cluster/names.h"
#include "reference/encoding/joined.h"

namespace nodebound {
namespace {

std::optional<std::string> wrong_key(std::string_view what, const std::string& key) {
  const std::vector<std::string> errors = wrong_label_key(key);
  if (errors.empty()) return std::nullopt;
  return "invalid condition " + std::string(what) + " " + go_quoted(key) + ": " + joined(errors, "; ");
}

std::optional<std::string> wrong_condition(const Condition& condition, std::set<std::string_view>& ids) {
  if (!ids.insert(condition.id).second) return "duplicate condition ID " + go_quoted(condition.id);
  if (auto wrong = wrong_key("ID", condition.id)) return wrong;
  return condition.type.empty() ? std::nullopt : wrong_key("type", condition.type);
}

std::optional<std::string> wrong_conditions(const ConditionsMap& map) {
  std::set<std::string_view> ids;
  for (const std::vector<Condition>* conditions : {&map.deny, &map.no_opinion, &map.allow}) {
    for (const Condition& condition : *conditions) {
      if (auto wrong = wrong_condition(condition, ids)) return wrong;
    }
  }
  return std::nullopt;
}

/// What the conditions of one effect come to. The first that holds ends the search, and nothing else is told then.
struct Evaluated {
  const Condition* holds = nullptr;
  std::vector<std::string> errors;
  std::vector<Condition> unevaluatable;
};

Evaluated evaluated(const std::vector<Condition>& conditions, Decision::Outcome effect,
                    const EvaluateCondition& evaluate) {
  using Value = ConditionResult::Value;
  Evaluated out;
  for (const Condition& condition : conditions) {
    const ConditionResult result = evaluate(condition);
    if (result.value == Value::yes) return {&condition, {}, {}};
    if (result.value == Value::unevaluatable) out.unevaluatable.push_back(condition);
    if (result.value == Value::error) {
      out.errors.push_back("condition " + go_quoted(condition.id) + " with effect=" + Outcomes::name(effect) +
                           " evaluated to an error: " + result.error);
    }
  }
  return out;
}

PlainDecision by_condition(const Condition& condition, Decision::Outcome effect) {
  std::string reason = "condition " + go_quoted(condition.id);
  reason += effect == Decision::Outcome::deny    ? " denied the request"
            : effect == Decision::Outcome::allow ? " allowed the request"
                                                 : " evaluated to NoOpinion";
  if (!condition.description.empty()) reason += " with description " + go_quoted(condition.description);
  return {effect, std::nullopt, std::move(reason), {}};
}

ConditionsAwareDecision evaluated_map(ConditionsMap left, const EvaluateCondition& evaluate) {
  using Effect = std::pair<Decision::Outcome, std::vector<Condition> ConditionsMap::*>;
  for (const auto& [effect, conditions] : {Effect{Decision::Outcome::deny, &ConditionsMap::deny},
                                           Effect{Decision::Outcome::no_opinion, &ConditionsMap::no_opinion},
                                           Effect{Decision::Outcome::allow, &ConditionsMap::allow}}) {
    Evaluated result = evaluated(left.*conditions, effect, evaluate);
    if (result.holds != nullptr) return by_condition(*result.holds, effect);
    if (!result.errors.empty()) {
      // What cannot be evaluated allows nothing.
      const Decision::Outcome outcome = effect == Decision::Outcome::deny ? effect : Decision::Outcome::no_opinion;
      return PlainDecision{outcome, std::nullopt, "one or more conditional evaluation errors occurred",
                           std::move(result.errors)};
    }
    left.*conditions = std::move(result.unevaluatable);
    if (!(left.*conditions).empty()) return ConditionsAwareDecision::on(std::move(left));
  }
  return PlainDecision{Decision::Outcome::no_opinion, std::nullopt, "no conditions matched", {}};
}

/// Everything after an answer that stays conditional stays as it is.
ConditionsAwareDecision evaluated_members(const ConditionsAwareDecision::Members& members,
                                          const EvaluateCondition& evaluate) {
  ConditionsAwareUnion out;
  bool open = false;
  for (const ConditionsAwareDecision::Member& member : members) {
    ConditionsAwareDecision decision = open ? member.decision : member.decision.evaluated(evaluate);
    open = open || decision.plain() == nullptr;
    out.add(member.authorizer, std::move(decision));
    if (out.ends_the_chain()) break;
  }
  return out.decision();
}

/// Adds what the plain answers with this outcome say, each after the names that lead to it, as `node: rbac`.
void collect(PlainDecision& out, std::vector<std::string>& reasons, const std::string& path,
             const ConditionsAwareDecision& decision) {
  if (const PlainDecision* plain = decision.plain(); plain != nullptr && plain->outcome == out.outcome) {
    if (!out.rule) out.rule = plain->rule;
    if (!plain->reason.empty()) reasons.push_back(path + ": {" + plain->reason + "}");
    if (!plain->errors.empty()) out.errors.push_back(path + ": " + go_aggregate(plain->errors));
  }
  if (const ConditionsAwareDecision::Members* members = decision.members()) {
    for (const ConditionsAwareDecision::Member& member : *members) {
      collect(out, reasons, path + ": " + member.authorizer, member.decision);
    }
  }
}

Outcomes possible_of(const ConditionsAwareDecision::Members& members, bool ends_the_chain) {
  Outcomes out;
  for (const ConditionsAwareDecision::Member& member : members) out.add(member.decision.possible());
  if (ends_the_chain) {
    out.remove(Decision::Outcome::no_opinion);
  } else {
    out.add(Decision::Outcome::no_opinion);
  }
  return out;
}

Decision::Outcome failure_of(const Outcomes& possible) {
  return possible.has(Decision::Outcome::deny) ? Decision::Outcome::deny : Decision::Outcome::no_opinion;
}

}  // namespace

ConditionsAwareDecision::ConditionsAwareDecision(PlainDecision decision) : answer_(std::move(decision)) {}

ConditionsAwareDecision::ConditionsAwareDecision(Decision decision) : answer_(PlainDecision::of(std::move(decision))) {}

ConditionsAwareDecision::ConditionsAwareDecision(Answer answer) : answer_(std::move(answer)) {}

ConditionsAwareDecision ConditionsAwareDecision::on(ConditionsMap conditions) {
  if (conditions.size() == 0) {
    return PlainDecision{Decision::Outcome::no_opinion,
                         std::nullopt,
                         "no conditions",
                         {"at least one condition must be passed to ConditionsAwareDecisionConditionsMap(), got none"}};
  }
  const Decision::Outcome failure = conditions.deny.empty() ? Decision::Outcome::no_opinion : Decision::Outcome::deny;
  if (conditions.size() > ConditionsMap::most) {
    return PlainDecision::failed_closed(failure, "too many conditions: " + std::to_string(conditions.size()) +
                                                     " exceeds maximum of " + std::to_string(ConditionsMap::most));
  }
  if (conditions.deny.empty() && conditions.allow.empty()) {
    return PlainDecision{
        Decision::Outcome::no_opinion, std::nullopt, "only NoOpinion conditions always evaluate to NoOpinion", {}};
  }
  if (auto wrong = wrong_conditions(conditions)) return PlainDecision::failed_closed(failure, std::move(*wrong));
  return ConditionsAwareDecision(Answer(std::move(conditions)));
}

Outcomes ConditionsAwareDecision::possible() const {
  if (const Members* members = this->members()) return possible_of(*members, ends_the_chain());
  Outcomes out;
  if (const PlainDecision* plain = this->plain()) {
    out.add(plain->outcome);
    return out;
  }
  out.add(Decision::Outcome::no_opinion);
  if (!conditions()->deny.empty()) out.add(Decision::Outcome::deny);
  if (!conditions()->allow.empty()) out.add(Decision::Outcome::allow);
  return out;
}

bool ConditionsAwareDecision::ends_the_chain() const {
  if (const PlainDecision* plain = this->plain()) return plain->outcome != Decision::Outcome::no_opinion;
  const Members* members = this->members();
  return members != nullptr &&
         std::ranges::any_of(*members, [](const Member& member) { return member.decision.ends_the_chain(); });
}

Decision::Outcome ConditionsAwareDecision::on_failure() const {
  return failure_of(possible());
}

PlainDecision ConditionsAwareDecision::fail_closed() const {
  if (const PlainDecision* plain = this->plain()) return *plain;
  return {on_failure(),
          std::nullopt,
          "failed closed: tried to return conditional decision to conditions-unaware authorizer",
          {}};
}

ConditionsAwareDecision ConditionsAwareDecision::evaluated(const EvaluateCondition& evaluate) const {
  if (const ConditionsMap* map = conditions()) return evaluated_map(*map, evaluate);
  if (const Members* members = this->members()) return evaluated_members(*members, evaluate);
  return *this;
}

void ConditionsAwareUnion::add(std::string authorizer, ConditionsAwareDecision decision) {
  if (ends_the_chain_) return;
  if (authorizer.empty()) errors_.emplace_back("conditionalAuthorizerName must be non-empty");
  if (std::ranges::find(members_, authorizer, &ConditionsAwareDecision::Member::authorizer) != members_.end()) {
    errors_.push_back("duplicate conditionalAuthorizerName " + go_quoted(authorizer));
  }
  ends_the_chain_ = decision.ends_the_chain();
  members_.push_back({std::move(authorizer), std::move(decision)});
}

ConditionsAwareDecision ConditionsAwareUnion::decision() const {
  const Outcomes possible = possible_of(members_, ends_the_chain_);
  if (!errors_.empty()) return PlainDecision{failure_of(possible), std::nullopt, "failed closed", errors_};
  const std::optional<Decision::Outcome> only = possible.only();
  if (!only) return ConditionsAwareDecision(ConditionsAwareDecision::Answer(members_));
  PlainDecision out{*only, {}, {}, {}};
  std::vector<std::string> reasons;
  for (const ConditionsAwareDecision::Member& member : members_) {
    collect(out, reasons, member.authorizer, member.decision);
  }
  out.reason = joined(reasons, ", ");
  return out;
}

}  // namespace nodebound
