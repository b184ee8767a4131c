#include "reference/authorizer/webhook_authorizer.h"

#include "reference/authorizer/reviewed_request.h"

namespace nodebound {
namespace {

constexpr const char* both = "webhook subject access review returned both allow and deny response";

}  // namespace

Decision WebhookAuthorizer::failed(std::string why) const {
  if (webhook_.deny_on_failure && rules_.in_force(Rule::webhook_fails_closed)) {
    return {Decision::Outcome::deny, Rule::webhook_fails_closed, {}, std::move(why)};
  }
  const bool open = rules_.in_force(Rule::webhook_fails_open);
  return {open ? Decision::Outcome::no_opinion : Decision::Outcome::deny, Rule::webhook_fails_open, {}, std::move(why)};
}

Decision WebhookAuthorizer::authorize(const Subject& subject, const Attributes& attributes) const {
  using Outcome = Decision::Outcome;
  if (!webhook_.conditions.empty() && rules_.in_force(Rule::webhook_match_conditions)) {
    cel::Match match = cel::evaluate_all(webhook_.conditions, reviewed_request(subject, attributes, rules_.release()));
    const bool fails = match.answer == cel::Match::Answer::error;
    if (fails && rules_.in_force(Rule::webhook_condition_fails)) return failed(std::move(match.error));
    if (fails || match.answer == cel::Match::Answer::no) return Decision::no_opinion(Rule::webhook_match_conditions);
  }
  WebhookAnswer answer = webhook_.ask(subject, attributes);
  if (!answer.error.empty()) return failed(std::move(answer.error));
  if (answer.denied && answer.allowed && rules_.in_force(Rule::webhook_denies_and_allows)) {
    return {Outcome::deny, Rule::webhook_denies_and_allows, std::move(answer.reason), both};
  }
  if (answer.denied && !answer.allowed && rules_.in_force(Rule::webhook_denies)) {
    return {Outcome::deny, Rule::webhook_denies, std::move(answer.reason), {}};
  }
  if (answer.allowed && rules_.in_force(Rule::webhook_allows)) {
    return Decision::allow(Rule::webhook_allows, std::move(answer.reason));
  }
  const bool abstains = rules_.in_force(Rule::webhook_abstains);
  return {abstains ? Outcome::no_opinion : Outcome::deny, Rule::webhook_abstains, std::move(answer.reason), {}};
}

SubjectRules WebhookAuthorizer::rules_for(const Subject& /*subject*/, const std::string& /*namespace_*/) const {
  return {{}, {"webhook authorizer does not support user rule resolution"}, true};
}

}  // namespace nodebound
