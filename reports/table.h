#pragma once

#include <string>
#include <vector>

#include "reports/page.h"

namespace nodebound {

/// Rows with aligned cells. The last column gets the remaining width and is cut there; if that is too narrow, it goes
/// below its row. Cells may come from outside: they are made printable here.
class Table {
 public:
  explicit Table(std::vector<std::string> titles) : titles_(std::move(titles)) {}

  void row(std::vector<std::string> cells) { rows_.push_back({std::move(cells), false}); }
  /// A line between rows that is not aligned to the columns.
  void heading(std::string text) { rows_.push_back({{std::move(text)}, true}); }

  /// `whole` cuts nothing, for output that is not a terminal.
  void write(Page& page, bool whole) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    bool heading = false;
  };

  [[nodiscard]] std::vector<std::size_t> widths() const;

  std::vector<std::string> titles_;
  std::vector<Row> rows_;
};

}  // namespace nodebound
