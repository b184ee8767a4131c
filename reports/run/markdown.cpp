#include "reports/run/markdown.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "reports/markdown.h"
#include "reports/run/chain.h"
#include "reports/run/check_groups.h"
#include "reports/run/repeat.h"
#include "reports/text.h"

namespace nodebound {
namespace {

// A comment on GitHub holds 65,536 characters.
constexpr std::size_t longest_summary = 60'000;
constexpr std::size_t most_checks_shown = 30;
constexpr std::size_t most_reasons_shown = 20;
constexpr std::size_t longest_value = 300;
constexpr std::size_t longest_section = 25'000;

std::string clipped_code(const std::string& text) {
  return markdown_code(clip(printable(text), longest_value));
}

std::string clipped_text(const std::string& text) {
  return markdown_text(clip(printable(text), longest_value));
}

std::string headline(const Report& report) {
  const int code = exit_code(report);
  const char* mark = code == 0 ? "✅ " : code == 1 ? "❌ " : "⚠️ ";
  std::string out = std::string("## ") + mark + "Nodebound: " + markdown_text(verdict_line(report)) + "\n\n";
  out += "Target " + clipped_code(report.target.name) + ", observed as " +
         clipped_text(report.target.version.empty() ? "version unknown" : report.target.version) + ", judged by the " +
         counted(report.release.rules_in_force, "rule") + " of Kubernetes " + clipped_text(report.release.version);
  for (const std::string& gate : report.release.feature_gates) out += " " + clipped_code(gate);
  return out + ".\n\n";
}

std::string profile_table(const Report& report) {
  std::vector<std::string> titles = {"profile"};
  for (const Verdict verdict : all_verdicts) titles.emplace_back(to_string(verdict));
  std::string out = markdown_head(titles);
  auto profiles = grouped_checks(
      report, [](const CheckResult&) { return true; }, [](const CheckResult& check) { return check.profile; });
  profiles.resize(std::min(profiles.size(), most_reasons_shown));
  const auto row = [&out](const std::string& name, const auto& number) {
    std::vector<std::string> cells = {name};
    for (const Verdict verdict : all_verdicts) cells.push_back(std::to_string(number(verdict)));
    out += markdown_row(cells);
  };
  for (const CheckGroup& profile : profiles) {
    row(clipped_text(profile.key), [&](Verdict verdict) {
      return std::ranges::count(profile.checks, verdict, [](const CheckResult* check) { return check->verdict; });
    });
  }
  row("**all**", [&](Verdict verdict) { return report.count(verdict); });
  return out;
}

std::string account_of(const Report& report, const CheckResult& check) {
  const Evidence& evidence = check.evidence;
  std::string out = "- " + clipped_code(check.id) + "\n";
  const std::pair<const char*, std::string> lines[] = {
      {"expected", clipped_text(check.expected)},
      {"observed", clipped_text(check.observed)},
      {"why", clipped_text(check.why)},
      {"leaked", clipped_text(comma_separated(check.leaked))},
      {"subject", clipped_code(evidence.subject)},
      {"request", clipped_code(evidence.request)},
      {"body", clipped_code(evidence.body)},
      {"message", clipped_code(evidence.message)},
      {"where", clipped_code(check.where)},
      {"again", clipped_code(command_to_repeat(report, check))},
  };
  for (const auto& [label, value] : lines) {
    if (!value.empty()) out += std::string("  - ") + label + ": " + value + "\n";
  }
  return out;
}

std::string told_in_full(const Report& report, Verdict verdict, const char* title, const CheckKey& key) {
  const auto groups = grouped_checks(report, verdict, key);
  if (groups.empty()) return {};
  const std::vector<std::size_t> shown = fair_shares(groups, most_checks_shown);
  std::string out = std::string("\n### ") + title + " (" + std::to_string(report.count(verdict)) + ")\n";
  std::size_t hidden = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    std::size_t told = 0;
    for (; told < shown[i] && out.size() < longest_section; ++told) {
      if (told == 0) {
        out += "\n#### " + clipped_text(groups[i].key) + ": " + counted(groups[i].checks.size(), "check") + "\n\n";
      }
      out += account_of(report, *groups[i].checks[told]);
    }
    hidden += groups[i].checks.size() - told;
  }
  if (hidden > 0) out += "\nand " + std::to_string(hidden) + " more in report.json\n";
  return out;
}

std::string counted_by_reason(const Report& report, Verdict verdict, const char* title, const CheckKey& key) {
  auto groups = grouped_checks(report, verdict, key);
  if (groups.empty()) return {};
  sort_by_size(groups);
  std::string out = std::string("\n<details><summary>") + title + " (" + std::to_string(report.count(verdict)) +
                    ")</summary>\n\n" + markdown_head({"checks", "why"});
  for (std::size_t i = 0; i < std::min(groups.size(), most_reasons_shown); ++i) {
    out += markdown_row({std::to_string(groups[i].checks.size()), clipped_text(groups[i].key)});
  }
  if (groups.size() > most_reasons_shown) {
    out += "\nand " + counted(groups.size() - most_reasons_shown, "more reason") + "\n";
  }
  return out + "\n</details>\n";
}

std::string why_deviation(const CheckResult& check) {
  const std::string by = check.declared ? "declared by the implementer: " : "";
  return by + check.deviation + (check.why.empty() ? "" : ", " + check.why);
}

}  // namespace

std::string to_markdown(const Report& report) {
  std::string out = headline(report);
  const std::function<std::string()> parts[] = {
      [&] { return profile_table(report); },
      [&] {
        return told_in_full(report, Verdict::fail, "Failed, by the rule that should have decided", deciding_rule);
      },
      [&] { return told_in_full(report, Verdict::inconclusive, "Inconclusive", reason_of_verdict); },
      [&] {
        const char* title = report.declared.empty() ? "Known deviations" : "Deviations";
        return counted_by_reason(report, Verdict::deviation, title, why_deviation);
      },
      [&] { return counted_by_reason(report, Verdict::skip, "Skipped", reason_of_verdict); },
      [&] {
        if (!report.target.is_authorizer) return std::string();
        return "\nIn a chain of authorizers: " + markdown_text(in_words(chain_fitness(report.checks))) + "\n";
      },
  };
  bool cut = false;
  for (const auto& part : parts) {
    const std::string text = part();
    const bool fits = out.size() + text.size() <= longest_summary;
    if (fits) out += text;
    cut = cut || !fits;
  }
  return cut ? out + "\nThe rest is in report.json: it is too long for this page.\n" : out;
}

}  // namespace nodebound
