#include "reports/run/sarif.h"

#include "reports/run/check_groups.h"
#include "reports/run/repeat.h"
#include "reports/sarif/sarif.h"
#include "reports/text.h"

namespace nodebound {
namespace {

std::string account_in_words(const Report& report, const CheckResult& check) {
  std::string out = check.id + ": ";
  if (check.verdict == Verdict::fail) out += "expected " + check.expected + ", observed " + check.observed;
  if (!check.why.empty()) out += (check.verdict == Verdict::fail ? "; " : "") + check.why;
  if (!check.leaked.empty()) out += "; the answer shows " + comma_separated(check.leaked);
  if (!check.evidence.request.empty()) out += "\n" + check.evidence.subject + ": " + check.evidence.request;
  return out + "\n" + command_to_repeat(report, check);
}

SarifResult sarif_of(const Report& report, const CheckResult& check) {
  SarifResult out;
  out.rule = check.rules.empty() ? "no-rule-named" : check.rules.front();
  out.level = check.verdict == Verdict::fail        ? SarifResult::Level::error
              : check.verdict == Verdict::deviation ? SarifResult::Level::note
                                                    : SarifResult::Level::warning;
  out.message = account_in_words(report, check);
  out.place = source_place(check.where);
  out.fingerprint = check.id;
  if (check.verdict == Verdict::deviation) {
    out.suppressed = (check.declared ? "declared deviation " : "known deviation ") + check.deviation + ": " + check.why;
  }
  return out;
}

}  // namespace

std::string to_sarif(const Report& report, const std::vector<RuleNote>& rules) {
  SarifLog log;
  log.tool_version = report.run.tool_version;
  log.rules = rules;
  for (const CheckResult& check : report.checks) {
    if (check.verdict != Verdict::pass && check.verdict != Verdict::skip)
      log.results.push_back(sarif_of(report, check));
  }
  log.complete = exit_code(report) <= 1;
  if (!log.complete) log.incomplete = verdict_line(report);
  return to_sarif(log);
}

}  // namespace nodebound
