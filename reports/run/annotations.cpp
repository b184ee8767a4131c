#include "reports/run/annotations.h"

#include <algorithm>
#include <string_view>

#include "reports/run/check_groups.h"
#include "reports/text.h"

namespace nodebound {
namespace {

// GitHub drops what a step annotates beyond these.
constexpr std::size_t most_annotations = 10;
constexpr std::size_t longest_message = 500;

/// Text in which the runner of GitHub Actions finds no command of its own (actions/toolkit, command.ts).
std::string escaped(std::string_view text, std::string_view reserved) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char each : text) {
    const auto byte = static_cast<unsigned char>(each);
    if (reserved.find(each) == std::string_view::npos) {
      out += each;
    } else {
      out += {'%', digits[byte / 16], digits[byte % 16]};
    }
  }
  return out;
}

std::string annotation(const CheckGroup& rule) {
  const CheckResult& first = *rule.checks.front();
  const std::string message = counted(rule.checks.size(), "check") + " failed, such as " + first.id + ": expected " +
                              first.expected + ", observed " + first.observed;
  return "::error title=" + escaped("Nodebound: " + printable(rule.key), "%\r\n:,") +
         "::" + escaped(clip(printable(message), longest_message), "%\r\n") + "\n";
}

}  // namespace

std::string to_github_annotations(const Report& report) {
  auto rules = grouped_checks(report, Verdict::fail, deciding_rule);
  sort_by_size(rules);
  std::string out;
  for (std::size_t i = 0; i < std::min(rules.size(), most_annotations); ++i) out += annotation(rules[i]);
  return out;
}

}  // namespace nodebound
