#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/result.h"
#include "reports/rule_note.h"
#include "reports/run/report.h"
#include "reports/share.h"

namespace nodebound::cli {

/// What the catalogue says of each rule, for reports on a release.
std::vector<RuleNote> rule_notes(const Report& report);

/// The forms that a report has, by the name that `--format` takes: json, junit, markdown, sarif, metrics, html, badge
/// and badge-json.
std::vector<std::string> report_forms();
std::string in_form(const Report& report, std::string_view form);

/// Writes a report in all forms that a run leaves in its folder.
Result<void> write_reports(const Report& report, const std::string& folder);
/// The names of those files.
std::vector<std::string> report_file_names();

/// The text of a report that the user names: a file, or a folder with one of those files.
Result<ReportInFile<std::string>> report_text(const std::string& name, const std::vector<const char*>& in_folder);

/// Reads `report.json`, or that of a folder.
Result<Report> read_report(const std::string& name);

/// Prints what failed as annotations, and appends the report to the summary of a job on GitHub, whose file
/// `GITHUB_STEP_SUMMARY` names; complains if that fails.
void tell_github(const Report& report);

}  // namespace nodebound::cli
