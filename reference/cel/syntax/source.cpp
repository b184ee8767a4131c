#include "reference/cel/syntax/source.h"

#include <algorithm>
#include <utility>

#include "reference/encoding/utf8.h"

namespace nodebound::cel {

namespace {

// cel-go's limits (common/errors.go, common/error.go).
constexpr std::size_t most_issues = 100;
constexpr std::size_t longest_snippet = 16384;

constexpr std::string_view wide_dot = "\uff0e";
constexpr std::string_view wide_caret = "\uff3e";

}  // namespace

Source::Source(std::string_view text) {
  code_points_.reserve(text.size());
  while (!text.empty()) {
    code_points_.push_back(take_code_point(text));
    if (code_points_.back() == U'\n') line_ends_.push_back(static_cast<Offset>(code_points_.size()));
  }
}

std::string Source::text(Offset begin, Offset end) const {
  std::string out;
  for (Offset i = begin; i < end; ++i) append_code_point(out, code_points_[static_cast<std::size_t>(i)]);
  return out;
}

void Issues::report(Offset at, std::string message) {
  ++count_;
  if (count_ > most_issues) return;
  if (at == nowhere) {
    issues_.push_back({-1, -1, std::move(message)});
    return;
  }
  const auto line = std::upper_bound(source_.line_ends_.begin(), source_.line_ends_.end(), at);
  const Offset begins = line == source_.line_ends_.begin() ? 0 : *(line - 1);
  issues_.push_back({static_cast<int>(line - source_.line_ends_.begin()) + 1, at - begins, std::move(message)});
}

std::string Issues::text(const Issue& issue) const {
  std::string out =
      "ERROR: <input>:" + std::to_string(issue.line) + ":" + std::to_string(issue.column + 1) + ": " + issue.message;
  const auto size = static_cast<Offset>(source_.code_points_.size());
  if (issue.line < 1 || size == 0) return out;
  const auto line = static_cast<std::size_t>(issue.line);
  const Offset begin = line == 1 ? 0 : source_.line_ends_[line - 2];
  const Offset end = line <= source_.line_ends_.size() ? source_.line_ends_[line - 1] - 1 : size;
  std::string snippet = source_.text(begin, end);
  if (snippet.size() > longest_snippet) return out;
  std::replace(snippet.begin(), snippet.end(), '\t', ' ');
  out += "\n | " + snippet + "\n | ";
  // A caret is as wide as the character that it marks; dots lead to it, and none beyond the line's end.
  const auto is_wide = [&](Offset at) { return source_.code_points_[static_cast<std::size_t>(at)] >= 0x80; };
  const Offset marked = begin + issue.column;
  for (Offset i = begin; i < std::min(marked, end); ++i) out += is_wide(i) ? wide_dot : std::string_view(".");
  return out.append(marked < end && is_wide(marked) ? wide_caret : std::string_view("^"));
}

std::string Issues::text() const {
  std::vector<const Issue*> sorted;
  for (const Issue& issue : issues_) sorted.push_back(&issue);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Issue* a, const Issue* b) {
    return std::pair(a->line, a->column) < std::pair(b->line, b->column);
  });
  std::string out;
  for (const Issue* issue : sorted) out.append(out.empty() ? "" : "\n").append(text(*issue));
  if (count_ > most_issues) out += "\n" + std::to_string(count_ - most_issues) + " more errors were truncated";
  return out;
}

}  // namespace nodebound::cel
