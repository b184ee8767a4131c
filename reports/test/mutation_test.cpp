#include "reports/mutation/mutation.h"

#include <boost/test/unit_test.hpp>
#include <fstream>

#include "reference/test/project_paths.h"
#include "reports/mutation/mutation_writers.h"
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

/// Results of two releases: a check that fails at only one of them is useful.
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
  std::ifstream in(project::file("reports/mutation/mutants.schema.json"));
  const nlohmann::json schema = nlohmann::json::parse(in);
  const nlohmann::json written = nlohmann::json::parse(to_json(of_two_releases()));
  test::Schema checked(schema);
  checked.check(schema, written, "");
  for (const std::string& wrong : checked.found) BOOST_ERROR(wrong);
  BOOST_TEST(written["checks"]["number"] == 3);
  BOOST_TEST(written["checks"]["idle"].size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_report_is_read_as_it_was_written) {
  MutationReport report = of_two_releases();
  report.checks.clear();
  report.mistakes = {"equivalent.toml lists off:z, and there is no such mutant"};
  report.mutants[0].killer = "conformance/a/one";
  report.mutants[0].killers = {"conformance/a"};
  report.mutants[0].setting = "without ServiceAccount";
  report.mutants[1].noticed = "conformance/a/two";
  report.mutants[1].unclear = "conformance/a/three";
  const std::string written = to_json(report);
  const Result<MutationReport> read = mutation_report_from_json(written, "mutants.json");
  BOOST_REQUIRE_MESSAGE(read.has_value(), (read ? "" : read.error().text()));
  BOOST_TEST(to_json(*read) == written);
}

BOOST_AUTO_TEST_CASE(a_damaged_report_is_refused) {
  MutationReport report = of_two_releases();
  report.checks.clear();
  nlohmann::json document = nlohmann::json::parse(to_json(report));
  const auto error = [](const nlohmann::json& changed) {
    const Result<MutationReport> read = mutation_report_from_json(changed.dump(), "mutants.json");
    return read ? std::string("no error") : read.error().text();
  };
  BOOST_TEST(has(mutation_report_from_json("{", "mutants.json").error().text(), "is no JSON"));
  nlohmann::json changed = document;
  changed["summary"]["killed"] = 3;
  BOOST_TEST(has(error(changed), "`summary.killed` is not what its mutants give"), error(changed));
  changed = document;
  changed["mutants"][0]["outcome"] = "lives";
  BOOST_TEST(has(error(changed), "must be killed, survived or equivalent"), error(changed));
  changed = document;
  changed["mutants"][0]["more"] = 1;
  BOOST_TEST(has(error(changed), "`mutants[0].more` is not a key of this schema"), error(changed));
}

BOOST_AUTO_TEST_CASE(a_scenario_has_its_use_where_it_has_one_at_any_release) {
  MutationReport report;
  report.releases = {"1.35.4"};
  report.scenarios = {{"conformance/a", "", ""}, {"conformance/b", "off:b", ""}};
  report.checks = {{"conformance/a/one", {false, ""}}};
  MutationReport more;
  more.releases = {"1.36.3"};
  more.mutants = {mutant("off:a", "1.36.3", MutantResult::Outcome::killed)};
  more.scenarios = {
      {"conformance/a", "off:a", ""}, {"conformance/b", "", ""}, {"conformance/c", "", "It shows what is usual."}};
  more.checks = {{"conformance/a/one", {true, ""}}};
  more.mistakes = {"a mistake"};
  add_releases(report, more);
  BOOST_TEST(report.releases.size() == 2U);
  BOOST_TEST(report.mutants.size() == 1U);
  BOOST_TEST(report.mistakes.size() == 1U);
  BOOST_REQUIRE(report.scenarios.size() == 3U);
  BOOST_TEST(report.scenarios[0].kills == "off:a");
  BOOST_TEST(report.scenarios[1].kills == "off:b");
  BOOST_TEST(report.scenarios[2].stays == "It shows what is usual.");
  BOOST_TEST(report.checks.at("conformance/a/one").fails);
}

BOOST_AUTO_TEST_SUITE_END()
