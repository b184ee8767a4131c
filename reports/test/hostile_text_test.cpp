#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <utility>

#include "reports/changes/changes_writers.h"
#include "reports/comparison/comparison_writers.h"
#include "reports/exploration/exploration.h"
#include "reports/html.h"
#include "reports/markdown.h"
#include "reports/run/annotations.h"
#include "reports/run/json.h"
#include "reports/run/junit.h"
#include "reports/run/markdown.h"
#include "reports/run/matrix.h"
#include "reports/run/metrics.h"
#include "reports/run/sarif.h"
#include "reports/run_page/run_page.h"
#include "reports/terminal.h"
#include "reports/test/sample.h"
#include "reports/text.h"

BOOST_AUTO_TEST_SUITE(reports_hostile_text)

using namespace nodebound;

namespace {

/// Text from a hostile target or file: it would colour and clear a screen, set its title, reverse text, forge a line
/// and run a script.
const std::string hostile =
    "x\x1b[2J\x1b]0;owned\x07\xc2\x9b"
    "31m\xc2\x85\x7f\xe2\x80\xae\xe2\x81\xa6\xe2\x80\xa8\r\nFORGED: all is well\n\xff\xfe\xed\xa0\x80"
    "<script>alert(1)</script>]]>|`*_[a](javascript:b)&\"'\xef\xbf\xbf";

CheckResult hostile_check(Verdict verdict) {
  CheckResult out = test::check(hostile, verdict);
  for (std::string* one : {&out.scenario, &out.title, &out.profile, &out.layer, &out.where, &out.expected,
                           &out.observed, &out.why, &out.deviation, &out.reason_expected}) {
    *one = hostile;
  }
  out.rules = {hostile};
  out.reason_match = false;
  out.evidence = {hostile, hostile, hostile, 200, hostile, hostile, verdict == Verdict::fail ? "allowed" : "refused"};
  return out;
}

Report hostile_report() {
  Report out;
  out.run = {hostile, hostile, 1, hostile, hostile, 1, 1};
  out.target = {hostile, hostile, {{hostile, true}}};
  out.release = {hostile, {hostile}, 1};
  for (const Verdict verdict : all_verdicts) out.checks.push_back(hostile_check(verdict));
  return out;
}

Comparison hostile_comparison() {
  Report changed = hostile_report();
  for (CheckResult& check : changed.checks) check.evidence.decision = "refused";
  Comparison out = compare_answers(hostile_report(), changed);
  out.a = {hostile, hostile, hostile, {hostile}, 1, {hostile}};
  out.b = out.a;
  const RuleChange rule{hostile, hostile, "grant", hostile, {hostile}, hostile, hostile, hostile};
  out.rules_in = out.rules_out = out.rules_reworded = {rule};
  return out;
}

RunChanges hostile_changes() {
  Report after = hostile_report();
  for (CheckResult& check : after.checks) check.verdict = Verdict::fail;
  return compare_runs(hostile_report(), after);
}

Exploration hostile_exploration() {
  Exploration out;
  out.a = out.b = {hostile, hostile, hostile, 1};
  out.rules_fired = {{hostile, 1}};
  out.rules_not_fired = {hostile};
  out.differences.emplace_back();
  Exploration::Difference& one = out.differences.back();
  one.count = 1;
  for (std::string* text : {&one.rule, &one.by, &one.statement, &one.a, &one.b, &one.message_a, &one.message_b,
                            &one.scenario, &one.no_scenario}) {
    *text = hostile;
  }
  one.steps = {hostile, hostile};
  out.run = {hostile, hostile, hostile, 1};
  return out;
}

std::vector<std::pair<const char*, std::string>> everything_written() {
  const TerminalStyle plain{false, 80, true};
  return {
      {"report for a terminal", to_terminal(hostile_report(), plain)},
      {"report as JSON", to_json(hostile_report())},
      {"report as JUnit", to_junit(hostile_report())},
      {"report as SARIF", to_sarif(hostile_report(), {{hostile, hostile, hostile, hostile}})},
      {"report as metrics", to_metrics(hostile_report())},
      {"report as HTML", to_html(hostile_report(), {{hostile, hostile, hostile, hostile}})},
      {"report as markdown", to_markdown(hostile_report())},
      {"report as annotations", to_github_annotations(hostile_report())},
      {"changes for a terminal", to_terminal(hostile_changes(), plain)},
      {"changes as JSON", to_json(hostile_changes())},
      {"changes as markdown", to_markdown(hostile_changes())},
      {"matrix for a terminal", to_terminal(matrix_of({hostile_report()}), plain)},
      {"matrix as JSON", to_json(matrix_of({hostile_report()}))},
      {"matrix as markdown", to_markdown(matrix_of({hostile_report()}))},
      {"comparison for a terminal", to_terminal(hostile_comparison(), plain)},
      {"comparison as JSON", to_json(hostile_comparison())},
      {"comparison as markdown", to_markdown(hostile_comparison())},
      {"exploration for a terminal", to_terminal(hostile_exploration(), plain)},
      {"exploration as JSON", to_json(hostile_exploration())},
      {"text on a page", html_text(hostile)},
      {"text in markdown", markdown_text(hostile)},
      {"error", printable_lines("error: " + hostile + "\n  a hint")},
  };
}

bool has_raw_character(std::string_view text) {
  while (!text.empty()) {
    const char32_t c = take_code_point(text);
    if (c != U'\n' && (obeyed_by_terminals(c) || c == 0x2028 || c == 0x2029)) return true;
  }
  return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(nothing_that_is_written_does_anything_to_who_reads_it) {
  for (const auto& [what, text] : everything_written()) {
    BOOST_TEST(text.find("FORGED") != std::string::npos, what << " does not show it");
    BOOST_TEST(!has_raw_character(text), what);
    BOOST_TEST(valid_utf8(text) == text, what);
    BOOST_TEST(text.find("\nFORGED") == std::string::npos, what);
  }
}

BOOST_AUTO_TEST_CASE(no_markup_of_others_is_markup) {
  for (const auto& [what, text] : everything_written()) {
    const std::string name = what;
    const bool is_markup = name.ends_with("JUnit") || name.ends_with("page") || name.ends_with("markdown");
    if (!is_markup) continue;
    for (std::size_t at = text.find("<script>"); at != std::string::npos; at = text.find("<script>", at + 1)) {
      // In markdown, a preceding backslash or a code span makes it plain text.
      const std::size_t line = text.rfind('\n', at) + 1;
      const auto fences = std::count(text.begin() + static_cast<std::ptrdiff_t>(line),
                                     text.begin() + static_cast<std::ptrdiff_t>(at), '`');
      BOOST_TEST((name.ends_with("markdown") && (text[at - 1] == '\\' || fences > 0)),
                 what << ": " << text.substr(line, 200));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_page_has_no_script_but_its_own) {
  const std::string page = to_html(hostile_report(), {{hostile, hostile, hostile, hostile}});
  BOOST_TEST(page.find("<script>") == page.rfind("<script>"));
  BOOST_TEST(page.find("script-src 'sha256-") != std::string::npos);
  BOOST_TEST(page.find("http://") == std::string::npos);
  for (const char* markup : {"<img", "<a href=\"h", "<link", " src=", "onerror", "style=\""}) {
    BOOST_TEST(page.find(markup) == std::string::npos, markup);
  }
  BOOST_TEST(to_html(hostile_report(), {}).size() < 100'000U);
}

BOOST_AUTO_TEST_CASE(huge_text_of_others_is_cut) {
  Report report = hostile_report();
  for (CheckResult& check : report.checks) check.evidence.message = check.evidence.body = std::string(1'000'000, '<');
  BOOST_TEST(to_html(report, {}).size() < 100'000U);
  BOOST_TEST(to_junit(report).size() < 100'000U);
  BOOST_TEST(to_markdown(report).size() < 65'536U);
  BOOST_TEST(to_sarif(report, {}).size() < 100'000U);
}

BOOST_AUTO_TEST_CASE(json_keeps_what_it_escapes) {
  const std::string text = "a\xe2\x80\xae\xc2\x9b\x7f\xe2\x80\xa8 é 😀";
  const auto read = nlohmann::json::parse(printable_json(nlohmann::json(text).dump()));
  BOOST_TEST(read.get<std::string>() == text);
  BOOST_TEST(printable_json("{\n  \"é\": \"\\u001b\"\n}") == "{\n  \"é\": \"\\u001b\"\n}");
}

BOOST_AUTO_TEST_CASE(lines_after_the_first_are_indented) {
  BOOST_TEST(printable_lines("a\nb\n  c\n\td") == "a\n  b\n  c\n   d");
  BOOST_TEST(printable_lines("") == "");
  BOOST_TEST(printable_page("a\nb\x1b\n") == "a\nb\xEF\xBF\xBD\n");
}

BOOST_AUTO_TEST_SUITE_END()
