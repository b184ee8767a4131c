// Answers with conditions: staging/src/k8s.io/apiserver/pkg/authorization of 1.37. ci/compare/conditions asks that code
// the same random chains.
#include <boost/test/unit_test.hpp>
#include <map>

#include "reference/admission/admission.h"
#include "reference/authorizer/always_authorizer.h"
#include "reference/authorizer/authorizer_chain.h"
#include "reference/authorizer/conditions/conditions_aware_decision.h"
#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(conditions)

using namespace nodebound;
using Outcome = Decision::Outcome;

namespace {

/// Allows a node whatever touches only objects that are labelled with its name, and says so before it has seen them.
class OwnLabel final : public Authorizer {
 public:
  explicit OwnLabel(bool denies_others = false) : denies_others_(denies_others) {}

  [[nodiscard]] std::string_view name() const override { return "labels"; }
  [[nodiscard]] Decision authorize(const Subject& subject, const Attributes& attributes) const override {
    return authorize_with_conditions(subject, attributes).fail_closed().decision();
  }
  [[nodiscard]] ConditionsAwareDecision authorize_with_conditions(const Subject&, const Attributes&) const override {
    ConditionsMap map;
    map.allow.push_back({.id = "own", .description = "the label names you"});
    if (denies_others_) map.deny.push_back({.id = "other"});
    return ConditionsAwareDecision::on(std::move(map));
  }
  [[nodiscard]] PlainDecision evaluate_conditions(const ConditionsAwareDecision& decision,
                                                  const AdmissionRequest& request) const override {
    const Object* label = find(request.object, "owner");
    return decision
        .evaluated([&](const Condition& condition) {
          if (label == nullptr) return ConditionResult::failed("no label");
          const bool own = "system:node:" + label->get<std::string>() == request.subject.name;
          return ConditionResult::of((condition.id == "own") == own);
        })
        .fail_closed();
  }

 private:
  static const Object* find(const Object& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
  }

  bool denies_others_;
};

/// Comes to what it did not say is possible.
class Liar final : public Authorizer {
 public:
  [[nodiscard]] std::string_view name() const override { return "liar"; }
  [[nodiscard]] Decision authorize(const Subject&, const Attributes&) const override {
    return Decision::no_opinion(std::nullopt);
  }
  [[nodiscard]] ConditionsAwareDecision authorize_with_conditions(const Subject&, const Attributes&) const override {
    return ConditionsAwareDecision::on({.deny = {{.id = "a"}}});
  }
  [[nodiscard]] PlainDecision evaluate_conditions(const ConditionsAwareDecision&,
                                                  const AdmissionRequest&) const override {
    return {Outcome::allow};
  }
};

const Subject node_a = test::node_named("a");
const RuleSet rules = test::rules_of("1.37.1");

PlainDecision decide(const AuthorizerChain& chain, const Subject& subject, const Object& object) {
  const Object none;
  const ConditionsAwareDecision decision = chain.authorize_with_conditions(subject, {});
  if (const PlainDecision* plain = decision.plain()) return *plain;
  return chain.evaluate_conditions(decision, {Operation::create, subject, "", "pods", "", "shop", "", object, none});
}

EvaluateCondition by_id(std::map<std::string, ConditionResult> results) {
  return [results = std::move(results)](const Condition& condition) { return results.at(condition.id); };
}

const ConditionResult yes = ConditionResult::of(true);
const ConditionResult no = ConditionResult::of(false);
const ConditionResult unknown;

ConditionsAwareDecision three_effects() {
  return ConditionsAwareDecision::on({{{.id = "d"}}, {{.id = "n"}}, {{.id = "a"}}});
}

std::string error_of(ConditionsMap map) {
  const ConditionsAwareDecision decision = ConditionsAwareDecision::on(std::move(map));
  BOOST_REQUIRE(decision.plain() != nullptr);
  return go_aggregate(decision.plain()->errors);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_condition_decides_once_the_object_is_known) {
  const OwnLabel labels;
  const AuthorizerChain chain(rules, {&labels});
  const PlainDecision own = decide(chain, node_a, {{"owner", "a"}});
  BOOST_TEST((own.outcome == Outcome::allow));
  BOOST_TEST(own.reason == "condition \"own\" allowed the request with description \"the label names you\"");
  const PlainDecision other = decide(chain, node_a, {{"owner", "b"}});
  BOOST_TEST((other.outcome == Outcome::no_opinion));
  BOOST_TEST(other.reason == "labels: no conditions matched");
  const PlainDecision none = decide(chain, node_a, Object::object());
  BOOST_TEST((none.outcome == Outcome::no_opinion));
  BOOST_TEST(none.decision().error == "condition \"own\" with effect=Allow evaluated to an error: no label");
}

BOOST_AUTO_TEST_CASE(the_next_authorizer_decides_where_no_condition_holds) {
  const OwnLabel labels;
  const OwnLabel strict(true);
  const AlwaysAuthorizer all(true);
  const Object of_b = {{"owner", "b"}};
  BOOST_TEST((decide(AuthorizerChain(rules, {&labels, &all}), node_a, of_b).outcome == Outcome::allow));
  BOOST_TEST((decide(AuthorizerChain(rules, {&strict, &all}), node_a, of_b).outcome == Outcome::deny));
}

BOOST_AUTO_TEST_CASE(who_allows_first_makes_conditions_needless) {
  const OwnLabel labels;
  const AlwaysAuthorizer all(true);
  const ConditionsAwareDecision decision =
      AuthorizerChain(rules, {&all, &labels}).authorize_with_conditions(node_a, {});
  BOOST_REQUIRE(decision.plain() != nullptr);
  BOOST_TEST((decision.plain()->outcome == Outcome::allow));
  const Subject master{"root", {"system:masters"}, "", {}};
  const ConditionsAwareDecision of_master = AuthorizerChain(rules, {&labels}).authorize_with_conditions(master, {});
  BOOST_REQUIRE(of_master.plain() != nullptr);
  BOOST_TEST((of_master.plain()->rule == Rule::masters_group));
}

BOOST_AUTO_TEST_CASE(who_knows_no_conditions_is_refused) {
  const OwnLabel labels;
  const OwnLabel strict(true);
  const Decision open = AuthorizerChain(rules, {&labels}).authorize(node_a, {});
  BOOST_TEST((open.outcome == Outcome::no_opinion));
  BOOST_TEST(open.reason ==
             "labels: failed closed: tried to return conditional decision to conditions-unaware authorizer");
  BOOST_TEST((AuthorizerChain(rules, {&strict}).authorize(node_a, {}).outcome == Outcome::deny));
}

BOOST_AUTO_TEST_CASE(an_authorizer_without_conditions_answers_as_ever) {
  const AlwaysAuthorizer none(false);
  const AuthorizerChain chain(rules, {&none});
  const ConditionsAwareDecision decision = chain.authorize_with_conditions(node_a, {});
  BOOST_REQUIRE(decision.plain() != nullptr);
  BOOST_TEST(decision.plain()->reason == "alwaysdeny: {Everything is forbidden.}");
  BOOST_TEST((decision.plain()->rule == chain.authorize(node_a, {}).rule));
  const Object object;
  const PlainDecision evaluated =
      none.evaluate_conditions(three_effects(), {Operation::create, node_a, "", "pods", "", "", "", object, object});
  BOOST_TEST((evaluated.outcome == Outcome::deny));
  BOOST_TEST(evaluated.decision().error == "condition evaluation not supported");
}

BOOST_AUTO_TEST_CASE(an_impossible_outcome_is_refused) {
  const Liar liar;
  const PlainDecision decision = decide(AuthorizerChain(rules, {&liar}), node_a, Object::object());
  BOOST_TEST((decision.outcome == Outcome::deny));
  BOOST_TEST(decision.decision().error == "evaluated to decision Allow, but only [Deny NoOpinion] were possible");
}

BOOST_AUTO_TEST_CASE(deny_outweighs_no_opinion_and_no_opinion_allow) {
  const auto comes_to = [](const ConditionResult& deny, const ConditionResult& no_opinion,
                           const ConditionResult& allow) {
    return three_effects().evaluated(by_id({{"d", deny}, {"n", no_opinion}, {"a", allow}})).fail_closed().outcome;
  };
  BOOST_TEST((comes_to(yes, yes, yes) == Outcome::deny));
  BOOST_TEST((comes_to(no, yes, yes) == Outcome::no_opinion));
  BOOST_TEST((comes_to(no, no, yes) == Outcome::allow));
  BOOST_TEST((comes_to(no, no, no) == Outcome::no_opinion));
  const ConditionResult broken = ConditionResult::failed("broken");
  BOOST_TEST((comes_to(broken, no, yes) == Outcome::deny));
  BOOST_TEST((comes_to(no, broken, yes) == Outcome::no_opinion));
  BOOST_TEST((comes_to(no, no, broken) == Outcome::no_opinion));
}

BOOST_AUTO_TEST_CASE(what_nobody_can_evaluate_stays) {
  const ConditionsAwareDecision left = three_effects().evaluated(by_id({{"d", no}, {"n", unknown}, {"a", yes}}));
  BOOST_REQUIRE(left.conditions() != nullptr);
  BOOST_TEST(left.conditions()->deny.empty());
  BOOST_TEST(left.conditions()->no_opinion.size() == 1U);
  BOOST_TEST(left.possible().text() == "[Allow NoOpinion]");
  BOOST_TEST((left.fail_closed().outcome == Outcome::no_opinion));
  const ConditionsAwareDecision denies = three_effects().evaluated(by_id({{"d", unknown}, {"n", no}, {"a", no}}));
  BOOST_TEST((denies.fail_closed().outcome == Outcome::deny));
}

BOOST_AUTO_TEST_CASE(wrong_conditions_fail_closed) {
  BOOST_TEST(error_of({}) ==
             "at least one condition must be passed to ConditionsAwareDecisionConditionsMap(), got none");
  BOOST_TEST(error_of({.deny = {{.id = "a"}}, .allow = {{.id = "a"}}}) == "duplicate condition ID \"a\"");
  BOOST_TEST(error_of({.allow = {{.id = "-a"}}}).starts_with("invalid condition ID \"-a\": name part must consist of"));
  BOOST_TEST(error_of({.allow = {{.id = "a", .type = "-t"}}}).starts_with("invalid condition type \"-t\": "));
  ConditionsMap many;
  for (int i = 0; i < 129; ++i) many.allow.push_back({.id = "c" + std::to_string(i)});
  BOOST_TEST(error_of(many) == "too many conditions: 129 exceeds maximum of 128");
  many.allow.pop_back();
  BOOST_TEST(ConditionsAwareDecision::on(many).conditions() != nullptr);
  BOOST_TEST((ConditionsAwareDecision::on({.deny = {{.id = "-a"}}}).plain()->outcome == Outcome::deny));
}

BOOST_AUTO_TEST_CASE(a_union_that_can_only_come_to_one_outcome_is_plain) {
  ConditionsAwareUnion both;
  both.add("first", ConditionsAwareDecision::on({.allow = {{.id = "a"}}}));
  both.add("second", Decision::allow(std::nullopt, "anyway"));
  both.add("third", Decision{Outcome::deny, std::nullopt, "never asked"});
  const ConditionsAwareDecision decision = both.decision();
  BOOST_REQUIRE(decision.plain() != nullptr);
  BOOST_TEST((decision.plain()->outcome == Outcome::allow));
  BOOST_TEST(decision.plain()->reason == "second: {anyway}");
  ConditionsAwareUnion twice;
  twice.add("a", ConditionsAwareDecision::on({.deny = {{.id = "a"}}}));
  twice.add("a", Decision::allow(std::nullopt));
  const ConditionsAwareDecision wrong = twice.decision();
  BOOST_REQUIRE(wrong.plain() != nullptr);
  BOOST_TEST((wrong.plain()->outcome == Outcome::deny));
  BOOST_TEST(go_aggregate(wrong.plain()->errors) == "duplicate conditionalAuthorizerName \"a\"");
}

BOOST_AUTO_TEST_SUITE_END()
