#pragma once

#include <string>
#include <vector>

#include "reports/page.h"

namespace nodebound {

/// Rows whose cells line up. The last column takes what is left of the width and is cut there, or, where too little is
/// left, goes below its row. Cells may come from outside: they are made printable here.
class Table {
 public:
  explicit Table(std::vector<std::string> titles) : titles_(std::move(titles)) {}

  void row(std::vector<std::string> cells) { rows_.push_back({std::move(cells), false}); }
  /// A line of its own between rows, not kept to any column.
  void heading(std::string text) { rows_.push_back({{std::move(text)}, true}); }

  /// `whole` cuts nothing, for output that is not looked at on a terminal.
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
