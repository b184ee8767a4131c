#include "reference/authorizer/webhook_authorizer.h"

#include <boost/test/unit_test.hpp>

#include "reference/authorizer/always_authorizer.h"
#include "reference/authorizer/authorizer_chain.h"
#include "reference/test/support.h"

using namespace nodebound;

// What the answers of a webhook come to: staging/src/k8s.io/apiserver/plugin/pkg/authorizer/webhook/webhook.go.
BOOST_AUTO_TEST_SUITE(webhook_authorizer)

namespace {

using Outcome = Decision::Outcome;

const Subject node = test::node_named("a");

Attributes get_secret() {
  return attributes_of("GET", "/api/v1/namespaces/shop/secrets/db");
}

Decision decide(const RuleSet& rules, const WebhookAnswer& answer) {
  return WebhookAuthorizer(rules, {.ask = [&](const Subject&, const Attributes&) { return answer; }})
      .authorize(node, get_secret());
}

/// The answer of a chain with an authorizer behind the webhook.
Decision decide_with(const WebhookAnswer& answer, bool next_allows) {
  const RuleSet rules = test::rules_of("1.36.3");
  const WebhookAuthorizer webhook(rules, {.ask = [&](const Subject&, const Attributes&) { return answer; }});
  const AlwaysAuthorizer next(next_allows);
  return AuthorizerChain(rules, {&webhook, &next}).authorize(node, get_secret());
}

const WebhookAnswer allowed{true, false, "yes", {}};
const WebhookAnswer denied{false, true, "no", {}};
const WebhookAnswer torn{true, true, "both", {}};
const WebhookAnswer silent{false, false, "who knows", {}};
const WebhookAnswer failed{false, false, {}, "connection refused"};

}  // namespace

BOOST_AUTO_TEST_CASE(each_answer_has_its_outcome_rule_and_reason) {
  const RuleSet rules = test::rules_of("1.36.3");
  const auto is = [&](const WebhookAnswer& answer, Outcome outcome, Rule rule) {
    const Decision decision = decide(rules, answer);
    BOOST_TEST((decision.outcome == outcome));
    BOOST_TEST((decision.rule == rule));
    BOOST_TEST(decision.reason == answer.reason);
  };
  is(allowed, Outcome::allow, Rule::webhook_allows);
  is(denied, Outcome::deny, Rule::webhook_denies);
  is(torn, Outcome::deny, Rule::webhook_denies_and_allows);
  is(silent, Outcome::no_opinion, Rule::webhook_abstains);
  is(failed, Outcome::no_opinion, Rule::webhook_fails_open);
  BOOST_TEST(decide(rules, torn).error == "webhook subject access review returned both allow and deny response");
  BOOST_TEST(decide(rules, failed).error == "connection refused");
}

BOOST_AUTO_TEST_CASE(before_1_9_nobody_could_deny) {
  const RuleSet rules = test::rules_of("1.8.15");
  BOOST_TEST((decide(rules, denied).outcome == Outcome::no_opinion));
  BOOST_TEST((decide(rules, torn).outcome == Outcome::allow));
}

BOOST_AUTO_TEST_CASE(a_denial_ends_the_chain) {
  const Decision decision = decide_with(denied, true);
  BOOST_TEST((decision.outcome == Outcome::deny));
  BOOST_TEST(decision.reason == "no");
}

BOOST_AUTO_TEST_CASE(an_error_is_told_unless_somebody_else_allows) {
  const Decision refused = decide_with(failed, false);
  BOOST_TEST((refused.outcome == Outcome::no_opinion));
  BOOST_TEST(refused.error == "connection refused");
  BOOST_TEST(refused.reason == "Everything is forbidden.");
  const Decision granted = decide_with(failed, true);
  BOOST_TEST(granted.allowed());
  BOOST_TEST(granted.error.empty());
}

BOOST_AUTO_TEST_CASE(members_of_system_masters_are_not_asked_about) {
  const RuleSet rules = test::rules_of("1.36.3");
  int asked = 0;
  const WebhookAuthorizer webhook(rules, {.ask = [&](const Subject&, const Attributes&) {
                                    ++asked;
                                    return denied;
                                  }});
  const AuthorizerChain chain(rules, {&webhook});
  BOOST_TEST(chain.authorize({"admin", {"system:masters"}, "", {}}, get_secret()).allowed());
  BOOST_TEST(asked == 0);
  BOOST_TEST(!chain.authorize(node, get_secret()).allowed());
  BOOST_TEST(asked == 1);
}

BOOST_AUTO_TEST_CASE(it_lists_nothing_and_says_so) {
  const RuleSet rules = test::rules_of("1.36.3");
  const SubjectRules told = WebhookAuthorizer(rules, {.ask = [](const Subject&, const Attributes&) { return allowed; }})
                                .rules_for(node, "shop");
  BOOST_TEST(told.rules.empty());
  BOOST_TEST(told.incomplete);
  BOOST_TEST(told.errors == std::vector<std::string>{"webhook authorizer does not support user rule resolution"},
             boost::test_tools::per_element());
}

namespace {

/// A webhook that denies, if it is asked, or fails.
Decision under_conditions(const std::vector<const char*>& expressions, bool fails = false,
                          bool deny_on_failure = false) {
  const RuleSet rules = test::rules_of("1.36.3", {});
  AuthorizationWebhook webhook;
  webhook.name = "strict.example.com";
  webhook.deny_on_failure = deny_on_failure;
  webhook.ask = [fails](const Subject&, const Attributes&) {
    WebhookAnswer out;
    out.denied = !fails;
    if (fails) out.error = "EOF";
    return out;
  };
  for (const char* expression : expressions) {
    webhook.conditions.push_back(cel::MatchCondition::compile(expression, rules.release()).value());
  }
  return WebhookAuthorizer(rules, webhook).authorize(node, get_secret());
}

}  // namespace

BOOST_AUTO_TEST_CASE(it_is_asked_where_all_conditions_hold) {
  const std::vector<const char*> all = {"'system:nodes' in request.groups",
                                        "request.resourceAttributes.resource == 'secrets'"};
  BOOST_TEST((under_conditions(all).outcome == Decision::Outcome::deny));
  BOOST_TEST((under_conditions({all[0], "request.user == 'jane'"}).outcome == Decision::Outcome::no_opinion));
  BOOST_TEST((under_conditions({"!has(request.nonResourceAttributes)"}).outcome == Decision::Outcome::deny));
}

BOOST_AUTO_TEST_CASE(failures_follow_the_failure_policy) {
  BOOST_TEST((under_conditions({}, true).outcome == Decision::Outcome::no_opinion));
  const Decision unreached = under_conditions({}, true, true);
  BOOST_TEST((unreached.outcome == Decision::Outcome::deny));
  BOOST_TEST(unreached.error == "EOF");
  const char* const fails = "request.nonResourceAttributes.path == '/'";
  BOOST_TEST((under_conditions({fails}).outcome == Decision::Outcome::no_opinion));
  const Decision unevaluated = under_conditions({fails}, false, true);
  BOOST_TEST((unevaluated.outcome == Decision::Outcome::deny));
  BOOST_TEST(unevaluated.error ==
             "cel evaluation error: expression 'request.nonResourceAttributes.path == '/'' resulted in "
             "error: no such key: nonResourceAttributes");
  BOOST_TEST((under_conditions({fails, "false"}, false, true).outcome == Decision::Outcome::no_opinion));
}

BOOST_AUTO_TEST_SUITE_END()
