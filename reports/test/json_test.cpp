#include "reports/run/json.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "reference/test/project_paths.h"
#include "reports/test/sample.h"
#include "reports/test/schema.h"

BOOST_AUTO_TEST_SUITE(reports_json)

using namespace nodebound;
using Json = nlohmann::ordered_json;

namespace {

/// Reports the error, where `value()` would only say that there is none.
Report must_read(const std::string& text) {
  Result<Report> read = report_from_json(text, "report.json");
  BOOST_REQUIRE_MESSAGE(read.has_value(), (read ? "" : read.error().text()));
  return *std::move(read);
}

std::string changed(const std::function<void(Json&)>& change) {
  Json document = Json::parse(to_json(test::sample()));
  change(document);
  return document.dump();
}

std::string error_of(const std::string& text) {
  const Result<Report> read = report_from_json(text, "report.json");
  return read ? "no error" : read.error().text();
}

std::string error_after(const std::function<void(Json&)>& change) {
  return error_of(changed(change));
}

std::vector<std::string> schema_violations(const Report& report) {
  std::ifstream file(project::file("reports/run/report.schema.json"));
  return test::violations(nlohmann::json::parse(file), nlohmann::json::parse(to_json(report)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(passed_checks_tell_all_only_on_demand) {
  Report report = test::sample();
  CheckResult& passed = *std::ranges::find(report.checks, Verdict::pass, &CheckResult::verdict);
  passed.evidence.body = "a body of a passed check";
  BOOST_TEST(to_json(report).find(passed.evidence.body) == std::string::npos);
  report.full_evidence = true;
  const std::string text = to_json(report);
  BOOST_TEST(text.find(passed.evidence.body) != std::string::npos);
  BOOST_TEST(to_json(must_read(text)) == text);
  const auto violations = schema_violations(report);
  BOOST_TEST(violations.empty(), (violations.empty() ? "" : violations.front()));
}

BOOST_AUTO_TEST_CASE(what_is_written_is_read_back) {
  const std::string text = to_json(test::sample());
  const Report read = must_read(text);
  BOOST_TEST(to_json(read) == text);
  const CheckResult& fail = read.checks.at(1);
  BOOST_TEST(fail.rules.size() == 2U);
  BOOST_TEST((fail.verdict == Verdict::fail));
  BOOST_TEST(!fail.reason_match.has_value());
  BOOST_TEST(fail.evidence.status == 200);
  BOOST_TEST(fail.evidence.decision == "allowed");
  BOOST_TEST(fail.evidence.body == R"({"metadata":{}})");
  BOOST_TEST((read.checks.at(2).reason_match == false));
  BOOST_TEST(read.checks.at(2).deviation == "kubernetes-12345");
  BOOST_TEST(read.run.seconds == 1.5);
  BOOST_TEST(read.target.feature_gates.at("AuthorizeNodeWithSelectors") == false);
}

BOOST_AUTO_TEST_CASE(settling_is_written_and_read_back) {
  Report report = test::sample();
  report.run.settling = Settling{12, 0.25, 1.5};
  const std::string text = to_json(report);
  const Json settling = Json::parse(text)["run"]["settling"];
  BOOST_TEST((settling == Json{{"writes", 12}, {"median_seconds", 0.25}, {"worst_seconds", 1.5}}));
  BOOST_TEST(to_json(report_from_json(text, "report.json").value()) == text);
  BOOST_TEST(schema_violations(report).empty());
}

BOOST_AUTO_TEST_CASE(an_empty_report_is_read_back) {
  const std::string text = to_json(Report{});
  const Report read = must_read(text);
  BOOST_TEST(to_json(read) == text);
}

BOOST_AUTO_TEST_CASE(keys_are_in_order_and_empty_options_left_out) {
  const std::string text = to_json(test::sample());
  BOOST_TEST(text.starts_with("{\n  \"schema\": \"nodebound.dev/report/v2\",\n  \"run\": {\n    \"id\": \"r1\",\n"));
  BOOST_TEST(text.ends_with("}\n"));
  const Json document = Json::parse(text);
  const auto keys = [](const Json& object) {
    std::string out;
    for (const auto& item : object.items()) out += item.key() + " ";
    return out;
  };
  BOOST_TEST(keys(document) == "schema run target release summary scenarios steps subjects requests answers checks ");
  BOOST_TEST(keys(document["checks"][2]) == "id step rules layer verdict expected why deviation reason evidence ");
  BOOST_TEST(document["checks"][2]["evidence"] == Json::object());
}

BOOST_AUTO_TEST_CASE(summary_counts) {
  const Json summary = Json::parse(to_json(test::sample()))["summary"];
  BOOST_TEST(summary.dump() ==
             R"({"conformant":false,"checks":5,"pass":1,"fail":1,"deviation":1,"skip":1,"inconclusive":1,)"
             R"("reason_differences":1,"broken_rules":["node-labels","node-self"]})");
}

BOOST_AUTO_TEST_CASE(hostile_strings_stay_valid_json) {
  Report report = test::sample();
  report.checks[1].evidence.message = std::string("\xff\xc0\x80 \"quoted\" \x1b[2J\0 end", 22);
  report.run.seconds = std::numeric_limits<double>::infinity();
  const std::string text = to_json(report);
  const Report read = must_read(text);
  BOOST_TEST(read.checks[1].evidence.message.find("\xEF\xBF\xBD") == 0U);
  BOOST_TEST(read.checks[1].evidence.message.find("\x1b[2J") != std::string::npos);
  BOOST_TEST(to_json(read) == text);
}

BOOST_AUTO_TEST_CASE(names_that_are_not_utf8_stay_sorted_and_unique) {
  Report report = test::sample();
  report.checks[1].rules = {"\xff", "\xfe", "\xF0\x9F\x98\x80"};
  report.target.feature_gates = {{"\xff", true}, {"\xfe", true}, {"\xF0\x9F\x98\x80", true}};
  const std::string text = to_json(report);
  const Report read = must_read(text);
  BOOST_TEST(to_json(read) == text);
  BOOST_TEST(read.target.feature_gates.size() == 2U);
  BOOST_TEST(read.broken_rules().size() == 2U);
}

BOOST_AUTO_TEST_CASE(output_satisfies_the_schema) {
  BOOST_TEST(schema_violations(test::sample()).empty());
  BOOST_TEST(schema_violations({}).empty());
}

BOOST_AUTO_TEST_CASE(schema_and_reader_refuse_the_same) {
  std::ifstream file(project::file("reports/run/report.schema.json"));
  const auto schema = nlohmann::json::parse(file);
  const std::vector<std::function<void(Json&)>> damages = {
      [](Json& d) { d.erase("run"); },
      [](Json& d) { d["extra"] = 1; },
      [](Json& d) { d["schema"] = "nodebound.dev/report/v1"; },
      [](Json& d) { d["run"]["requests"] = -1; },
      [](Json& d) { d["run"]["seconds"] = "fast"; },
      [](Json& d) { d["target"]["feature_gates"]["A"] = "true"; },
      [](Json& d) { d["release"]["feature_gates"] = Json::object(); },
      [](Json& d) { d["summary"]["pass"] = 1.5; },
      [](Json& d) { d["checks"][0].erase("step"); },
      [](Json& d) { d["checks"][0]["verdict"] = "passed"; },
      [](Json& d) { d["checks"][0]["rules"][0] = 3; },
      [](Json& d) { d["checks"][0]["reason"]["because"] = ""; },
      [](Json& d) { d["checks"][1]["evidence"]["subject"] = "a"; },
      [](Json& d) { d["answers"][0]["status"] = "200"; },
      [](Json& d) { d["answers"][0]["decision"] = 1; },
      [](Json& d) { d["scenarios"][0].erase("file"); },
      [](Json& d) { d["steps"][0]["where"] = ""; },
      [](Json& d) { d["checks"][1]["evidence"]["token"] = "x"; },
      [](Json& d) { d["checks"] = Json::object(); },
  };
  for (std::size_t i = 0; i < damages.size(); ++i) {
    const std::string text = changed(damages[i]);
    BOOST_TEST(!report_from_json(text, "report.json").has_value(), "reader, damage " << i);
    BOOST_TEST(!test::violations(schema, nlohmann::json::parse(text)).empty(), "schema, damage " << i);
  }
}

BOOST_AUTO_TEST_CASE(errors_name_the_place_and_what_was_expected) {
  BOOST_TEST(error_after([](Json& d) { d["checks"][3]["verdict"] = "passed"; }) ==
             "report.json: `checks[3].verdict` must be pass, fail, deviation, skip or inconclusive, found \"passed\"");
  BOOST_TEST(error_after([](Json& d) { d["checks"][1].erase("id"); }) == "report.json: `checks[1].id` is missing");
  BOOST_TEST(error_after([](Json& d) { d["run"]["host"] = nullptr; }) ==
             "report.json: `run.host` must be a string, found null");
  BOOST_TEST(error_after([](Json& d) { d["run"]["note"] = ""; }) ==
             "report.json: `run.note` is not a key of this schema");
  BOOST_TEST(error_after([](Json& d) { d["schema"] = "v0"; }) ==
             "report.json: `schema` is \"v0\", expected \"nodebound.dev/report/v2\"");
  BOOST_TEST(error_of("[]") == "report.json: the report must be an object, found an array");
  BOOST_TEST(error_of("{\n  \"run\": nul }").starts_with("report.json:2:13: not valid JSON: syntax error"));
  BOOST_TEST(error_of("").starts_with("report.json:1:1: not valid JSON: "));
}

BOOST_AUTO_TEST_CASE(equal_things_are_written_once) {
  Report report = test::sample();
  report.checks[0].evidence = report.checks[1].evidence;
  report.checks[0].evidence.message = "what a passed check was told";
  for (int i = 0; i < 100; ++i) report.checks.push_back(report.checks[0]);
  const Json document = Json::parse(to_json(report));
  BOOST_TEST(document["scenarios"].size() == 2U);
  BOOST_TEST(document["steps"].size() == 2U);
  BOOST_TEST(document["subjects"] == Json({"system:node:a (system:nodes)"}));
  BOOST_TEST(document["answers"].size() == 2U);
  BOOST_TEST(document["checks"][5].dump() ==
             R"({"id":"restricted/put","step":0,"rules":["node-labels"],"layer":"request","verdict":"pass",)"
             R"("evidence":{"subject":0,"request":0,"answer":0}})");
}

BOOST_AUTO_TEST_CASE(a_refusal_in_other_words_is_kept_where_the_check_passed) {
  Report report = test::sample();
  report.checks[0].reason_match = false;
  report.checks[0].evidence.message = "no";
  const CheckResult read = must_read(to_json(report)).checks.at(0);
  BOOST_TEST((read.reason_match == false));
  BOOST_TEST(read.reason_expected == "is not allowed to modify labels");
  BOOST_TEST(read.evidence.message == "no");
  BOOST_TEST(read.where == "scenarios/labels/restricted.toml:12");
}

BOOST_AUTO_TEST_CASE(numbers_of_nothing_are_refused) {
  BOOST_TEST(error_after([](Json& d) { d["checks"][0]["step"] = 2; }) ==
             "report.json: `checks[0].step` is 2, but there are only 2");
  BOOST_TEST(error_after([](Json& d) {
               d["checks"][1]["evidence"]["answer"] = 1000;
             }).starts_with("report.json: `checks[1].evidence.answer` is 1000"));
  BOOST_TEST(error_after([](Json& d) { d["steps"][0]["scenario"] = 7; }) ==
             "report.json: `steps[0].scenario` is 7, but there are only 2");
}

BOOST_AUTO_TEST_CASE(a_summary_the_checks_do_not_bear_out_is_refused) {
  BOOST_TEST(error_after([](Json& d) { d["checks"].erase(1); }) ==
             "report.json: `summary.checks` is 5, but its checks give 4");
  BOOST_TEST(error_after([](Json& d) { d["checks"][1]["verdict"] = "pass"; }) ==
             "report.json: `summary.pass` is 1, but its checks give 2");
  BOOST_TEST(error_after([](Json& d) { d["summary"]["conformant"] = true; }) ==
             "report.json: `summary.conformant` is not what its checks give");
  BOOST_TEST(error_after([](Json& d) { d["summary"]["broken_rules"].clear(); }) ==
             "report.json: `summary.broken_rules` is not what its checks give");
}

BOOST_AUTO_TEST_SUITE_END()
