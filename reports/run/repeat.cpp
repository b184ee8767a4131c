#include "reports/run/repeat.h"

#include <algorithm>
#include <string_view>

#include "reports/text.h"

namespace nodebound {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// For a shell, on one line.
std::string shell_word(std::string_view text) {
  static constexpr std::string_view harmless = "-_./:=,@+";
  const std::string clean = printable(text);
  const bool plain =
      std::ranges::all_of(clean, [](char c) { return is_word(c) || harmless.find(c) != std::string_view::npos; });
  if (plain && !clean.empty()) return clean;
  std::string out = "'";
  for (const char c : clean) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// A regular expression for this text and no other.
std::string exactly(std::string_view text) {
  static constexpr std::string_view special = "[](){}.*+?^$|\\";
  std::string out = "^";
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out + "$";
}

}  // namespace

std::string scenario_of_check(const std::string& id) {
  const std::size_t mark = std::min(id.find_first_of("[@"), id.size());
  // A bracket before the step is the scenario's case.
  const std::size_t end_of_case = mark < id.size() && id[mark] == '[' ? id.find("]/", mark) : std::string::npos;
  if (end_of_case != std::string::npos) return id.substr(0, end_of_case + 1);
  const std::size_t slash = id.rfind('/', mark);
  return slash == std::string::npos ? id : id.substr(0, slash);
}

std::string command_to_repeat(const Report& report, const CheckResult& check) {
  std::string out = "nodebound run --target " + shell_word(report.target.name);
  if (!report.release.version.empty()) out += " --release " + shell_word(report.release.version);
  if (!report.release.feature_gates.empty()) {
    std::string gates;
    for (const std::string& gate : report.release.feature_gates) gates += (gates.empty() ? "" : ",") + gate;
    out += " --feature-gates " + shell_word(gates);
  }
  return out + " --focus " + shell_word(exactly(scenario_of_check(check.id))) + " --verbose";
}

}  // namespace nodebound
