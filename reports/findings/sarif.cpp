#include "reports/findings/sarif.h"

#include "reports/sarif/sarif.h"
#include "reports/text.h"

namespace nodebound {
namespace {

SarifResult::Level level_of(Finding::Level level) {
  switch (level) {
    case Finding::Level::error:
      return SarifResult::Level::error;
    case Finding::Level::warning:
      return SarifResult::Level::warning;
    case Finding::Level::note:
      return SarifResult::Level::note;
  }
  return SarifResult::Level::note;
}

RuleNote note_of(const Finding& finding) {
  RuleNote out{finding.id, finding.statement.empty() ? finding.id : finding.statement, finding.advice, ""};
  if (!finding.seen_at.empty()) {
    out.help += (out.help.empty() ? "" : "\n") + ("Seen at " + comma_separated(finding.seen_at) + ".");
  }
  for (const std::string& issue : finding.seen_at) {
    if (out.link.empty()) out.link = issue_url(issue);
  }
  return out;
}

std::string sentence_of(const Finding& finding) {
  std::string out = finding.who.empty() ? finding.what : finding.who + ": " + finding.what;
  if (!finding.since.empty()) out += " (from Kubernetes " + finding.since + " on)";
  out += "." + (finding.advice.empty() ? "" : " " + finding.advice);
  if (!finding.put_off_by.empty()) out += " " + comma_separated(finding.put_off_by) + " puts it off.";
  return out;
}

SarifResult sarif_result_of(const Finding& finding) {
  SarifResult out;
  out.rule = finding.id;
  out.level = level_of(finding.level);
  out.message = sentence_of(finding);
  const std::string& file = finding.place.file;
  // A relative path is relative to the root of the repository, as code scanning wants it.
  if (file != "standard input") out.place = {file.starts_with("./") ? file.substr(2) : file, finding.place.line};
  out.object = finding.place.object + finding.place.field;
  out.fingerprint = fingerprint_of(finding);
  out.suppressed = finding.accepted;
  out.count = finding.count;
  if (out.place.file.empty()) return out;
  for (const Finding::Fix& fix : finding.fixes) {
    if (fix.edits.empty()) continue;
    out.fixes.push_back({fix.what, {}});
    for (const Finding::Fix::Edit& edit : fix.edits) {
      out.fixes.back().edits.push_back({edit.line, edit.replaces, edit.lines});
    }
  }
  return out;
}

}  // namespace

std::string to_sarif(const std::vector<Finding>& findings, const std::string& tool_version) {
  SarifLog log;
  log.tool_version = tool_version;
  for (const Finding& finding : findings) {
    log.rules.push_back(note_of(finding));
    log.results.push_back(sarif_result_of(finding));
  }
  return to_sarif(log);
}

}  // namespace nodebound
