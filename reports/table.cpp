#include "reports/table.h"

#include <algorithm>

#include "reports/text.h"

namespace nodebound {
namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t least_of_last = 30;

}  // namespace

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths;
  widths.reserve(titles_.size());
  for (const std::string& title : titles_) widths.push_back(columns(title));
  for (const Row& row : rows_) {
    if (row.heading) continue;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      widths[i] = std::max(widths[i], columns(printable(row.cells[i])));
    }
  }
  return widths;
}

void Table::write(Page& page, bool whole) const {
  const std::vector<std::size_t> width = widths();
  std::size_t before_last = 0;
  for (std::size_t i = 0; i + 1 < width.size(); ++i) before_last += width[i] + gap;
  const std::size_t left = page.width() > before_last ? page.width() - before_last : 0;
  const bool below = !whole && left < std::min(least_of_last, width.back());

  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text;
    for (std::size_t i = 0; i + 1 < cells.size(); ++i) {
      text += pad_right(printable(cells[i]), width[i]) + std::string(gap, ' ');
    }
    const std::string last = printable(cells.back());
    if (!below) return text + (whole ? last : clip(last, left));
    text.erase(text.find_last_not_of(' ') + 1);
    return clip(text, page.width());
  };
  page.raw(page.paint(Colour::bold, line(titles_)));
  for (const Row& row : rows_) {
    if (row.heading) {
      page.blank();
      page.paragraph(0, Colour::bold, row.cells.front());
      continue;
    }
    page.raw(line(row.cells));
    if (below) page.paragraph(2 * gap, Colour::dim, row.cells.back());
  }
}

}  // namespace nodebound
