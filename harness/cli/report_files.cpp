#include "harness/cli/report_files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "harness/cli/console.h"
#include "harness/cli/rules/rule_history.h"
#include "harness/objects/input_file.h"
#include "reference/release/catalogue.h"
#include "reference/release/source_link.h"
#include "reports/files.h"
#include "reports/run/annotations.h"
#include "reports/run/badge.h"
#include "reports/run/json.h"
#include "reports/run/junit.h"
#include "reports/run/markdown.h"
#include "reports/run/metrics.h"
#include "reports/run/sarif.h"
#include "reports/run_page/run_page.h"

namespace nodebound::cli {
namespace {

struct ReportForm {
  const char* name;
  const char* file;  ///< in the folder of a run; empty: a run does not write it
  std::string (*write)(const Report&);
};

constexpr ReportForm forms_of_reports[] = {
    {"html", "report.html", [](const Report& report) { return to_html(report, rule_notes(report)); }},
    {"json", "report.json", [](const Report& report) { return to_json(report); }},
    {"junit", "junit.xml", [](const Report& report) { return to_junit(report); }},
    {"markdown", "report.md", [](const Report& report) { return to_markdown(report); }},
    {"sarif", "report.sarif", [](const Report& report) { return to_sarif(report, rule_notes(report)); }},
    {"metrics", "metrics.txt", [](const Report& report) { return to_metrics(report); }},
    {"badge", "", [](const Report& report) { return to_badge_svg(report); }},
    {"badge-json", "", [](const Report& report) { return to_badge_json(report); }},
};

Result<void> append_to_summary(const Report& report) {
  const char* file = std::getenv("GITHUB_STEP_SUMMARY");
  if (file == nullptr || *file == '\0') {
    return input_error("--github", "GITHUB_STEP_SUMMARY is not set", "this flag is for jobs of GitHub Actions");
  }
  std::ofstream out(file, std::ios::app);
  out << to_markdown(report) << "\n";
  out.close();
  if (out) return {};
  return input_error(file, "cannot be written to", "GITHUB_STEP_SUMMARY names it");
}

}  // namespace

std::vector<RuleNote> rule_notes(const Report& report) {
  const std::optional<Version> version = Version::parse(report.release.version);
  std::vector<RuleNote> out;
  for (const RuleEntry& rule : Catalogue::built_in().rules()) {
    RuleNote note{rule.id, rule.statement, "In force: " + history_of(rule), ""};
    for (const std::string& source : rule.source) note.help += "\nSource: " + source;
    if (version && !rule.source.empty()) note.link = link_of(rule.source.front(), read_at(rule, *version));
    out.push_back(std::move(note));
  }
  return out;
}

std::vector<std::string> report_forms() {
  std::vector<std::string> out;
  for (const ReportForm& form : forms_of_reports) out.emplace_back(form.name);
  return out;
}

std::string in_form(const Report& report, std::string_view form) {
  const auto found = std::ranges::find(forms_of_reports, form, [](const ReportForm& each) { return each.name; });
  return found == std::end(forms_of_reports) ? std::string() : found->write(report);
}

Result<void> write_reports(const Report& report, const std::string& folder) {
  for (const ReportForm& form : forms_of_reports) {
    if (*form.file == '\0') continue;
    if (Result<void> written = write_file(std::filesystem::path(folder) / form.file, form.write(report)); !written) {
      return written;
    }
  }
  return {};
}

std::vector<std::string> report_file_names() {
  std::vector<std::string> out;
  for (const ReportForm& form : forms_of_reports) {
    if (*form.file != '\0') out.emplace_back(form.file);
  }
  return out;
}

Result<ReportInFile<std::string>> report_text(const std::string& name, const std::vector<const char*>& in_folder) {
  std::filesystem::path path(name);
  if (std::filesystem::is_directory(path)) {
    const auto there = std::ranges::find_if(in_folder, [&](const char* one) { return exists(path / one); });
    path /= there == in_folder.end() ? in_folder.front() : *there;
  }
  auto text = bytes_of_file(path, input_limit::objects);
  if (text) return ReportInFile<std::string>{path.string(), std::move(*text)};
  return input_error(path.string(), "cannot read this report: " + text.error(),
                     std::string("name a ") + in_folder.front() + ", or the folder of a run");
}

Result<Report> read_report(const std::string& name) {
  const auto text = report_text(name, {"report.json"});
  if (!text) return tl::unexpected<Error>(text.error());
  return report_from_json(text->report, text->file);
}

void tell_github(const Report& report) {
  std::cout << to_github_annotations(report);
  if (const Result<void> appended = append_to_summary(report); !appended) complain(appended.error().text());
}

}  // namespace nodebound::cli
