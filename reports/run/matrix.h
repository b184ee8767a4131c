#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/run/report.h"
#include "reports/terminal.h"

namespace nodebound {

/// The `schema` of a matrix; `matrix.schema.json` describes it.
inline constexpr const char* matrix_schema = "nodebound.dev/matrix/v1";

/// Several reports side by side: a row for each, with the results of its checks by profile.
struct Matrix {
  /// Checks of one profile by verdict.
  struct Cell {
    std::map<Verdict, std::size_t> counts;

    [[nodiscard]] std::size_t count(Verdict verdict) const;
  };
  struct Row {
    std::string release;
    std::vector<std::string> feature_gates;  ///< those that differ from the release's defaults
    std::string target;                      ///< with the version that was observed
    std::string observed;
    int exit_code = 0;
    std::map<std::string, Cell> profiles;
    std::vector<std::string> broken_rules;
    bool declares = false;  ///< some checks deviate as its implementer declares
  };

  std::vector<std::string> profiles;  ///< of any report, sorted
  std::vector<Row> rows;              ///< in the order of the reports
};

/// 0 if every target conforms, otherwise the first other code of a row: 1 before 3 before 4.
int exit_code(const Matrix& matrix);

Matrix matrix_of(const std::vector<Report>& reports);

std::string to_terminal(const Matrix& matrix, const TerminalStyle& style);
std::string to_json(const Matrix& matrix);
std::string to_markdown(const Matrix& matrix);

}  // namespace nodebound
