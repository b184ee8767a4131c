#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "reports/rule_note.h"
#include "reports/run/badge.h"
#include "reports/run/check_groups.h"
#include "reports/run/json.h"
#include "reports/run/junit.h"
#include "reports/run/markdown.h"
#include "reports/run/metrics.h"
#include "reports/run/repeat.h"
#include "reports/run/sarif.h"
#include "reports/run_page/run_page.h"
#include "reports/terminal.h"
#include "reports/test/sample.h"

BOOST_AUTO_TEST_SUITE(reports_run_writers)

using namespace nodebound;

namespace {

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

Report conformant() {
  Report out = test::sample();
  out.checks.resize(1);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_command_repeats_the_scenario_of_a_check) {
  BOOST_TEST(scenario_of_check("labels/restricted/put[merge]@admission") == "labels/restricted");
  BOOST_TEST(scenario_of_check("labels/restricted[beta]/put[a/b]@admission") == "labels/restricted[beta]");
  BOOST_TEST(scenario_of_check("restricted/put") == "restricted");
  BOOST_TEST(scenario_of_check("alone") == "alone");
  const Report report = test::sample();
  BOOST_TEST(command_to_repeat(report, report.checks[1]) ==
             "nodebound run --target reference --release 1.36.2 --feature-gates AuthorizeNodeWithSelectors=false "
             "--focus '^restricted$' --verbose");
}

BOOST_AUTO_TEST_CASE(a_command_runs_nothing_of_others) {
  Report report = test::sample();
  report.target.name = "kubeconfig:/a'; rm -rf /\n#x";
  report.checks[1].id = "a[$(id)]/b";
  const std::string command = command_to_repeat(report, report.checks[1]);
  BOOST_TEST(command ==
             "nodebound run --target 'kubeconfig:/a'\\''; rm -rf / #x' --release 1.36.2 --feature-gates "
             "AuthorizeNodeWithSelectors=false --focus '^a\\[\\$\\(id\\)\\]$' --verbose");
}

BOOST_AUTO_TEST_CASE(markdown_says_the_verdict_first) {
  const std::string text = to_markdown(test::sample());
  BOOST_TEST(text.starts_with("## ❌ Nodebound: DOES NOT CONFORM: 1 check failed, 2 rules broken\n"));
  BOOST_TEST(has(text, "| **all** | 1 | 1 | 1 | 1 | 1 |"));
  BOOST_TEST(has(text, "- `restricted/patch[merge]`\n  - expected: deny by admission: node-labels\n"));
  BOOST_TEST(has(text, "  - again: `nodebound run --target reference "));
  BOOST_TEST(has(text, "| 1 | kubernetes-12345, apply skips the label check |"));
  BOOST_TEST(to_markdown(conformant()).starts_with("## ✅ Nodebound: CONFORMS\n"));
}

BOOST_AUTO_TEST_CASE(markdown_is_short_enough_for_a_comment) {
  Report report = test::sample();
  CheckResult fail = report.checks[1];
  fail.evidence.body = fail.evidence.message = std::string(100'000, '`');
  for (int i = 0; i < 2000; ++i) {
    fail.rules = {"rule-" + std::to_string(i)};
    report.checks.push_back(fail);
  }
  const std::string text = to_markdown(report);
  BOOST_TEST(text.size() < 65'536U);
  BOOST_TEST(has(text, "more in report.json"));
}

BOOST_AUTO_TEST_CASE(what_an_implementer_declares_is_told_apart_from_what_upstream_is_known_to_do) {
  const Report report = test::declared_sample();
  const std::string verdict = "CONFORMS EXCEPT FOR WHAT IS DECLARED: 1 check deviates";
  BOOST_TEST(verdict_line(report) == verdict);
  const std::string markdown = to_markdown(report);
  BOOST_TEST(has(markdown, verdict));
  BOOST_TEST(has(markdown, "declared by the implementer: restricted/patch"));
  BOOST_TEST(!has(markdown, "Known deviations"));
  BOOST_TEST(has(to_terminal(report, {}), "~ Declared deviations: wrong, and its implementer says so"));
  BOOST_TEST(has(to_junit(report), "declared deviation restricted/patch*: mended by &lt;March&gt;"));
  BOOST_TEST(has(to_html(report, {}), "<dt>Declared as</dt>"));
  BOOST_TEST(has(to_sarif(report, {}), "declared deviation restricted/patch*"));
  BOOST_TEST(has(to_sarif(report, {}), "known deviation kubernetes-12345"));
  const Result<Report> again = report_from_json(to_json(report), "report.json");
  BOOST_REQUIRE(again);
  BOOST_TEST(again->count_declared() == 1U);
  BOOST_TEST(to_json(*again) == to_json(report));
}

BOOST_AUTO_TEST_CASE(what_did_not_pass_is_in_the_sarif_log) {
  const auto log = nlohmann::json::parse(to_sarif(test::sample(), {{"node-labels", "Labels", "Since 1.13", ""}}));
  const auto& run = log["runs"][0];
  BOOST_TEST(run["results"].size() == 3U);
  const auto& fail = run["results"][0];
  BOOST_TEST(fail["ruleId"] == "node-labels");
  BOOST_TEST(fail["level"] == "error");
  BOOST_TEST(fail["locations"][0]["physicalLocation"]["region"]["startLine"] == 12);
  BOOST_TEST(
      has(fail["message"]["text"].get<std::string>(), "expected deny by admission: node-labels, observed allow"));
  BOOST_TEST(run["results"][1]["suppressions"][0]["justification"] ==
             "known deviation kubernetes-12345: apply skips the label check");
  BOOST_TEST(run["results"][2]["level"] == "warning");
  BOOST_TEST(run["tool"]["driver"]["rules"][0]["shortDescription"]["text"] == "Labels");
  const auto nothing = nlohmann::json::parse(to_sarif(Report{}, {}));
  BOOST_TEST(nothing["runs"][0]["invocations"][0]["executionSuccessful"] == false);
}

BOOST_AUTO_TEST_CASE(metrics_count_by_profile_and_verdict) {
  const std::string text = to_metrics(test::sample());
  BOOST_TEST(has(text, "nodebound_checks{profile=\"labels\",verdict=\"fail\"} 1\n"));
  BOOST_TEST(has(text, "nodebound_checks{profile=\"graph\",verdict=\"pass\"} 0\n"));
  BOOST_TEST(has(text, "nodebound_failed_checks{rule=\"node-labels\"} 1\n"));
  BOOST_TEST(has(text, "nodebound_conformant 0\n"));
  BOOST_TEST(has(text, "nodebound_run_seconds 1.500\n"));
  BOOST_TEST(text.ends_with("# EOF\n"));
  BOOST_TEST(has(to_metrics(conformant()), "nodebound_conformant 1\n"));
}

BOOST_AUTO_TEST_CASE(metrics_quote_what_is_not_theirs) {
  Report report = conformant();
  report.target.name = "a\"} 1\nx \\";
  BOOST_TEST(has(to_metrics(report), "nodebound_target_info{target=\"a\\\"} 1 x \\\\\","));
}

BOOST_AUTO_TEST_CASE(a_badge_says_the_verdict) {
  BOOST_TEST(has(to_badge_svg(conformant()), "nodebound: conforms to 1.36.2"));
  const auto badge = nlohmann::json::parse(to_badge_json(test::sample()));
  BOOST_TEST(badge["schemaVersion"] == 1);
  BOOST_TEST(badge["message"] == "1 failed of 1.36.2");
  BOOST_TEST(badge["color"] == "critical");
  BOOST_TEST(nlohmann::json::parse(to_badge_json(Report{}))["color"] == "inactive");
}

BOOST_AUTO_TEST_CASE(a_bound_shows_one_of_each_group_first) {
  std::vector<CheckGroup> groups = {{"many", {nullptr, nullptr, nullptr}}, {"one", {nullptr}}};
  BOOST_TEST((fair_shares(groups, 3) == std::vector<std::size_t>{2, 1}));
  BOOST_TEST((fair_shares(groups, 1) == std::vector<std::size_t>{1, 0}));
  BOOST_TEST((fair_shares(groups, 99) == std::vector<std::size_t>{3, 1}));
}

BOOST_AUTO_TEST_SUITE_END()
