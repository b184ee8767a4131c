#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "harness/deviations/declare.h"
#include "harness/deviations/fix.h"
#include "harness/deviations/matching.h"
#include "harness/test/project.h"
#include "reports/run/json.h"
#include "reports/run/junit.h"
#include "reports/terminal.h"

BOOST_AUTO_TEST_SUITE(declared_deviations)

using namespace nodebound;
using namespace nodebound::deviations;

namespace {

const std::chrono::sys_days today = *day_of("2026-06-01");

std::vector<std::string> known() {
  return {"a/reads@review", "a/writes[put]", "b/of-another-run"};
}

CheckResult result(std::string id, Verdict verdict, std::optional<AccessOpinion> opinion = {}) {
  CheckResult out;
  out.id = std::move(id);
  out.verdict = verdict;
  out.expected = "deny by authorizer: node-rules-only";
  out.observed = "allowed (HTTP 200)";
  out.why = "allowed what the rule refuses";
  out.evidence.decision = "allowed";
  out.evidence.opinion = opinion;
  return out;
}

Report report_with(std::vector<CheckResult> checks) {
  Report out;
  out.run.started = "2026-06-01T12:00:00Z";
  out.checks = std::move(checks);
  return out;
}

std::string entry(const std::string& checks, const std::string& observed, const std::string& more = {}) {
  return "[[deviation]]\nchecks = \"" + checks + "\"\nobserved = \"" + observed + "\"\nreason = \"Old clients\"\n" +
         "issue = \"https://example.com/1\"\n" + (more.empty() ? "expires = 2026-09-01" : more) + "\n";
}

template <typename T>
std::string why_of(const Result<T>& result) {
  return result ? std::string() : result.error().text();
}

DeviationFile read(const std::string& text) {
  Result<DeviationFile> file = parse_deviations(text, "mine.toml");
  BOOST_REQUIRE_MESSAGE(file, why_of(file));
  return *file;
}

Report declared(Report report, const std::string& text) {
  declare(report, read(text), today, known);
  return report;
}

/// The message of the entry that fails the run; empty if none does.
std::string complaint(const Report& report) {
  const auto found = std::ranges::find_if(report.checks, [](const CheckResult& check) {
    return check.profile == "deviations" && check.verdict == Verdict::fail;
  });
  return found == report.checks.end() ? "" : found->why;
}

std::string refusal(const std::string& text) {
  const Result<DeviationFile> file = parse_deviations(text, "mine.toml");
  if (!file) return file.error().text();
  const Result<void> filled_in = require_filled_in(*file);
  return filled_in ? "" : filled_in.error().text();
}

bool has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return true;
  BOOST_TEST_MESSAGE("it says: " << text);
  return false;
}

FixedDeviations repaired(const Report& report, const std::string& text) {
  const Result<FixedDeviations> out = fixed(read(text), report, today, known);
  BOOST_REQUIRE_MESSAGE(out, why_of(out));
  return *out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_pattern_matches_whole_ids) {
  BOOST_TEST(matches("a/b", "a/b"));
  BOOST_TEST(matches("a/*", "a/b[put]@admission"));
  BOOST_TEST(matches("*@admission", "a/b@admission"));
  BOOST_TEST(matches("a*b*c", "aXbYbZc"));
  BOOST_TEST(matches("**", ""));
  BOOST_TEST(!matches("a/b", "a/bc"));
  BOOST_TEST(!matches("a*b", "acbd"));
  BOOST_TEST(!matches("", "a"));
}

BOOST_AUTO_TEST_CASE(what_is_declared_and_observed_does_not_fail) {
  const Report report =
      declared(report_with({result("a/writes[put]", Verdict::fail),
                            result("a/reads@review", Verdict::fail, AccessOpinion::allow), result("c", Verdict::pass)}),
               entry("a/writes*", "allowed (HTTP 200)") + entry("a/reads@review", "allow"));
  BOOST_TEST(complaint(report) == "");
  BOOST_TEST(report.count(Verdict::fail) == 0U);
  BOOST_TEST(report.count_declared() == 2U);
  BOOST_TEST(exit_code(report) == 0);
  BOOST_TEST(!is_conformant(report));
  BOOST_TEST(report.declared.size() == 2U);
  BOOST_TEST(report.declared[0].met == 1U);
  BOOST_TEST(has(to_terminal(report, {}), "CONFORMS EXCEPT FOR WHAT IS DECLARED: 2 checks deviate"));
  BOOST_TEST(has(to_junit(report), "declared deviation a/writes*"));
  const std::string json = to_json(report);
  const Result<Report> again = report_from_json(json, "report.json");
  BOOST_REQUIRE_MESSAGE(again, why_of(again));
  BOOST_TEST(to_json(*again) == json);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_not_true_fails_the_run) {
  const CheckResult fails = result("a/writes[put]", Verdict::fail);
  const auto says = [&](const CheckResult& check, const std::string& text) {
    const Report report = declared(report_with({check, result("c", Verdict::pass)}), text);
    BOOST_TEST(exit_code(report) == 1, text);
    return complaint(report);
  };
  BOOST_TEST(has(says(result("a/writes[put]", Verdict::pass), entry("a/writes*", "allow")), "remove it (--fix does)"));
  BOOST_TEST(has(says(result("a/writes[put]", Verdict::deviation), entry("a/writes*", "allow")), "known defect"));
  BOOST_TEST(has(says(fails, entry("a/writes*", "no opinion")), "it does something else, allowed (HTTP 200)"));
  BOOST_TEST(has(says(fails, entry("a/writes", "allowed (HTTP 200)")), "no check is called so in any release"));
  BOOST_TEST(has(says(fails, entry("a/*", "allowed (HTTP 200)") + entry("a/writes[put]", "allowed (HTTP 200)")),
                 "an earlier entry"));
  BOOST_TEST(has(says(fails, entry("a/*", "allowed (HTTP 200)", "expires = 2026-05-31")), "has expired"));
  BOOST_TEST(has(says(fails, entry("a/*", "allowed (HTTP 200)", "expires = 2027-06-03")), "more than a year ahead"));
}

BOOST_AUTO_TEST_CASE(an_entry_holds_on_its_last_day_only_as_long) {
  const Report report = report_with({result("a/writes[put]", Verdict::fail)});
  BOOST_TEST(complaint(declared(report, entry("a/*", "allowed (HTTP 200)", "expires = 2026-06-01"))) == "");
  const Report expired = declared(report, entry("a/*", "allowed (HTTP 200)", "expires = 2026-05-31"));
  BOOST_TEST(expired.count_declared() == 0U);
  BOOST_TEST(expired.count(Verdict::fail) == 2U);
}

BOOST_AUTO_TEST_CASE(what_is_not_asked_says_nothing) {
  const Report report = declared(report_with({result("a/writes[put]", Verdict::skip), result("c", Verdict::pass)}),
                                 entry("a/writes*", "allow") + entry("b/*", "allow"));
  BOOST_TEST(complaint(report) == "");
  BOOST_TEST(exit_code(report) == 0);
  BOOST_TEST(is_conformant(report));
}

BOOST_AUTO_TEST_CASE(a_wrong_answer_of_the_required_decision_is_told_apart) {
  CheckResult leak = result("a/reads@review", Verdict::fail);
  leak.expected = "allow: secret-through-pod";
  leak.why = "the answer shows what was not asked for: secrets/x";
  BOOST_TEST(observed_of(leak) == "allowed (HTTP 200): the answer shows what was not asked for: secrets/x");
  const Report report = declared(report_with({leak}), entry("a/reads@review", "allowed (HTTP 200)"));
  BOOST_TEST(has(complaint(report), "it does something else"));
}

BOOST_AUTO_TEST_CASE(a_file_is_read_strictly) {
  BOOST_TEST(refusal(entry("a", "allow")) == "");
  BOOST_TEST(has(refusal("[[deviation]]\n"), "mine.toml:1:1"));
  BOOST_TEST(has(refusal(entry("a", "allow") + "owner = 1\n"), "owner"));
  BOOST_TEST(has(refusal("[[deviations]]\n"), "deviations"));
  BOOST_TEST(has(refusal(entry("a", "allow", "expires = \"2026-09-01\"")), "a day without quotes"));
  BOOST_TEST(has(refusal(entry("a", "allow") + entry("a", "deny")), "already"));
  BOOST_TEST(has(refusal(entry("a\\u001b[31m", "allow")), "control characters"));
  BOOST_TEST(has(refusal(entry("", "allow")), "expected a text"));
  BOOST_TEST(has(refusal(entry(std::string(3000, 'a'), "allow")), "at most 2000 bytes"));
  std::string empty = entry("a", "allow");
  empty.replace(empty.find("Old clients"), 11, "");
  BOOST_TEST(has(refusal(empty), "mine.toml:1: the deviation has no reason"));
  std::string issue = entry("a", "allow");
  issue.replace(issue.find("https"), 5, "javascript");
  BOOST_TEST(has(refusal(issue), "the URL of an issue"));
}

BOOST_AUTO_TEST_CASE(fixing_keeps_what_holds_with_its_comments) {
  const std::string kept = "# Owned by the platform team.\n" + entry("a/writes*", "allowed (HTTP 200)");
  const std::string head = "# Our deviations.\n\n";
  const Report report = report_with({result("a/writes[put]", Verdict::fail), result("c", Verdict::pass)});
  const FixedDeviations same = repaired(report, head + kept);
  BOOST_TEST(same.text == head + kept);
  BOOST_TEST(same.added + same.removed + same.split == 0U);
  const FixedDeviations without = repaired(report, head + "# stale\n" + entry("c", "allow") + "\n" + kept);
  BOOST_TEST(without.removed == 1U);
  BOOST_TEST(without.text == head + kept);
  const FixedDeviations for_others = repaired(report, head + kept + "\n" + entry("b/*", "allow"));
  BOOST_TEST(has(for_others.text, "b/*"));
}

BOOST_AUTO_TEST_CASE(fixing_splits_patterns_and_adds_what_is_new) {
  const Report report =
      report_with({result("a/writes[put]", Verdict::fail), result("a/writes[merge]", Verdict::pass),
                   result("a/reads@review", Verdict::fail, AccessOpinion::allow), result("n\"ew", Verdict::fail)});
  const FixedDeviations now =
      repaired(report, entry("a/writes*", "allowed (HTTP 200)") + entry("a/reads@review", "no opinion"));
  BOOST_TEST(now.split == 1U);
  BOOST_TEST(now.removed == 1U);
  BOOST_TEST(now.added == 2U);
  BOOST_TEST(has(now.text, "checks = \"a/writes[put]\"\nobserved = \"allowed (HTTP 200)\"\nreason = \"Old clients\""));
  BOOST_TEST(has(now.text, "# Before: no opinion: Old clients\n[[deviation]]\nchecks = \"a/reads@review\""));
  BOOST_TEST(has(refusal(now.text), "has no reason"));
  std::string filled_in = now.text;
  for (const auto& [from, to] :
       {std::pair("reason = \"\"", "reason = \"New\""), {"issue = \"\"", "issue = \"https://example.com/2\""}}) {
    for (std::size_t at = 0; (at = filled_in.find(from)) != std::string::npos;) {
      filled_in.replace(at, std::string_view(from).size(), to);
    }
  }
  const Report after = declared(report, filled_in);
  BOOST_TEST(complaint(after) == "");
  BOOST_TEST(exit_code(after) == 0);
  BOOST_TEST(repaired(report, filled_in).text == filled_in);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_not_there_yet_is_made) {
  const Report report = report_with({result("a/writes[put]", Verdict::fail)});
  const FixedDeviations now = repaired(report, "");
  BOOST_TEST(now.added == 1U);
  BOOST_TEST(now.text.starts_with("# "));
  BOOST_TEST(read(now.text).entries.size() == 1U);
  BOOST_TEST(!fixed(read("deviation = [{checks = \"a\", observed = \"b\", reason = \"c\", issue = \"\", expires = "
                         "2026-09-01}]\n"),
                    report, today, known));
}

BOOST_AUTO_TEST_CASE(every_check_has_an_id_that_can_be_declared) {
  const RuleSet rules(catalogue(), *Release::make(catalogue(), *Version::parse("1.36.3"), {}));
  const std::vector<std::string> ids = ids_of_checks(project_scenarios(), rules);
  BOOST_TEST(ids.size() > 5000U);
  for (const std::string& id : ids) BOOST_TEST(id.find('*') == std::string::npos, id);
}

BOOST_AUTO_TEST_SUITE_END()
