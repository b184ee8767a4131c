#include "reports/run/metrics.h"

#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "reports/text.h"

namespace nodebound {
namespace {

using MetricLabels = std::vector<std::pair<const char*, std::string>>;

std::string decimal(double number) {
  std::array<char, 64> buffer{};
  constexpr double longest = 1e15;
  const double value = std::isfinite(number) && number > 0 && number < longest ? number : 0.0;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, 3).ptr;
  return {buffer.data(), end};
}

class Metrics {
 public:
  void family(const std::string& name, const char* type, const char* unit, const char* help) {
    name_ = "nodebound_" + name;
    out_ += "# TYPE " + name_ + " " + type + "\n";
    if (*unit != '\0') out_ += "# UNIT " + name_ + " " + unit + "\n";
    out_ += "# HELP " + name_ + " " + help + "\n";
  }

  void sample(const MetricLabels& labels, const std::string& value, const char* suffix = "") {
    out_ += name_ + suffix;
    std::string inside;
    for (const auto& [label, text] : labels) {
      inside += (inside.empty() ? "" : ",") + std::string(label) + "=\"" + quoted(text) + "\"";
    }
    if (!inside.empty()) out_ += "{" + inside + "}";
    out_ += " " + value + "\n";
  }

  [[nodiscard]] std::string text() const { return out_ + "# EOF\n"; }

 private:
  static std::string quoted(const std::string& text) {
    constexpr std::size_t longest = 200;
    std::string out;
    for (const char c : clip(printable(text), longest)) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    return out;
  }

  std::string name_;
  std::string out_;
};

void put_checks(Metrics& metrics, const Report& report) {
  std::map<std::string, std::map<Verdict, std::size_t>> profiles;
  std::map<std::string, std::size_t> failures;
  for (const CheckResult& check : report.checks) {
    ++profiles[printable(check.profile)][check.verdict];
    if (check.verdict != Verdict::fail) continue;
    ++failures[check.rules.empty() ? "" : printable(check.rules.front())];
  }
  metrics.family("checks", "gauge", "", "Checks of the last run by profile and verdict.");
  for (const auto& [profile, counts] : profiles) {
    for (const Verdict verdict : all_verdicts) {
      const auto found = counts.find(verdict);
      metrics.sample({{"profile", profile}, {"verdict", to_string(verdict)}},
                     std::to_string(found == counts.end() ? 0 : found->second));
    }
  }
  metrics.family("failed_checks", "gauge", "", "Failed checks of the last run by the rule that should have decided.");
  for (const auto& [rule, count] : failures) metrics.sample({{"rule", rule}}, std::to_string(count));
}

}  // namespace

std::string to_metrics(const Report& report) {
  Metrics metrics;
  metrics.family("target", "info", "", "What was under test in the last run, and by which release it was judged.");
  metrics.sample({{"target", report.target.name},
                  {"version", report.target.version},
                  {"release", report.release.version},
                  {"tool_version", report.run.tool_version}},
                 "1", "_info");
  metrics.family("conformant", "gauge", "", "Whether the target conforms: 1 or 0.");
  metrics.sample({}, is_conformant(report) ? "1" : "0");
  put_checks(metrics, report);
  metrics.family("reworded_refusals", "gauge", "", "Refusals in other words than the catalogue's.");
  metrics.sample({}, std::to_string(report.reason_differences()));
  metrics.family("run_requests", "gauge", "", "Requests of the last run.");
  metrics.sample({}, std::to_string(report.run.requests));
  metrics.family("run_seconds", "gauge", "seconds", "How long the last run took.");
  metrics.sample({}, decimal(report.run.seconds));
  metrics.family("run_request_seconds", "gauge", "seconds", "How long the last run waited for answers, over all jobs.");
  metrics.sample({}, decimal(report.run.request_seconds));
  if (report.run.settling) {
    metrics.family("settling_seconds", "gauge", "seconds", "How long after a write the target decided on it.");
    metrics.sample({{"of", "median"}}, decimal(report.run.settling->median_seconds));
    metrics.sample({{"of", "worst"}}, decimal(report.run.settling->worst_seconds));
  }
  return metrics.text();
}

}  // namespace nodebound
