#include <boost/test/unit_test.hpp>
#include <fstream>

#include "reference/test/project_paths.h"
#include "reports/findings/sarif.h"
#include "reports/inspection/inspection.h"
#include "reports/test/schema.h"

BOOST_AUTO_TEST_SUITE(reports_findings)

using namespace nodebound;
using Json = nlohmann::json;

namespace {

Finding role_finding() {
  Finding out;
  out.level = Finding::Level::error;
  out.id = "get-without-create";
  out.rules = {"pod-connection-create"};
  out.statement = "Needs create.";
  out.who = "Role jobs/exec";
  out.what = "has get | but not create\x1b[31m";
  out.place = {"a b/role.yaml", 7, "Role jobs/exec", "/rules/0"};
  out.since = "1.35";
  out.put_off_by = {"Gate=false"};
  out.advice = "Add create.";
  out.seen_at = {"kubernetes/kubernetes#134577"};
  out.fixes.push_back({"add the verb create", "[]", "kubectl patch", {{7, true, {"  verbs: [get, create]"}}}});
  return out;
}

Inspection sample_inspection() {
  Inspection out;
  out.from = "1.31.4";
  out.to = "1.36.3";
  out.sources = {"a b"};
  out.files = 1;
  out.objects = 2;
  out.findings = {role_finding(), role_finding()};
  out.findings[1].accepted = "known (until 2027-01-31)";
  out.troubles = {{"a b/x.yaml:3", "is not valid YAML"}};
  out.run = {"2026-12-01T09:00:00Z", "host", "0.0.0"};
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_inspection_follows_its_schema) {
  const Json schema = Json::parse(std::ifstream(project::file("reports/inspection/inspection.schema.json")));
  test::Schema check(schema);
  check.check(schema, Json::parse(to_json(sample_inspection())), "");
  BOOST_TEST(check.found.empty(), (check.found.empty() ? "" : check.found.front()));
}

BOOST_AUTO_TEST_CASE(what_is_accepted_does_not_count) {
  const Inspection inspection = sample_inspection();
  BOOST_TEST(inspection.count(Finding::Level::error) == 1U);
  BOOST_TEST(inspection.accepted() == 1U);
  const std::string page = to_terminal(inspection, {});
  BOOST_TEST(page.find("TO ACT ON: 1 error, 0 warnings, 0 notes") != std::string::npos, page);
  BOOST_TEST(page.find("known (until 2027-01-31)") != std::string::npos);
  BOOST_TEST(page.find('\x1b') == std::string::npos);
}

BOOST_AUTO_TEST_CASE(markdown_keeps_its_table) {
  const std::string page = to_markdown(sample_inspection());
  BOOST_TEST(page.find("get \\| but") != std::string::npos, page);
  BOOST_TEST(page.find("a b/role.yaml:7") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(sarif_names_rules_places_and_fixes) {
  const Json sarif = Json::parse(to_sarif(sample_inspection().findings, "1.2.3"));
  BOOST_TEST(sarif.at("version") == "2.1.0");
  const Json& run = sarif.at("runs").at(0);
  const Json& driver = run.at("tool").at("driver");
  BOOST_TEST(driver.at("rules").size() == 1U);
  BOOST_TEST(driver.at("rules").at(0).at("helpUri") == "https://github.com/kubernetes/kubernetes/issues/134577");
  const Json& result = run.at("results").at(0);
  BOOST_TEST(result.at("ruleId") == "get-without-create");
  BOOST_TEST(driver.at("rules").at(result.at("ruleIndex").get<std::size_t>()).at("id") == result.at("ruleId"));
  const Json& place = result.at("locations").at(0).at("physicalLocation");
  BOOST_TEST(place.at("artifactLocation").at("uri") == "a%20b/role.yaml");
  BOOST_TEST(place.at("region").at("startLine") == 7);
  const Json& change = result.at("fixes").at(0).at("artifactChanges").at(0).at("replacements").at(0);
  BOOST_TEST(change.at("deletedRegion").at("endLine") == 8);
  BOOST_TEST(change.at("insertedContent").at("text") == "  verbs: [get, create]\n");
  BOOST_TEST(!result.contains("suppressions"));
  BOOST_TEST(run.at("results").at(1).at("suppressions").at(0).at("justification") == "known (until 2027-01-31)");
}

BOOST_AUTO_TEST_CASE(a_fingerprint_stays_when_lines_move) {
  Finding moved = role_finding();
  moved.place.line = 70;
  moved.count = 5;
  BOOST_TEST(fingerprint_of(moved) == fingerprint_of(role_finding()));
  moved.who = "Role jobs/other";
  BOOST_TEST(fingerprint_of(moved) != fingerprint_of(role_finding()));
}

BOOST_AUTO_TEST_CASE(only_issues_have_addresses) {
  BOOST_TEST(issue_url("k3s-io/k3s#11551") == "https://github.com/k3s-io/k3s/issues/11551");
  BOOST_TEST(issue_url("CVE-2025-5187").empty());
}

BOOST_AUTO_TEST_SUITE_END()
