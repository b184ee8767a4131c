#include "reports/mutation.h"

#include <boost/test/unit_test.hpp>
#include <fstream>

#include "reports/mutation_writers.h"
#include "reports/test/schema.h"

BOOST_AUTO_TEST_SUITE(reports_mutation)

using namespace nodebound;

namespace {

MutantResult mutant(const std::string& id, const std::string& release, MutantResult::Outcome outcome) {
  MutantResult out;
  out.id = id;
  out.part = "nodes";
  out.meaning = "is wrong";
  out.release = release;
  out.outcome = outcome;
  return out;
}

/// What two releases show: a check that fails at one of them only has its use.
MutationReport of_two_releases() {
  MutationReport out;
  out.releases = {"1.35.4", "1.36.3"};
  out.mutants = {mutant("off:a", "1.35.4", MutantResult::Outcome::killed),
                 mutant("off:b", "1.35.4", MutantResult::Outcome::survived),
                 mutant("off:a", "1.36.3", MutantResult::Outcome::killed)};
  out.scenarios = {{"conformance/a", "off:a", ""}};
  out.checks = {{"conformance/a/one", {true, ""}},
                {"conformance/a/two", {false, ""}},
                {"conformance/a/three", {false, "It shows what is usual."}}};
  return out;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(checks_are_counted_once_however_many_releases) {
  const std::string page = to_terminal(of_two_releases(), {});
  BOOST_TEST(has(page, "Checks that no mutant makes fail: 2"), page);
  BOOST_TEST(has(page, "1 of 3 checks fail on some mutant"), page);
  BOOST_TEST(has(to_markdown(of_two_releases()), "Checks that no mutant makes fail (2 of 3)"));
}

BOOST_AUTO_TEST_CASE(of_checks_that_were_not_looked_at_nothing_is_said) {
  MutationReport report = of_two_releases();
  report.checks.clear();
  BOOST_TEST(!has(to_terminal(report, {}), "fail on some mutant"));
  BOOST_TEST(!nlohmann::json::parse(to_json(report)).contains("checks"));
}

BOOST_AUTO_TEST_CASE(scores_are_told_by_release) {
  const MutationReport report = of_two_releases();
  BOOST_TEST(report.score("1.35.4") == 50.0);
  BOOST_TEST(report.score("1.36.3") == 100.0);
  BOOST_TEST(exit_code(report) == 1);
}

BOOST_AUTO_TEST_CASE(the_json_is_as_its_schema_says) {
  std::ifstream in(std::string(NODEBOUND_SOURCE_DIR) + "/reports/mutants.schema.json");
  const nlohmann::json schema = nlohmann::json::parse(in);
  const nlohmann::json written = nlohmann::json::parse(to_json(of_two_releases()));
  test::Schema checked(schema);
  checked.check(schema, written, "");
  for (const std::string& wrong : checked.found) BOOST_ERROR(wrong);
  BOOST_TEST(written["checks"]["number"] == 3);
  BOOST_TEST(written["checks"]["idle"].size() == 2U);
}

BOOST_AUTO_TEST_SUITE_END()
