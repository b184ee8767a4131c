#include "reports/terminal.h"

#include <boost/test/unit_test.hpp>

#include "reports/test/sample.h"
#include "reports/text.h"

BOOST_AUTO_TEST_SUITE(reports_terminal)

using namespace nodebound;

namespace {

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

bool contains(const std::string& text, const std::string& part) {
  return occurrences(text, part) > 0;
}

Report all(Verdict verdict, std::size_t number, const std::string& rule = "node-labels") {
  Report report;
  for (std::size_t i = 0; i < number; ++i) {
    report.checks.push_back(test::check("check-" + rule + std::to_string(i), verdict));
    report.checks.back().rules = {rule};
  }
  return report;
}

}  // namespace

BOOST_AUTO_TEST_CASE(golden) {
  const std::string text = to_terminal(test::sample(), {});
  BOOST_TEST(text == R"(Nodebound 0.1.0
target    reference
observed  v1.36.2
judged as 1.36.2, 87 rules in force
gates     AuthorizeNodeWithSelectors=false

profile  checks  pass  fail  deviation  skip  inconclusive
labels        3     1     1          1     0             0
graph         2     0     0          0     1             1
total         5     1     1          1     1             1

✗ Failed, by the rule that should have decided
  node-labels: 1 check
    restricted/patch[merge]
      where     scenarios/labels/restricted.toml:12
      rules     node-labels, node-self
      expected  deny by admission: node-labels
      observed  allow
      subject   system:node:a (system:nodes)
      request   PATCH /api/v1/nodes/a

~ Known deviations: wrong, but upstream is too
  1 check: kubernetes-12345, apply skips the label check

- Skipped, by reason
  1 check: the endpoint has no admission

? Inconclusive: the answer says neither allowed nor refused
  HTTP 503: 1 check
    pods/configmap
      where     scenarios/conformance/secrets.toml:3
      expected  deny by admission: node-labels

1 refusal worded otherwise than in the catalogue; no verdict depends on it

✗ DOES NOT CONFORM: 1 check failed, 2 rules broken
)");
}

BOOST_AUTO_TEST_CASE(settling_is_told_where_it_was_measured) {
  Report report = test::sample();
  BOOST_TEST(!contains(to_terminal(report, {}), "decides on a write"));
  report.run.settling = Settling{12, 0.0023, 1.52};
  BOOST_TEST(
      contains(to_terminal(report, {}), "It decides on a write after 2.3 ms (median of 12), at worst after 1.5 s"));
}

BOOST_AUTO_TEST_CASE(last_line_is_the_verdict) {
  const auto last = [](const Report& report) {
    const std::string text = to_terminal(report, {});
    return text.substr(text.rfind('\n', text.size() - 2) + 1);
  };
  BOOST_TEST(last(all(Verdict::pass, 2)) == "✓ CONFORMS\n");
  BOOST_TEST(last(all(Verdict::fail, 2)) == "✗ DOES NOT CONFORM: 2 checks failed, 1 rule broken\n");
  BOOST_TEST(last(all(Verdict::inconclusive, 1)) == "? INCONCLUSIVE: 1 check could not be judged\n");
  BOOST_TEST(last(all(Verdict::skip, 1)) == "- NOTHING RAN: every check was skipped\n");
  BOOST_TEST(last({}) == "- NOTHING RAN: no check was selected\n");
}

BOOST_AUTO_TEST_CASE(a_rule_broken_often_does_not_hide_one_broken_once) {
  Report report = all(Verdict::fail, 100, "often");
  report.checks.push_back(all(Verdict::fail, 1, "once").checks[0]);
  const std::string text = to_terminal(report, {});
  BOOST_TEST(contains(text, "  often: 100 checks\n"));
  BOOST_TEST(contains(text, "  once: 1 check\n"));
  BOOST_TEST(contains(text, "    check-once0\n"));
  BOOST_TEST(occurrences(text, "    check-") == 20U);
  BOOST_TEST(contains(text, "and 81 more (see report.json)"));
}

BOOST_AUTO_TEST_CASE(more_rules_than_can_be_shown) {
  Report report;
  for (int i = 0; i < 30; ++i) {
    report.checks.push_back(all(Verdict::fail, 1, "rule" + std::to_string(i)).checks[0]);
  }
  const std::string text = to_terminal(report, {});
  BOOST_TEST(occurrences(text, "    check-") == 20U);
  BOOST_TEST(contains(text, "and 10 more under 10 other headings (see report.json)"));
}

BOOST_AUTO_TEST_CASE(verbose_cuts_nothing) {
  Report report = all(Verdict::fail, 50);
  report.checks[0].evidence.message = std::string(5000, 'm');
  const Report skipped = all(Verdict::skip, 50);
  report.checks.insert(report.checks.end(), skipped.checks.begin(), skipped.checks.end());
  const std::string text = to_terminal(report, {.verbose = true});
  BOOST_TEST(occurrences(text, "    check-") == 100U);
  BOOST_TEST(contains(text, std::string(5000, 'm')));
  BOOST_TEST(!contains(text, "see report.json"));
  BOOST_TEST(!contains(to_terminal(report, {}), std::string(300, 'm')));
}

BOOST_AUTO_TEST_CASE(a_target_cannot_drive_the_terminal) {
  Report report = all(Verdict::fail, 1);
  report.target.name = "\x1b]0;owned\x07";
  report.checks[0].profile = "\x1b[1m";
  report.checks[0].evidence.message =
      "\x1b[2J\r\n\xC2\x9B"
      "31m \xE2\x80\xAE reversed \xff";
  const std::string text = to_terminal(report, {});
  for (const char forbidden : {'\x1b', '\x07', '\r', '\xff'}) BOOST_TEST(!contains(text, std::string(1, forbidden)));
  BOOST_TEST(!contains(text, "\xC2\x9B"));
  BOOST_TEST(!contains(text, "\xE2\x80\xAE"));
}

BOOST_AUTO_TEST_CASE(colour_only_when_asked_for) {
  BOOST_TEST(!contains(to_terminal(test::sample(), {}), "\x1b"));
  const std::string coloured = to_terminal(test::sample(), {.colour = true});
  BOOST_TEST(contains(coloured, "\x1b[31m✗ DOES NOT CONFORM"));
  BOOST_TEST(occurrences(coloured, "\x1b[") == 2 * occurrences(coloured, "\x1b[0m"));
}

BOOST_AUTO_TEST_CASE(lines_keep_to_the_width) {
  Report report = all(Verdict::fail, 1);
  for (int i = 0; i < 60; ++i) report.checks[0].evidence.message += "wörd ";
  for (const int width : {-1, 40, 72, 120}) {
    const std::string text = to_terminal(report, {.width = width});
    const std::string field = text.substr(text.find("      message"));
    for (std::size_t start = 0, end = 0; (end = field.find('\n', start)) != std::string::npos; start = end + 1) {
      if (contains(field.substr(start, end - start), "wörd")) {
        BOOST_TEST(columns(field.substr(start, end - start)) <= static_cast<std::size_t>(std::max(width, 40)));
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
