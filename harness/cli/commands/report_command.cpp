#include <iostream>
#include <memory>

#include "harness/cli/commands/commands.h"
#include "harness/cli/console.h"
#include "harness/objects/input_file.h"
#include "reports/files.h"
#include "reports/run/json.h"
#include "reports/run/matrix.h"

namespace nodebound {
namespace {

struct MatrixFlags {
  std::vector<std::string> reports;
  std::string format = "table";
  std::string out;
};

Result<Report> read_report(const std::string& name) {
  std::filesystem::path path(name);
  if (std::filesystem::is_directory(path)) path /= "report.json";
  const auto text = bytes_of_file(path, input_limit::objects);
  if (text) return report_from_json(*text, path.string());
  return input_error(path.string(), "cannot read this report: " + text.error(),
                     "name a report.json, or the folder of a run");
}

int matrix(const MatrixFlags& flags) {
  std::vector<Report> reports;
  for (const std::string& name : flags.reports) {
    Result<Report> report = read_report(name);
    if (!report) return fail(report.error());
    reports.push_back(std::move(*report));
  }
  const Matrix matrix = matrix_of(reports);
  if (!flags.out.empty()) {
    const std::filesystem::path folder(flags.out);
    for (const auto& [name, text] : {std::pair("matrix.json", to_json(matrix)), {"matrix.md", to_markdown(matrix)}}) {
      if (Result<void> written = write_file(folder / name, text); !written) return fail(written.error());
    }
  }
  std::cout << (flags.format == "json"       ? to_json(matrix)
                : flags.format == "markdown" ? to_markdown(matrix)
                                             : to_terminal(matrix, terminal_style(false)));
  return exit_code(matrix);
}

}  // namespace

void add_report_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("report", "What to do with reports of earlier runs");
  command->require_subcommand(1);
  auto flags = std::make_shared<MatrixFlags>();
  CLI::App* of_matrix =
      command->add_subcommand("matrix", "Several reports side by side: a row each, a column a profile");
  of_matrix->add_option("REPORT", flags->reports, "report.json of a run, or its folder")->required();
  of_matrix->add_option("--out", flags->out, "Folder for matrix.json and matrix.md");
  add_format_flag(*of_matrix, flags->format);
  of_matrix->callback([flags, &exit_code] { exit_code = matrix(*flags); });
}

}  // namespace nodebound
