#include "reports/run/junit.h"

#include <boost/test/unit_test.hpp>

#include "reports/test/sample.h"

BOOST_AUTO_TEST_SUITE(reports_junit)

using namespace nodebound;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Reads the failed check's `observed` out of the document.
std::string with_observed(const std::string& observed) {
  Report report;
  report.checks = {test::check("a", Verdict::fail)};
  report.checks[0].observed = observed;
  const std::string text = to_junit(report);
  const std::size_t start = text.find("observed: ") + 10;
  return text.substr(start, text.find("</failure>") - start - 1);
}

}  // namespace

BOOST_AUTO_TEST_CASE(golden) {
  const std::string text = to_junit(test::sample());
  BOOST_TEST(text == R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="nodebound" tests="5" failures="1" errors="1" skipped="1" time="1.500">
  <testsuite name="Labels a node may set" tests="3" failures="1" errors="0" skipped="0">
    <testcase name="restricted/put" classname="labels.restricted"/>
    <testcase name="restricted/patch[merge]" classname="labels.restricted">
      <failure message="expected deny by admission: node-labels, observed allow" type="node-labels">
where: scenarios/labels/restricted.toml:12
title: a restricted label is refused
rules: node-labels, node-self
expected: deny by admission: node-labels
observed: allow
subject: system:node:a (system:nodes)
request: PATCH /api/v1/nodes/a
body: {&quot;metadata&quot;:{}}
status: 200
</failure>
    </testcase>
    <testcase name="restricted/apply" classname="labels.restricted">
      <system-out>known deviation kubernetes-12345: apply skips the label check</system-out>
    </testcase>
  </testsuite>
  <testsuite name="Secrets of bound pods" tests="2" failures="0" errors="1" skipped="1">
    <testcase name="pods/secret" classname="graph.secrets">
      <skipped message="the endpoint has no admission"/>
    </testcase>
    <testcase name="pods/configmap" classname="graph.secrets">
      <error message="HTTP 503" type="inconclusive">
where: scenarios/conformance/secrets.toml:3
title: a restricted label is refused
rules: node-labels
expected: deny by admission: node-labels
why: HTTP 503
status: 503
</error>
    </testcase>
  </testsuite>
</testsuites>
)");
}

BOOST_AUTO_TEST_CASE(markup_is_escaped) {
  BOOST_TEST(with_observed("</failure><![CDATA[x]]>&amp;\"'") ==
             "&lt;/failure&gt;&lt;![CDATA[x]]&gt;&amp;amp;&quot;&apos;");
}

BOOST_AUTO_TEST_CASE(characters_that_xml_forbids_or_terminals_obey_do_not_get_through) {
  const std::string replaced = "\xEF\xBF\xBD";
  BOOST_TEST(with_observed(std::string("a\0b\x1b[2Jc", 8)) == "a" + replaced + "b" + replaced + "[2Jc");
  BOOST_TEST(with_observed("a\xC2\x9B\xE2\x80\xAEz") == "a" + replaced + replaced + "z");
  BOOST_TEST(with_observed("a\xEF\xBF\xBE\xEF\xBF\xBFz") == "az");
}

BOOST_AUTO_TEST_CASE(invalid_utf8_is_replaced) {
  const std::string replaced = "\xEF\xBF\xBD";
  BOOST_TEST(with_observed("a\xff z") == "a" + replaced + " z");
  BOOST_TEST(with_observed("cut \xE2\x82") == "cut " + replaced + replaced);
  BOOST_TEST(with_observed("overlong \xC0\xAF.") == "overlong " + replaced + replaced + ".");
  BOOST_TEST(with_observed("surrogate \xED\xA0\x80.") == "surrogate " + replaced + replaced + replaced + ".");
  BOOST_TEST(with_observed("too far \xF4\x90\x80\x80.") ==
             "too far " + replaced + replaced + replaced + replaced + ".");
  BOOST_TEST(with_observed("kept é € 😀") == "kept é € 😀");
}

BOOST_AUTO_TEST_CASE(a_text_of_several_lines_looks_like_no_other_text) {
  BOOST_TEST(with_observed("a\r\nwhy: b\tc") == "a \n  why: b c");
  Report report;
  report.checks = {test::check("a\n\t\"b\"", Verdict::pass)};
  BOOST_TEST(contains(to_junit(report), R"(name="a  &quot;b&quot;")"));
}

BOOST_AUTO_TEST_CASE(one_suite_for_each_file_and_title_in_report_order) {
  Report report;
  report.checks = {test::check("1", Verdict::pass), test::check("2", Verdict::pass), test::check("3", Verdict::pass),
                   test::check("4", Verdict::pass)};
  report.checks[0].scenario = "B";
  report.checks[1].scenario = "A";
  report.checks[2].scenario = "B";
  report.checks[3].scenario = "B";
  report.checks[3].where = "scenarios/other.toml:1";
  const std::string text = to_junit(report);
  const std::size_t b = text.find(R"(<testsuite name="B" tests="2")");
  const std::size_t a = text.find(R"(<testsuite name="A" tests="1")");
  const std::size_t other = text.find(R"(<testsuite name="B" tests="1")");
  BOOST_TEST(b < a);
  BOOST_TEST(a < other);
  BOOST_TEST(other != std::string::npos);
}

BOOST_AUTO_TEST_CASE(class_name_without_a_place_or_profile) {
  Report report;
  report.checks = {test::check("1", Verdict::pass), test::check("2", Verdict::pass), test::check("3", Verdict::pass)};
  report.checks[0].where = "";
  report.checks[1].profile = "";
  report.checks[2].where = "s/2024.toml:7:3";
  const std::string text = to_junit(report);
  BOOST_TEST(contains(text, R"(name="1" classname="labels"/>)"));
  BOOST_TEST(contains(text, R"(name="2" classname="restricted"/>)"));
  BOOST_TEST(contains(text, R"(name="3" classname="labels.2024"/>)"));
}

BOOST_AUTO_TEST_SUITE_END()
