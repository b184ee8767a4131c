#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nodebound::cel {

/// Where something begins: an index into the code points of the source, or nowhere.
using Offset = int;
constexpr Offset nowhere = -1;

/// The text of an expression in code points, which is what positions count.
class Source {
 public:
  explicit Source(std::string_view text);

  [[nodiscard]] const std::u32string& code_points() const { return code_points_; }
  [[nodiscard]] std::string text(Offset begin, Offset end) const;

 private:
  friend class Issues;
  std::u32string code_points_;
  std::vector<Offset> line_ends_;  ///< index after each line feed
};

/// What is wrong with an expression, in the order in which it was found.
class Issues {
 public:
  explicit Issues(const Source& source) : source_(source) {}

  void report(Offset at, std::string message);
  [[nodiscard]] bool empty() const { return issues_.empty(); }
  /// All of it as cel-go prints it, by position: `ERROR: <input>:1:9: …` with the line and a caret; at most 100.
  [[nodiscard]] std::string text() const;

 private:
  struct Issue {
    int line;    ///< from 1; -1 if it has no place
    int column;  ///< from 0
    std::string message;
  };
  [[nodiscard]] std::string text(const Issue& issue) const;

  const Source& source_;
  std::vector<Issue> issues_;
  std::size_t count_ = 0;
};

}  // namespace nodebound::cel
