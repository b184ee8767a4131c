#include "harness/certify/certificate_page.h"

#include <map>
#include <utility>
#include <vector>

#include "reports/html.h"
#include "reports/markdown.h"
#include "reports/text.h"

namespace nodebound::certify {
namespace {

constexpr std::size_t most_failures = 200;

std::string headline(Outcome outcome) {
  switch (outcome) {
    case Outcome::passed:
      return "PASSED";
    case Outcome::warned:
      return "PASSED, with known defects of the release";
    case Outcome::deviates:
      return "DEVIATES as its implementer declares: not the same as conformant";
    case Outcome::failed:
      return "FAILED: this is no certificate";
    case Outcome::undecided:
      return "NOT DECIDED: this is no certificate";
    case Outcome::one_sided:
      return "TELLS NOTHING, as all that could be asked has one answer: this is no certificate";
    case Outcome::nothing:
      return "NOTHING WAS JUDGED: this is no certificate";
  }
  return {};
}

using Rows = std::vector<std::pair<std::string, std::string>>;

Rows rows_of(const StatementFacts& facts, const Report& report) {
  const auto number = [&](Verdict verdict) { return std::to_string(report.count(verdict)); };
  return {{"Profile",
           facts.claim.profile + "@" + std::to_string(facts.claim.version) + ", level " + to_string(facts.claim.level)},
          {"Implementation", facts.subject.name},
          {"Its SHA-256", facts.subject.sha256},
          {"Asked as", report.target.name + " " + report.target.version},
          {"Judged by Kubernetes", report.release.version},
          {"Checks passed", number(Verdict::pass)},
          {"Checks failed", number(Verdict::fail)},
          {"Known defects met", std::to_string(report.count(Verdict::deviation) - report.count_declared())},
          {"Deviations declared", std::to_string(report.count_declared())},
          {"Checks skipped", number(Verdict::skip)},
          {"Could not tell", number(Verdict::inconclusive)},
          {"Started", report.run.started},
          {"Nodebound", facts.tool_version + ", SHA-256 " + facts.tool_digest},
          {"Rule catalogue", "SHA-256 " + facts.catalogue_digest},
          {"Checks of the profile", "SHA-256 " + facts.profile_digest},
          {"Scenarios", "SHA-256 " + facts.scenarios_digest},
          {"Record of all answers", "SHA-256 " + facts.record_digest}};
}

std::map<std::string, std::size_t> skips_by_reason(const Report& report) {
  std::map<std::string, std::size_t> out;
  for (const CheckResult& check : report.checks) {
    if (check.verdict == Verdict::skip) ++out[check.why];
  }
  return out;
}

/// The checks that need a reader: what failed, what is a known defect, what could not be told.
std::vector<const CheckResult*> notable(const Report& report) {
  std::vector<const CheckResult*> out;
  for (const CheckResult& check : report.checks) {
    if (check.verdict != Verdict::pass && check.verdict != Verdict::skip) out.push_back(&check);
  }
  return out;
}

constexpr const char* declared_heading = "What its implementer declares to do otherwise";

std::vector<std::string> cells_of(const DeclaredDeviation& each) {
  return {each.checks, std::to_string(each.met), each.observed, each.reason, each.issue, each.expires};
}
const std::vector<std::string> declared_head = {"checks", "met", "what it does", "why", "issue", "until"};

constexpr const char* verify_with = "nodebound report verify bundle --key PUBLIC.pem";
constexpr const char* meaning =
    "This page proves nothing by itself. The bundle beside it is signed and holds every request and answer; whoever "
    "has it "
    "recomputes each verdict with:";

constexpr const char* style =
    "body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }\n"
    "table { border-collapse: collapse; } td, th { text-align: left; vertical-align: top; padding: .2rem 1rem .2rem 0; "
    "overflow-wrap: anywhere; }\n.verdict { font-size: 1.4rem; font-weight: 600; }\n";

}  // namespace

std::string certificate_markdown(const StatementFacts& facts, const Report& report) {
  std::string out = "# " + markdown_text(facts.subject.name) + ": " + markdown_text(facts.claim.profile) + "\n\n**" +
                    headline(outcome_of(report)) + "**\n\n" + markdown_head({"", ""});
  for (const auto& [name, value] : rows_of(facts, report)) out += markdown_row({name, markdown_text(value)});
  out += std::string("\n") + meaning + "\n\n```\n" + verify_with + "\n```\n";
  if (!report.declared.empty()) {
    out += std::string("\n## ") + declared_heading + "\n\n" + markdown_head(declared_head);
    for (const DeclaredDeviation& each : report.declared) {
      std::vector<std::string> cells = cells_of(each);
      for (std::string& cell : cells) cell = markdown_text(cell);
      out += markdown_row(cells);
    }
  }
  if (const auto checks = notable(report); !checks.empty()) {
    out += "\n## What did not pass\n\n" + markdown_head({"check", "verdict", "why"});
    for (std::size_t i = 0; i < std::min(checks.size(), most_failures); ++i) {
      out += markdown_row({markdown_code(checks[i]->id), to_string(checks[i]->verdict), markdown_text(checks[i]->why)});
    }
    if (checks.size() > most_failures) out += "\nand " + std::to_string(checks.size() - most_failures) + " more\n";
  }
  if (const auto skips = skips_by_reason(report); !skips.empty()) {
    out += "\n## What was not asked\n\n" + markdown_head({"checks", "why"});
    for (const auto& [why, count] : skips) out += markdown_row({std::to_string(count), markdown_text(why)});
  }
  return out;
}

std::string certificate_html(const StatementFacts& facts, const Report& report) {
  const std::string title = facts.subject.name + ": " + facts.claim.profile;
  std::string out =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n";
  out += html_element("title", "", html_text(title)) + "\n<style>\n" + style + "</style>\n</head>\n<body>\n<main>\n";
  out += html_element("h1", "", html_text(title)) + "\n" +
         html_element("p", "verdict", html_text(headline(outcome_of(report)))) + "\n";
  std::string rows;
  for (const auto& [name, value] : rows_of(facts, report)) {
    rows += "<tr><th scope=\"row\">" + html_text(name) + "</th>" + html_element("td", "", html_text(value)) + "</tr>\n";
  }
  out += html_element("table", "", "\n" + rows) + "\n" + html_element("p", "", html_text(meaning)) + "\n" +
         html_element("pre", "", html_text(verify_with)) + "\n";
  if (!report.declared.empty()) {
    rows = "<tr>";
    for (const std::string& cell : declared_head) rows += html_element("th", "", html_text(cell));
    rows += "</tr>\n";
    for (const DeclaredDeviation& each : report.declared) {
      rows += "<tr>";
      for (const std::string& cell : cells_of(each)) rows += html_element("td", "", html_text(cell));
      rows += "</tr>\n";
    }
    out += std::string("<h2>") + declared_heading + "</h2>\n" + html_element("table", "", "\n" + rows) + "\n";
  }
  if (const auto checks = notable(report); !checks.empty()) {
    rows = "<tr><th>check</th><th>verdict</th><th>why</th></tr>\n";
    for (std::size_t i = 0; i < std::min(checks.size(), most_failures); ++i) {
      rows += "<tr>" + html_element("td", "", html_text(checks[i]->id)) +
              html_element("td", "", to_string(checks[i]->verdict)) +
              html_element("td", "", html_text(checks[i]->why)) + "</tr>\n";
    }
    out += "<h2>What did not pass</h2>\n" + html_element("table", "", "\n" + rows) + "\n";
    if (checks.size() > most_failures) {
      out += "<p>and " + std::to_string(checks.size() - most_failures) + " more</p>\n";
    }
  }
  if (const auto skips = skips_by_reason(report); !skips.empty()) {
    rows = "<tr><th>checks</th><th>why</th></tr>\n";
    for (const auto& [why, count] : skips) {
      rows +=
          "<tr>" + html_element("td", "", std::to_string(count)) + html_element("td", "", html_text(why)) + "</tr>\n";
    }
    out += "<h2>What was not asked</h2>\n" + html_element("table", "", "\n" + rows) + "\n";
  }
  return out + "</main>\n</body>\n</html>\n";
}

}  // namespace nodebound::certify
