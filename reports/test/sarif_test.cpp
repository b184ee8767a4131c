#include "reports/sarif/sarif.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <set>

BOOST_AUTO_TEST_SUITE(reports_sarif)

using namespace nodebound;
using Json = nlohmann::json;

namespace {

SarifLog sample_log() {
  SarifLog log;
  log.tool_version = "1.2.3";
  log.rules = {{"node-self", "A node changes only itself", "Ask as the node itself.", "https://example.org/kep"},
               {"node-labels", "Labels", "", ""},
               {"never-named", "", "", ""}};
  log.results = {
      {"node-self", SarifResult::Level::error, "expected deny", {"scenarios/a b.toml", 12}, "a/one", ""},
      {"node-labels", SarifResult::Level::note, "a known defect", {"/etc/x.toml", 0}, "a/two", "kubernetes/1: fixed"},
      {"unheard-of", SarifResult::Level::warning, "", {}, "a/three", ""}};
  return log;
}

Json run_of(const SarifLog& log) {
  return Json::parse(to_sarif(log)).at("runs").at(0);
}

}  // namespace

BOOST_AUTO_TEST_CASE(results_point_to_their_rules) {
  const Json run = run_of(sample_log());
  const Json& rules = run["tool"]["driver"]["rules"];
  BOOST_TEST(rules.size() == 3U);
  for (const Json& result : run["results"])
    BOOST_TEST(rules.at(result["ruleIndex"].get<std::size_t>())["id"] == result["ruleId"]);
  const Json& self = rules.at(run["results"][0]["ruleIndex"].get<std::size_t>());
  BOOST_TEST(self["help"]["text"] == "Ask as the node itself.");
  BOOST_TEST(self["helpUri"] == "https://example.org/kep");
  BOOST_TEST(run["results"][0]["level"] == "error");
}

BOOST_AUTO_TEST_CASE(places_are_references) {
  const Json results = run_of(sample_log())["results"];
  const Json& first = results[0]["locations"][0]["physicalLocation"];
  BOOST_TEST(first["artifactLocation"]["uri"] == "scenarios/a%20b.toml");
  BOOST_TEST(first["artifactLocation"]["uriBaseId"] == "SRCROOT");
  BOOST_TEST(first["region"]["startLine"] == 12);
  const Json& second = results[1]["locations"][0]["physicalLocation"];
  BOOST_TEST(second["artifactLocation"]["uri"] == "file:///etc/x.toml");
  BOOST_TEST(!second.contains("region"));
  BOOST_TEST(!results[2].contains("locations"));
}

BOOST_AUTO_TEST_CASE(fingerprints_last_and_tell_results_apart) {
  SarifLog log = sample_log();
  const Json before = run_of(log)["results"];
  std::set<std::string> seen;
  for (const Json& result : before) seen.insert(result["partialFingerprints"]["nodebound/v1"].get<std::string>());
  BOOST_TEST(seen.size() == 3U);
  log.results[0].place.line = 99;
  log.results[0].message = "expected something else";
  BOOST_TEST(run_of(log)["results"][0]["partialFingerprints"] == before[0]["partialFingerprints"]);
}

BOOST_AUTO_TEST_CASE(what_is_known_is_suppressed_with_its_reason) {
  const Json results = run_of(sample_log())["results"];
  BOOST_TEST(results[1]["suppressions"] ==
             Json::parse(R"([{"kind": "external", "justification": "kubernetes/1: fixed"}])"));
  BOOST_TEST(!results[0].contains("suppressions"));
}

BOOST_AUTO_TEST_CASE(an_empty_log_says_whether_it_is_whole) {
  SarifLog log;
  BOOST_TEST(run_of(log)["invocations"][0]["executionSuccessful"] == true);
  BOOST_TEST(run_of(log)["results"] == Json::array());
  log.complete = false;
  log.incomplete = "the target is gone";
  const Json told = run_of(log)["invocations"][0];
  BOOST_TEST(told["executionSuccessful"] == false);
  BOOST_TEST(told["toolExecutionNotifications"][0]["message"]["text"] == "the target is gone");
}

BOOST_AUTO_TEST_CASE(a_log_has_a_bound_and_says_what_it_leaves_out) {
  SarifLog log;
  log.results.resize(most_sarif_results + 2);
  const Json run = run_of(log);
  BOOST_TEST(run["results"].size() == most_sarif_results);
  BOOST_TEST(run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"] == "2 more results left out");
}

BOOST_AUTO_TEST_CASE(hostile_text_is_cleaned_and_cut) {
  SarifLog log = sample_log();
  log.results[0].message = "\x1b[2Jx\xe2\x80\xae\xff" + std::string(100'000, 'y');
  log.results[0].rule = log.results[0].place.file = log.results[0].suppressed = "\x1b\n\xff%<script>";
  const std::string text = to_sarif(log);
  BOOST_TEST(text.find("\\u001b") == std::string::npos);
  BOOST_TEST(text.find("%3Cscript%3E") != std::string::npos);
  BOOST_TEST(text.size() < 10'000U);
}

BOOST_AUTO_TEST_CASE(a_place_is_read_from_its_text) {
  BOOST_TEST(source_place("a/b.toml:12").file == "a/b.toml");
  BOOST_TEST(source_place("a/b.toml:12").line == 12U);
  for (const std::string file : {"", "a", "C:x", "a:", "a:0", "a:012", "a:99999999999999999999"}) {
    BOOST_TEST(source_place(file).file == file);
    BOOST_TEST(source_place(file).text() == file);
  }
}

BOOST_AUTO_TEST_SUITE_END()
