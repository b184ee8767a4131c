#include "reports/run/matrix.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "reports/json_object.h"
#include "reports/markdown.h"
#include "reports/page.h"
#include "reports/table.h"
#include "reports/text.h"

namespace nodebound {
namespace {

using Json = nlohmann::ordered_json;

// `2706`, `2701, 5 deviations`, `3 failed of 2706`, `not asked`.
std::string cell_text(const Matrix::Cell& cell) {
  const std::size_t passed = cell.count(Verdict::pass);
  const std::size_t failed = cell.count(Verdict::fail);
  const std::size_t deviations = cell.count(Verdict::deviation);
  const std::size_t unclear = cell.count(Verdict::inconclusive);
  if (passed + failed + deviations + unclear == 0) return "not asked";
  std::string text =
      failed == 0 ? std::to_string(passed) : std::to_string(failed) + " failed of " + std::to_string(passed + failed);
  if (deviations > 0) text += ", " + std::to_string(deviations) + (deviations == 1 ? " deviation" : " deviations");
  if (unclear > 0) text += ", " + std::to_string(unclear) + " inconclusive";
  return text;
}

std::string outcome(const Matrix::Row& row) {
  if (row.exit_code == 0) return row.declares ? "conforms except for what is declared" : "conforms";
  return row.exit_code == 1 ? "does not conform" : "could not tell";
}

std::string release_text(const Matrix::Row& row) {
  std::string text = row.release;
  for (const std::string& gate : row.feature_gates) text += " " + gate;
  return text;
}

Matrix::Row row_of(const Report& report) {
  Matrix::Row row{report.release.version, report.release.feature_gates,
                  report.target.name,     report.target.version,
                  exit_code(report),      {},
                  report.broken_rules(),  report.count_declared() > 0};
  for (const CheckResult& check : report.checks) ++row.profiles[check.profile].counts[check.verdict];
  return row;
}

}  // namespace

std::size_t Matrix::Cell::count(Verdict verdict) const {
  const auto found = counts.find(verdict);
  return found == counts.end() ? 0 : found->second;
}

Matrix matrix_of(const std::vector<Report>& reports) {
  Matrix matrix;
  std::set<std::string> profiles;
  for (const Report& report : reports) {
    matrix.rows.push_back(row_of(report));
    for (const auto& [profile, cell] : matrix.rows.back().profiles) profiles.insert(profile);
  }
  matrix.profiles.assign(profiles.begin(), profiles.end());
  return matrix;
}

int exit_code(const Matrix& matrix) {
  for (const int code : {1, 3, 4}) {
    for (const Matrix::Row& row : matrix.rows) {
      if (row.exit_code == code) return code;
    }
  }
  return matrix.rows.empty() ? 4 : 0;
}

std::string to_terminal(const Matrix& matrix, const TerminalStyle& style) {
  Page page(style);
  std::vector<std::string> titles = {"RELEASE"};
  titles.insert(titles.end(), matrix.profiles.begin(), matrix.profiles.end());
  titles.emplace_back("OUTCOME");
  Table table(titles);
  for (const Matrix::Row& row : matrix.rows) {
    std::vector<std::string> cells = {release_text(row)};
    for (const std::string& profile : matrix.profiles) {
      const auto cell = row.profiles.find(profile);
      cells.push_back(cell == row.profiles.end() ? "not asked" : cell_text(cell->second));
    }
    cells.push_back(outcome(row));
    table.row(std::move(cells));
  }
  table.write(page, style.verbose);
  return page.text();
}

std::string to_json(const Matrix& matrix) {
  Json document;
  document["schema"] = matrix_schema;
  document["exit_code"] = exit_code(matrix);
  document["profiles"] = matrix.profiles;
  document["rows"] = Json::array();
  for (const Matrix::Row& row : matrix.rows) {
    Json entry;
    entry["release"] = row.release;
    entry["feature_gates"] = row.feature_gates;
    entry["target"] = row.target;
    entry["observed"] = row.observed;
    entry["exit_code"] = row.exit_code;
    entry["broken_rules"] = row.broken_rules;
    entry["profiles"] = Json::object();
    for (const auto& [profile, cell] : row.profiles) {
      for (const Verdict verdict : all_verdicts) entry["profiles"][profile][to_string(verdict)] = cell.count(verdict);
    }
    document["rows"].push_back(std::move(entry));
  }
  return json_text(document);
}

std::string to_markdown(const Matrix& matrix) {
  std::vector<std::string> titles = {"release"};
  for (const std::string& profile : matrix.profiles) titles.push_back(markdown_text(profile));
  titles.emplace_back("outcome");
  std::string out =
      "# Releases by profile\n\nChecks that passed, and what else became of them.\n\n" + markdown_head(titles);
  for (const Matrix::Row& row : matrix.rows) {
    std::vector<std::string> cells = {markdown_text(release_text(row))};
    for (const std::string& profile : matrix.profiles) {
      const auto cell = row.profiles.find(profile);
      cells.push_back(cell == row.profiles.end() ? "not asked" : cell_text(cell->second));
    }
    std::string last = outcome(row);
    for (const std::string& rule : row.broken_rules) last += ", " + markdown_code(rule);
    cells.push_back(last);
    out += markdown_row(cells);
  }
  return out;
}

}  // namespace nodebound
