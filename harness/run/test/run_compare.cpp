#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <set>

#include "harness/check/probe.h"
#include "harness/endpoint/reference_endpoint.h"
#include "harness/run/runner.h"
#include "harness/test/project.h"
#include "reports/comparison/comparison.h"

BOOST_AUTO_TEST_SUITE(run_compare)

using namespace nodebound;
using namespace nodebound::journal;

namespace {

RuleSet rules_at(const char* version) {
  return {catalogue(), *Release::make(catalogue(), *Version::parse(version), {})};
}

Check taints_check() {
  Check check;
  check.name = "taints";
  check.subject = SubjectText::of("node a");
  check.request = *parse_request("update nodes/a");
  check.rules = {Rule::node_taints};
  return check;
}

std::vector<std::string> ids(const std::vector<Probe>& probes) {
  std::vector<std::string> out;
  for (const Probe& probe : probes) out.push_back(probe.id);
  return out;
}

Report run(const RuleSet& rules, const RuleSet& other, const std::vector<Scenario>& scenarios = project_scenarios()) {
  const std::unique_ptr<Endpoint> endpoint = make_reference_endpoint(rules, {});
  Journal journal;
  RunOptions options;
  options.run_id = "test";
  options.compared_with = &other;
  std::vector<Error> errors;
  return run_scenarios(scenarios, *endpoint, rules, journal, options, errors);
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_either_side_asks_is_asked_of_both) {
  const RuleSet rules = rules_at("1.36.3");
  // If the authorizer refuses, admission is not asked alone.
  Check check = taints_check();
  check.rules = {Rule::node_nothing_else};
  const RuleSet without = rules.with_flipped(Rule::node_nothing_else);
  const std::vector<std::string> all = {"s/taints@authorizer", "s/taints", "s/taints@admission"};
  BOOST_TEST(ids(probes_of(check, "s/taints", rules)).size() == 2U);
  BOOST_TEST(ids(probes_of(check, "s/taints", without)) == all);
  BOOST_TEST(ids(probes_of_both(check, "s/taints", rules, without)) == all);
  BOOST_TEST(ids(probes_of_both(check, "s/taints", without, rules)) == all);
  // Each side expects what its own rules require.
  BOOST_TEST(!probes_of_both(check, "s/taints", rules, without)[1].expectation.allow);
  BOOST_TEST(probes_of_both(check, "s/taints", without, rules)[1].expectation.allow);
}

BOOST_AUTO_TEST_CASE(what_is_not_valid_without_the_rule_is_asked_of_the_other_side_only) {
  const RuleSet rules = rules_at("1.36.3");
  const RuleSet without = rules.with_flipped(Rule::node_taints);
  Check check = taints_check();
  check.invalid = true;
  for (const Probe& probe : probes_of_both(check, "s/taints", rules, without)) BOOST_TEST(probe.not_asked.empty());
  const std::vector<Probe> left_out = probes_of_both(check, "s/taints", without, rules);
  BOOST_REQUIRE(!left_out.empty());
  for (const Probe& probe : left_out) {
    // Authorizers do not validate, so they are asked.
    if (probe.kind == Probe::Kind::authorizer) continue;
    BOOST_TEST(probe.not_asked == "what is sent is not valid while node-taints is not in force");
  }
}

BOOST_AUTO_TEST_CASE(both_sides_report_the_same_checks_in_the_same_order) {
  const RuleSet a = rules_at("1.36");
  const RuleSet b = rules_at("1.37");
  const Report of_a = run(a, b);
  const Report of_b = run(b, a);
  // Steps that hold in only one of the releases are left out.
  const auto shared = [](const Report& report, const Report& other) {
    std::set<std::string_view> theirs;
    for (const CheckResult& check : other.checks) theirs.insert(check.id);
    std::vector<std::string> ids;
    for (const CheckResult& check : report.checks) {
      if (theirs.contains(check.id)) ids.push_back(check.id);
    }
    return ids;
  };
  BOOST_TEST(shared(of_a, of_b).size() > 9 * of_a.checks.size() / 10);
  BOOST_TEST(shared(of_a, of_b) == shared(of_b, of_a), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_faulty_implementation_shows_in_the_answers) {
  const RuleSet rules = rules_at("1.36.3");
  const RuleSet faulty = rules.with_flipped(Rule::node_taints);
  // Both are judged by the same rules, like two targets of one release.
  const std::vector<Scenario> scenarios = scenarios_naming(Rule::node_taints);
  Report of_faulty = run(faulty, rules, scenarios);
  const Comparison comparison = compare_answers(run(rules, faulty, scenarios), of_faulty);
  BOOST_TEST(comparison.count(ComparedRequest::Change::now_allowed) > 0U);
  BOOST_TEST(comparison.count(ComparedRequest::Change::now_refused) == 0U);
  for (const ComparedRequest& request : comparison.changed) {
    if (!decides_otherwise(request.change)) continue;
    BOOST_TEST((std::ranges::find(request.rules, "node-taints") != request.rules.end()), request.id);
  }
}

BOOST_AUTO_TEST_SUITE_END()
