#include "reports/run/junit.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "reports/text.h"

namespace nodebound {
namespace {

/// Escapes for both text and attributes. Readers of this file print it to terminals too.
std::string escape(std::string_view text) {
  std::string out;
  const std::string printable_text = printable_page(text);
  for (std::string_view rest = printable_text; !rest.empty();) {
    // All others are as they are. U+FFFE and U+FFFF begin with the last of these bytes.
    const std::size_t plain = std::min(rest.find_first_of("&<>\"'\xEF"), rest.size());
    out += rest.substr(0, plain);
    rest.remove_prefix(plain);
    if (rest.empty()) break;
    const char32_t c = take_code_point(rest);
    // XML 1.0 forbids them.
    if (c == 0xFFFE || c == 0xFFFF) continue;
    if (c == U'&') {
      out += "&amp;";
    } else if (c == U'<') {
      out += "&lt;";
    } else if (c == U'>') {
      out += "&gt;";
    } else if (c == U'"') {
      out += "&quot;";
    } else if (c == U'\'') {
      out += "&apos;";
    } else {
      append_code_point(out, c);
    }
  }
  return out;
}

std::string attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + escape(printable(value)) + "\"";
}

struct Counts {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;

  void add(Verdict verdict) {
    ++tests;
    if (verdict == Verdict::fail) ++failures;
    if (verdict == Verdict::inconclusive) ++errors;
    if (verdict == Verdict::skip) ++skipped;
  }

  [[nodiscard]] std::string attributes() const {
    return attribute("tests", std::to_string(tests)) + attribute("failures", std::to_string(failures)) +
           attribute("errors", std::to_string(errors)) + attribute("skipped", std::to_string(skipped));
  }
};

struct Suite {
  std::string name;
  Counts counts;
  std::string cases;
};

/// `scenarios/conformance/node.toml` of `scenarios/conformance/node.toml:12`.
std::string_view file_of(std::string_view where) {
  const std::size_t colon = where.find_last_not_of(":0123456789");
  if (colon == std::string_view::npos || colon + 1 == where.size() || where[colon + 1] != ':') return where;
  return where.substr(0, colon + 1);
}

std::string_view stem_of(std::string_view file) {
  if (const std::size_t slash = file.rfind('/'); slash != std::string_view::npos) file.remove_prefix(slash + 1);
  return file.substr(0, file.rfind('.'));
}

std::string class_name(const CheckResult& check) {
  const std::string stem(stem_of(file_of(check.where)));
  if (check.profile.empty() || stem.empty()) return check.profile + stem;
  return check.profile + "." + stem;
}

// CI systems keep all of it in memory, and some refuse a file over 30 MB.
constexpr std::size_t longest_detail = 2000;

std::string details(const CheckResult& check) {
  const Evidence& evidence = check.evidence;
  std::string rules;
  for (const std::string& rule : check.rules) rules += (rules.empty() ? "" : ", ") + rule;
  const std::pair<const char*, std::string> lines[] = {
      {"where", check.where},
      {"title", check.title},
      {"rules", rules},
      {"expected", check.expected},
      {"observed", check.observed},
      {"why", check.why},
      {"subject", evidence.subject},
      {"request", evidence.request},
      {"body", evidence.body},
      {"status", evidence.status == 0 ? "" : std::to_string(evidence.status)},
      {"refused by", evidence.layer},
      {"message", evidence.message},
  };
  std::string out = "\n";
  for (const auto& [label, value] : lines) {
    if (!value.empty()) out += std::string(label) + ": " + printable_lines(clip(value, longest_detail)) + "\n";
  }
  return out;
}

std::string element(std::string_view name, const CheckResult& check, const std::string& message,
                    const std::string& type) {
  return "      <" + std::string(name) + attribute("message", message) + attribute("type", type) + ">" +
         escape(details(check)) + "</" + std::string(name) + ">\n";
}

std::string outcome(const CheckResult& check) {
  switch (check.verdict) {
    case Verdict::pass:
      return {};
    case Verdict::fail:
      return element("failure", check, "expected " + check.expected + ", observed " + check.observed,
                     !check.leaked.empty() ? "leak"
                     : check.rules.empty() ? "fail"
                                           : check.rules.front());
    case Verdict::deviation:
      return "      <system-out>" +
             escape(printable((check.declared ? "declared deviation " : "known deviation ") + check.deviation + ": " +
                              check.why)) +
             "</system-out>\n";
    case Verdict::skip:
      return "      <skipped" + attribute("message", check.why) + "/>\n";
    case Verdict::inconclusive:
      return element("error", check, check.why, "inconclusive");
  }
  return {};
}

std::string test_case(const CheckResult& check) {
  const std::string head = "    <testcase" + attribute("name", check.id) + attribute("classname", class_name(check));
  const std::string inside = outcome(check);
  return inside.empty() ? head + "/>\n" : head + ">\n" + inside + "    </testcase>\n";
}

std::vector<Suite> suites_of(const Report& report) {
  std::vector<Suite> suites;
  std::map<std::pair<std::string, std::string>, std::size_t> index;
  for (const CheckResult& check : report.checks) {
    const std::string file(file_of(check.where));
    const auto [found, is_new] = index.try_emplace({file, check.scenario}, suites.size());
    if (is_new) suites.push_back({check.scenario.empty() ? file : check.scenario, {}, {}});
    Suite& suite = suites[found->second];
    suite.counts.add(check.verdict);
    suite.cases += test_case(check);
  }
  return suites;
}

/// With three decimals whatever the locale.
std::string seconds_text(double seconds) {
  std::array<char, 400> buffer{};  // the longest double has 309 digits before its point
  const double value = std::isfinite(seconds) && seconds > 0 ? seconds : 0.0;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, 3).ptr;
  return {buffer.data(), end};
}

}  // namespace

std::string to_junit(const Report& report) {
  Counts total;
  for (const CheckResult& check : report.checks) total.add(check.verdict);

  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + attribute("name", "nodebound") +
                    total.attributes() + attribute("time", seconds_text(report.run.seconds)) + ">\n";
  for (const Suite& suite : suites_of(report)) {
    out += "  <testsuite" + attribute("name", suite.name) + suite.counts.attributes() + ">\n";
    out += suite.cases;
    out += "  </testsuite>\n";
  }
  return out + "</testsuites>\n";
}

}  // namespace nodebound
