#include "reports/run/chain.h"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "reports/run/json.h"
#include "reports/terminal.h"
#include "reports/test/sample.h"

BOOST_AUTO_TEST_SUITE(chain)

using nodebound::AccessOpinion;
using nodebound::ChainFitness;
using nodebound::CheckResult;
using nodebound::Verdict;
using Safety = ChainFitness::Safety;

namespace {

CheckResult answered(const std::string& id, Verdict verdict, AccessOpinion opinion) {
  CheckResult out = nodebound::test::check(id, verdict);
  out.evidence.opinion = opinion;
  return out;
}

std::vector<Safety> safety_of(const std::vector<CheckResult>& checks) {
  std::vector<Safety> out;
  for (const ChainFitness& each : nodebound::chain_fitness(checks)) out.push_back(each.safety);
  return out;
}

const CheckResult right = answered("right", Verdict::pass, AccessOpinion::allow);

// alone, behind Node, before Node
void expect(const std::vector<CheckResult>& checks, Safety alone, Safety behind, Safety before) {
  const std::vector<Safety> expected = {alone, behind, before};
  BOOST_TEST((safety_of(checks) == expected), nodebound::in_words(nodebound::chain_fitness(checks)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(right_answers_are_safe_everywhere) {
  const std::vector<CheckResult> checks = {right, answered("refused", Verdict::pass, AccessOpinion::no_opinion)};
  expect(checks, Safety::safe, Safety::safe, Safety::safe);
  BOOST_TEST(nodebound::in_words(nodebound::chain_fitness(checks)) == "safe alone, behind Node and before Node");
}

BOOST_AUTO_TEST_CASE(an_undue_allowance_is_safe_nowhere) {
  expect({right, answered("leak", Verdict::fail, AccessOpinion::allow)}, Safety::unsafe, Safety::unsafe,
         Safety::unsafe);
}

BOOST_AUTO_TEST_CASE(a_denial_of_what_must_be_allowed_matters_before_node) {
  expect({right, answered("denied", Verdict::fail, AccessOpinion::deny)}, Safety::unsafe, Safety::safe, Safety::unsafe);
}

BOOST_AUTO_TEST_CASE(no_opinion_on_what_must_be_allowed_matters_alone) {
  const std::vector<CheckResult> checks = {right, answered("missed", Verdict::fail, AccessOpinion::no_opinion)};
  expect(checks, Safety::unsafe, Safety::safe, Safety::safe);
  const std::vector<ChainFitness> all = nodebound::chain_fitness(checks);
  BOOST_TEST(all.front().against == std::vector<std::string>{"missed"}, boost::test_tools::per_element());
  BOOST_TEST(nodebound::in_words(all) == "safe behind Node and before Node; alone it answers 1 question wrongly");
}

BOOST_AUTO_TEST_CASE(a_known_defect_counts_as_what_it_is) {
  expect({right, answered("defect", Verdict::deviation, AccessOpinion::allow)}, Safety::unsafe, Safety::unsafe,
         Safety::unsafe);
}

BOOST_AUTO_TEST_CASE(an_error_and_nothing_at_all_prove_nothing) {
  expect({right, answered("error", Verdict::inconclusive, AccessOpinion::error)}, Safety::unknown, Safety::unknown,
         Safety::unknown);
  expect({}, Safety::unknown, Safety::unknown, Safety::unknown);
  expect({answered("skipped", Verdict::skip, AccessOpinion::allow)}, Safety::unknown, Safety::unknown, Safety::unknown);
}

BOOST_AUTO_TEST_CASE(reports_on_authorizers_have_it) {
  nodebound::Report report = nodebound::test::sample();
  BOOST_TEST(nodebound::to_json(report).find("\"chain\"") == std::string::npos);
  report.target.is_authorizer = true;
  report.checks.push_back(answered("denied", Verdict::fail, AccessOpinion::deny));
  const std::string json = nodebound::to_json(report);
  const auto read = nodebound::report_from_json(json, "report.json");
  BOOST_REQUIRE(read.has_value());
  BOOST_TEST(nodebound::to_json(*read) == json);
  std::string forged = json;
  forged.replace(forged.find("\"safety\": \"un"), 13, "\"safety\": \"");
  BOOST_TEST(!nodebound::report_from_json(forged, "report.json").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
