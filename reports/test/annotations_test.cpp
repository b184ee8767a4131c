#include "reports/run/annotations.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(annotations)

using namespace nodebound;

namespace {

CheckResult failed(const std::string& rule, const std::string& observed) {
  CheckResult out;
  out.id = "scenario/check";
  out.rules = {rule};
  out.verdict = Verdict::fail;
  out.expected = "deny";
  out.observed = observed;
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_failed_rule_has_a_line_and_the_largest_comes_first) {
  Report report;
  report.checks = {failed("small", "allowed"), failed("large", "allowed"), failed("large", "allowed")};
  BOOST_TEST(
      to_github_annotations(report) ==
      "::error title=Nodebound%3A large::2 checks failed, such as scenario/check: expected deny, observed allowed\n"
      "::error title=Nodebound%3A small::1 check failed, such as scenario/check: expected deny, observed allowed\n");
  BOOST_TEST(to_github_annotations(Report()).empty());
}

BOOST_AUTO_TEST_CASE(there_are_no_more_than_github_shows) {
  Report report;
  for (int i = 0; i < 40; ++i) report.checks.push_back(failed("rule-" + std::to_string(i), "allowed"));
  const std::string text = to_github_annotations(report);
  BOOST_TEST(std::count(text.begin(), text.end(), '\n') == 10);
}

BOOST_AUTO_TEST_CASE(a_target_cannot_give_the_runner_commands) {
  Report report;
  report.checks = {failed("a,b:c", "100%\r\n::set-env name=PATH::/tmp")};
  const std::string text = to_github_annotations(report);
  BOOST_TEST(std::count(text.begin(), text.end(), '\n') == 1);
  BOOST_TEST(text.starts_with("::error title=Nodebound%3A a%2Cb%3Ac::"));
  BOOST_TEST(text.find("100%25") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
