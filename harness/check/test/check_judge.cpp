#include <boost/test/unit_test.hpp>

#include "harness/check/answer.h"
#include "harness/check/judge.h"
#include "harness/check/probe.h"

BOOST_AUTO_TEST_SUITE(check_judge)

using namespace nodebound;

namespace {

const Catalogue& catalogue() {
  return Catalogue::built_in();
}

RuleSet rules_at(const char* version, const GateSettings& gates = {}) {
  return {catalogue(), *Release::make(catalogue(), *Version::parse(version), gates)};
}

HttpResponse status(int code, const std::string& message) {
  return {code, "application/json", R"({"kind":"Status","message":)" + Object(message).dump() + "}", {}};
}

HttpResponse review(bool allowed, const std::string& reason) {
  const Object body = {{"status", {{"allowed", allowed}, {"reason", reason}}}};
  return {201, "application/json", body.dump(), {}};
}

Check check_of(bool allow, std::vector<Rule> rules) {
  Check check;
  check.subject = SubjectText::of("node a");
  check.request = *parse_request("get secrets/db");
  check.allow = allow;
  check.rules = std::move(rules);
  return check;
}

constexpr const char* authorizer_says =
    R"(nodes "b" is forbidden: User "system:node:a" cannot delete resource "nodes" in API group "" at the cluster scope)";
constexpr const char* admission_says = R"(nodes "a" is forbidden: node "a" is not allowed to modify taints)";

}  // namespace

BOOST_AUTO_TEST_CASE(a_refusal_is_attributed_to_the_layer_that_made_it) {
  BOOST_TEST((read_answer(status(403, authorizer_says)).layer == Layer::authorizer));
  BOOST_TEST((read_answer(status(403, "forbidden: User \"x\" cannot get path \"/logs\"")).layer == Layer::authorizer));
  BOOST_TEST((read_answer(status(403, admission_says)).layer == Layer::admission));
  BOOST_TEST((read_answer(status(422, "Pod \"m\" is invalid: x")).layer == Layer::validation));
  BOOST_TEST((read_answer(status(401, "Unauthorized")).layer == Layer::authentication));
  BOOST_TEST((read_answer(status(400, "Upgrade request required")).kind == Answer::Kind::allowed));
  BOOST_TEST((read_answer(status(400, "Upgrade required")).kind == Answer::Kind::unclear));
  BOOST_TEST((read_answer(status(500, "Upgrade request required")).kind == Answer::Kind::unclear));
}

BOOST_AUTO_TEST_CASE(an_answer_that_decides_nothing_is_neither_allowed_nor_denied) {
  for (const int code : {400, 404, 409, 429, 500, 503, 302, 0}) {
    const Answer answer = read_answer(status(code, "something"));
    BOOST_TEST((answer.kind == Answer::Kind::unclear), code);
    for (const bool allow : {true, false}) {
      Expectation expectation;
      expectation.allow = allow;
      BOOST_TEST((judge(answer, expectation).verdict() == Verdict::inconclusive), code);
    }
  }
  BOOST_TEST((read_review(status(403, "not you")).kind == Answer::Kind::unclear));
  BOOST_TEST((read_review({201, "application/json", "[]", {}}).kind == Answer::Kind::unclear));
  BOOST_TEST((read_review({201, "application/json", "\xff{", {}}).kind == Answer::Kind::unclear));
}

BOOST_AUTO_TEST_CASE(a_refusal_by_another_layer_fails) {
  const RuleSet rules = rules_at("1.36.3");
  Check check = check_of(false, {Rule::node_taints});
  Expectation expectation = expectation_of(check, rules);
  expectation.known = {{"node", "a"}};
  BOOST_TEST((judge(read_answer(status(403, admission_says)), expectation).verdict() == Verdict::pass));
  BOOST_TEST((judge(read_answer(status(403, authorizer_says)), expectation).verdict() == Verdict::fail));
  BOOST_TEST((judge(read_answer(status(422, admission_says)), expectation).verdict() == Verdict::fail));
  BOOST_TEST((judge(read_answer(status(200, "")), expectation).verdict() == Verdict::fail));
}

BOOST_AUTO_TEST_CASE(the_text_of_a_refusal_is_compared_apart_from_the_decision) {
  const RuleSet rules = rules_at("1.36.3");
  Expectation expectation = expectation_of(check_of(false, {Rule::node_taints}), rules);
  expectation.known = {{"node", "a"}};
  BOOST_TEST(judge(read_answer(status(403, admission_says)), expectation).reason_match.value());
  const Judgement other = judge(read_answer(status(403, "nodes \"a\" is forbidden: no")), expectation);
  BOOST_TEST((other.verdict() == Verdict::pass));
  BOOST_TEST(!other.reason_match.value());
}

BOOST_AUTO_TEST_CASE(a_rule_that_refuses_with_a_status_of_its_own_needs_its_text_too) {
  const RuleSet rules = rules_at("1.36.3");
  Expectation expectation = expectation_of(check_of(false, {Rule::pod_owner_exists}), rules);
  expectation.known = {{"node", "a"}};
  BOOST_TEST((judge(read_answer(status(404, "node \"a\" not found")), expectation).verdict() == Verdict::pass));
  BOOST_TEST((judge(read_answer(status(404, "pods \"m\" not found")), expectation).verdict() == Verdict::inconclusive));
}

BOOST_AUTO_TEST_CASE(a_review_is_the_authorizers_answer_alone) {
  const RuleSet rules = rules_at("1.36.3");
  Expectation expectation = expectation_of(check_of(false, {Rule::secret_through_pod}), rules);
  expectation.known = {{"node", "a"}};
  const std::string reason = "no relationship found between node 'a' and this object";
  const Judgement refused = judge(read_review(review(false, reason)), expectation);
  BOOST_TEST((refused.verdict() == Verdict::pass));
  BOOST_TEST(refused.reason_match.value());
  BOOST_TEST((judge(read_review(review(true, "")), expectation).verdict() == Verdict::fail));
}

BOOST_AUTO_TEST_CASE(a_list_of_rules_counts_as_refused_where_it_is_incomplete) {
  const RuleSet rules = rules_at("1.37.1");
  const auto listed = [](bool incomplete, const std::string& error) {
    const Object status = {{"incomplete", incomplete}, {"evaluationError", error}};
    return read_rules_review({201, "application/json", Object{{"status", status}}.dump(), {}});
  };
  Check check = check_of(false, {Rule::rules_review_incomplete});
  check.request = *parse_request("create selfsubjectrulesreviews");
  check.complete = true;
  const std::vector<Probe> probes = probes_of(check, "s/c", rules);
  BOOST_REQUIRE(probes.size() == 1);
  BOOST_TEST((probes[0].kind == Probe::Kind::rules_review));
  const Expectation& refused = probes[0].expectation;
  const std::string own = "node authorizer does not support user rule resolution";
  const std::string another = "webhook authorizer does not support user rule resolution";

  BOOST_TEST(judge(listed(true, own), refused).reason_match.value());
  BOOST_TEST(judge(listed(true, "[" + own + ", " + another + "]"), refused).reason_match.value());
  BOOST_TEST(!judge(listed(true, ""), refused).reason_match.value());
  BOOST_TEST((judge(listed(false, own), refused).verdict() == Verdict::fail));

  check.allow = true;
  const Expectation allowed = expectation_of(check, rules);
  BOOST_TEST((judge(listed(false, ""), allowed).verdict() == Verdict::pass));
  BOOST_TEST((judge(listed(true, ""), allowed).verdict() == Verdict::fail));
  BOOST_TEST((judge(listed(true, another), allowed).verdict() == Verdict::skip));
  BOOST_TEST((judge(listed(false, "role \"gone\" not found"), allowed).verdict() == Verdict::pass));
  BOOST_TEST((read_rules_review(status(403, authorizer_says)).kind == Answer::Kind::unclear));
  BOOST_TEST((read_rules_review({201, "application/json", "[]", {}}).kind == Answer::Kind::unclear));
}

BOOST_AUTO_TEST_CASE(a_list_of_rules_has_a_rule_that_covers_a_request_or_none) {
  const auto read = [](const char* of_resources, const char* of_urls, const Attributes& wanted) {
    const Object status = {{"resourceRules", Object::parse(of_resources)},
                           {"nonResourceRules", Object::parse(of_urls)}};
    return read_listed_rules({201, "application/json", Object{{"status", status}}.dump(), {}}, wanted);
  };
  const Attributes get_db = attributes_of("GET", "/api/v1/namespaces/shop/secrets/db");
  const char* const named = R"([{"verbs":["get"],"apiGroups":[""],"resources":["secrets"],"resourceNames":["db"]}])";
  BOOST_TEST((read(named, "[]", get_db).kind == Answer::Kind::allowed));
  Attributes other = get_db;
  other.name = "other";
  BOOST_TEST((read(named, "[]", other).kind == Answer::Kind::refused));
  BOOST_TEST((read("[]", "[]", get_db).layer == Layer::authorizer));
  const char* const url = R"([{"verbs":["*"],"nonResourceURLs":["/metrics/*"]}])";
  BOOST_TEST((read("[]", url, attributes_of("GET", "/metrics/all")).kind == Answer::Kind::allowed));
  BOOST_TEST((read("[]", url, get_db).kind == Answer::Kind::refused));
  // Rules that are none cover nothing.
  BOOST_TEST((read(R"([1, null, "x", {"verbs": 1, "resources": {}}])", "[[]]", get_db).kind == Answer::Kind::refused));
  // An answer without the lists says nothing.
  BOOST_TEST((read("{}", "[]", get_db).kind == Answer::Kind::unclear));
  BOOST_TEST((read_listed_rules(status(403, authorizer_says), get_db).kind == Answer::Kind::unclear));
  BOOST_TEST((read_listed_rules({201, "application/json", "[", {}}, get_db).kind == Answer::Kind::unclear));
}

BOOST_AUTO_TEST_CASE(a_list_of_rules_says_which_role_is_missing) {
  const RuleSet rules = rules_at("1.37.1");
  Check check = check_of(false, {Rule::rbac_missing_role});
  check.request = *parse_request("create selfsubjectrulesreviews");
  check.lists = *parse_request("get secrets/db");
  const Expectation expectation = probes_of(check, "s/c", rules).front().expectation;
  const auto names_it = [&](const std::string& error) {
    const Object status = {
        {"resourceRules", Object::array()}, {"nonResourceRules", Object::array()}, {"evaluationError", error}};
    const HttpResponse response{201, "application/json", Object{{"status", status}}.dump(), {}};
    return *judge(read_listed_rules(response, attributes_of("GET", "/api/v1/secrets")), expectation).reason_match;
  };
  const std::string missing = "clusterrole.rbac.authorization.k8s.io \"gone\" not found";
  BOOST_TEST(names_it(missing));
  BOOST_TEST(names_it("[node authorizer does not support user rule resolution, " + missing + "]"));
  BOOST_TEST(!names_it(""));
  BOOST_TEST(!names_it("another error, " + missing));
  BOOST_TEST(!names_it("role.rbac.authorization.k8s.io \"gone\" not found"));
}

BOOST_AUTO_TEST_CASE(a_list_of_rules_with_the_node_authorizers_error_fails_where_it_should_be_whole) {
  const RuleSet rules = rules_at("1.37.1");
  Expectation allowed = expectation_of(check_of(true, {Rule::rules_review_incomplete}), rules);
  allowed.speaker.clear();
  const Object status = {{"incomplete", true},
                         {"evaluationError", "node authorizer does not support user rule resolution"}};
  const Answer answer = read_rules_review({201, "application/json", Object{{"status", status}}.dump(), {}});
  BOOST_TEST((judge(answer, allowed).verdict() == Verdict::fail));
  BOOST_TEST(expectation_of(check_of(false, {Rule::rules_review_incomplete}), rules_at("1.18.0")).allow);
}

BOOST_AUTO_TEST_CASE(what_a_rule_decides_is_turned_round_where_it_is_not_in_force) {
  // CVE-2025-5187 was fixed in 1.32.8: before, a node could change the owners of its Node.
  const Check owners = check_of(false, {Rule::node_owner_references});
  BOOST_TEST(!expectation_of(owners, rules_at("1.32.8")).allow);
  BOOST_TEST(expectation_of(owners, rules_at("1.32.7")).allow);
  // The twin holds with and without the rule.
  const Check twin = check_of(true, {Rule::node_owner_references});
  BOOST_TEST(expectation_of(twin, rules_at("1.32.8")).allow);
  BOOST_TEST(expectation_of(twin, rules_at("1.32.7")).allow);
  // A grant works the other way round.
  const Check reads = check_of(true, {Rule::service_account_through_pod});
  BOOST_TEST(expectation_of(reads, rules_at("1.36.3")).allow);
  BOOST_TEST(!expectation_of(reads, rules_at("1.32.0")).allow);
  const Check all = check_of(true, {Rule::secret_through_pod, Rule::edge_secret_csi});
  BOOST_TEST(expectation_of(all, rules_at("1.14")).allow);
  BOOST_TEST(!expectation_of(all, rules_at("1.13")).allow);
}

BOOST_AUTO_TEST_CASE(each_layer_is_also_asked_alone) {
  const RuleSet rules = rules_at("1.36.3");
  Check change = check_of(false, {Rule::node_taints});
  change.request = *parse_request("change nodes/a");
  change.ways = {Way::put, Way::merge};
  const std::vector<Probe> probes = probes_of(change, "s/c", rules);
  BOOST_REQUIRE_EQUAL(probes.size(), 5U);
  BOOST_TEST(probes[0].id == "s/c@authorizer");
  BOOST_TEST(probes[0].expectation.allow);
  BOOST_TEST(probes[1].id == "s/c[put]");
  BOOST_TEST(!probes[1].expectation.allow);
  BOOST_TEST(probes[2].id == "s/c[put]@admission");
  BOOST_TEST(probes[4].id == "s/c[merge]@admission");

  const std::vector<Probe> read = probes_of(check_of(false, {Rule::secret_through_pod}), "s/r", rules);
  BOOST_REQUIRE_EQUAL(read.size(), 2U);
  BOOST_TEST(!read[0].expectation.allow);
}

BOOST_AUTO_TEST_SUITE_END()
