#include "reports/run/matrix.h"

#include <boost/test/unit_test.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "reference/test/project_paths.h"
#include "reports/test/schema.h"

BOOST_AUTO_TEST_SUITE(reports_matrix)

using namespace nodebound;
using Json = nlohmann::json;

namespace {

CheckResult check(const std::string& profile, Verdict verdict) {
  CheckResult result;
  result.profile = profile;
  result.verdict = verdict;
  result.rules = {"node-taints"};
  return result;
}

Report report(const std::string& version, std::vector<CheckResult> checks) {
  Report made;
  made.release.version = version;
  made.target = {"binary:/x", version, {}};
  made.checks = std::move(checks);
  return made;
}

const std::vector<Report> two = {
    report("1.25.0", {check("rbac", Verdict::pass), check("rbac", Verdict::skip),
                      check("node-restriction", Verdict::pass), check("node-restriction", Verdict::fail)}),
    report("1.37.1",
           {check("rbac", Verdict::pass), check("rbac", Verdict::deviation), check("mirror-pods", Verdict::skip)}),
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_row_for_each_report_and_a_column_for_each_profile) {
  const Matrix matrix = matrix_of(two);
  BOOST_TEST(matrix.profiles == (std::vector<std::string>{"mirror-pods", "node-restriction", "rbac"}),
             boost::test_tools::per_element());
  BOOST_REQUIRE_EQUAL(matrix.rows.size(), 2U);
  BOOST_TEST(matrix.rows[0].profiles.at("node-restriction").count(Verdict::fail) == 1U);
  BOOST_TEST(matrix.rows[1].profiles.at("rbac").count(Verdict::deviation) == 1U);
  BOOST_TEST(matrix.rows[1].profiles.at("rbac").count(Verdict::fail) == 0U);
}

BOOST_AUTO_TEST_CASE(one_failure_decides_the_whole) {
  BOOST_TEST(exit_code(matrix_of(two)) == 1);
  BOOST_TEST(exit_code(matrix_of({two[1]})) == 0);
  BOOST_TEST(exit_code(matrix_of({})) == 4);
}

BOOST_AUTO_TEST_CASE(a_person_sees_what_passed_and_what_else_there_is) {
  BOOST_TEST(to_terminal(matrix_of(two), {false, 100, false}) ==
             "RELEASE  mirror-pods  node-restriction  rbac            OUTCOME\n"
             "1.25.0   not asked    1 failed of 2     1               does not conform\n"
             "1.37.1   not asked    not asked         1, 1 deviation  conforms\n");
}

BOOST_AUTO_TEST_CASE(markdown_names_the_broken_rules) {
  const std::string text = to_markdown(matrix_of(two));
  BOOST_TEST(
      text.find("| 1.25.0 | not asked | 1 failed of 2 | 1 | does not conform, `node-taints` |\n") != std::string::npos,
      text);
}

BOOST_AUTO_TEST_CASE(the_json_is_as_its_schema_says) {
  std::ifstream schema(project::file("reports/run/matrix.schema.json"));
  const std::string text = to_json(matrix_of(two));
  const std::vector<std::string> found = nodebound::test::violations(Json::parse(schema), Json::parse(text));
  BOOST_TEST(found.empty(), (found.empty() ? "" : found.front()));
  BOOST_TEST(Json::parse(text)["rows"][0]["profiles"]["node-restriction"]["fail"] == 1);
}

BOOST_AUTO_TEST_SUITE_END()
