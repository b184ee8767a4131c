#include "reports/run/report.h"

#include <boost/test/unit_test.hpp>

#include "reports/test/sample.h"

BOOST_AUTO_TEST_SUITE(reports_report)

using namespace nodebound;
using test::check;

BOOST_AUTO_TEST_CASE(counts_each_verdict_once) {
  const Report report = test::sample();
  for (const Verdict verdict :
       {Verdict::pass, Verdict::fail, Verdict::deviation, Verdict::skip, Verdict::inconclusive}) {
    BOOST_TEST(report.count(verdict) == 1U, to_string(verdict));
  }
}

BOOST_AUTO_TEST_CASE(a_reason_that_was_not_compared_is_no_difference) {
  Report report;
  report.checks = {check("a", Verdict::pass), check("b", Verdict::pass), check("c", Verdict::pass)};
  report.checks[1].reason_match = true;
  report.checks[2].reason_match = false;
  BOOST_TEST(report.reason_differences() == 1U);
}

BOOST_AUTO_TEST_CASE(broken_rules_are_those_of_failed_checks_sorted_and_unique) {
  Report report;
  report.checks = {check("a", Verdict::fail), check("b", Verdict::fail), check("c", Verdict::inconclusive)};
  report.checks[0].rules = {"z", "a"};
  report.checks[1].rules = {"m", "z"};
  report.checks[2].rules = {"untouched"};
  BOOST_TEST(report.broken_rules() == (std::vector<std::string>{"a", "m", "z"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(exit_code_by_the_worst_that_happened) {
  const auto code = [](std::initializer_list<Verdict> verdicts) {
    Report report;
    for (const Verdict verdict : verdicts) report.checks.push_back(check("a", verdict));
    return exit_code(report);
  };
  BOOST_TEST(code({}) == 4);
  BOOST_TEST(code({Verdict::skip, Verdict::skip}) == 4);
  BOOST_TEST(code({Verdict::pass, Verdict::skip}) == 0);
  BOOST_TEST(code({Verdict::deviation}) == 0);
  BOOST_TEST(code({Verdict::inconclusive, Verdict::skip}) == 3);
  BOOST_TEST(code({Verdict::pass, Verdict::inconclusive}) == 3);
  BOOST_TEST(code({Verdict::inconclusive, Verdict::fail, Verdict::pass}) == 1);
}

BOOST_AUTO_TEST_SUITE_END()
