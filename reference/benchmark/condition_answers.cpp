// Answers chains of authorizers with conditions for ci/compare/conditions: nodebound_condition_answers <QUESTIONS
//
// Each line of standard input is a question as ci/go/conditions/main.go describes it; the line that it writes for it
// has the chain's answer, what it is after partial evaluation, what it comes to, and a union of any names.
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "reference/admission/admission.h"
#include "reference/authorizer/authorizer_chain.h"
#include "reference/authorizer/conditions/conditions_aware_decision.h"
#include "reference/release/catalogue.h"

namespace {

using namespace nodebound;
using nlohmann::json;
using Outcome = Decision::Outcome;

Outcome outcome_of(const std::string& name) {
  for (const Outcome outcome : Outcomes::all) {
    if (name == Outcomes::name(outcome)) return outcome;
  }
  throw std::runtime_error("decision \"" + name + "\": expected Deny, Allow or NoOpinion");
}

ConditionResult result_of(const json& results, const Condition& condition) {
  const std::string value = results.value(condition.id, std::string());
  if (value == "unevaluatable") return {};
  if (value == "yes" || value == "no") return ConditionResult::of(value == "yes");
  return ConditionResult::failed(value);
}

std::vector<Condition> conditions_of(const json& answer, const char* effect) {
  std::vector<Condition> out;
  for (const json& one : answer.value(effect, json::array())) {
    out.push_back({one["id"], one.value("type", ""), {}, one.value("description", "")});
  }
  return out;
}

/// An authorizer that always answers the same.
class AlwaysSame final : public Authorizer {
 public:
  AlwaysSame(std::string name, const json& answer, const json& results)
      : name_(std::move(name)), answer_(answer), results_(results) {}

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] Decision authorize(const Subject& subject, const Attributes& attributes) const override {
    return authorize_with_conditions(subject, attributes).fail_closed().decision();
  }
  [[nodiscard]] ConditionsAwareDecision authorize_with_conditions(const Subject&, const Attributes&) const override {
    if (answer_.contains("conditions")) {
      const json& of = answer_["conditions"];
      return ConditionsAwareDecision::on(
          {conditions_of(of, "deny"), conditions_of(of, "noOpinion"), conditions_of(of, "allow")});
    }
    return Decision{outcome_of(answer_["decision"]), std::nullopt, answer_.value("reason", ""),
                    answer_.value("error", "")};
  }
  [[nodiscard]] PlainDecision evaluate_conditions(const ConditionsAwareDecision& decision,
                                                  const AdmissionRequest&) const override {
    if (answer_.contains("evaluates")) return {outcome_of(answer_["evaluates"])};
    const auto evaluate = [&](const Condition& condition) {
      const ConditionResult result = result_of(results_, condition);
      return result.value == ConditionResult::Value::unevaluatable ? ConditionResult::failed("unevaluatable") : result;
    };
    return decision.evaluated(evaluate).fail_closed();
  }

 private:
  std::string name_;
  const json& answer_;
  const json& results_;
};

/// A chain that is a member of another one.
class InnerChain final : public Authorizer {
 public:
  InnerChain(std::string name, AuthorizerChain chain) : name_(std::move(name)), chain_(std::move(chain)) {}

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] Decision authorize(const Subject& subject, const Attributes& attributes) const override {
    return chain_.authorize(subject, attributes);
  }
  [[nodiscard]] ConditionsAwareDecision authorize_with_conditions(const Subject& subject,
                                                                  const Attributes& attributes) const override {
    return chain_.authorize_with_conditions(subject, attributes);
  }
  [[nodiscard]] PlainDecision evaluate_conditions(const ConditionsAwareDecision& decision,
                                                  const AdmissionRequest& request) const override {
    return chain_.evaluate_conditions(decision, request);
  }

 private:
  std::string name_;
  AuthorizerChain chain_;
};

/// The authorizers of one question.
class Authorizers {
 public:
  Authorizers(const RuleSet& rules, const json& results) : rules_(rules), results_(results) {}

  AuthorizerChain chain(const json& members) {
    std::vector<const Authorizer*> out;
    for (const json& member : members) out.push_back(&authorizer(member));
    return {rules_, std::move(out)};
  }

  const Authorizer& authorizer(const json& member) {
    const json& answer = member["answer"];
    if (answer.contains("chain")) {
      all_.push_back(std::make_unique<InnerChain>(member["name"], chain(answer["chain"])));
    } else {
      all_.push_back(std::make_unique<AlwaysSame>(member["name"], answer, results_));
    }
    return *all_.back();
  }

 private:
  const RuleSet& rules_;
  const json& results_;
  std::vector<std::unique_ptr<Authorizer>> all_;
};

json shown(const PlainDecision& decision) {
  return {{"decision", Outcomes::name(decision.outcome)},
          {"reason", decision.reason},
          {"error", go_aggregate(decision.errors)}};
}

json ids_of(const std::vector<Condition>& conditions) {
  json out = json::array();
  for (const Condition& condition : conditions) out.push_back(condition.id);
  return out;
}

json shown(const ConditionsAwareDecision& decision) {
  if (const PlainDecision* plain = decision.plain()) return shown(*plain);
  if (const ConditionsMap* map = decision.conditions()) {
    return {{"deny", ids_of(map->deny)}, {"noOpinion", ids_of(map->no_opinion)}, {"allow", ids_of(map->allow)}};
  }
  json out = json::array();
  for (const auto& [name, answer] : *decision.members()) out.push_back({{"name", name}, {"decision", shown(answer)}});
  return out;
}

json about(const ConditionsAwareDecision& decision) {
  return {{"decision", shown(decision)},
          {"possible", decision.possible().text()},
          {"onFailure", Outcomes::name(decision.on_failure())},
          {"endsTheChain", decision.ends_the_chain()}};
}

json answers(const RuleSet& rules, const json& question) {
  const Subject nobody;
  const Object none;
  const json& results = question["results"];
  Authorizers authorizers(rules, results);
  const AuthorizerChain chain = authorizers.chain(question["chain"]);
  const ConditionsAwareDecision decision = chain.authorize_with_conditions(nobody, {});
  ConditionsAwareUnion joined;
  for (const json& member : question["union"]) {
    joined.add(member["name"], authorizers.authorizer(member).authorize_with_conditions(nobody, {}));
  }
  const AdmissionRequest request{.subject = nobody,
                                 .group = {},
                                 .resource = {},
                                 .subresource = {},
                                 .namespace_ = {},
                                 .name = {},
                                 .object = none,
                                 .old_object = none};
  const auto evaluate = [&](const Condition& condition) { return result_of(results, condition); };
  return {{"chain", about(decision)},
          {"partially", about(decision.evaluated(evaluate))},
          {"evaluated", shown(chain.evaluate_conditions(decision, request))},
          {"union", about(joined.decision())}};
}

}  // namespace

int main() try {
  // A chain with conditions asks only one rule, and no chain here has a member of its group.
  const Catalogue& catalogue = Catalogue::built_in();
  const Result<Release> release = Release::make(catalogue, catalogue.turning_points().back(), {});
  if (!release) {
    std::cerr << "nodebound_condition_answers: " << release.error().text() << "\n";
    return 2;
  }
  const RuleSet rules(catalogue, *release);
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << answers(rules, json::parse(line)).dump() << "\n";
  }
  return 0;
} catch (const std::exception& error) {
  std::cerr << "nodebound_condition_answers: " << error.what() << "\n";
  return 2;
}
