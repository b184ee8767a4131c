#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/objects/document.h"

namespace nodebound::replay {

/// A piece of a log that should be one JSON value: a line, or a value that somebody has printed on several.
struct LogDocument {
  std::string_view text;   ///< valid until the next one; at least `document_padding` bytes after it can be read
  std::size_t line = 1;    ///< where it begins
  bool too_long = false;   ///< it is longer than the limit; the text is empty
  bool cut_short = false;  ///< another one begins before it has ended
};

inline constexpr std::size_t document_padding = 64;  ///< as much as simdjson reads beyond the end

/// Splits a log into documents, in memory that does not grow with the log.
class LogDocuments {
 public:
  static constexpr std::size_t usual_limit = std::size_t{64} << 20U;

  explicit LogDocuments(TextSource source, std::size_t limit = usual_limit);

  /// Nothing at the end of the text.
  std::optional<LogDocument> next();

  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  struct Line {
    std::size_t begin;
    std::size_t end;
  };

  /// The line at `at_`, or nothing if it is longer than the limit. At the end of the text it is empty and `ended_` set.
  std::optional<Line> line_at(std::size_t begin);
  bool read_more();
  LogDocument document(Line line, std::size_t number);
  void skip_line();

  TextSource source_;
  std::size_t limit_;
  std::vector<char> buffer_;
  std::size_t at_ = 0;   ///< the next document begins here
  std::size_t end_ = 0;  ///< of what has been read
  std::size_t line_ = 1;
  std::size_t bytes_ = 0;
  bool ended_ = false;
};

}  // namespace nodebound::replay
