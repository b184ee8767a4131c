#include "reports/exploration/exploration.h"

#include <boost/test/unit_test.hpp>
#include <fstream>

#include "reference/test/project_paths.h"
#include "reports/test/schema.h"

BOOST_AUTO_TEST_SUITE(reports_exploration)

using namespace nodebound;
using Explained = Exploration::Difference::Explained;

namespace {

Exploration::Difference difference(std::size_t count, Explained explained, bool steady = true) {
  Exploration::Difference out;
  out.count = count;
  out.rule = "node-taints";
  out.explained = explained;
  out.by = explained == Explained::no ? "" : "something-known";
  out.statement = "So it is.";
  out.steady = steady;
  out.steps = {"create nodes/a", "node a: change nodes/a [merge] {\"spec\":{}}"};
  out.a = "refused by admission (HTTP 403)";
  out.b = "allowed (HTTP 200)";
  out.message_a = "no\x1b[31m";
  return out;
}

Exploration sample(std::vector<Exploration::Difference> differences) {
  Exploration out;
  out.a = {"reference", "v1.36.3", "1.36.3", 258};
  out.b = {"binary:/x", "v1.36.3", "1.36.3", 258};
  out.seed = 7;
  out.requests = 1000;
  out.episodes = 20;
  out.rules_fired = {{"node-taints", 3}, {"pod-of-node", 300}};
  out.rules_not_fired = {"csr-parsable"};
  out.differences = std::move(differences);
  out.run = {"2026-11-21T00:00:00Z", "host", "0.1.0", 2.0};
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(only_known_deviations_do_not_fail) {
  BOOST_TEST(exit_code(sample({})) == 0);
  BOOST_TEST(exit_code(sample({difference(2, Explained::deviation)})) == 0);
  BOOST_TEST(exit_code(sample({difference(2, Explained::deviation), difference(1, Explained::release)})) == 1);
  BOOST_TEST(exit_code(sample({difference(1, Explained::defect)})) == 1);
  BOOST_TEST(exit_code(sample({difference(1, Explained::no)})) == 1);
}

BOOST_AUTO_TEST_CASE(what_is_not_found_again_is_no_agreement) {
  BOOST_TEST(exit_code(sample({difference(1, Explained::no, false)})) == 3);
  BOOST_TEST(exit_code(sample({difference(1, Explained::no, false), difference(1, Explained::no)})) == 1);
  BOOST_TEST(exit_code(Exploration()) == 4);
}

BOOST_AUTO_TEST_CASE(the_json_is_as_its_schema_says) {
  std::ifstream in(project::file("reports/exploration/exploration.schema.json"));
  const nlohmann::json schema = nlohmann::json::parse(in);
  const Exploration exploration =
      sample({difference(2, Explained::deviation), difference(1, Explained::no), difference(1, Explained::no, false)});
  const nlohmann::json written = nlohmann::json::parse(to_json(exploration));
  test::Schema checked(schema);
  checked.check(schema, written, "");
  for (const std::string& wrong : checked.found) BOOST_ERROR(wrong);
  BOOST_TEST(written["summary"]["different"] == 1);
  BOOST_TEST(written["summary"]["known"] == 2);
  BOOST_TEST(written["summary"]["not_found_again"] == 1);
}

BOOST_AUTO_TEST_CASE(a_difference_of_releases_that_no_rule_makes_names_none) {
  Exploration::Difference of_no_rule = difference(1, Explained::release);
  of_no_rule.by.clear();
  const std::string page = to_terminal(sample({of_no_rule}), {});
  BOOST_TEST(page.find("So it is.") != std::string::npos);
  BOOST_TEST(page.find("is in force on one side only") == std::string::npos);
  BOOST_TEST(!nlohmann::json::parse(to_json(sample({of_no_rule})))["differences"][0].contains("by"));
  BOOST_TEST(to_terminal(sample({difference(1, Explained::release)}), {}).find("something-known is in force") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_person_reads_what_differs_and_which_rules_were_met) {
  const std::string page =
      to_terminal(sample({difference(2, Explained::deviation), difference(5, Explained::defect)}), {});
  BOOST_TEST(page.find("1000 requests in 20 episodes, 500 a second, seed 7") != std::string::npos);
  BOOST_TEST(page.find("Rules that decided: 2 of 3") != std::string::npos);
  BOOST_TEST(page.find("csr-parsable") != std::string::npos);
  BOOST_TEST(page.find("something-known were turned round") != std::string::npos);
  BOOST_TEST(page.find("DIFFERENT: 5 requests") != std::string::npos);
  BOOST_TEST(page.find('\x1b') == std::string::npos);
  BOOST_TEST(to_terminal(sample({}), {}).find("NO DIFFERENCE") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
