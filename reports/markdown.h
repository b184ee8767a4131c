#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nodebound {

/// `text` on one line, for a paragraph or a cell of a table, escaped so that it contains no markup.
std::string markdown_text(std::string_view text);

/// The same as code.
std::string markdown_code(std::string_view text);

/// A row of a table; the cells are markdown already.
std::string markdown_row(const std::vector<std::string>& cells);

/// The first two lines of a table.
std::string markdown_head(const std::vector<std::string>& titles);

}  // namespace nodebound
